package driver

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/rewrite"
)

// ccOptions are the switches of `opari cc`.
type ccOptions struct {
	Options
	keep        string // directory for the texts in between; "" keeps none
	diagnostics string // of which text the user is told: one of the two below
	dryRun      bool
	verbose     bool
}

const (
	ofOriginal     = "original"
	ofInstrumented = "instrumented"
)

// CCFlags gives the flags of `opari cc`, for its help.
func CCFlags() *pflag.FlagSet { return new(ccOptions).flags() }

func (o *ccOptions) flags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("opari cc", pflag.ContinueOnError)
	fs.SetInterspersed(false)
	fs.SetOutput(io.Discard)
	o.AddFlags(fs, Warn)
	fs.StringVar(&o.keep, "keep", "", "keep the preprocessed and the instrumented text in this directory")
	fs.Lookup("keep").NoOptDefVal = "."
	fs.Var(NewChoice(&o.diagnostics, ofOriginal, ofInstrumented), "diagnostics", "whose warnings are shown: those of the original text, which is compiled once more where\nthere are any, or those of the instrumented one")
	fs.BoolVar(&o.dryRun, "dry-run", false, "print the commands on standard error and run none")
	fs.BoolVar(&o.verbose, "verbose", false, "print the commands on standard error and run them")
	return fs
}

// Main is `opari cc`: args are our options, the compiler's name and its arguments. It returns the exit code where it does not
// turn into the compiler.
func Main(args []string) int {
	s := &session{warns: os.Stderr}
	fs := s.opts.flags()
	err := settings(fs)
	if err != nil {
		s.errorf("%v", err)
		return exitFailed
	}
	if err = fs.Parse(args); err == nil {
		err = s.opts.Check()
	}
	if err == nil && fs.NArg() == 0 {
		err = fmt.Errorf("no compiler is named")
	}
	if err != nil {
		s.errorf("%v\n\nUsage:\n  opari cc [flags] COMPILER ARGUMENTS...\n\n`opari cc --help` says more.", err)
		return exitFailed
	}
	return s.run(fs.Args())
}

// run does what the compiler's command line asks for.
func (s *session) run(words []string) int {
	compiler, args, known := splitCompiler(words)
	if os.Getenv("OPARI") == "off" {
		return s.replace(words)
	}
	if !known {
		s.warnf("%s is no compiler that opari knows by its name: it is run as it is", compiler[0])
		return s.replace(words)
	}
	c := parseCommand(compiler, args)
	s.cmd = c
	if c.plain != "" || c.isConfigureCheck() || !c.openmp && !(c.links() && c.ompLib) && !c.linksMPI() {
		return s.replace(words)
	}
	s.libs = s.libraries()
	if !c.openmp || len(c.sources()) == 0 {
		s.warnOfStranger(nil)
		return s.replace(c.plainWith(s.libs))
	}
	defer s.clean()
	return s.compile(s.libs)
}

// isConfigureCheck recognises the small programs by which build systems try a compiler: what they print is compared, and none is
// ever measured.
func (c *command) isConfigureCheck() bool {
	names := []string{}
	if dir, err := os.Getwd(); err == nil {
		names = append(names, dir+"/")
	}
	for i := range c.args {
		if f := c.args[i].file; f != nil {
			if strings.HasPrefix(filepath.Base(f.name), "conftest") {
				return true
			}
			names = append(names, f.name)
		}
	}
	for _, n := range names {
		if strings.Contains(n, "CMakeFiles/CMakeTmp/") || strings.Contains(n, "CMakeFiles/CMakeScratch/") || strings.Contains(n, "meson-private/tmp") {
			return true
		}
	}
	return false
}

// result is what became of one source file.
type result struct {
	file     *inputFile
	text     []byte         // preprocessed
	draft    *Draft         // instrumented; nil where nothing is
	coverage []coverageLine // for OPARI_COVERAGE
}

// compile preprocesses, instruments and compiles.
func (s *session) compile(libs []string) int {
	c := s.cmd
	if s.opts.dryRun {
		return s.plan(libs)
	}
	if s.opts.keep == "" && s.opts.Functions == nil && c.isQuiet() {
		s.warnOfStranger(nil)
		return s.replace(c.plainWith(libs))
	}
	var results []*result
	var said bytes.Buffer // what the preprocessor said on standard error
	instrumented := false
	for _, f := range c.sources() {
		text, ok := s.text(f, &said)
		if s.interrupted() {
			return exitFailed
		}
		if !ok { // the compiler says itself what is wrong
			s.clean()
			return s.replace(c.plainWith(libs))
		}
		r := &result{file: f, text: text}
		results = append(results, r)
		defer r.close()
		if code := s.instrument(r); code != 0 {
			return code
		}
		instrumented = instrumented || r.draft != nil
	}
	s.warnOfStranger(results)
	if !instrumented {
		s.writeCoverage(results)
		return s.finish(c.plainWith(libs))
	}
	replaced, err := s.store(results)
	if err != nil {
		s.errorf("%v", err)
		return exitNoRoom
	}
	s.modules, s.results = c.modulesOf(results), results
	code := s.last(append(c.compile(replaced), libs...), &said)
	for _, r := range results {
		if r.draft != nil && r.draft.Module != "" {
			_ = os.Remove(filepath.Join(c.moduleDir(), r.draft.Module+".mod"))
		}
	}
	s.writeCoverage(results)
	return code
}

func (s *session) interrupted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caught != 0
}

