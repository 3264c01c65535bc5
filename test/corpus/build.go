package corpus

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Class is the step at which a program failed, or Pass.
type Class string

// The classes, from the first step to the last.
const (
	Pass         Class = "pass"
	Refused      Class = "refused"      // opari printed "error:" and left no output
	Crashed      Class = "opari broke"  // a signal, a timeout, or failure without a message
	CompileError Class = "no compile"   // the compiler refuses the instrumented text
	LinkError    Class = "no link"      //
	WrongResult  Class = "wrong result" // exit status other than the plain program's
	RunCrash     Class = "run crash"
	RunTimeout   Class = "run timeout"
)

// Result is the outcome for one program.
type Result struct {
	Class Class
	Why   string // the diagnostic; "" for Pass
	// Timeout is set if a step did not end in time, perhaps because the machine was busy.
	Timeout bool
}

// Way is a way to build a program: plain, through the wrapper, or by opari file.c.
type Way struct {
	Name string
	// Compile makes object from source in folder dir.
	Compile func(dir string, p *Program, source, object string) Result
	// Link is the command that links, without flags and objects. Libs follows these, or
	// SharedLibs for a shared library.
	Link, Libs, SharedLibs []string
	// Shares names the way to compile, if other tests may reuse the results; "": none may.
	Shares string
	// Coverage is the file with the coverage of each directive, if there is one. Some lines are
	// repeated.
	Coverage string
	// Env is added to the environment of the run.
	Env []string
}

// Try builds and runs p in dir, an empty folder.
func (w *Way) Try(p *Program, dir string) Result {
	var objects []string
	for i, source := range append(slices.Clone(p.Extra), p.Path) {
		object := fmt.Sprintf("o%d.o", i)
		if r := w.Compile(dir, p, source, object); r.Class != Pass {
			return r
		}
		objects = append(objects, object)
	}
	if p.Kind == "compile" || p.Kind == "assemble" {
		return Result{Class: Pass}
	}
	libs := w.Libs
	if slices.Contains(p.Flags, "-shared") {
		libs = w.SharedLibs
	}
	link := func() Result {
		to := append(objects, "-o", "program")
		argv := slices.Concat(w.Link, p.LinkFlags(), to, libs, []string{"-lm"})
		if o := Execute(dir, nil, buildLimit, argv...); !o.OK() {
			return failedStep(o, LinkError)
		}
		return Result{Class: Pass}
	}
	if w.Shares == "" {
		if r := link(); r.Class != Pass {
			return r
		}
	} else {
		way := slices.Concat([]string{"link", w.Shares, p.Path}, w.Link, p.LinkFlags(), libs)
		if r := once(p, filepath.Join(dir, "program"), link, way...); r.Class != Pass {
			return r
		}
	}
	if p.Kind == "link" {
		return Result{Class: Pass}
	}
	return w.Run(p, dir)
}

// Run runs the program that Try built in dir, with four threads.
func (w *Way) Run(p *Program, dir string) Result {
	env := slices.Concat([]string{"OMP_NUM_THREADS=4"}, p.Env, w.Env)
	o := Execute(dir, env, runLimit, "./program")
	why := fmt.Sprintf("exit %d: %s", o.Code, FirstDiagnostic(o.Output))
	switch {
	case o.OK():
		return Result{Class: Pass}
	case o.Timeout:
		return Result{Class: RunTimeout, Why: "after " + runLimit.String(), Timeout: true}
	case o.Signal || o.Code >= 128:
		return Result{Class: RunCrash, Why: why}
	}
	return Result{Class: WrongResult, Why: why}
}

// failedStep classifies a failed command of the build. Opari's own messages have a prefix that
// the compiler's lack.
func failedStep(o Outcome, class Class) Result {
	why := FirstDiagnostic(o.Output)
	switch {
	case o.Timeout:
		return Result{Class: Crashed, Why: "timeout", Timeout: true}
	case o.Signal || strings.Contains(o.Output, "goroutine ") ||
		strings.Contains(o.Output, "internal error"):
		return Result{Class: Crashed, Why: why}
	case strings.Contains(o.Output, "opari: error:"):
		return Result{Class: Refused, Why: why}
	}
	return Result{Class: class, Why: why}
}

