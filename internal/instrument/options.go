// Package instrument takes a source through all stages to the instrumented text, for every
// command of opari.
package instrument

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/parse"
	"opari/parse/verify"
	"opari/rewrite"
)

// Options are the switches of instrumentation that all commands share. The zero value is not
// usable: AddFlags sets the defaults.
type Options struct {
	Lang            string // "c", "c++", "fortran"; "": by the file's name
	Form            string // Fortran: "free", "fixed"; "": by the file's name
	LineLength      int    // columns of a Fortran line; 0: the form's default
	Unlimited       bool   // a Fortran line has any number of columns
	DebugLines      bool   // fixed form: as in fortran.Options
	Disable         []string
	DisableFile     []string
	DisableRegion   []string
	Functions       []string // as in descriptors.Options
	SwitchOff       bool     // as in rewrite.Options
	ParallelBarrier string   // Explicit or Implicit
	OnError         string   // Fail, Warn or Passthrough
	NoSource        bool
	Verify          string   // "auto", "never", "always"
	CPPFlags        []string // -I, -D, -U, -std=, -include ... in the order given

	// As in descriptors.Options; only OPARI2's command line sets them.
	WholeNames    bool
	Keys          bool
	Tasks, Untied descriptors.Treatment
}

// These are the values of Options.ParallelBarrier.
const (
	Explicit = "explicit"
	Implicit = "implicit"
)

// These are the values of Options.OnError: what to do with a file that cannot be instrumented.
// Fail reports an error and writes nothing; Warn copies the file with a warning, Passthrough
// without one.
const (
	Fail        = "fail"
	Warn        = "warn"
	Passthrough = "passthrough"
)

// AddFlags defines the shared switches in fs. onError is the default of --on-error.
func (o *Options) AddFlags(fs *pflag.FlagSet, onError string) {
	fs.SortFlags = false
	fs.Var(&choice{&o.Lang, []string{"c", "c++", "fortran"}}, "lang",
		"language, if the file's name does not show it: c, c++ or fortran")
	fs.Var(&choice{&o.Form, []string{"free", "fixed"}}, "form",
		"Fortran source form, if the file's name does not show it: free or fixed")
	fs.Var(&lineLength{o}, "line-length",
		"columns of a Fortran line, or none, where the form has others")
	fs.StringSliceVar(&o.Disable, "disable", nil,
		"leave these constructs alone (names as in OpenMP; locks; region; sync for\ncritical, "+
			"atomic, master, masked, single, barrier and locks)")
	fs.StringSliceVar(&o.DisableFile, "disable-file", nil,
		"leave directives in files of these names alone (globs)")
	fs.StringSliceVar(&o.DisableRegion, "disable-region", nil,
		"leave user regions, critical regions and functions of these names\nalone (globs)")
	fs.VarPF(&functions{&o.Functions, &o.SwitchOff}, "functions", "",
		"make regions of functions: all that are not inline, or those of these names;\n!GLOB "+
			"leaves functions out, FILE:GLOB takes those of a file, @FILE reads globs;\nauto: "+
			"the library switches off functions that are called too often").NoOptDefVal = ","
	o.ParallelBarrier = Explicit
	fs.Var(&choice{&o.ParallelBarrier, []string{Explicit, Implicit}}, "parallel-barrier",
		"the barrier at the end of parallel: explicit adds one that is measured,\nimplicit "+
			"leaves it as it is")
	o.OnError = onError
	fs.Var(&choice{&o.OnError, []string{Fail, Warn, Passthrough}}, "on-error",
		"where opari cannot instrument: fail, copy the text with a warning (warn)\nor without "+
			"one (passthrough)")
	fs.BoolVar(&o.NoSource, "nosrc", false, "write no #line directives")
	o.Verify = "auto"
	fs.Var(&choice{&o.Verify, []string{"auto", "never", "always"}}, "verify",
		"check extents with a C front end: auto (only where in doubt), never, always")
	for _, p := range cppFlags {
		fs.VarPF(&cppFlag{p.prefix, &o.CPPFlags}, p.name, p.short, p.usage)
	}
}

// cppFlags are the compiler options that the parser needs for headers and for the C front end.
// SingleDash rewrites those with one dash and several letters.
var cppFlags = []cppOption{
	{"-I", "include-dir", "I", "search headers in this directory"},
	{"-D", "define", "D", "define a macro"},
	{"-U", "undefine", "U", "undefine a macro"},
	{"-std=", "std", "", "language standard, also as -std=c11"},
	{"-include", "include", "", "read this header first, also as -include f.h"},
	{"-isystem", "isystem", "", "search system headers in this directory, also as -isystem dir"},
	{"-iquote", "iquote", "", "search quoted headers in this directory, also as -iquote dir"},
}

// cppOption is a compiler option: how opari passes it on, and its names and description as a flag
// of opari.
type cppOption struct{ prefix, name, short, usage string }

// singleDash are other options that may have one dash: those of OPARI 1.1, and `opari golden
// -update`, after go test.
var singleDash = []string{"-nosrc", "-rcfile", "-table", "-disable", "-update"}

