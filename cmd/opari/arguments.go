package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// one returns the argument check of a command that takes one argument; messages call it what.
func one(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError{fmt.Errorf("%d names: %s takes one %s", len(args),
				cmd.CommandPath(), what)}
		}
		return some(what)(cmd, args)
	}
}

// some returns the argument check of a command that takes one argument or more. An empty
// argument is the value of an unset variable.
func some(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{fmt.Errorf("no %s is named", what)}
		}
		if slices.Contains(args, "") {
			return usageError{fmt.Errorf("the name of a %s is empty", what)}
		}
		return nil
	}
}

// program is the argument check of a command that runs a program.
func program(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{errors.New("no program to run")}
	}
	return nil
}

// needCommand makes it an error to call a command without one of its subcommands. By default
// cobra prints the help, as if the user had asked for it.
func needCommand(cmd *cobra.Command, what string) {
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{fmt.Errorf("no %s is named", what)}
		}
		return usageError{fmt.Errorf("there is no %s %q", what, args[0])}
	}
	cmd.RunE = func(*cobra.Command, []string) error { return nil } // never: Args rejects everything
}

// isCommand is the argument check of `opari help`. By default cobra prints opari's own help for
// an unknown command.
func isCommand(cmd *cobra.Command, args []string) error {
	_, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return fmt.Errorf("there is no command of opari %q", strings.Join(args, " "))
	}
	return nil
}

// plainNumber removes Go's names from the error for a flag whose value is no number.
func plainNumber(err error) error {
	var n *strconv.NumError
	if !errors.As(err, &n) {
		return err
	}
	why := "must be a number"
	if errors.Is(n.Err, strconv.ErrRange) {
		why = "is too large a number"
	}
	return errors.New(strings.TrimSuffix(err.Error(), n.Error()) + why)
}

// fileName is a flag that takes a name. It rejects an empty name, which is the value of an
// unset variable and would count as no flag.
type fileName struct{ value *string }

func (f *fileName) String() string { return *f.value }
func (f *fileName) Type() string   { return "string" }
func (f *fileName) Set(s string) error {
	if s == "" {
		return errors.New("the name is empty")
	}
	*f.value = s
	return nil
}

// rows is a flag that takes a number of rows; 0 means all.
type rows struct{ value *int }

func (r *rows) String() string { return strconv.Itoa(*r.value) }
func (r *rows) Type() string   { return "int" }
func (r *rows) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return errors.New("must be a number of rows, or 0 for all")
	}
	*r.value = n
	return nil
}

// addTop adds --top.
func addTop(fs *pflag.FlagSet, value *int, what string) {
	*value = 40
	fs.Var(&rows{value}, "top", "print at most this many rows of "+what+"; 0 is all")
}