// text is the preprocessed text of f.
func (s *session) text(f *inputFile, said *bytes.Buffer) ([]byte, bool) {
	if f.pre {
		text, err := os.ReadFile(f.name)
		return text, err == nil
	}
	words := s.cmd.preprocess(f, colorWanted(s.cmd))
	s.say(words)
	s.watch()
	var out bytes.Buffer
	out.Grow(1 << 18)
	if s.step(words, &out, said) != 0 {
		return nil, false
	}
	return out.Bytes(), true
}

// colorWanted reports whether the compiler would colour what it says but for us listening to it.
func colorWanted(c *command) bool {
	for _, a := range c.given {
		if strings.HasPrefix(a, "-fdiagnostics-color") || a == "-fno-diagnostics-color" || a == "-fno-color-diagnostics" || a == "-fcolor-diagnostics" {
			return false
		}
	}
	return term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
}

// instrument makes r.draft. A code other than 0 ends the run.
func (s *session) instrument(r *result) int {
	if rewrite.Instrumented(r.text) {
		return 0
	}
	o := s.opts.Options
	if s.cmd.std != "" {
		o.CPPFlags = append(o.CPPFlags[:len(o.CPPFlags):len(o.CPPFlags)], s.cmd.std)
	}
	s.cmd.fortran.apply(r.file, &o)
	var left []construct.Mention
	if r.text, left = s.cmd.included(r.file, r.text, &o); !s.mayInstrument(r) && left == nil {
		return 0
	}
	d, err := NewDraft(r.file.name, r.text, DraftOptions{
		Lang: r.file.lang, Preprocessed: true, Optimized: s.cmd.optimizes(), Tag: s.cmd.output, GCC: s.cmd.gcc(), Strict: s.cmd.pedantic || strings.HasPrefix(s.cmd.std, "-std=f"), NoUnderscore: s.cmd.fortran.bare,
		Coverage: coverageFile() != "", Scratch: s.scratch, Mentions: left,
	}, &o)
	if err != nil {
		d = &Draft{Diags: source.Diagnostics{{Pos: source.Position{File: r.file.name, Line: 1, Column: 1}, Severity: source.Error, Message: err.Error()}}}
	}
	failed := d.Diags.HasErrors()
	r.coverage = coverageLines(d, r.file.name, s.cmd.output)
	for _, d := range d.Diags {
		switch {
		case d.Severity == source.Note, s.opts.OnError == Passthrough:
		case d.Severity == source.Error && s.opts.OnError == Fail:
			s.errorf("%s", withoutSeverity(d))
		default:
			s.later("%s", withoutSeverity(d))
		}
	}
	if failed {
		if s.opts.OnError == Fail {
			return exitFailed
		}
		return 0
	}
	if d.Empty {
		d.Close()
	} else {
		r.draft = d
	}
	return 0
}

// mayInstrument reports whether there may be something in the text to put calls around.
func (s *session) mayInstrument(r *result) bool {
	return s.opts.Functions != nil || r.file.mayHoldDirectives(r.text)
}

// close gives back what the text took.
func (r *result) close() {
	if r.draft != nil {
		r.draft.Close()
	}
}

// writeTo writes the text that is to be compiled.
func (r *result) writeTo(w io.Writer) error {
	if r.file.lang == omp.Fortran {
		return r.writeFortran(w)
	}
	if r.draft == nil {
		_, err := w.Write(r.text)
		return err
	}
	return r.draft.behindMarkers(w, r.file.name, r.text)
}

// store writes the texts that are to be compiled into the temporary directory, and where the user wants them.
func (s *session) store(results []*result) (map[*inputFile]string, error) {
	dir, err := s.temp()
	if err != nil {
		return nil, err
	}
	replaced := map[*inputFile]string{}
	fortran := slices.ContainsFunc(results, func(r *result) bool { return r.file.lang == omp.Fortran && r.draft != nil })
	for i, r := range results {
		// What is said of one Fortran source, that it is preprocessed, is said of all.
		if r.file.pre && r.draft == nil && !(fortran && r.file.lang == omp.Fortran) {
			continue
		}
		sub := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(sub, 0o700); err != nil {
			return nil, err
		}
		name := filepath.Join(sub, r.file.tempName())
		if err := create(name, 0o600, r.writeTo); err != nil {
			return nil, err
		}
		replaced[r.file] = name
		if err := s.keep(r); err != nil {
			return nil, err
		}
	}
	return replaced, nil
}

// keep writes what --keep and -save-temps ask for.
func (s *session) keep(r *result) error {
	name := r.file.tempName()
	if d := s.opts.keep; d != "" {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(d, name), r.text, 0o666); err != nil {
			return err
		}
		if r.draft != nil {
			if err := create(filepath.Join(d, stem(name)+".opari"+filepath.Ext(name)), 0o666, r.writeTo); err != nil {
				return err
			}
		}
	}
	if s.cmd.saves != "" && !r.file.pre {
		n := s.cmd.auxName(r.file, filepath.Ext(name))
		if s.cmd.saves == "cwd" {
			n = filepath.Base(n)
		}
		return os.WriteFile(n, r.text, 0o666)
	}
	return nil
}

// plan says what compile would do.
func (s *session) plan(libs []string) int {
	replaced := map[*inputFile]string{}
	dir := filepath.Join(os.TempDir(), "opari-0")
	for i, f := range s.cmd.sources() {
		from := f.name
		name := filepath.Join(dir, strconv.Itoa(i), f.tempName())
		if !f.pre {
			from = stem(name) + ".orig" + filepath.Ext(name)
			fmt.Fprintf(s.warns, "%s >%s\n", ShellQuote(s.cmd.preprocess(f, false)), ShellQuote([]string{from}))
		}
		fmt.Fprintln(s.warns, ShellQuote([]string{"opari", from, name}))
		replaced[f] = name
	}
	s.say(append(s.cmd.compile(replaced), libs...))
	return 0
}
