package opari2

import (
	"slices"
	"strings"
	"testing"

	"opari/descriptors"
	"opari/internal/instrument"
	"opari/internal/omp"
)

func parse(t *testing.T, line string) (*Options, string) {
	t.Helper()
	var warnings strings.Builder
	o, err := Parse(strings.Fields(line), &warnings)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return o, warnings.String()
}

func TestParse(t *testing.T) {
	o, warnings := parse(t, "--fix-form --f90 --nosrc --preprocessed --omp-tpd "+
		"--omp-tpd-mangling=gnu --omp-task-untied=keep --omp-task=warn --omp-nodecl in.f out.F")
	want := Options{
		Options: instrument.Options{
			Lang: "fortran", Form: "fixed", NoSource: true, OnError: instrument.Fail,
			Verify: "auto", ParallelBarrier: instrument.Explicit, Tasks: descriptors.Warn,
		},
		Preprocessed: true, Tpd: true, Mangling: "gnu", In: "in.f", Out: "out.F",
	}
	if !sameOptions(*o, want) || warnings != "" {
		t.Errorf("got %+v %q", *o, warnings)
	}
	const eztrace = "--nosrc --omp-task-untied=keep --omp-task-untied=no-warn a.c b.c"
	if o, warnings = parse(t, eztrace); o.Untied != descriptors.Keep || warnings != "" {
		t.Errorf("got %+v %q", *o, warnings)
	}
	o, warnings = parse(t, "-nosrc -rcfile in.c --tpd-mangling=ibm --task=abort in.c --strange")
	if o.In != "in.c" || !o.NoSource || o.Mangling != "ibm" || o.Tasks != descriptors.Refuse ||
		o.Untied != descriptors.RemoveWarn || strings.Count(warnings, "opari2: warning: ") != 5 {
		t.Errorf("got %+v %q", *o, warnings)
	}
}

func sameOptions(a, b Options) bool {
	return a.Lang == b.Lang && a.Form == b.Form && a.NoSource == b.NoSource &&
		a.OnError == b.OnError && a.Verify == b.Verify && a.ParallelBarrier == b.ParallelBarrier &&
		a.Tasks == b.Tasks && a.Untied == b.Untied && a.Preprocessed == b.Preprocessed &&
		a.Tpd == b.Tpd && a.Mangling == b.Mangling && a.In == b.In && a.Out == b.Out &&
		len(a.Disable)+len(b.Disable) == 0
}

func TestParseErrors(t *testing.T) {
	for line, want := range map[string]string{
		"":                              "no file",
		"--c":                           "no file",
		"a.c b.c c.c":                   "3 file names",
		"-disable atomic a.c":           "OPARI 1",
		"--disable a.c":                 "needs a value",
		"--disable=acc a.c":             `unknown paradigm "acc"`,
		"--disable=omp:atomics a.c":     `unknown group or directive "atomics"`,
		"--disable=pomp:x a.c":          "pomp has none",
		"--omp-task=keep a.c":           "must be one of abort, warn, remove",
		"--omp-task-untied=remove a.c":  "must be one of abort, keep, no-warn",
		"--omp-tpd-mangling=watcom a.c": "must be one of gnu",
	} {
		_, err := Parse(strings.Fields(line), &strings.Builder{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestDisable(t *testing.T) {
	parallel, atomic := omp.DirectiveParallel.Name, omp.DirectiveAtomic.Name
	for value, want := range map[string]struct {
		has, lacks []string
		barrier    string
	}{
		"pomp":         {[]string{"region"}, []string{atomic}, instrument.Explicit},
		"omp":          {[]string{atomic, "locks"}, []string{parallel}, instrument.Implicit},
		"omp:all+pomp": {[]string{parallel, "paralleldo", "locks"}, nil, instrument.Implicit},
		"omp:sync": {
			[]string{atomic, "taskwait"}, []string{"barrier"}, instrument.Explicit,
		},
		"omp:do,task:inner": {[]string{"do"}, []string{"for", "task"}, instrument.Explicit},
	} {
		o, _ := parse(t, "--disable="+value+" a.c")
		for _, name := range want.has {
			if !slices.Contains(o.Disable, name) {
				t.Errorf("%s does not disable %s", value, name)
			}
		}
		for _, name := range want.lacks {
			if slices.Contains(o.Disable, name) {
				t.Errorf("%s disables %s", value, name)
			}
		}
		if o.ParallelBarrier != want.barrier {
			t.Errorf("%s: barrier %s", value, o.ParallelBarrier)
		}
	}
}

// TestNames: the names are those that OPARI2 2.0.7 gives, which ran on these inputs.
func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"a.c": "a.mod.c", "x/a.b.cc": "x/a.b.mod.cc", "a.cu": "a.mod.cu", "a.C": "a.mod.C",
		"a.f": "a.mod.F", "a.for": "a.mod.For", "a.f90": "a.mod.F90", "a.F03": "a.mod.F03",
		"a.ftn": "a.mod.Ftn", "a.cuf": "a.mod.CUF", "a.fpp": "a.mod.Fpp",
	} {
		o := Options{In: in}
		lang, known := o.FindLanguage()
		if got := o.Output(lang); got != want || !known {
			t.Errorf("%s: %s, known %v", in, got, known)
		}
	}
	o := Options{In: "src/a.f90", Out: "obj/b.F90"}
	if got := o.IncludeFile(o.Output(omp.Fortran)); got != "obj/a.f90.opari.inc" {
		t.Error(got)
	}
	if o := (Options{In: "a.xyz"}); func() bool { _, known := o.FindLanguage(); return known }() {
		t.Error("a.xyz has a language")
	}
}

func TestBlankMarker(t *testing.T) {
	text := "int a;\n___POMP2_INCLUDE___\nint b;\n"
	got := string(BlankMarker([]byte(text)))
	if strings.TrimSpace(strings.Split(got, "\n")[1]) != "" || len(got) != len(text) ||
		!strings.HasSuffix(got, "\nint b;\n") {
		t.Errorf("%q", got)
	}
	if got := string(BlankMarker([]byte("int a;\n"))); got != "int a;\n" {
		t.Errorf("%q", got)
	}
}
