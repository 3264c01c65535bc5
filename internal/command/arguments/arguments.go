package arguments

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"opari/internal/command/failure"
)

// One returns the argument check of a command that takes one argument; messages call it what.
func One(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return failure.Usage(fmt.Errorf("%d names: %s takes one %s", len(args),
				cmd.CommandPath(), what))
		}
		return Some(what)(cmd, args)
	}
}

// Some returns the argument check of a command that takes one argument or more. An empty
// argument is the value of an unset variable.
func Some(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return failure.Usage(fmt.Errorf("no %s is named", what))
		}
		if slices.Contains(args, "") {
			return failure.Usage(fmt.Errorf("the name of a %s is empty", what))
		}
		return nil
	}
}

// None is the argument check of a command that takes options only.
func None(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return failure.Usage(fmt.Errorf("%s: %s takes options only", args[0], cmd.CommandPath()))
	}
	return nil
}

// Program is the argument check of a command that runs a program.
func Program(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return failure.Usage(errors.New("no program to run"))
	}
	return nil
}

// NeedCommand makes it an error to call a command without one of its subcommands. By default
// cobra prints the help, as if the user had asked for it.
func NeedCommand(cmd *cobra.Command, what string) {
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return failure.Usage(fmt.Errorf("no %s is named", what))
		}
		var names []string
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
		}
		return failure.Usage(fmt.Errorf("there is no %s %q; there are %s", what, args[0],
			strings.Join(names, ", ")))
	}
	cmd.RunE = func(*cobra.Command, []string) error { return nil } // never: Args rejects everything
}

// IsCommand is the argument check of `opari help`. By default cobra prints opari's own help for
// an unknown command.
func IsCommand(cmd *cobra.Command, args []string) error {
	_, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return fmt.Errorf("there is no command of opari %q; `opari --help` lists them",
			strings.Join(args, " "))
	}
	return nil
}

// PlainNumber removes Go's names from the error for a flag whose value is no number.
func PlainNumber(err error) error {
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

// FileName returns the flag that stores a name in value.
func FileName(value *string) pflag.Value { return &fileName{value} }

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

// AddTop adds --top.
func AddTop(fs *pflag.FlagSet, value *int, what string) {
	*value = 40
	fs.Var(&rows{value}, "top", "print at most this many rows of "+what+"; 0 is all")
}
