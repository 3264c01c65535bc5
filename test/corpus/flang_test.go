package corpus

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// flangShare: of so many programs one is tried, unless OPARI_ALL is set: flang is slow.
const flangShare = 9

var suiteFlang = &suite{compiler: "flang-new-19", list: LibgompFlang, share: flangShare, least: 90}

func needsFlang(t *testing.T) {
	t.Helper()
	corpusDir(t)
	if _, err := exec.LookPath("flang-new-19"); err != nil {
		t.Fatal("flang-new-19 is not there: make test installs it")
	}
}

// TestFlangWrapper: what passes plain passes through `opari cc flang-new-19`, whether the library measures or not.
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
	if written, _ := filepath.Glob(profiles + "/profile.*"); len(written) < len(programs)/3 && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d profiles from %d programs", len(written), len(programs))
	}
	logCoverage(t, coverage)
}

// TestFlangSources: what flang accepts it accepts after `opari FILE`.
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
	check := slices.Concat([]string{"flang-new-19"}, p.CompileFlags(path), []string{"-fsyntax-only"})
	if !Execute(dir, nil, buildLimit, append(check, path)...).OK() {
		return false
	}
	ext := filepath.Ext(path)
	out := strings.TrimSuffix(filepath.Base(path), ext) + ".mod" + ext
	if o := Execute(dir, nil, runLimit, slices.Concat([]string{opariBinary}, p.FormFlags(), []string{path, out})...); !o.OK() {
		t.Errorf("%s is refused: %s", path, FirstDiagnostic(o.Output))
		return true
	}
	if o := Execute(dir, nil, buildLimit, append(check, out)...); !o.OK() {
		t.Errorf("flang does not take %s any more: %s", path, FirstDiagnostic(o.Output))
	}
	return true
}
