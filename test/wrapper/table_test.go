package wrapper

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"opari/internal/expensive"
)

// fixture is what all tests of the package share: opari, its library, and links to opari named
// like compilers.
type fixture struct {
	dir, opari, links string
	env               []string
	lib               map[string]bool
}

var shared struct {
	sync.Once
	fixture
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.dir != "" {
		_ = os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// setUp builds opari once.
func setUp(t *testing.T) *fixture {
	t.Helper()
	syscall.Umask(0o022) // another user must be able to read the files built here
	expensive.Compilers(t, "gcc", "g++", "gfortran", "gcc-nm", "ccache", "mpicc")
	shared.Do(func() {
		dir, err := os.MkdirTemp("", "wrapper-")
		if err != nil {
			t.Fatal(err)
		}
		f := &shared.fixture
		*f = fixture{
			dir: dir, opari: filepath.Join(dir, "bin", "opari"),
			links: filepath.Join(dir, "links"),
		}
		if out, err := exec.Command("go", "build", "-o", f.opari,
			"opari/cmd/opari").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if err := os.MkdirAll(f.links, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range maskedNames {
			if err := os.Symlink(f.opari, filepath.Join(f.links, name)); err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range os.Environ() {
			if !strings.HasPrefix(v, "OPARI") && !strings.HasPrefix(v, "CCACHE_") &&
				!strings.HasPrefix(v, "MAKEFLAGS=") && !strings.HasPrefix(v, "LC_") {
				f.env = append(f.env, v)
			}
		}
		f.env = append(f.env, "LC_ALL=C", "OMP_NUM_THREADS=2", "HOME="+dir,
			"XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "OPARI_BIN="+f.opari,
			"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
		t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
		f.lib = librarySymbols(t, f.opari)
	})
	if shared.lib == nil {
		t.Fatal("opari could not be built")
	}
	return &shared.fixture
}

// maskedNames are the compilers for which a link to opari can stand in.
var maskedNames = []string{
	"gcc", "g++", "gfortran", "cc", "c++", "c99", "c99-gcc", "f95", "gcc-12", "g++-12",
	"gfortran-12", "mpicc", "mpic++", "mpicxx", "mpifort", "mpicc.openmpi",
	"mpif90.openmpi", "x86_64-linux-gnu-gcc-12", "x86_64-linux-gnu-g++-12",
	"x86_64-linux-gnu-gfortran-12",
}

// room makes a folder for a case.
func (f *fixture) room(t *testing.T) *room {
	t.Helper()
	dir, err := os.MkdirTemp(f.dir, "case") // its name has no letter that is special to make
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &room{dir: filepath.Join(dir, "work"), temp: filepath.Join(dir, "temp"), env: f.env}
}

var only = os.Getenv("OPARI_ONLY")

// TestTable runs every case bare, through `opari cc`, and in masquerade.
func TestTable(t *testing.T) {
	f := setUp(t)
	all := readCases(t)
	if len(all) < 200 {
		t.Errorf("%d cases, fewer than 200", len(all))
	}
	masked := 0
	for _, c := range all {
		if c.reason == "" {
			masked++
		}
	}
	t.Logf("%d cases, %d of them in masquerade too", len(all), masked)
	forms := []form{{name: "prefix", prefix: f.opari + " cc "}, {name: "masquerade", path: f.links}}
	for _, c := range all {
		t.Run(c.promise+"/"+c.name, func(t *testing.T) {
			if only != "" && !regexp.MustCompile(only).MatchString(c.promise+" "+c.name) {
				t.Skip("OPARI_ONLY selects others")
			}
			t.Parallel()
			r := f.room(t)
			bare := r.run(t, &c, form{name: "bare"})
			for _, as := range forms {
				if as.path != "" && c.reason != "" {
					continue
				}
				for _, d := range c.differences(bare, r.run(t, &c, as), f.lib) {
					t.Errorf("%s: %s\n%s", as.name, d, c.script)
				}
			}
		})
	}
}

var promise = regexp.MustCompile(`(?m)^\| ([A-Z]\d+) \|`)

// TestPromises checks that every promise of the manual has its cases, and every case its promise.
func TestPromises(t *testing.T) {
	text, err := os.ReadFile("../../docs/reference/wrapper.md")
	if err != nil {
		t.Fatal(err)
	}
	promised := map[string]bool{}
	for _, m := range promise.FindAllSubmatch(text, -1) {
		promised[string(m[1])] = true
	}
	kept := map[string]bool{}
	for _, c := range readCases(t) {
		kept[c.promise] = true
		if !promised[c.promise] {
			t.Errorf("%s: docs/reference/wrapper.md promises no %s", c.name, c.promise)
		}
	}
	for p := range promised {
		if _, elsewhere := byTest[p]; !kept[p] && !elsewhere {
			t.Errorf("docs/reference/wrapper.md promises %s, and there is no case for it", p)
		}
	}
}

// byTest lists the promises that a command line alone cannot show, with the test that does.
var byTest = map[string]string{
	"T5": "cmd/opari: cc_options", "B3": "TestReadOnlySources", "B4": "TestInterrupted",
	"B8": "TestDiskFull", "B9": "TestBuilds", "L2": "TestMeasured",
	"L4": "cmd/opari: uncalled_library",
	"P1": "cmd/opari: cc_options", "P2": "cmd/opari: config; TestMeasured",
	"P3": "cmd/opari: cc_options",
}
