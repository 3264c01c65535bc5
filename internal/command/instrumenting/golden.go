package instrumenting

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/instrument"
	"opari/internal/pattern"
)

// golden is the test of one directory.
type golden struct {
	dir    string
	update bool
	color  string
	flags  *pflag.FlagSet // of the command line, valid for every file
	failed bool
	counts struct{ same, updated int }
}

// Golden makes the command `opari golden`.
func Golden() *cobra.Command {
	var o instrument.Options
	g := &golden{}
	cmd := &cobra.Command{
		Use:   "golden [flags] DIR",
		Short: "Compare instrumented sources with golden files",
		Long: `golden instruments every source in DIR and compares the outcome with NAME.golden
beside it (f.c with f.c.golden). It shows the differences. The exit code is 1 if there are any, or
if a golden file has no source or a source no golden file. --update (-update) writes the golden
files anew.

A source may ask for options in its first line:

  /* golden: --disable=sync --parallel-barrier=implicit */
  ! golden: --disable=sync`,
		Example: "  opari golden --update tests && opari golden tests",
		Args:    arguments.One("directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.Check(); err != nil {
				return failure.Usage(err)
			}
			g.dir, g.flags = args[0], cmd.Flags()
			return g.run()
		},
	}
	o.AddFlags(cmd.Flags(), instrument.Fail)
	cmd.Flags().BoolVar(&g.update, "update", false, "write the golden files anew")
	cmd.Flags().Var(instrument.NewChoice(&g.color, "auto", "always", "never"), "color",
		"auto, always or never")
	return cmd
}

const goldenSuffix = ".golden"

func (g *golden) run() error {
	entries, err := os.ReadDir(g.dir)
	if err != nil {
		return failure.OS(g.dir, err)
	}
	var sources, goldens []string
	for _, e := range entries {
		name := e.Name()
		_, _, isSource := instrument.Language(name)
		switch {
		case e.IsDir():
		case strings.HasSuffix(name, goldenSuffix):
			goldens = append(goldens, name)
		case isSource && !strings.HasSuffix(name, ".h"):
			sources = append(sources, name)
		}
	}
	if len(sources) == 0 {
		return failure.File(g.dir, "there is no source in the directory; opari golden "+
			"compares NAME.c with NAME.c.golden")
	}
	for _, name := range sources {
		if err := g.file(name); err != nil {
			g.failed = true
			if !errors.As(err, new(failure.Exit)) {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	for _, name := range goldens {
		if !slices.Contains(sources, strings.TrimSuffix(name, goldenSuffix)) {
			g.failed = true
			fmt.Fprintln(os.Stderr, failure.File(filepath.Join(g.dir, name),
				"no source belongs to this golden file; remove it"))
		}
	}
	fmt.Printf("%d sources: %d as expected, %d golden files written\n", len(sources), g.counts.same,
		g.counts.updated)
	if g.failed {
		return failure.Exit(1)
	}
	return nil
}

var goldenLine = pattern.Lazy{Text: `^(?:/[*/]|[!cC*]) golden: (.*?)(?: \*/|\r?\n)`}

// options returns the options of the command line and of the text's first line, which overrides
// it.
func (g *golden) options(text []byte) (*instrument.Options, error) {
	var o instrument.Options
	fs := pflag.NewFlagSet("golden", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.AddFlags(fs, instrument.Fail)
	var err error
	g.flags.Visit(func(f *pflag.Flag) {
		to := fs.Lookup(f.Name)
		if to == nil {
			return
		}
		if from, ok := f.Value.(pflag.SliceValue); ok {
			err = errors.Join(err, to.Value.(pflag.SliceValue).Replace(from.GetSlice()))
		} else {
			err = errors.Join(err, to.Value.Set(f.Value.String()))
		}
	})
	if m := goldenLine.Get().FindSubmatch(text); m != nil && err == nil {
		if err = fs.Parse(instrument.SingleDash(strings.Fields(string(m[1])))); err == nil &&
			fs.NArg() > 0 {
			err = fmt.Errorf("%s is no option", fs.Arg(0))
		}
	}
	if err == nil {
		err = o.Check()
	}
	return &o, err
}

// file tests one source. The instrumented text contains only the base name, so that the result
// does not depend on the location of DIR.
func (g *golden) file(name string) error {
	path := filepath.Join(g.dir, name)
	in, err := disk.Read(path, &instrument.Options{})
	if err != nil {
		return err
	}
	o, err := g.options(in.Text)
	if err != nil {
		return fmt.Errorf("%s:1:1: error: %w", path, err)
	}
	if in, err = disk.Read(path, o); err != nil {
		return err
	}
	u := instrument.Prepare(name, in.Text, in.Lang, in.Pre, o)
	instrument.PrintDiagnostics(os.Stderr, u.Diags, false)
	if u.Diags.HasErrors() {
		return failure.Exit(1)
	}
	got, err := u.Text()
	if err != nil {
		return err
	}
	want, err := os.ReadFile(path + goldenSuffix)
	missing := os.IsNotExist(err)
	switch {
	case err != nil && !missing:
		return failure.OS(path+goldenSuffix, err)
	case !missing && bytes.Equal(got, want):
		g.counts.same++
		return nil
	case g.update:
		g.counts.updated++
		out, err := disk.Plan(path+goldenSuffix, []*disk.Input{in}, true)
		if err != nil {
			return err
		}
		return out.Write(func(w io.Writer) error {
			_, err := w.Write(got)
			return err
		})
	case missing:
		return failure.File(path, "there is no %s%s; opari golden --update writes it", name,
			goldenSuffix)
	}
	fmt.Print(unifiedDiff(path+goldenSuffix, path+" (instrumented now)", want, got,
		terminal.WantColor(g.color, os.Stdout)))
	return failure.Exit(1)
}
