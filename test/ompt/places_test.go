package ompt

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPlaces checks that the code pointer of each event is in the user's function, at each
// optimization level, and in a text that a sanitizer instruments.
func TestPlaces(t *testing.T) {
	k := setup(t)
	place := regexp.MustCompile(`(?m) (\S+)\+0x[0-9a-f]+$`)
	for _, language := range []string{"gcc -xc", "g++ -xc++"} {
		for _, how := range []string{
			"-O0", "-O1", "-Og", "-O2", "-O3", "-Os",
			"-Og -fsanitize=thread", "-O1 -fsanitize=address",
		} {
			program := filepath.Join(k.dir, "places")
			output(t, k.opari, strings.Fields("cc "+language+" -fopenmp "+how+
				" testdata/places.c -xnone -o "+program)...)
			t.Setenv("TSAN_OPTIONS", "report_bugs=0")
			// On a busy machine GCC's runtime leaks in one of some 100 runs, without the library,
			// too.
			t.Setenv("ASAN_OPTIONS", "detect_leaks=0")
			seen := map[string]int{}
			for _, m := range place.FindAllStringSubmatch(output(t, k.opari, "tool-log", program),
				-1) {
				seen[m[1]]++
			}
			reported := 0
			for name, n := range seen {
				reported += n
				if !strings.HasPrefix(name, "here") {
					t.Errorf("%s %s: %d events are placed in %s", language, how, n, name)
				}
			}
			if reported < 200 {
				t.Errorf("%s %s: %d places", language, how, reported)
			}
		}
	}
}

// TestDependingTaskwait checks that a taskwait with depend is a task and no synchronization
// region (OpenMP 5.2 [15.5]); without depend it is one.
func TestDependingTaskwait(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "depends")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "testdata/depends.c", "-o", program)
	log := output(t, k.opari, "tool-log", program)
	for what, want := range map[string]int{
		"taskwait|undeferred": 3, "taskwait_complete": 3,
		"sync_region begin taskwait": 3, "sync_region end taskwait": 3, "task_dependence ": 3,
	} {
		if n := strings.Count(log, what); n != want {
			t.Errorf("%d times %s, not %d:\n%s", n, what, want, log)
		}
	}
}

// TestDependingTaskwaitFortran checks the same in Fortran, whose calls are reported in another
// way without optimization.
func TestDependingTaskwaitFortran(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "depends")
	for _, how := range []string{"-O0", "-O2"} {
		output(t, k.opari, "cc", "gfortran", "-fopenmp", how, "testdata/depends.f90", "-o", program)
		log := output(t, k.opari, "tool-log", program)
		for what, want := range map[string]int{
			"taskwait|undeferred": 1, "taskwait_complete": 1,
			"sync_region begin taskwait": 1, "task_dependence ": 1,
		} {
			if n := strings.Count(log, what); n != want {
				t.Errorf("%s: %d times %s, not %d:\n%s", how, n, what, want, log)
			}
		}
	}
}
