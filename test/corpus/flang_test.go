package corpus

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// flangShare is the number of programs of which one is tried, because flang is slow. With
// OPARI_ALL all are.
const flangShare = 9

var suiteFlang = &suite{compiler: "flang-new-19", list: LibgompFlang, share: flangShare, least: 90}

func needsFlang(t *testing.T) {
	t.Helper()
	corpusDir(t)
	if _, err := exec.LookPath("flang-new-19"); err != nil {
		t.Fatal("flang-new-19 is not there: make test installs it")
	}
}

// TestFlangWrapper checks that each program that passes plain passes through `opari cc
// flang-new-19`, whether the library measures or not.
func TestFlangWrapper(t *testing.T) {
	needsFlang(t)
	programs := suiteFlang.goodPrograms(t)
	coverage := filepath.Join(t.TempDir(), "coverage")
	w := Wrapper(opariBinary, "flang-new-19", coverage)
	w.Name = "opari cc flang-new-19"
	measured := *w
	measured.Name = "opari cc flang-new-19, measured"
	profiles := t.TempDir()
	measured.Env = []string{"OPARI_PROFILE=" + profiles + "/profile"}
	for _, way := range []*Way{w, &measured} {
		for class, n := range conformance(t, way, programs) {
			if class != Pass {
				t.Errorf("%d of %d: %s", n, len(programs), class)
			}
		}
	}
	if written, _ := filepath.Glob(profiles + "/profile.*"); len(written) < len(programs)/3 &&
		os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d profiles from %d programs", len(written), len(programs))
	}
	logCoverage(t, coverage)
}

// TestFlangSources checks that flang accepts, after `opari FILE`, all that it accepted before.
func TestFlangSources(t *testing.T) {
	needsFlang(t)
	paths, err := SourcesFortran(corpusDir(t))
	if err != nil {
		t.Fatal(err)
	}
	paths = some(paths, flangShare)
	var accepted, others atomic.Int32
	each(t, len(paths), func(i int, dir string) {
		if !only(t, paths[i]) {
			return
		}
		if flangSource(t, paths[i], dir) {
			accepted.Add(1)
		} else {
			others.Add(1)
		}
	})
	t.Logf("%d files that flang accepts are good, %d others", accepted.Load(), others.Load())
}

// flangSource tests one file and reports whether flang accepts it.
func flangSource(t *testing.T, path, dir string) bool {
	p, err := program(filepath.Dir(path), path, nil)
	if err != nil {
		t.Error(err)
		return false
	}
	p.forFlang()
	check := slices.Concat([]string{"flang-new-19"}, p.CompileFlags(path),
		[]string{"-fsyntax-only"})
	if !Execute(dir, nil, buildLimit, append(check, path)...).OK() {
		return false
	}
	ext := filepath.Ext(path)
	out := strings.TrimSuffix(filepath.Base(path), ext) + ".mod" + ext
	if o := Execute(dir, nil, runLimit,
		slices.Concat([]string{opariBinary}, p.FormFlags(), []string{path, out})...); !o.OK() {
		t.Errorf("%s is refused: %s", path, FirstDiagnostic(o.Output))
		return true
	}
	if o := Execute(dir, nil, buildLimit, append(check, out)...); !o.OK() {
		t.Errorf("flang does not take %s any more: %s", path, FirstDiagnostic(o.Output))
	}
	return true
}

// TestFlangForks checks that a region's threads belong to it even if they begin before the thread
// that forked them, as they may on LLVM's runtime.
func TestFlangForks(t *testing.T) {
	needsFlang(t)
	const regions = 300
	dir := t.TempDir()
	text := "program p\n  integer :: s = 0\n" +
		strings.Repeat("!$omp parallel num_threads(2)\n!$omp atomic\n  s = s + 1\n!$omp end "+
			"parallel\n", regions) + "  print *, s\nend program\n"
	if err := os.WriteFile(filepath.Join(dir, "p.f90"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := Execute(dir, nil, buildLimit, opariBinary, "cc", "flang-new-19", "-fopenmp", "p.f90",
		"-o", "p"); !o.OK() {
		t.Fatal(o.Output)
	}
	if o := Execute(dir, []string{"OMP_NUM_THREADS=2"}, runLimit, opariBinary, "run",
		"--format=json", "-o", "profile", "./p"); !o.OK() {
		t.Fatal(o.Output)
	}
	written, err := os.ReadFile(filepath.Join(dir, "profile"))
	if err != nil {
		t.Fatal(err)
	}
	var profile struct {
		Regions []struct {
			Name    string
			Begin   []int
			Threads []struct{ Count int }
		}
	}
	if err := json.Unmarshal(written, &profile); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, r := range profile.Regions {
		count := 0
		for _, on := range r.Threads {
			count += on.Count
		}
		if count != 2 {
			t.Errorf("%s of line %d: counted %d times, not once on each of two threads", r.Name,
				r.Begin[0], count)
		}
		seen++
	}
	if seen != 2*regions {
		t.Errorf("%d regions in the profile, not %d", seen, 2*regions)
	}
}
