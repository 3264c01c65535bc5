package driver

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"opari/internal/driver/commandline"
	"opari/internal/driver/process"
	"opari/internal/instrument"
	"opari/pomp"
)

// ccOptions are the switches of `opari cc`.
type ccOptions struct {
	instrument.Options
	keep        string // folder for the preprocessed and the instrumented texts; "" keeps none
	diagnostics string // the text that messages are about: ofOriginal or ofInstrumented
	race        bool   // compile with ThreadSanitizer
	dryRun      bool
	verbose     bool
}

// These are the values of --diagnostics.
const (
	ofOriginal     = "original"
	ofInstrumented = "instrumented"
)

// CCFlags returns the flags of `opari cc`, for its help.
func CCFlags() *pflag.FlagSet { return new(ccOptions).flags() }

func (o *ccOptions) flags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("opari cc", pflag.ContinueOnError)
	fs.SetInterspersed(false)
	fs.SetOutput(io.Discard)
	o.AddFlags(fs, instrument.Warn)
	fs.StringVar(&o.keep, "keep", "",
		"keep the preprocessed and the instrumented text in this directory")
	fs.Lookup("keep").NoOptDefVal = "."
	fs.Var(instrument.NewChoice(&o.diagnostics, ofOriginal, ofInstrumented), "diagnostics",
		"show the warnings of the original text (and compile it once more where\nthat is "+
			"needed), or those of the instrumented text")
	fs.BoolVar(&o.race, "race", false,
		"compile and link with ThreadSanitizer and line numbers, for opari race")
	fs.BoolVar(&o.dryRun, "dry-run", false, "print the commands on standard error and run none")
	fs.BoolVar(&o.verbose, "verbose", false, "print the commands on standard error and run them")
	return fs
}

// session is one call of the wrapper.
type session struct {
	process.Runner
	opts ccOptions
	cmd  *commandline.Command
	// libs are words for the link. The original text needs them, too, if it calls what only the
	// library has, or if its other objects are instrumented.
	libs []string

	symbols  *pomp.Symbols // of the program to link; nil: there is none
	rejected bool          // the compiler rejected the instrumented text
	pending  []func()      // warnings to print if the compiler accepts the original text
}

// Main runs `opari cc`; args are opari's options, the compiler's name and its arguments. It
// returns the exit code unless it turns into the compiler.
func Main(args []string) int {
	s := newSession()
	fs := s.opts.flags()
	err := settings(fs)
	if err != nil {
		s.Errorf("%v", err)
		return process.ExitFailed
	}
	if err = fs.Parse(args); err == nil {
		err = s.opts.Check()
	}
	if err == nil && fs.NArg() == 0 {
		err = fmt.Errorf("no compiler is named")
	}
	if err != nil {
		s.Errorf("%v\n\nUsage:\n  opari cc [flags] COMPILER ARGUMENTS...\n\n`opari cc --help` "+
			"says more.", err)
		return process.ExitFailed
	}
	s.DryRun, s.Verbose = s.opts.dryRun, s.opts.verbose
	return s.runCommand(fs.Args())
}

func newSession() *session { return &session{Runner: process.Runner{Messages: os.Stderr}} }

// runCommand does what the compiler's command line requests.
func (s *session) runCommand(words []string) int {
	compiler, args, known := commandline.SplitCompiler(words)
	if os.Getenv("OPARI") == "off" {
		return s.Replace(words)
	}
	if !known {
		s.Warnf("%s is no compiler that opari knows by its name: it is run as it is", compiler[0])
		return s.Replace(words)
	}
	if s.opts.race {
		words = withSanitizer(words)
		compiler, args, _ = commandline.SplitCompiler(words)
	}
	c := commandline.Parse(compiler, args)
	s.cmd, s.Compiler = c, len(c.Compiler)
	if c.Plain != "" || c.IsConfigureCheck() || !c.OpenMP && !(c.Links() && c.LinksRuntime) &&
		!linksMPI(c) {
		return s.Replace(words)
	}
	s.libs = s.libraries()
	if !c.OpenMP || len(c.Sources()) == 0 {
		s.warnOfOtherLibrary(nil)
		return s.Replace(c.Original(s.libs))
	}
	defer s.Clean()
	return s.compile()
}

// withSanitizer adds what `opari race` needs to a command line. The options stand last, because
// they must count.
func withSanitizer(words []string) []string {
	added := []string{"-fsanitize=thread"}
	if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-g") }) {
		added = append(added, "-g")
	}
	return append(slices.Clone(words), added...)
}