// SingleDash rewrites options with one dash and a long name, compilers' and OPARI 1.1's, to the
// two dashes that the flag parser reads. It changes nothing after "--".
func SingleDash(args []string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		if a == "--" {
			break
		}
		name, _, _ := strings.Cut(a, "=")
		isCPP := slices.ContainsFunc(cppFlags,
			func(f cppOption) bool { return f.short == "" && name == "-"+f.name })
		if isCPP || slices.Contains(singleDash, name) {
			out[i] = "-" + a
		}
	}
	return out
}

// functions is the flag that selects functions. Without a value it means the empty list.
type functions struct {
	list      *[]string
	switchOff *bool
}

func (f *functions) String() string { return strings.Join(*f.list, ",") }
func (f *functions) Type() string   { return "globs" }
func (f *functions) Set(s string) error {
	if *f.list == nil {
		*f.list = []string{}
	}
	for w := range strings.SplitSeq(s, ",") {
		w = strings.TrimSpace(w)
		file, isFile := strings.CutPrefix(w, "@")
		switch {
		case w == "":
		case w == functionsAuto:
			*f.switchOff = true
		case isFile:
			patterns, err := functionsOf(file)
			if err != nil {
				return err
			}
			*f.list = append(*f.list, patterns...)
		default:
			*f.list = append(*f.list, w)
		}
	}
	return descriptors.CheckFunctions(*f.list)
}

// functionsAuto is the word by which functions may be switched off while the program runs.
const functionsAuto = "auto"

// functionsOf reads patterns from a file, one a line. Empty lines and those that begin with # say
// nothing.
func functionsOf(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []string
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := descriptors.CheckFunctions([]string{line}); err != nil {
			return nil, fmt.Errorf("%s:%d:1: error: %w", file, n, err)
		}
		all = append(all, line)
	}
	return all, nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	value *string
	words []string
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("must be one of %s", strings.Join(c.words, ", "))
	}
	*c.value = s
	return nil
}

// NewChoice returns a flag value that accepts one of words; the first is the default.
func NewChoice(value *string, words ...string) pflag.Value {
	*value = words[0]
	return &choice{value, words}
}

// cppFlag collects a compiler option with its argument.
type cppFlag struct {
	prefix string
	list   *[]string
}

func (c *cppFlag) String() string { return "" }
func (c *cppFlag) Type() string   { return "string" }
func (c *cppFlag) Set(s string) error {
	if len(c.prefix) == 2 || strings.HasSuffix(c.prefix, "=") {
		*c.list = append(*c.list, c.prefix+s)
	} else {
		*c.list = append(*c.list, c.prefix, s)
	}
	return nil
}

// Check reports values that no flag parser can check: unknown constructs in --disable, and globs
// that match nothing.
func (o *Options) Check() error {
	for _, d := range o.Disable {
		switch d {
		case "sync", "lock", "locks", "region":
			continue
		}
		if !isConstruct(d) {
			return fmt.Errorf("--disable=%s: no such construct; the names are those of OpenMP "+
				"directives (parallel, for, ...), region, locks and sync", d)
		}
	}
	for _, g := range slices.Concat(o.DisableFile, o.DisableRegion) {
		if _, err := path.Match(g, ""); err != nil {
			return fmt.Errorf("%q is no glob; a bracket that is meant is written \\[", g)
		}
	}
	return nil
}

func isConstruct(name string) bool {
	for i := range omp.Directives {
		if d := &omp.Directives[i]; d.Name == name || d.Fortran == name ||
			slices.Contains(d.Synonyms, name) {
			return true
		}
	}
	return false
}

func (o *Options) lower(lang omp.Language) descriptors.Options {
	return descriptors.Options{
		Lang: lang, Disable: o.Disable, DisableFile: o.DisableFile, DisableRegion: o.DisableRegion,
		ImplicitParallelBarrier: o.ParallelBarrier == Implicit, Functions: o.Functions,
		WholeNames: o.WholeNames, Keys: o.Keys, Tasks: o.Tasks, Untied: o.Untied,
	}
}

func (o *Options) parse(lang omp.Language, preprocessed bool) parse.Options {
	return parse.Options{
		Lang: lang, Preprocessed: preprocessed, Verify: o.verify(),
		CPPFlags: o.CPPFlags, Functions: o.Functions != nil,
	}
}

func (o *Options) write(name string, lang omp.Language, preprocessed bool) rewrite.Options {
	w := rewrite.Options{
		Lang: lang, Preprocessed: preprocessed, NoLine: o.NoSource, SwitchOff: o.SwitchOff,
	}
	if lang == omp.Fortran {
		l := o.layout(name)
		w.Form, w.LineLength = l.Form, l.LineLength
		src, _ := fortran.SourceOf(name)
		w.CPP = src.Preprocessed && !preprocessed
	}
	return w
}

func (o *Options) verify() verify.Mode {
	switch o.Verify {
	case "never":
		return verify.Never
	case "always":
		return verify.Always
	}
	return verify.Auto
}
