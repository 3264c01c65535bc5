package pomp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// machine is another machine than this one, by the name of its compiler before -gcc, on which the
// tests are run by scripts/machines.sh. "" is this one.
var machine = os.Getenv("OPARI_TEST_MACHINE")

// gcc returns the compiler for the machine.
func gcc() string {
	if machine == "" {
		return "gcc"
	}
	return machine + "-gcc"
}

// program returns the command that runs a program for the machine.
func program(path string, args ...string) *exec.Cmd {
	if machine == "" {
		return exec.Command(path, args...)
	}
	processor, _, _ := strings.Cut(machine, "-")
	return exec.Command("qemu-"+processor,
		append([]string{"-L", "/usr/" + machine, path}, args...)...)
}

// library returns the library for gcc, from the user's cache.
func library(t *testing.T) Lib {
	t.Helper()
	lib, err := Build([]string{gcc()}, "")
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// compileProgram compiles testdata/name.c with gcc -fopenmp and additional arguments, and returns
// the program.
func compileProgram(t *testing.T, name string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	command(t, gcc(), append([]string{
		"-O2", "-g", "-fopenmp", "-Isrc", "-Wall", "-Wextra", "-Wno-missing-field-initializers",
		"-Wno-unused-function", "-Werror", "-o", out, "testdata/" + name + ".c",
	}, args...)...)
	return out
}

func command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// profile is the content of a profile file.
type profile struct {
	Head struct {
		Version int    `json:"opari_profile"`
		Program string `json:"program"`
		PID     int    `json:"pid"`
		Wall    int64  `json:"wall_ns"`
		Threads int    `json:"threads"`
		Lost    int    `json:"lost"`
		Clock   string `json:"clock"`
		Cost    int64  `json:"event_cost"` // ns
		LeftOut struct {
			Off     int   `json:"off"`
			OffTime int64 `json:"off_ns"`
		} `json:"left_out"`
	}
	Regions map[int]*region // by line, for the first file that has the line
	All     []*region
	Paths   map[int]int   // the parent of each path
	Off     map[int]int64 // the calls of functions until they were switched off, by line
}

type region struct {
	ID          int    `json:"region"`
	Name        string `json:"name"`
	SubName     string `json:"sub_name"`
	Directive   string `json:"directive"`
	File        string `json:"file"`
	Begin, End  [2]int
	Outer       int    `json:"outer"`
	Kind        string `json:"kind"`
	NumSections int    `json:"num_sections"`
	Facts       uint   `json:"facts"`
	Threads     map[int]*times
}

type times struct {
	Path, Thread                                    int
	Region                                          int `json:"-"`
	Count                                           int64
	Incl, Excl, Min, Max, Body, Barrier, Wait, Hold int64
	chunks
}

// chunks is what a thread got of a loop whose chunks the runtime handed out.
type chunks struct{ Chunks, Iterations, Dispatch, Measuring int64 }

func (c *chunks) add(o chunks) {
	c.Chunks += o.Chunks
	c.Iterations += o.Iterations
	c.Dispatch += o.Dispatch
	c.Measuring += o.Measuring
}

// add adds the thread's times in another path of the region.
func (n *times) add(o *times) {
	n.Min, n.Max = min(n.Min, o.Min), max(n.Max, o.Max)
	n.Count += o.Count
	n.Incl += o.Incl
	n.Excl += o.Excl
	n.Body += o.Body
	n.Barrier += o.Barrier
	n.Wait += o.Wait
	n.Hold += o.Hold
	n.chunks.add(o.chunks)
}

// sum returns the sum over the region's threads.
func (r *region) sum() times {
	var s times
	if r == nil {
		return s
	}
	for _, t := range r.Threads {
		s.Count += t.Count
		s.Incl += t.Incl
		s.Excl += t.Excl
		s.Body += t.Body
		s.Barrier += t.Barrier
		s.Wait += t.Wait
		s.Hold += t.Hold
		s.chunks.add(t.chunks)
	}
	return s
}

func readProfile(t *testing.T, file string) *profile {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := &profile{Regions: map[int]*region{}, Paths: map[int]int{}, Off: map[int]int64{}}
	byID, paths := map[int]*region{}, map[int]int{}
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		strict := json.NewDecoder(strings.NewReader(line))
		strict.DisallowUnknownFields()
		switch {
		case i == 0:
			err = strict.Decode(&p.Head)
		case strings.Contains(line, `"chunks":`):
			var c struct {
				Path, Thread int
				chunks
			}
			err = strict.Decode(&c)
			if n := byID[paths[c.Path]]; n == nil || n.Threads[c.Thread] == nil {
				t.Fatalf("line %d: a thread's chunks stand before its times", i+1)
			}
			byID[paths[c.Path]].Threads[c.Thread].chunks.add(c.chunks)
		case strings.Contains(line, `"off":`):
			var o struct {
				Off   int
				Calls int64
			}
			err = strict.Decode(&o)
			if byID[o.Off] == nil {
				t.Fatalf("line %d: a function is off before its region stands there", i+1)
			}
			p.Off[byID[o.Off].Begin[0]] = o.Calls
		case strings.Contains(line, `"thread":`):
			n := &times{}
			err = strict.Decode(n)
			if n.Region = paths[n.Path]; byID[n.Region] == nil {
				t.Fatalf("line %d: a thread's times stand before their path", i+1)
			}
			checkTimes(t, n)
			if sum := byID[n.Region].Threads[n.Thread]; sum != nil {
				sum.add(n)
			} else {
				byID[n.Region].Threads[n.Thread] = n
			}
		case strings.Contains(line, `"path":`):
			var q struct{ Path, Parent, Region int }
			err = strict.Decode(&q)
			if byID[q.Region] == nil || q.Parent != 0 && paths[q.Parent] == 0 {
				t.Fatalf("line %d: a path stands before its region or its parent", i+1)
			}
			paths[q.Path] = q.Region
			p.Paths[q.Path] = q.Parent
		default:
			r := &region{Threads: map[int]*times{}}
			err = strict.Decode(r)
			if byID[r.ID] != nil {
				t.Errorf("region %d is there twice", r.ID)
			}
			byID[r.ID] = r
			p.All = append(p.All, r)
			if p.Regions[r.Begin[0]] == nil {
				p.Regions[r.Begin[0]] = r
			}
		}
		if err != nil {
			t.Fatalf("line %d: %v: %s", i+1, err, line)
		}
	}
	return p
}

