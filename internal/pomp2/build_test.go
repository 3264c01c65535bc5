package pomp2

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// opari returns the path of the program, which it builds once.
var opari = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "opari-pomp2-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, "opari")
	if out, err := exec.Command("go", "build", "-o", path, "opari/cmd/opari").CombinedOutput(); //
	err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

var builtIn string // the folder of the program

func TestMain(m *testing.M) {
	code := m.Run()
	if builtIn != "" {
		_ = os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

// run runs a command in dir and returns its output.
func run(t *testing.T, dir string, environment []string, command ...string) string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), environment...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.4000s", strings.Join(command, " "), err, out)
	}
	return string(out)
}

// writeInitFile writes the initialization file into dir and returns its path.
func writeInitFile(t *testing.T, dir string, units []Unit) string {
	t.Helper()
	path := filepath.Join(dir, "init.c")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := InitFile(f, units); err != nil {
		t.Fatal(err)
	}
	return path
}

// compiler is that of a source file.
func compiler(source string) string {
	switch filepath.Ext(source) {
	case ".f90":
		return "gfortran"
	case ".cc":
		return "g++"
	}
	return "gcc"
}

// instrument instruments a source by opari into a folder of its own, as own with the source's
// suffix.
func instrument(t *testing.T, source string) (dir, own string) {
	t.Helper()
	program, err := opari()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	source, err = filepath.Abs(source)
	if err != nil {
		t.Fatal(err)
	}
	own = "own" + filepath.Ext(source)
	run(t, dir, nil, program, source, own)
	return dir, own
}

// compileInitFile makes init.o and known.o in dir. The latter defines what a unit does by which
// scripts know that the library is needed.
func compileInitFile(t *testing.T, dir string) {
	t.Helper()
	init := writeInitFile(t, dir, []Unit{
		{Symbol: "known", Own: true, Locks: true},
		{Symbol: "known", Own: true, User: true},
	})
	known := filepath.Join(dir, "known.c")
	err := os.WriteFile(known, []byte("void known(void); void known(void) {}\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, nil, "gcc", "-c", known, init)
}

// build instruments a source, and links it with the initialization file and a library's objects
// or options.
func build(t *testing.T, source string, library ...string) string {
	t.Helper()
	dir, own := instrument(t, source)
	compileInitFile(t, dir)
	command := []string{compiler(source), "-fopenmp", own, "init.o", "known.o", "-o", "own"}
	run(t, dir, nil, append(command, library...)...)
	return filepath.Join(dir, "own")
}

// installed installs opari in OPARI2's place and returns the folder of the programs.
func installed(t *testing.T) string {
	t.Helper()
	program, err := opari()
	if err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	run(t, there, nil, program, "pomp2", "--prefix="+there)
	return filepath.Join(there, "bin")
}
