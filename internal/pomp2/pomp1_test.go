package pomp2

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// writeInitFile1 writes the initialization file for OPARI 1.x into dir.
func writeInitFile1(t *testing.T, dir string, names Names) string {
	t.Helper()
	path := filepath.Join(dir, "init.c")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := InitFile1(f, names, 1000); err != nil {
		t.Fatal(err)
	}
	return path
}

// library1 is the command that compiles the library for OPARI 1.x and links it.
func library1(t *testing.T, names Names) []string {
	t.Helper()
	path, err := filepath.Abs("testdata/library1.c")
	if err != nil {
		t.Fatal(err)
	}
	options := append(LinkOptions(names), "-w", path)
	if names == Lower {
		options = append(options, "-DLOWER")
	}
	return options
}

// TestSameAsOPARI1 checks that a library for OPARI 1.x gets the calls and descriptors that it gets
// with OPARI 1.1. testdata/old.out is what it printed then, on one thread.
func TestSameAsOPARI1(t *testing.T) {
	want, err := os.ReadFile("testdata/old.out")
	if err != nil {
		t.Fatal(err)
	}
	for name, names := range map[string]Names{"mixed": Mixed, "lower": Lower} {
		t.Run(name, func(t *testing.T) {
			dir, own := instrument(t, "testdata/old.c")
			command := []string{"gcc", "-fopenmp", own, writeInitFile1(t, dir, names), "-o", "own"}
			run(t, dir, nil, append(command, library1(t, names)...)...)
			got := run(t, dir, []string{"OMP_NUM_THREADS=1"}, filepath.Join(dir, "own"))
			if file := strings.ReplaceAll(got, "own.c", "old.c"); file != string(want) {
				t.Errorf("the library prints\n%s\nand with OPARI 1.1\n%s", file, want)
			}
		})
	}
}

// TestStrict1 runs programs with the constructs that OPARI 1.x does not know. The library checks
// that the calls nest, and that each descriptor is in its table.
func TestStrict1(t *testing.T) {
	expensive.Compilers(t, "gfortran")
	for _, source := range []string{"every.c", "newer.c", "every.cc"} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			dir, own := instrument(t, "testdata/"+source)
			run(t, dir, nil, "gcc", "-c", writeInitFile1(t, dir, Mixed))
			library := slices.Concat([]string{"gcc", "-fopenmp", "-c", "-o", "library.o"},
				library1(t, Mixed))
			run(t, dir, nil, library...)
			command := []string{compiler(source), "-fopenmp", own, "init.o", "library.o"}
			command = append(command, "-o", "own")
			run(t, dir, nil, append(command, LinkOptions(Mixed)...)...)
			out := run(t, dir, []string{"OMP_NUM_THREADS=4"}, filepath.Join(dir, "own"))
			if strings.Count(out, "parallel_begin") < 8 {
				t.Errorf("%.1000s", out)
			}
		})
	}
}

// TestWarnings1 is TestWarnings for the file of OPARI 1.x.
func TestWarnings1(t *testing.T) {
	dir := t.TempDir()
	for _, names := range []Names{Mixed, Lower} {
		path := writeInitFile1(t, dir, names)
		for _, c := range [][]string{{"gcc", "-std=c11"}, {"g++", "-std=c++11", "-x", "c++"}} {
			run(t, dir, nil, append(c, "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror",
				"-O2", "-c", path)...)
		}
	}
}
