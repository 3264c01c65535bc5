package instrumenting

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/build"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/instrument"
	"opari/internal/omp"
	"opari/internal/opari2"
	"opari/internal/pomp2"
)

// AsOPARI2 does the work of OPARI2's programs, if opari is called by the name of one of them or
// by --pomp2.
func AsOPARI2(args []string) (code int, ok bool) {
	switch filepath.Base(args[0]) {
	case opari2.Name:
		return runOPARI2(args[1:]), true
	case opari2.ConfigName:
		return opari2Config(prefixOf(args[0])).Answer(args[1:]), true
	}
	if len(args) > 1 && args[1] == "--pomp2" {
		return runOPARI2(args[2:]), true
	}
	return 0, false
}

// prefixOf returns the folder above that of a program, by the name that it was called by.
func prefixOf(argv0 string) string {
	if !strings.Contains(argv0, "/") {
		if path, err := exec.LookPath(argv0); err == nil {
			argv0 = path
		}
	}
	if path, err := filepath.Abs(argv0); err == nil {
		argv0 = path
	}
	return filepath.Dir(filepath.Dir(argv0))
}

func opari2Config(prefix string) *opari2.Config {
	build.Note()
	return &opari2.Config{
		Prefix: prefix, Revision: build.Version, Out: os.Stdout, Err: os.Stderr, In: os.Stdin,
		InitFile: func(w io.Writer, units []opari2.Unit) error {
			all := make([]pomp2.Unit, len(units))
			for i, u := range units {
				all[i] = pomp2.Unit(u)
			}
			return pomp2.InitFile(w, all)
		},
	}
}

// runOPARI2 instruments a file as opari2 does and returns the exit code.
func runOPARI2(args []string) int {
	o, err := opari2.Parse(args, os.Stderr)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "opari2: error: %v\n\n`opari2 --help` says more.\n", err)
		return 1
	case o.Help:
		fmt.Print(opari2.Help)
		return 0
	case o.Version:
		build.Note()
		fmt.Printf("opari2 version %s\nopari %s\n", opari2.Version, build.Version)
		return 1 // as OPARI2
	}
	if err := instrumentAsOPARI2(o); err != nil {
		if !errors.As(err, new(failure.Exit)) {
			fmt.Fprintln(os.Stderr, err)
		}
		return 1
	}
	return 0
}

func instrumentAsOPARI2(o *opari2.Options) error {
	in, err := readAsOPARI2(o)
	if err != nil {
		return err
	}
	to := o.Output(in.Lang)
	out, err := disk.Plan(behindLinks(to), []*disk.Input{in}, true)
	if err != nil {
		return err
	}
	beside := to
	if to == "-" || out.Special {
		beside = ""
	}
	include, err := disk.Plan(o.IncludeFile(beside), []*disk.Input{in}, true)
	if err != nil {
		return err
	}
	d, err := draftAsOPARI2(o, in, out)
	if err != nil {
		return err
	}
	defer d.Close()
	instrument.PrintDiagnostics(os.Stderr, d.Diags, false)
	if d.Diags.HasErrors() {
		return failure.Exit(1)
	}
	err = include.Write(func(w io.Writer) error {
		_, err := io.WriteString(w, opari2.IncludeText(in.Lang))
		return err
	})
	if err != nil {
		return err
	}
	return out.Write(d.Write)
}

// behindLinks returns the file that a symbolic link leads to, which OPARI2 writes.
func behindLinks(path string) string {
	for range 40 { // as many as the system follows
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Dir(path) + string(filepath.Separator) + to
		}
		path = to
	}
	return path
}

