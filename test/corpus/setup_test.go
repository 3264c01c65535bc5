package corpus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// jobs is how many programs are built and run at once. It suits a machine with two cores; the
// programs have four threads each.
const jobs = 2

var opariBinary string

// TestMain builds the command, unless OPARI_BIN names one.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		if os.Getenv("OPARI_CORPUS") == "" {
			return m.Run()
		}
		dir, err := os.MkdirTemp("", "opari-corpus-bin")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		objects = filepath.Join(dir, "objects")
		if err := os.Mkdir(objects, 0o755); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		opariBinary = os.Getenv("OPARI_BIN")
		if opariBinary == "" {
			opariBinary = filepath.Join(dir, "opari")
			build := exec.Command("go", "build", "-o", opariBinary, "opari/cmd/opari")
			build.Stdout, build.Stderr = os.Stderr, os.Stderr
			if err := build.Run(); err != nil {
				fmt.Fprintln(os.Stderr, "cannot build opari:", err)
				return 1
			}
		}
		return m.Run()
	}())
}

// corpusDir returns the folder of the tests, which only `make test` downloads.
func corpusDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("OPARI_CORPUS")
	if dir == "" {
		t.Skip("OPARI_CORPUS is not set: `make test` unpacks the corpus and sets it")
	}
	return dir
}

// only restricts the corpus, to look for a fault: OPARI_ONLY is a regular expression over names.
func only(t *testing.T, name string) bool {
	t.Helper()
	pattern := os.Getenv("OPARI_ONLY")
	return pattern == "" || regexp.MustCompile(pattern).MatchString(name)
}

// each calls work for every index below n, from a few goroutines, each time with an empty folder.
func each(t *testing.T, n int, work func(i int, dir string)) {
	t.Helper()
	root, err := os.MkdirTemp("", "opari-corpus")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(root)
	indices := make(chan int)
	var group sync.WaitGroup
	for range jobs {
		group.Go(func() {
			for i := range indices {
				dir := filepath.Join(root, fmt.Sprint(i))
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Error(err)
					continue
				}
				work(i, dir)
				os.RemoveAll(dir)
			}
		})
	}
	for i := range n {
		indices <- i
	}
	close(indices)
	group.Wait()
}

// config returns the flags for builds by hand, as opari prints them.
func config(t *testing.T, flags ...string) []string {
	t.Helper()
	corpusDir(t) // without the corpus, there is no binary
	o := Execute(t.TempDir(), nil, buildLimit, append([]string{opariBinary, "config"}, flags...)...)
	if !o.OK() {
		t.Fatalf("opari config %v: %s", flags, o.Output)
	}
	return strings.Fields(o.Output)
}

// A suite is a set of programs and the compiler that they are for.
type suite struct {
	compiler string
	list     func(dir string) ([]Program, error)
	share    int // one of so many programs counts, unless OPARI_ALL is set; 0: all
	least    int // minimum of programs that pass plain

	once sync.Once
	good []Program
}

var (
	suiteC       = &suite{compiler: "gcc", list: Libgomp, least: 500}
	suiteCxx     = &suite{compiler: "g++", list: LibgompCxx, least: 420, share: 8}
	suiteFortran = &suite{compiler: "gfortran", list: LibgompFortran, least: 350}
)

// goodPrograms lists the C programs whose plain build passes.
func goodPrograms(t *testing.T) []Program {
	t.Helper()
	return suiteC.goodPrograms(t)
}

// goodPrograms lists the programs whose plain build passes, among those that OPARI_ONLY selects.
func (s *suite) goodPrograms(t *testing.T) []Program {
	t.Helper()
	dir := corpusDir(t)
	s.once.Do(func() {
		all, err := s.list(dir)
		if err != nil {
			t.Fatal(err)
		}
		total := len(all)
		all = some(all, max(1, s.share))
		s.least = s.least * len(all) / total
		all = slices.DeleteFunc(all, func(p Program) bool { return !only(t, p.ID) })
		count := map[string]int{}
		for i, r := range baseline(t, Plain(s.compiler), all, s.baselineCache(dir)) {
			count[r]++
			if r == string(Pass) {
				s.good = append(s.good, all[i])
			}
		}
		t.Logf("plain builds: %d programs, %v", len(all), count)
	})
	if len(s.good) < s.least && os.Getenv("OPARI_ONLY") == "" {
		t.Fatalf("only %d programs pass when built plain: is the corpus whole?", len(s.good))
	}
	return s.good
}

// runnable returns the good programs that are run.
func (s *suite) runnable(t *testing.T) []Program {
	t.Helper()
	return slices.DeleteFunc(slices.Clone(s.goodPrograms(t)),
		func(p Program) bool { return p.Kind != "run" })
}

// some returns every nth of all, or all with OPARI_ALL or OPARI_ONLY.
func some[T any](all []T, n int) []T {
	if os.Getenv("OPARI_ALL") != "" || os.Getenv("OPARI_ONLY") != "" {
		return all
	}
	return everyNth(all, n)
}

// everyNth returns every nth of list.
func everyNth[T any](list []T, n int) []T {
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return slices.Clip(some)
}