// checkTimes checks the invariants of a record.
func checkTimes(t *testing.T, n *times) {
	t.Helper()
	const slack = 1000
	if n.Excl > n.Incl+slack && n.Count == 1 {
		t.Errorf("region %d: exclusive time %d above inclusive time %d", n.Region, n.Excl, n.Incl)
	}
	if n.Min > n.Max || n.Max > n.Incl+slack && n.Count == 1 {
		t.Errorf("region %d: min %d, max %d, incl %d", n.Region, n.Min, n.Max, n.Incl)
	}
	for _, v := range []int64{n.Incl, n.Excl, n.Min, n.Max, n.Body, n.Barrier, n.Wait, n.Hold} {
		if v < 0 || v > int64(time.Hour) {
			t.Errorf("region %d: impossible time %d", n.Region, v)
		}
	}
}

// execution is a finished run.
type execution struct {
	code  int
	files []string // profiles, oldest process first
	dir   string
}

// execute runs a program with OPARI_PROFILE set and checks that it printed nothing.
func execute(t *testing.T, path string, env []string, args ...string) execution {
	t.Helper()
	e := execution{dir: t.TempDir()}
	cmd := program(path, args...)
	cmd.Env = append(append(os.Environ(), "OMP_DYNAMIC=false", "OMP_WAIT_POLICY=passive",
		"OPARI_PROFILE="+filepath.Join(e.dir, "p")), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	err := cmd.Run()
	timer.Stop()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	e.code = cmd.ProcessState.ExitCode()
	if out.Len() > 0 {
		t.Errorf("%s printed: %s", path, out.String())
	}
	found, err := filepath.Glob(filepath.Join(e.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if strings.HasSuffix(f, ".tmp") {
			t.Errorf("%s is left over", f)
		}
	}
	e.files = found
	return e
}

// measure runs a program that must succeed and write one profile.
func measure(t *testing.T, path string, env []string, args ...string) *profile {
	t.Helper()
	e := execute(t, path, env, args...)
	if e.code != 0 {
		t.Fatalf("%s: exit code %d", path, e.code)
	}
	if len(e.files) != 1 {
		t.Fatalf("profiles: %v", e.files)
	}
	p := readProfile(t, e.files[0])
	if p.Head.Version != 2 || p.Head.Program != path || p.Head.Wall <= 0 || p.Head.Lost != 0 {
		t.Errorf("head: %+v", p.Head)
	}
	return p
}

// eachLinkage runs a test with the static and with the shared library.
func eachLinkage(t *testing.T, test func(t *testing.T, libs []string)) {
	lib := library(t)
	t.Run("static", func(t *testing.T) { test(t, lib.Libs(false)) })
	t.Run("shared", func(t *testing.T) { test(t, lib.Libs(true)) })
}

// reporter receives the failures of a check: it is the test or an attempt.
type reporter interface {
	Errorf(format string, args ...any)
}

// attempt collects the failures by the subject of the check.
type attempt map[string]string

// Errorf takes the format, and the first argument if it is a name, as the subject of the check.
// The message is the failure.
func (a attempt) Errorf(format string, args ...any) {
	what := format
	if len(args) > 0 {
		if name, is := args[0].(string); is {
			what += name
		}
	}
	a[what] = fmt.Sprintf(format, args...)
}

// patiently repeats a check of times in up to ten runs. On a busy machine, a thread may be
// suspended in any of them, but an error of the library shows in every run. So only failures in
// all runs count.
func patiently(t *testing.T, check func(r reporter)) {
	t.Helper()
	failed := attempt{}
	check(failed)
	for n := 1; n < 10 && len(failed) > 0; n++ {
		again := attempt{}
		check(again)
		maps.DeleteFunc(failed,
			func(what, _ string) bool { _, still := again[what]; return !still })
	}
	for _, what := range slices.Sorted(maps.Keys(failed)) {
		t.Error(failed[what])
	}
}

// within checks that a time in ns lies between two times in ms.
func within(t reporter, what string, ns int64, low, high float64) {
	if ms := float64(ns) / 1e6; ms < low || ms > high {
		t.Errorf("%s: %.2f ms, want %g to %g", what, ms, low, high)
	}
}
