package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Hidden: true,
		Args:   one("directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return osError(args[0], err)
			}
			return writeManuals(cmd.Root(), args[0])
		},
	}
}

// writeManuals writes the page of cmd and of the commands below it: opari.1, opari-run.1. The pages are a function of the program: no
// date stands in them.
//
// cobra/doc does the same by way of Markdown; its packages would add a fifth to the time that this program needs to start.
func writeManuals(cmd *cobra.Command, dir string) error {
	for _, c := range cmd.Commands() {
		if !c.Hidden && c.Name() != "help" {
			if err := writeManuals(c, dir); err != nil {
				return err
			}
		}
	}
	path := filepath.Join(dir, manName(cmd)+".1")
	o, err := planOutput(path, []*input{{path: path}}, true)
	if err != nil {
		return err
	}
	return o.write(func(w io.Writer) error {
		_, err := io.WriteString(w, manual(cmd))
		return err
	})
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manual is the page of cmd in the man macros.
func manual(cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" %s \"User Commands\"\n", roffArg(strings.ToUpper(manName(cmd))), roffArg("opari "+version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	b.WriteString(".SH SYNOPSIS\n.nf\n")
	for line := range strings.Lines(useLines(cmd)) {
		b.WriteString(roff(strings.TrimSpace(line)) + "\n")
	}
	b.WriteString(".fi\n.SH DESCRIPTION\n")
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	paragraphs(&b, text)
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	if cmd.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s; see \\fB%s\\fR(1).\n", roff(c.CommandPath()), roff(c.Short), roff(manName(c)))
			}
		}
		b.WriteString(".SH EXIT STATUS\n0 for success, 1 for input that cannot be used, 2 for a mistake in the command line.\n")
	} else if cmd.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n\\fB%s\\fR(1)\n", roff(manName(cmd.Root())))
	}
	return b.String()
}

// paragraphs writes text: lines that are indented stay as they are.
func paragraphs(b *strings.Builder, text string) {
	for _, p := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(p, "  ") || strings.Contains(p, "\n  ") {
			b.WriteString(".PP\n.nf\n" + roff(p) + "\n.fi\n")
		} else {
			b.WriteString(".PP\n" + roff(p) + "\n")
		}
	}
}

func manFlags(b *strings.Builder, title string, fs *pflag.FlagSet) {
	if !fs.HasAvailableFlags() {
		return
	}
	b.WriteString(".SH " + title + "\n")
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		b.WriteString(".TP\n")
		if f.Shorthand != "" {
			b.WriteString("\\fB\\-" + f.Shorthand + "\\fR, ")
		}
		b.WriteString("\\fB\\-\\-" + roff(f.Name) + "\\fR")
		if name != "" {
			b.WriteString("=\\fI" + roff(name) + "\\fR")
		}
		b.WriteString("\n" + roff(strings.ReplaceAll(usage, "\n", " ")))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
			b.WriteString(" (default " + roff(f.DefValue) + ")")
		}
		b.WriteString(".\n")
	})
}

// roff escapes text: backslashes, minus signs, and dots and quotes that open a line.
func roff(s string) string {
	s = strings.ReplaceAll(s, `\`, `\e`)
	s = strings.ReplaceAll(s, "-", `\-`)
	var b strings.Builder
	for line := range strings.Lines(s) {
		if line[0] == '.' || line[0] == '\'' {
			b.WriteString(`\&`)
		}
		b.WriteString(line)
	}
	return b.String()
}

func roffArg(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }
