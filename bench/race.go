package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// raceTool is a way to find data races.
type raceTool struct {
	name      string
	compilers map[string][]string // by the suffix of the source, with flags
	run       []string            // what stands before the program
	env       []string
}

// raceSizes are the numbers of threads.
var raceSizes = []string{"2", "4", "8"}

// raceSuffixes are the languages of the kernels.
var raceSuffixes = []string{".c", ".cpp", ".f90"}

// raceCount is what a tool says of the kernels of one language.
type raceCount struct{ found, missed, alarms, right int }

func (c *raceCount) add(racy, reported bool) {
	switch {
	case racy && reported:
		c.found++
	case racy:
		c.missed++
	case reported:
		c.alarms++
	default:
		c.right++
	}
}

// String gives precision, recall, and how many kernels have a race and how many have none.
func (c *raceCount) String() string {
	if c.found+c.missed+c.alarms+c.right == 0 {
		return fmt.Sprintf("%-21s", "-")
	}
	return fmt.Sprintf("%.2f   %.2f  of %2d + %2d", float64(c.found)/float64(max(1,
		c.found+c.alarms)), float64(c.found)/float64(max(1, c.found+c.missed)),
		c.found+c.missed, c.alarms+c.right)
}

// raceTools returns those that are installed.
func (s *setting) raceTools() []raceTool {
	with := func(prefix, flags []string, names ...string) map[string][]string {
		m := map[string][]string{}
		for i, name := range names {
			m[raceSuffixes[i]] = append(append(append([]string{}, prefix...), name), flags...)
		}
		return m
	}
	sanitizer := []string{"-fsanitize=thread"}
	const hurry = "TSAN_OPTIONS=atexit_sleep_ms=0" // as ours: it sleeps for a second at the end
	ours, run := []string{s.opari, "cc", "--race"}, []string{s.opari, "race", "--"}
	list := []raceTool{
		{
			name: "ThreadSanitizer, GCC", run: []string{"setarch", "-R"},
			compilers: with(nil, sanitizer, "gcc", "g++", "gfortran"), env: []string{hurry},
		},
		{name: "opari race, GCC", run: run, compilers: with(ours, nil, "gcc", "g++", "gfortran")},
	}
	folder := cmp.Or(os.Getenv("OPARI_LIBOMP"), "/usr/lib/llvm-19/lib")
	archer := filepath.Join(folder, "libarcher.so")
	if _, err := os.Stat(archer); err != nil {
		fmt.Println("clang is left out:", err)
		return list
	}
	flags := []string{
		"-L" + folder, "-Wl,-rpath," + folder, "-I" + folder + "/clang/19/include",
	}
	clang := []string{"clang-19", "clang++-19"}
	return append(list, raceTool{
		name: "Archer, clang", run: []string{"setarch", "-R"},
		compilers: with(nil, append(sanitizer, flags...), clang...),
		env: []string{
			"OMP_TOOL_LIBRARIES=" + archer, hurry + " ignore_noninstrumented_modules=1",
		},
	}, raceTool{name: "opari race, clang", run: run, compilers: with(ours, flags, clang...)})
}

// races builds the kernels of testdata/race and runs each so often with each number of threads. A
// tool has found a race that it reports once. It prints a table, and by name the races that a tool
// never reports and the kernels without a race of which it reports one.
func (s *setting) races(runs int) error {
	kernels, err := filepath.Glob(filepath.Join(s.root, "testdata", "race", "*", "*.*"))
	if err != nil {
		return err
	}
	fmt.Printf("\nData races: precision and recall, %d runs of each of %d kernels\n%-22s%-8s", runs,
		len(kernels), "", "threads")
	for _, name := range []string{"C", "C++", "Fortran"} {
		fmt.Printf("  %-21s", name)
	}
	fmt.Println()
	wrong := map[string][]string{}
	for _, tool := range s.raceTools() {
		counts := map[string]*raceCount{}
		for _, kernel := range kernels {
			if err := s.raceKernel(&tool, kernel, runs, counts, wrong); err != nil {
				return err
			}
		}
		for _, size := range raceSizes {
			fmt.Printf("%-22s%-8s", tool.name, size)
			for _, suffix := range raceSuffixes {
				c := counts[size+suffix]
				if c == nil {
					c = &raceCount{}
				}
				fmt.Print("  ", c)
			}
			fmt.Println()
		}
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range wrong {
			if !yield(name) {
				return
			}
		}
	}) {
		fmt.Printf("%s: %s\n", name, strings.Join(wrong[name], ", "))
	}
	return nil
}

// raceKernel adds what a tool says of one kernel.
func (s *setting) raceKernel(tool *raceTool, kernel string, runs int,
	counts map[string]*raceCount, wrong map[string][]string,
) error {
	suffix := filepath.Ext(kernel)
	compiler := tool.compilers[suffix]
	name := filepath.Base(kernel)
	if compiler == nil || measuredPrograms != nil && !slices.Contains(measuredPrograms, name) {
		return nil
	}
	program := filepath.Join(s.work, "kernel")
	argv := append(append([]string{}, compiler...), "-g", "-O1", "-w", "-fopenmp", kernel, "-o",
		program)
	if _, _, err := command(s.work, nil, argv...); err != nil {
		return err
	}
	racy, ever := filepath.Base(filepath.Dir(kernel)) == "yes", false
	for _, size := range raceSizes {
		reported := false
		for range runs {
			var err error
			if reported, err = s.raceRun(tool, program, size); err != nil {
				return fmt.Errorf("%s: %s: %w", tool.name, name, err)
			}
			if reported {
				break
			}
		}
		if counts[size+suffix] == nil {
			counts[size+suffix] = &raceCount{}
		}
		counts[size+suffix].add(racy, reported)
		ever = ever || reported
	}
	if racy && !ever {
		wrong[tool.name+" misses"] = append(wrong[tool.name+" misses"], name)
	} else if ever && !racy {
		wrong[tool.name+" invents"] = append(wrong[tool.name+" invents"], name)
	}
	return nil
}

// raceRun runs a program once and returns whether the tool reports a race: ThreadSanitizer's exit
// code and ours are the same.
func (s *setting) raceRun(tool *raceTool, program, size string) (bool, error) {
	env := append([]string{"OMP_NUM_THREADS=" + size}, tool.env...)
	_, _, err := command(s.work, env, append(append([]string{}, tool.run...), program)...)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 66 {
		return true, nil
	}
	return false, err
}
