// Package race holds small programs against `opari race`: half of them have a data race, the other
// half have none. `go run ./bench race` prints what other tools say of them.
package race

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// kernel is a program in testdata/race.
type kernel struct {
	path   string
	racy   bool
	missed bool // its comment says why no run shows the race
}

// kernels returns every nth kernel, or all with OPARI_ALL.
func kernels(t *testing.T, nth int) []kernel {
	t.Helper()
	if os.Getenv("OPARI_ALL") != "" {
		nth = 1
	}
	root, err := filepath.Abs("../../testdata/race")
	if err != nil {
		t.Fatal(err)
	}
	count := map[bool]int{}
	var list []kernel
	for _, racy := range []bool{true, false} {
		folder := map[bool]string{true: "yes", false: "no"}[racy]
		paths, err := filepath.Glob(filepath.Join(root, folder, "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for i, path := range paths {
			count[racy]++
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if i%nth == 0 {
				list = append(list, kernel{path, racy, bytes.Contains(text, []byte("Not found:"))})
			}
		}
	}
	if count[true] < 60 || count[false] < 60 {
		t.Fatalf("%d kernels with a race and %d without: want 60 of each", count[true],
			count[false])
	}
	return list
}

var compilers = map[string]string{".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}

// command runs a program in a folder, and returns its output and exit code.
func command(t *testing.T, folder string, argv ...string) (output string, code int) {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

// TestKernels requires that opari race reports nothing in a program without a race, and every race
// but those whose comment says why not.
func TestKernels(t *testing.T) {
	expensive.Compilers(t, "gcc", "g++", "gfortran")
	opari := filepath.Join(t.TempDir(), "opari")
	if out, code := command(t, ".", "go", "build", "-o", opari, "opari/cmd/opari"); code != 0 {
		t.Fatal(out)
	}
	for _, k := range kernels(t, 8) {
		dir := t.TempDir()
		out, code := command(t, dir, opari, "cc", "--race", compilers[filepath.Ext(k.path)], "-O1",
			"-w", "-fopenmp", k.path, "-o", "program")
		if code != 0 {
			t.Fatalf("%s: %s", k.path, out)
		}
		out, code = command(t, dir, opari, "race", "--threads=2,4", "./program")
		if strings.Contains(out, "ThreadSanitizer does not run here") {
			t.Skip("ThreadSanitizer does not run here")
		}
		switch racy := code == 66; {
		case !racy && code != 0:
			t.Errorf("%s: exit code %d\n%s", k.path, code, out)
		case racy && !k.racy:
			t.Errorf("%s has no race\n%s", k.path, out)
		case !racy && k.racy && !k.missed:
			t.Errorf("%s has a race, which is not found\n%s", k.path, out)
		case racy && k.missed:
			t.Errorf("%s is found: its comment is wrong", k.path)
		}
	}
}
