package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A frontEnd is a compiler with the programs that test GCC's parser for it. They are compiled and
// never run.
type frontEnd struct {
	compiler   string
	targets    []string
	folders    []string // below gcc/testsuite
	extensions []string
	least      int // files that the compiler accepts, at least
}

var frontEnds = []frontEnd{
	{"gcc", targetsC, []string{"gcc.dg/gomp", "c-c++-common/gomp"}, []string{".c"}, 400},
	{"g++", targetsCxx, []string{"g++.dg/gomp", "c-c++-common/gomp"}, []string{".C", ".c"}, 350},
}

// programs lists the files of the front end: one of eight, or all with OPARI_ALL.
func (f *frontEnd) programs(t *testing.T) []Program {
	t.Helper()
	suite := filepath.Join(corpusDir(t), "gcc", "testsuite")
	var all []Program
	for _, folder := range f.folders {
		paths, err := filesBelow(filepath.Join(suite, folder), f.extensions...)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			p, err := program(suite, path, f.targets)
			if err != nil {
				t.Fatal(err)
			}
			if only(t, p.ID) {
				all = append(all, p)
			}
		}
	}
	share := some(all, 8)
	f.least = f.least * len(share) / max(1, len(all))
	return share
}

// frontEndNews lists files that get a new warning, with the reason.
var frontEndNews = map[string]string{
	"clauses-1.c": "opari says that it does not know the directive mastked, which gcc 12 knows " +
		"no more",
	"pr59917-2.c": "setjmp in a parallel region: gcc thinks of the handle that longjmp might " +
		"clobber it",
	"pr25874.c": "an inline function with external linkage may not use static ones without a " +
		"warning in C, and descriptors are static",
}

// TestFrontEnds checks the programs that the compiler accepts. It must accept them through `opari
// cc`, and as `opari FILE` writes them, without a new warning, and the coverage must list each
// directive.
func TestFrontEnds(t *testing.T) {
	for _, f := range frontEnds {
		t.Run(f.compiler, func(t *testing.T) {
			programs := f.programs(t)
			var lock sync.Mutex
			accepted, refused, directives := 0, 0, 0
			each(t, len(programs), func(i int, dir string) {
				p := &programs[i]
				argv := slices.Concat([]string{f.compiler, "-fopenmp", "-Wall", "-Wextra"}, p.Flags,
					[]string{"-I" + filepath.Dir(p.Path)})
				bare := Execute(dir, nil, buildLimit, append(argv, "-c", p.Path, "-o", "bare.o")...)
				if !bare.OK() {
					return // a test of the compiler's errors
				}
				n := frontEndWrapped(t, p, argv, bare.Output, dir)
				taken := slices.Contains(p.Flags, withoutOpenMP) ||
					frontEndSource(t, p, argv, bare.Output, dir)
				lock.Lock()
				defer lock.Unlock()
				accepted, directives = accepted+1, directives+n
				if !taken {
					refused++
				}
			})
			t.Logf("%s: %d files that it accepts, with %d directives; `opari FILE` refuses %d",
				f.compiler, accepted, directives, refused)
			if accepted < f.least && os.Getenv("OPARI_ONLY") == "" {
				t.Errorf("only %d of %d files count", accepted, len(programs))
			}
			if refused > accepted/20 {
				t.Errorf("%d of %d files are refused", refused, accepted)
			}
		})
	}
}

