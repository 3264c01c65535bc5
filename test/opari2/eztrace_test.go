package opari2

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// An eztrace is EZTrace with one of the two instrumenters.
type eztrace struct {
	root, libraries string // of its packages
	cc              string // eztrace_cc
}

// unpacked returns the root of EZTrace's packages.
func unpacked(t *testing.T) string {
	t.Helper()
	script := exec.Command("../../scripts/eztrace.sh")
	script.Stderr = os.Stderr
	root, err := script.Output()
	if err != nil {
		t.Skipf("Debian's packages of EZTrace cannot be had: %v", err)
	}
	return strings.TrimSpace(string(root))
}

// with returns EZTrace with the OPARI2 in a folder. The script has both their places as text.
func with(t *testing.T, root, folder string) eztrace {
	t.Helper()
	libraries, err := filepath.Glob(filepath.Join(root, "usr/lib/*/libeztpomp.so"))
	if err != nil || len(libraries) != 1 {
		t.Fatal(libraries, err)
	}
	e := eztrace{root, filepath.Dir(libraries[0]), filepath.Join(t.TempDir(), "eztrace_cc")}
	text, err := os.ReadFile(filepath.Join(root, "usr/bin/eztrace_cc"))
	if err != nil {
		t.Fatal(err)
	}
	here := strings.NewReplacer("\nprefix=/usr\n", "\nprefix="+root+"/usr\n",
		"\nlibdir=${exec_prefix}/lib\n", "\nlibdir="+e.libraries+"\n",
		"/usr/bin/opari2", filepath.Join(folder, "opari2")).Replace(string(text))
	if err := os.WriteFile(e.cc, []byte(here), 0o777); err != nil {
		t.Fatal(err)
	}
	return e
}

var event = regexp.MustCompile(`(?m)^([A-Z_]+) .*?(Region: "[^"]*"|$)`)

// trace builds and runs a program and returns how often the trace has each event.
func (e *eztrace) trace(t *testing.T, compiler, source string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", source))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, source), text, 0o666); err != nil {
		t.Fatal(err)
	}
	steps := [][]string{
		{e.cc, compiler, "-fopenmp", "-o", "program", source},
		{"./program"},
		{filepath.Join(e.root, "usr/bin/otf2-print"), "program_trace/eztrace_log.otf2"},
	}
	var out []byte
	for i, words := range steps {
		step := exec.Command(words[0], words[1:]...)
		step.Dir = dir
		step.Env = append(os.Environ(), "LD_LIBRARY_PATH="+e.libraries, "OMP_NUM_THREADS=2")
		if i == 1 {
			step.Env = append(step.Env, "EZTRACE_TRACE=openmp",
				"LD_PRELOAD="+filepath.Join(e.libraries, "libeztrace-openmp.so"))
		}
		if out, err = step.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", words[0], err, out)
		}
		if i == 1 && string(out) != "done\n" {
			return "", fmt.Errorf("the program says %q", out)
		}
	}
	counts := map[string]int{}
	for _, m := range event.FindAllStringSubmatch(string(out), -1) {
		counts[m[1]+" "+m[2]]++
	}
	var lines []string
	for what, n := range counts {
		lines = append(lines, fmt.Sprintf("%s %d", what, n))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n"), nil
}

// TestEZTrace: with opari in OPARI2's place, EZTrace records as many of each event as with
// OPARI2. It also records programs that OPARI2 cannot instrument.
func TestEZTrace(t *testing.T) {
	expensive.Compilers(t, "gcc", "apt-get", "dpkg")
	root := unpacked(t)
	ours := filepath.Join(t.TempDir(), "ours")
	opari := filepath.Join(ours, "opari")
	for _, words := range [][]string{
		{"go", "build", "-o", opari, "opari/cmd/opari"},
		{opari, "pomp2", "--prefix=" + ours, "--eztrace"},
	} {
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", words, err, out)
		}
	}
	e := with(t, root, filepath.Join(ours, "bin"))
	got, err := e.trace(t, "gcc", "all.c")
	if err != nil || !strings.Contains(got, `ENTER Region: "OpenMP For" 6`) {
		t.Errorf("%v\n%s", err, got)
	}
	for _, c := range []struct{ compiler, source, has string }{
		{"gcc", "simd.c", `ENTER Region: "OpenMP For" 2`},
		{"gfortran", "loop.f90", `ENTER Region: "OpenMP For" 2`},
	} {
		if got, err := e.trace(t, c.compiler, c.source); err != nil ||
			!strings.Contains(got, c.has) {
			t.Errorf("%s: %v\n%s", c.source, err, got)
		}
	}
	theirs, err := exec.LookPath("opari2")
	if err != nil {
		t.Skip("OPARI2 is not there to compare with: make test installs it")
	}
	o := with(t, root, filepath.Dir(theirs))
	want, err := o.trace(t, "gcc", "all.c")
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("with opari:\n%s\n\nwith OPARI2:\n%s", got, want)
	}
	if _, err := o.trace(t, "gcc", "simd.c"); err == nil {
		t.Error("OPARI2 instruments simd.c, so the program shows nothing")
	}
}
