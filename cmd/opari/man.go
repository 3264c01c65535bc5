//go:build man

package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"opari/internal/command/arguments"
	"opari/internal/command/build"
	"opari/internal/command/failure"
)

// The tag man adds a command that writes the manual pages: go run -tags man ./cmd/opari man
// DIR. Without the tag, opari does not link the Markdown library, which would slow every start.
func init() { commands = append(commands, command{"man", newMan}) }

func newMan() *cobra.Command {
	markdown := false
	man := &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Hidden: true,
		Args:   arguments.One("directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return failure.OS(args[0], err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			toMarkdown(root)
			if markdown {
				return doc.GenMarkdownTree(root, args[0])
			}
			header := &doc.GenManHeader{Source: "opari " + build.Version, Manual: "User Commands"}
			return doc.GenManTree(root, header, args[0])
		},
	}
	man.Flags().BoolVar(&markdown, "markdown", false, "write pages in Markdown instead")
	return man
}

// toMarkdown converts the plain help texts of cmd and its subcommands to Markdown, which
// cobra/doc expects.
func toMarkdown(cmd *cobra.Command) {
	var long strings.Builder
	wasCode := false
	for line := range strings.Lines(cmd.Long) {
		isCode := strings.HasPrefix(line, "  ")
		if isCode != wasCode {
			long.WriteString("\n")
		}
		if isCode {
			long.WriteString("    " + line)
		} else {
			long.WriteString(escapeMarkdown.Replace(line))
		}
		wasCode = isCode
	}
	cmd.Long = long.String()
	cmd.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		name, usage := pflag.UnquoteUsage(f)
		f.Usage = escapeMarkdown.Replace(strings.ReplaceAll(usage, "\n", " "))
		if f.DefValue == "" || f.DefValue == "[]" {
			f.DefValue = name
		}
	})
	for _, c := range cmd.Commands() {
		toMarkdown(c)
	}
}

var escapeMarkdown = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "#", `\#`,
)