var (
	pragma         = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+omp\b`)
	attribute      = regexp.MustCompile(`\bdirective[ \t\n]*\(`)
	attributesAt   = regexp.MustCompile(`\[\[[^;{}]*?\bomp\b[^;{}]*?\]\]`)
	withoutOpenMP  = "-fno-openmp"
	notByDirective = "omp_" // the coverage has lock calls, too
)

// frontEndWrapped compiles p through the wrapper and returns the number of directives in the
// coverage.
func frontEndWrapped(t *testing.T, p *Program, argv []string, bare, dir string) int {
	coverage := filepath.Join(dir, "coverage")
	front := []string{
		"env", "OPARI_COVERAGE=" + coverage, opariBinary, "cc", "--on-error=fail",
		"--diagnostics=instrumented",
	}
	o := Execute(dir, nil, buildLimit,
		slices.Concat(front, argv, []string{"-c", p.Path, "-o", "ours.o"})...)
	if !o.OK() {
		t.Errorf("%s: %s", p.ID, FirstDiagnostic(o.Output))
		return 0
	}
	frontEndMessages(t, p, "opari cc", bare, o.Output)
	listed := 0
	text, _ := os.ReadFile(coverage)
	for line := range strings.Lines(string(text)) {
		var c struct{ Directive, Reason string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		} else if !strings.HasPrefix(c.Directive, notByDirective) {
			listed++
		}
	}
	seen := 0
	o = Execute(dir, nil, buildLimit, slices.Concat(argv, []string{"-w", "-E", p.Path})...)
	if !slices.Contains(p.Flags, withoutOpenMP) {
		seen = len(pragma.FindAllString(o.Output, -1))
		if attributesAt.MatchString(o.Output) {
			seen += len(attribute.FindAllString(o.Output, -1))
		}
	}
	if listed != seen {
		t.Errorf("%s: coverage lists %d directives, there are %d", p.ID, listed, seen)
	}
	return listed
}

// frontEndSource instruments p by `opari FILE`. It returns false if opari refuses p with a
// message.
func frontEndSource(t *testing.T, p *Program, argv []string, bare, dir string) bool {
	name := filepath.Base(p.Path)
	text, err := os.ReadFile(p.Path)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), text, 0o644)
	}
	if err != nil {
		t.Error(err)
		return false
	}
	ext := filepath.Ext(name)
	out := strings.TrimSuffix(name, ext) + ".mod" + ext
	write := slices.Concat([]string{opariBinary}, p.FormFlags(), []string{name, out})
	o := Execute(dir, nil, runLimit, write...)
	switch {
	case o.Code == 1 && strings.Contains(o.Output, "error:") && !exists(filepath.Join(dir, out)):
		return false
	case !o.OK():
		t.Errorf("%s: opari ends with %d: %.500s", p.ID, o.Code, o.Output)
		return false
	}
	first, _ := os.ReadFile(filepath.Join(dir, out))
	if o = Execute(dir, nil, buildLimit,
		slices.Concat(argv, []string{"-c", out, "-o", "source.o"})...); !o.OK() {
		t.Errorf("%s does not compile any more: %s", p.ID, FirstDiagnostic(o.Output))
	}
	frontEndMessages(t, p, "opari FILE", bare, o.Output)
	o = Execute(dir, nil, runLimit, opariBinary, "strip", "-o", "back", out)
	if back, err := os.ReadFile(filepath.Join(dir, "back")); !o.OK() || err != nil ||
		!bytes.Equal(back, text) {
		t.Errorf("%s: strip gives something else back: %s %s", p.ID, FirstDiagnostic(o.Output),
			firstDifference(text, back))
	}
	if o = Execute(dir, nil, runLimit, slices.Concat([]string{opariBinary}, p.FormFlags(),
		[]string{out, "twice" + ext})...); o.Code != 1 || exists(filepath.Join(dir, "twice"+ext)) {
		t.Errorf("%s: instrumented twice: exit %d: %s", p.ID, o.Code, FirstDiagnostic(o.Output))
	}
	Execute(dir, []string{"GOMAXPROCS=1", "TZ=Asia/Tokyo"}, runLimit, write...)
	if second, _ := os.ReadFile(filepath.Join(dir, out)); !bytes.Equal(first, second) {
		t.Errorf("%s: the second output differs: %s", p.ID, firstDifference(first, second))
	}
	frontEndLines(t, p, argv, name, out, dir)
	return true
}

// frontEndMessages reports warnings that are not in bare.
func frontEndMessages(t *testing.T, p *Program, way, bare, ours string) {
	news := fresh(complaints(bare), complaints(ours))
	if len(news) > 0 && frontEndNews[filepath.Base(p.Path)] == "" {
		t.Errorf("%s: %s: %d new, first: %.300s", p.ID, way, len(news), news[0])
	}
}

// frontEndLines checks that the compiler sees each of the user's tokens in the file and on the
// line where the user wrote it.
func frontEndLines(t *testing.T, p *Program, argv []string, name, out, dir string) {
	sides := [2]string{}
	for i, file := range []string{name, out} {
		o := Execute(dir, nil, buildLimit, slices.Concat(argv,
			[]string{"-w", "-E", "-D_POMP=202611", file, "-o", fmt.Sprint(i)})...)
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprint(i)))
		if !o.OK() || err != nil {
			t.Errorf("%s: the preprocessor refuses %s: %s", p.ID, file, FirstDiagnostic(o.Output))
			return
		}
		sides[i] = attributesAt.ReplaceAllStringFunc(string(text),
			func(a string) string { return strings.Repeat("\n", strings.Count(a, "\n")) })
	}
	want, order := attribution(sides[0])
	got, _ := attribution(sides[1])
	for _, at := range order {
		if strings.HasPrefix(at.file, "<") || strings.HasPrefix(at.file, "/usr/") {
			continue
		}
		if w := missing(want[at], got[at]); w != "" {
			t.Errorf("%s: %s:%d: %s is not on its line; there stands %.200q", p.ID, at.file,
				at.line, w, got[at])
			return
		}
	}
}
