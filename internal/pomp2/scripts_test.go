package pomp2

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestScripts builds programs of several files by OPARI2's scripts, as Score-P does. The library
// checks that it knows all units before their first event, in Fortran too, and that the threads
// of a team inherit pomp_tpd_.
func TestScripts(t *testing.T) {
	expensive.Compilers(t, "gfortran", "opari2")
	library, there := strict(t), installed(t)
	for source, said := range map[string]string{
		"every.c": "22 regions", "every.f90": "18 regions", "every.cc": "8 regions",
		"tasks.f90": "11 regions",
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			copyFile(t, filepath.Join("testdata", source), filepath.Join(dir, source))
			run(t, dir, []string{
				"PATH=" + there + ":" + os.Getenv("PATH"),
				"SOURCE=" + source, "CC=" + compiler(source), "LIBRARY=" + library,
			}, "sh", "-ec", `
			opari2 --omp-task-untied=keep --omp-tpd --omp-tpd-mangling=gnu --nosrc \
				$SOURCE own.${SOURCE#*.}
			$CC -fopenmp -c own.${SOURCE#*.} -o own.o
			$(opari2-config --nm) own.o | $(opari2-config --region-initialization) > init.c
			gcc -c init.c $(opari2-config --cflags)
			$CC -fopenmp own.o init.o $LIBRARY -o own`)
			out := run(t, dir, []string{"OMP_NUM_THREADS=4", "STRICT_TPD=1"},
				filepath.Join(dir, "own"))
			if !strings.Contains(out, "strict: "+said) {
				t.Errorf("%.800s", out)
			}
		})
	}
}

// TestLoaded loads a library with regions of its own twice after the program's first region. Its
// unit gets its handles then. Both units have the regions of both branches of #ifdef.
func TestLoaded(t *testing.T) {
	expensive.Compilers(t, "opari2")
	library := strict(t)
	dir, _ := instrument(t, "testdata/loaded.c")
	run(t, dir, nil, "gcc", "-fopenmp", "-DLOADED", "-fPIC", "-shared", "own.c", "-o", "loaded.so")
	compileInitFile(t, dir)
	link := []string{"gcc", "-fopenmp", "-rdynamic", "own.c", "init.o", "known.o", "-o", "own"}
	run(t, dir, nil, append(link, library)...)
	out := run(t, dir, []string{"OMP_NUM_THREADS=2"}, filepath.Join(dir, "own"))
	if !strings.Contains(out, "strict: 12 regions, 3 user regions") {
		t.Errorf("%.800s", out)
	}
	// Debian's library allocates as many handles as it is told at first.
	run(t, dir, nil, append(link, "-lpomp")...)
	out = run(t, dir, []string{"OMP_NUM_THREADS=2"}, filepath.Join(dir, "own"))
	if strings.Count(out, "enter critical") != 4 {
		t.Errorf("%.2000s", out)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestForks: in Fortran the library gets the values of if and num_threads where these are plain.
// Where they may have an effect, or there is none, it gets those of a region without clauses.
func TestForks(t *testing.T) {
	expensive.Compilers(t, "gfortran", "opari2")
	program := buildByScript(t, installed(t), nil, "testdata/forks.f90", strict(t))
	out := run(t, filepath.Dir(program), []string{"STRICT_FORKS=1", "OMP_NUM_THREADS=5"}, program)
	var got []string
	for _, m := range regexp.MustCompile(`fork (\d+ \d+) escl=[^:]*:(\d+)`).
		FindAllStringSubmatch(out, -1) {
		got = append(got, m[1]+" at "+m[2])
	}
	want := []string{
		"1 3 at 13", "0 5 at 15", "1 3 at 21", "0 2 at 26", "1 5 at 28", "1 5 at 30",
	}
	if !slices.Equal(got, want) || !strings.Contains(out, "37\n") {
		t.Errorf("got %q\n%s", got, out)
	}
}
