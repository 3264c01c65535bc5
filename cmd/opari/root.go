package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/instrument"
)

// command makes the command of a name.
type command struct {
	name string
	make func() *cobra.Command
}

// commands has all of them but cobra's own. man.go adds one in a build with its tag.
var commands = []command{
	{"cc", newCC},
	{"run", newRun},
	{"report", newReport},
	{"export", newExport},
	{"compare", newCompare},
	{"scale", newScale},
	{"tool-log", newToolLog},
	{"race", newRace},
	{"trace", newTrace},
	{"regions", newRegions},
	{"coverage", newCoverage},
	{"diff", newDiff},
	{"strip", newStrip},
	{"golden", newGolden},
	{"config", newConfig},
	{"install", newInstall},
	{"pomp2", newPOMP2},
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

// usageError is a mistake in the command line, with exit code 2.
type usageError struct{ error }

// exitError ends the program with a code. The messages are printed already.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// execute runs the command that args name and returns the exit code.
func execute(args []string) int {
	defer removeTraces()
	noteVersion()
	args = instrument.SingleDash(args)
	root := newRoot(needed(args))
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	var code exitError
	var usage usageError
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
		fmt.Fprintln(os.Stderr, written(err))
		return 1
	}
}

// written names standard output in an error that comes straight from the system.
func written(err error) error {
	if p, is := err.(*os.PathError); is && p.Path == os.Stdout.Name() {
		return osError(p.Path, err)
	}
	return err
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
	var o instrumentFlags
	root := &cobra.Command{
		Use: "opari [flags] FILE [OUT]",
		Short: "Instrument OpenMP programs, run them, and see where their threads lose " +
			"time",
		Long:          rootLong,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("no file to instrument")}
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := meantForCommand(args); err != nil {
				return err
			}
			return o.run(args)
		},
	}
	root.SetVersionTemplate(versionLine() + "\n")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usageError{plainNumber(err)}
	})
	o.add(root)
	for _, c := range with {
		root.AddCommand(c.make())
	}
	root.CompletionOptions.DisableDefaultCmd = len(with) < len(commands)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			needCommand(c, "shell")
		}
	}
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = isCommand
		}
	}
	wrapArgs(root)
	return root
}

// wrapArgs turns the errors of all commands' argument checks into usage errors.
func wrapArgs(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			if err == nil || errors.As(err, new(usageError)) {
				return err
			}
			return usageError{err}
		}
	}
	for _, c := range cmd.Commands() {
		wrapArgs(c)
	}
}

// fileErrorf returns a message about a file without a line number.
func fileErrorf(name, format string, args ...any) error {
	return fmt.Errorf("%s: error: %w", name, fmt.Errorf(format, args...))
}

// osError returns a message about an error of the system, which names the file once.
func osError(name string, err error) error {
	if name == os.Stdout.Name() {
		name = "standard output"
	}
	return fileErrorf(name, "%v", reason(err))
}

// reason returns the innermost cause of err, which names no file.
func reason(err error) error {
	var p *os.PathError
	var l *os.LinkError
	var x *exec.Error
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	case errors.As(err, &x):
		return x.Err
	}
	return err
}