// Plain builds with the compiler alone.
func Plain(cc string) *Way {
	return &Way{
		Name: "plain",
		Compile: func(dir string, p *Program, source, object string) Result {
			return compile(dir, []string{cc}, p, source, source, object)
		},
		Link: []string{cc},
	}
}

// Wrapper builds through `opari cc`. A file that cannot be instrumented is an error here, since
// its plain compilation would test nothing.
//
// The coverage of each directive is appended to the file coverage. If that is the null device,
// other tests share the objects and the report, which is in the way's Coverage.
func Wrapper(opari, cc, coverage string) *Way {
	shared := coverage == os.DevNull && objects != ""
	if shared {
		coverage = filepath.Join(objects, cc+".coverage")
	}
	shares := ""
	if shared {
		shares = "wrapper " + cc
	}
	front := []string{
		"env", "OPARI_COVERAGE=" + coverage, opari, "cc", "--on-error=fail",
		"--diagnostics=instrumented", cc,
	}
	return &Way{
		Name: "opari cc",
		Compile: func(dir string, p *Program, source, object string) Result {
			build := func() Result { return compile(dir, front, p, source, source, object) }
			if !shared {
				return build()
			}
			return once(p, filepath.Join(dir, object), build, shares, source)
		},
		Link:     front,
		Shares:   shares,
		Coverage: coverage,
	}
}

// SourceMode instruments a copy of each source by `opari file.c` and compiles the result with the
// flags that `opari config` prints.
func SourceMode(opari, cc string, cflags, libs, sharedLibs []string) *Way {
	return &Way{
		Name: "opari file.c",
		Compile: func(dir string, p *Program, source, object string) Result {
			build := func() Result {
				return sourceMode(dir, opari, append([]string{cc}, cflags...), p, source, object)
			}
			return once(p, filepath.Join(dir, object), build,
				slices.Concat(cflags, []string{"source", cc, source})...)
		},
		Link:       []string{cc},
		Libs:       libs,
		SharedLibs: sharedLibs,
	}
}

// sourceMode compiles a copy of source to object, through `opari FILE`.
func sourceMode(dir, opari string, cc []string, p *Program, source, object string) Result {
	name := filepath.Base(source)
	text, err := os.ReadFile(source)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
	}
	if err != nil {
		return Result{Class: Crashed, Why: err.Error()}
	}
	ext := filepath.Ext(name)
	out := strings.TrimSuffix(name, ext) + ".mod" + ext
	o := Execute(dir, nil, runLimit,
		append(append([]string{opari}, p.FormFlags()...), name, out)...)
	if !o.OK() {
		if strings.Contains(o.Output, "error:") && o.Code == 1 && !exists(filepath.Join(dir, out)) {
			return Result{Class: Refused, Why: FirstDiagnostic(o.Output)}
		}
		return Result{
			Class: Crashed,
			Why:   fmt.Sprintf("exit %d: %s", o.Code, FirstDiagnostic(o.Output)),
		}
	}
	return compile(dir, cc, p, source, out, object)
}

// objects is a folder for objects that several tests compile in the same way; "": each test
// compiles for itself.
var objects string

// once reuses an object or a program that another test has built in the same way, or builds and
// keeps it.
//
// Sources that are compiled together may depend on files from compiling the others, such as
// Fortran's modules. So once always builds these.
func once(p *Program, object string, build func() Result, way ...string) Result {
	if objects == "" || len(p.Extra) > 0 {
		return build()
	}
	name := sha256.Sum256(fmt.Appendf(nil, "%q %q", way, p.CompileFlags(p.Path)))
	known := filepath.Join(objects, hex.EncodeToString(name[:]))
	if os.Link(known, object) == nil {
		return Result{Class: Pass}
	}
	_ = os.Remove(object)
	r := build()
	if r.Class == Pass {
		_ = os.Link(object, known)
	}
	return r
}

// compile runs the compiler command on file, a version of source.
func compile(dir string, cc []string, p *Program, source, file, object string) Result {
	argv := slices.Concat(cc, p.CompileFlags(source), []string{"-c", file, "-o", object})
	if o := Execute(dir, nil, buildLimit, argv...); !o.OK() {
		return failedStep(o, CompileError)
	}
	return Result{Class: Pass}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
