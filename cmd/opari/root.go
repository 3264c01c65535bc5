package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/build"
	"opari/internal/command/demo"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/instrumenting"
	"opari/internal/command/race"
	"opari/internal/command/reports"
	"opari/internal/command/running"
	"opari/internal/command/scale"
	"opari/internal/command/traces"
	"opari/internal/instrument"
)

// command makes the command of a name.
type command struct {
	name string
	make func() *cobra.Command
}

// commands has all of them but cobra's own. man.go adds one in a build with its tag.
var commands = []command{
	{"demo", demo.New},
	{"cc", instrumenting.CC},
	{"run", running.Run},
	{"report", reports.Report},
	{"export", reports.Export},
	{"compare", reports.Compare},
	{"scale", scale.New},
	{"tool-log", running.ToolLog},
	{"race", race.New},
	{"trace", func() *cobra.Command { return traces.New(running.Recover()) }},
	{"regions", instrumenting.Regions},
	{"coverage", instrumenting.Coverage},
	{"diff", instrumenting.Diff},
	{"strip", instrumenting.Strip},
	{"golden", instrumenting.Golden},
	{"config", instrumenting.Config},
	{"install", instrumenting.Install},
	{"pomp2", instrumenting.POMP2},
	{"version", newVersion},
}

// aboutAll are the words for which cobra looks at all commands.
var aboutAll = []string{
	"help", "completion", "man", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd,
}

// needed returns the commands that a command line may name. opari starts for each file of a build,
// and to make all of them took as long as to instrument a file. Any option with an h counts as
// --help, which may stand in a group of short options.
func needed(args []string) []command {
	if slices.ContainsFunc(args, func(a string) bool {
		return slices.Contains(aboutAll, a) ||
			strings.HasPrefix(a, "-") && strings.Contains(a, "h")
	}) {
		return commands
	}
	return slices.DeleteFunc(slices.Clone(commands),
		func(c command) bool { return !slices.Contains(args, c.name) })
}

// execute runs the command that args name and returns the exit code.
func execute(args []string) int {
	defer traces.RemoveConverted()
	build.Note()
	args = instrument.SingleDash(args)
	root := newRoot(needed(args))
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	var code failure.Exit
	var usage failure.UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "opari: error: %v\n\nUsage:\n  %s\n\n`%s --help` says more.\n", err,
			strings.TrimSpace(useLines(cmd)), cmd.CommandPath())
		return 2
	default:
		fmt.Fprintln(os.Stderr, failure.Written(err))
		return 1
	}
}

func useLines(cmd *cobra.Command) string {
	if cmd.HasParent() {
		return cmd.UseLine()
	}
	return "opari [flags] FILE [OUT]\n  opari [flags] FILE FILE FILE...\n  opari COMMAND ..."
}

const rootLong = `opari instruments C, C++ and Fortran programs with OpenMP, runs them, and says
where their threads lose time.

  make CC="opari cc gcc"      instruments while compiling: see opari cc --help
  opari run ./program         prints where its threads lost time
  opari FILE                  writes FILE with .mod before its last extension: f.c gives f.mod.c
  opari FILE OUT              writes OUT
  opari -o OUT FILE           likewise
  opari FILE FILE...          three files or more: each gets its .mod beside it
  opari -m FILE FILE          the same for two files

"-" is standard input, and standard output. Two names are always input and output, whatever
exists on the disk. opari overwrites an existing OUT only if it is an output of opari or
empty, or with --force. Write ./name for a file that has the name of a command.`

func newRoot(with []command) *cobra.Command {
	var o instrumenting.Flags
	root := &cobra.Command{
		Use: "opari [flags] FILE [OUT]",
		Short: "Instrument OpenMP programs, run them, and see where their threads lose " +
			"time",
		Long:          rootLong,
		Example:       "  opari demo\n  opari program.c && opari diff program.c",
		Version:       build.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failure.Usage(errors.New("no file to instrument"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := disk.MeantForCommand(args); err != nil {
				return withSuggestion(err, args[0])
			}
			return o.Run(args)
		},
	}
	root.SetVersionTemplate(versionLine() + "\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return failure.Usage(arguments.PlainNumber(err))
	})
	o.Add(root)
	for _, c := range with {
		root.AddCommand(c.make())
	}
	root.CompletionOptions.DisableDefaultCmd = len(with) < len(commands)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			arguments.NeedCommand(c, "shell")
			c.Example = "  opari completion bash > opari.bash"
			for _, shell := range c.Commands() {
				shell.Example = fmt.Sprintf("  opari completion %[1]s > opari.%[1]s", shell.Name())
			}
		}
	}
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = arguments.IsCommand
			c.Example = "  opari help trace print"
		}
	}
	wrapArgs(root)
	return root
}

// withSuggestion adds to an error the commands whose names are like the word.
func withSuggestion(err error, word string) error {
	all := newRoot(commands)
	all.SuggestionsMinimumDistance = 2
	if like := all.SuggestionsFor(word); len(like) > 0 {
		return fmt.Errorf("%w; did you mean opari %s?", err, strings.Join(like, " or opari "))
	}
	return err
}

// wrapArgs turns the errors of all commands' argument checks into usage errors.
func wrapArgs(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			if err == nil || errors.As(err, new(failure.UsageError)) {
				return err
			}
			return failure.Usage(err)
		}
	}
	for _, c := range cmd.Commands() {
		wrapArgs(c)
	}
}
