package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fortranSourceGoal is the share of programs that `opari file.f90` must instrument correctly. It
// may refuse the rest, with a message.
const fortranSourceGoal = 0.98

// TestFortranWrapper checks that each program that passes plain passes through `opari cc
// gfortran`.
func TestFortranWrapper(t *testing.T) {
	programs := suiteFortran.goodPrograms(t)
	w := Wrapper(opariBinary, "gfortran", os.DevNull)
	for class, n := range conformance(t, w, programs) {
		if class != Pass {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	logCoverage(t, w.Coverage)
}

// TestFortranWrapperMeasuring does the same while the library measures.
func TestFortranWrapperMeasuring(t *testing.T) {
	programs := suiteFortran.runnable(t)
	w := Wrapper(opariBinary, "gfortran", os.DevNull)
	w.Name = "opari cc, measured"
	profiles := t.TempDir()
	w.Env = []string{"OPARI_PROFILE=" + profiles + "/profile"}
	for class, n := range conformance(t, w, programs) {
		if class != Pass {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	if written, _ := filepath.Glob(profiles + "/profile.*"); len(written) < len(programs)/2 &&
		os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d profiles from %d programs", len(written), len(programs))
	}
}

// TestFortranSourceMode checks that `opari file.f90` instruments nearly all programs, gives a
// reason for the rest, and breaks none. It tries every third one, as TestSourceMode does.
func TestFortranSourceMode(t *testing.T) {
	programs := some(suiteFortran.goodPrograms(t), 3)
	tally := conformance(t, SourceMode(opariBinary, "gfortran", nil,
		config(t, "--libs", "--fortran"), config(t, "--libs", "--shared")), programs)
	for class, n := range tally {
		if class != Pass && class != Refused {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	if share := float64(tally[Pass]) / float64(len(programs)); share < fortranSourceGoal {
		t.Errorf("%.1f %% pass, the goal is %.0f %%", 100*share, 100*fortranSourceGoal)
	}
}

// TestFortranSources runs `opari FILE` on every third Fortran file of the corpus, or all with
// OPARI_ALL. The compiler must accept all that it accepted before, and strip must restore the
// input. Instrumented code is not instrumented again, and another run must give the same text.
func TestFortranSources(t *testing.T) {
	paths, err := SourcesFortran(corpusDir(t))
	if err != nil {
		t.Fatal(err)
	}
	least := 700
	if os.Getenv("OPARI_ALL") == "" {
		least /= 3
	}
	paths = some(paths, 3)
	var lock sync.Mutex
	accepted, refused := 0, 0
	each(t, len(paths), func(i int, dir string) {
		if !only(t, paths[i]) {
			return
		}
		ok := fortranSource(t, paths[i], dir)
		lock.Lock()
		defer lock.Unlock()
		if ok {
			accepted++
		} else {
			refused++
		}
	})
	t.Logf("%d files that the compiler accepts are good, %d others", accepted, refused)
	if accepted < least && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d of %d files count", accepted, len(paths))
	}
}

// fortranSource tests one file and reports whether the compiler accepts it.
func fortranSource(t *testing.T, path, dir string) bool {
	p, err := program(filepath.Dir(path), path, nil)
	text, err2 := os.ReadFile(path)
	name := filepath.Base(path)
	if err != nil || err2 != nil || os.WriteFile(filepath.Join(dir, name), text, 0o644) != nil {
		t.Error(path, err, err2)
		return false
	}
	check := slices.Concat([]string{"gfortran"}, p.CompileFlags(path), []string{"-fsyntax-only"})
	valid := Execute(dir, nil, buildLimit, append(check, name)...).OK()
	ext := filepath.Ext(name)
	out := strings.TrimSuffix(name, ext) + ".mod" + ext
	o := Execute(dir, nil, runLimit,
		slices.Concat([]string{opariBinary}, p.FormFlags(), []string{name, out})...)
	switch {
	case o.Code == 1 && strings.Contains(o.Output, "error:") && !exists(filepath.Join(dir, out)):
		if valid {
			t.Errorf("%s is refused: %s", path, FirstDiagnostic(o.Output))
		}
		return false
	case !o.OK():
		t.Errorf("%s: opari ends with %d: %.500s", path, o.Code, o.Output)
		return false
	}
	if o := Execute(dir, nil, buildLimit, append(check, out)...); valid && !o.OK() {
		t.Errorf("%s does not compile any more: %s", path, FirstDiagnostic(o.Output))
	}
	first, _ := os.ReadFile(filepath.Join(dir, out))
	o = Execute(dir, nil, runLimit, opariBinary, "strip", "-o", "back", out)
	if back, err := os.ReadFile(filepath.Join(dir, "back")); !o.OK() || err != nil ||
		!bytes.Equal(back, text) {
		t.Errorf("%s: strip gives something else back: %s %s", path, FirstDiagnostic(o.Output),
			firstDifference(text, back))
	}
	if o = Execute(dir, nil, runLimit, opariBinary, out, "twice"+ext); o.Code != 1 ||
		exists(filepath.Join(dir, "twice"+ext)) {
		t.Errorf("%s: instrumented twice: exit %d: %s", path, o.Code, FirstDiagnostic(o.Output))
	}
	o = Execute(dir, []string{"GOMAXPROCS=1", "TZ=Asia/Tokyo"}, runLimit,
		slices.Concat([]string{opariBinary}, p.FormFlags(), []string{name, out})...)
	if second, _ := os.ReadFile(filepath.Join(dir, out)); !bytes.Equal(first, second) {
		t.Errorf("%s: the second output differs: %s", path, firstDifference(first, second))
	}
	return valid
}
