package main

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

	"opari/internal/instrument"
	"opari/internal/omp"
	"opari/internal/opari2"
	"opari/internal/pomp2"
)

// asOPARI2 does the work of OPARI2's programs, if opari is called by the name of one of them or
// by --pomp2.
func asOPARI2(args []string) (code int, ok bool) {
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
	noteVersion()
	return &opari2.Config{
		Prefix: prefix, Revision: version, Out: os.Stdout, Err: os.Stderr, In: os.Stdin,
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
		noteVersion()
		fmt.Printf("opari2 version %s\nopari %s\n", opari2.Version, version)
		return 0
	}
	if err := instrumentAsOPARI2(o); err != nil {
		if !errors.As(err, new(exitError)) {
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
	to := o.Output(in.lang)
	out, err := planOutput(to, []*input{in}, true)
	if err != nil {
		return err
	}
	beside := to
	if to == "-" || out.special {
		beside = ""
	}
	include, err := planOutput(o.IncludeFile(beside), []*input{in}, true)
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
		return exitError(1)
	}
	err = include.write(func(w io.Writer) error {
		_, err := io.WriteString(w, opari2.IncludeText(in.lang))
		return err
	})
	if err != nil {
		return err
	}
	return out.write(d.Write)
}

// draftAsOPARI2 instruments the text. As in OPARI2, all names of files are absolute.
func draftAsOPARI2(o *opari2.Options, in *input, out *output) (*instrument.Draft, error) {
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
	id := o.Identify(absolute(in.path), absolute(out.path), in.text,
		o.Underscore(in.lang == omp.Fortran))
	d, err := instrument.NewDraft(absolute(in.path), in.text, instrument.DraftOptions{
		Lang: in.lang, Preprocessed: in.pre || o.Preprocessed, Repeat: true,
		Folder: folder, Symbols: opari2.Symbols(id), Tag: id, Scratch: out.scratch,
	}, &o.Options)
	if err != nil {
		return nil, fileErrorf(out.scratchDir(),
			"%v; a large text is kept there until it is complete", reason(err))
	}
	return d, nil
}

// readAsOPARI2 reads the input. Unlike readInput it takes an empty file, which build systems have.
func readAsOPARI2(o *opari2.Options) (*input, error) {
	in := &input{path: o.In, name: o.In}
	f, err := os.Open(o.In)
	if err != nil {
		return nil, osError(o.In, err)
	}
	defer f.Close()
	if in.info, err = f.Stat(); err != nil {
		return nil, osError(o.In, err)
	}
	if in.info.IsDir() {
		return nil, fileErrorf(o.In, "is a directory; name a source file")
	}
	if in.text, err = readAll(f, in.info); err != nil {
		return nil, osError(o.In, err)
	}
	if len(in.text) > 0 {
		if err := checkText(o.In, in.text); err != nil {
			return nil, err
		}
	}
	lang, known := o.FindLanguage()
	if !known {
		return nil, fileErrorf(o.In, "the name does not say whether this is C, C++ or Fortran; "+
			"say --c, --c++, --f77 or --f90")
	}
	in.lang = lang
	if ext := filepath.Ext(o.In); ext == ".i" || ext == ".ii" {
		in.pre = true
	}
	if o.Preprocessed {
		in.text = opari2.BlankMarker(in.text)
	}
	in.text = bytes.TrimSuffix(in.text, []byte{0x1a}) // the end of a text in CP/M and DOS
	return in, nil
}

func newPOMP2() *cobra.Command {
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
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case prefix == "":
				return usageError{errors.New("say where: --prefix=DIR")}
			case len(strings.Fields(cc)) == 0:
				return usageError{errors.New("--cc: no compiler")}
			}
			absolute, err := filepath.Abs(prefix)
			if err != nil {
				return osError(prefix, err)
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
				return fileErrorf(prefix, "%w", err)
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&prefix, "prefix", "",
		"install into bin, include and libexec below this directory")
	fs.BoolVar(&archive, "eztrace", false, "also install lib/libopari2.a, with which EZTrace's "+
		"programs need no\ninitialization file; opari2-config --cflags then names it")
	fs.StringVar(&cc, "cc", "gcc", "build it for this compiler, with its options")
	return cmd
}