// draftAsOPARI2 instruments the text. As in OPARI2, all names of files are absolute.
func draftAsOPARI2(o *opari2.Options, in *disk.Input, out *disk.Output) (*instrument.Draft, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("opari2: error: %w", err)
	}
	absolute := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(folder, name)
	}
	id := o.Identify(absolute(in.Path), absolute(out.Path), in.Text,
		o.Underscore(in.Lang == omp.Fortran))
	d, err := instrument.NewDraft(absolute(in.Path), in.Text, instrument.DraftOptions{
		Lang: in.Lang, Preprocessed: in.Pre || o.Preprocessed, Repeat: true,
		Folder: folder, Symbols: opari2.Symbols(id), Tag: id, Scratch: out.Scratch,
	}, &o.Options)
	if err != nil {
		return nil, failure.File(out.ScratchDir(),
			"%v; a large text is kept there until it is complete", failure.Reason(err))
	}
	return d, nil
}

// readAsOPARI2 reads the input. Unlike disk.Read it takes an empty file, which build systems have.
func readAsOPARI2(o *opari2.Options) (*disk.Input, error) {
	in := &disk.Input{Path: o.In, Name: o.In}
	f, err := os.Open(o.In)
	if err != nil {
		return nil, failure.OS(o.In, err)
	}
	defer f.Close()
	if in.Info, err = f.Stat(); err != nil {
		return nil, failure.OS(o.In, err)
	}
	if in.Info.IsDir() {
		return nil, failure.File(o.In, "is a directory; name a source file")
	}
	if in.Text, err = disk.ReadAll(f, in.Info); err != nil {
		return nil, failure.OS(o.In, err)
	}
	if len(in.Text) > 0 {
		if err := disk.CheckText(o.In, in.Text); err != nil {
			return nil, err
		}
	}
	lang, known := o.FindLanguage()
	if !known {
		return nil, failure.File(o.In, "the name does not say whether this is C, C++ or Fortran; "+
			"say --c, --c++, --f77 or --f90")
	}
	in.Lang = lang
	if ext := filepath.Ext(o.In); ext == ".i" || ext == ".ii" {
		in.Pre = true
	}
	if o.Preprocessed {
		in.Text = opari2.BlankMarker(in.Text)
	}
	in.Text = bytes.TrimSuffix(in.Text, []byte{0x1a}) // the end of a text in CP/M and DOS
	return in, nil
}

// POMP2 makes the command `opari pomp2`.
func POMP2() *cobra.Command {
	var prefix, cc string
	var archive bool
	cmd := &cobra.Command{
		Use:   "pomp2 --prefix DIR",
		Short: "Install opari in OPARI2's place, for Score-P, TAU and EZTrace",
		Long: `pomp2 installs opari by the names of OPARI2: bin/opari2 and bin/opari2-config, which
are links to this program, the script that makes the initialization file of a program, and the
headers of the POMP2 interface. Put DIR/bin first in PATH, or name DIR where a build asks for
OPARI2.

"opari --pomp2 ..." instruments one file as "opari2 ..." does.`,
		Example: "  opari pomp2 --prefix ~/opari2 && ~/opari2/bin/opari2-config --version",
		Args:    arguments.None,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case prefix == "":
				return failure.Usage(errors.New("say where: --prefix=DIR"))
			case len(strings.Fields(cc)) == 0:
				return failure.Usage(errors.New("--cc: no compiler"))
			}
			absolute, err := filepath.Abs(prefix)
			if err != nil {
				return failure.OS(prefix, err)
			}
			self, err := os.Executable()
			if err != nil {
				return fmt.Errorf("opari: error: %w", err)
			}
			c := opari2Config(absolute)
			if err = c.Install(self); err == nil && archive {
				err = c.InstallArchive(strings.Fields(cc))
			}
			if err != nil {
				return failure.File(prefix, "%w", err)
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&prefix, "prefix", "",
		"install into bin, include, libexec and share below this directory")
	fs.BoolVar(&archive, "eztrace", false, "also install lib/libopari2.a, with which EZTrace's "+
		"programs need no\ninitialization file; opari2-config --cflags then names it")
	fs.StringVar(&cc, "cc", "gcc", "build it for this compiler, with its options")
	return cmd
}
