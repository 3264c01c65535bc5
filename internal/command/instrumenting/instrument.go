package instrumenting

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/instrument"
)

// Flags holds the flags of `opari FILE`.
type Flags struct {
	instrument.Options
	out           string
	multiple      bool
	force         bool
	rcfile, table string
	cmd           *cobra.Command
}

// Add adds the flags to the command that instruments.
func (o *Flags) Add(cmd *cobra.Command) {
	o.cmd = cmd
	fs := cmd.Flags()
	o.AddFlags(fs, instrument.Fail)
	fs.StringVarP(&o.out, "output", "o", "", "write to this file; - is standard output")
	fs.BoolVarP(&o.multiple, "multiple", "m", false,
		"all names are inputs, also when there are two")
	fs.BoolVar(&o.force, "force", false, "overwrite an output file that opari did not make")
	fs.StringVar(&o.rcfile, "rcfile", "", "of OPARI 1.1: without effect")
	fs.StringVar(&o.table, "table", "", "of OPARI 1.1: without effect")
	_ = fs.MarkHidden("rcfile")
	_ = fs.MarkHidden("table")
}

// Run instruments the files that args name.
func (o *Flags) Run(args []string) error {
	if err := o.Check(); err != nil {
		return failure.Usage(err)
	}
	for _, name := range []string{"rcfile", "table"} {
		if o.cmd.Flags().Changed(name) {
			fmt.Fprintf(os.Stderr, "opari: warning: --%s is deprecated and does nothing: regions "+
				"register themselves, there is no table file\n", name)
		}
	}
	inputs, out, err := o.names(args)
	if err != nil {
		return failure.Usage(err)
	}
	failed := false
	for _, path := range inputs {
		to := out
		if to == "" {
			to = defaultOutput(path)
		}
		if err := o.file(path, to); err != nil {
			failed = true
			if !errors.As(err, new(failure.Exit)) {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	if failed {
		return failure.Exit(1)
	}
	return nil
}

// names separates the inputs from the output. Two names are input and output unless -m or -o
// overrides that; out is "" for the default.
func (o *Flags) names(args []string) (inputs []string, out string, err error) {
	if slices.Contains(args, "") {
		return nil, "", errors.New("a file name is empty")
	}
	hasOut := o.cmd.Flags().Changed("output")
	switch {
	case hasOut && o.out == "":
		return nil, "", errors.New("-o: the file name is empty")
	case hasOut && o.multiple:
		return nil, "", errors.New("-o and -m exclude each other")
	case hasOut && len(args) > 1:
		return nil, "",
			errors.New("-o takes one input file; without it each file gets its .mod beside it")
	case hasOut:
		return args, o.out, nil
	case len(args) == 2 && !o.multiple:
		return args[:1], args[1], nil
	}
	return args, "", nil
}

// defaultOutput returns f.mod.c for f.c, and standard output for standard input.
func defaultOutput(path string) string {
	if path == "-" {
		return "-"
	}
	ext := filepath.Ext(path)
	if base := filepath.Base(path); ext == base {
		ext = "" // .profile has no extension
	}
	return strings.TrimSuffix(path, ext) + ".mod" + ext
}

// file instruments one file.
func (o *Flags) file(path, to string) error {
	in, err := disk.Read(path, &o.Options)
	if err != nil {
		return err
	}
	out, err := disk.Plan(to, []*disk.Input{in}, o.force, in.Text)
	if err != nil {
		if errors.Is(err, disk.ErrNotOurs) && o.out == "" &&
			filepath.Ext(to) == filepath.Ext(path) {
			err = fmt.Errorf("%w (or -m if both are inputs)", err)
		}
		return err
	}
	d, err := instrument.NewDraft(in.Name, in.Text, instrument.DraftOptions{
		Lang:         in.Lang,
		Preprocessed: in.Pre, Scratch: out.Scratch,
	}, &o.Options)
	if err != nil {
		return failure.File(out.ScratchDir(), "%v; a large text is kept there until it is complete",
			failure.Reason(err))
	}
	defer d.Close()
	failed := d.Diags.HasErrors()
	if o.OnError != instrument.Passthrough || !failed {
		instrument.PrintDiagnostics(os.Stderr, d.Diags, o.OnError == instrument.Warn)
	}
	if failed {
		if o.OnError == instrument.Fail {
			return failure.Exit(1)
		}
		return out.Write(func(w io.Writer) error {
			_, err := w.Write(in.Text)
			return err
		})
	}
	return out.Write(d.Write)
}
