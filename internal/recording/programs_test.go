package recording

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/internal/report/profile"
)

// expected returns the calls of counts.c for a number of rounds, with an explicit barrier at the
// end of parallel.
func expected(rounds int) map[string]int {
	n := rounds
	// parallel has no line of its own here: round_of_all has one region, nested has two
	return map[string]int{
		"parallel": n + 1 + 2, "parallel: implicit task": 2*n + 2 +
			4, "parallel: implicit barrier": 2*n + 2 + 4,
		"for": 4 * n, "for: implicit barrier": 2 * n,
		"sections": 2 * n, "sections: implicit barrier": 2 * n, "section": 3 * n,
		"critical(gate)": 2 * n, "critical(gate): wait": 2 * n, "critical": 2 * n,
		"critical: wait": 2 * n,
		"omp_set_lock":   2 * n, "barrier": 2*n + 4,
		"single": 2 * n, "single: implicit barrier": 2 * n, "single: block": n,
		"lock acquired": 2 * n, "lock released": 2 * n, "team": 2 + 4, "task: creation": 4 * n,
		"task": 4 * n, "taskwait": n, "master": n, "atomic": 2 * n, "region(mine)": n,
	}
}

func TestCounts(t *testing.T) {
	program := build(t, "gcc", "counts.c")
	for _, rounds := range []int{1, 50, 3000} { // the last number fills several chunks
		r := traced(t, program, strconv.Itoa(rounds))
		if r.code != 0 {
			t.Fatalf("exit code %d: %s", r.code, r.errors)
		}
		path := filepath.Join(r.folder, "trace.otf")
		tr := read(t, path)
		tr.expect(t, expected(rounds))
		for function, group := range map[string]string{
			"for": "for", "for: implicit barrier": "implicit barrier", "barrier": "barrier",
			"critical(gate)":       "critical",
			"critical(gate): wait": "waiting", "task": "task", "omp_set_lock": "lock",
			"region(mine)": "region",
			"parallel":     "parallel", "parallel: implicit task": "implicit task",
		} {
			if got := tr.groups[function]; got != group {
				t.Errorf("%s is in group %q, want %q", function, got, group)
			}
		}
		for function, place := range map[string]string{
			"sections":       "counts.c:24",
			"critical(gate)": "counts.c:33", "region(mine)": "counts.c:69",
		} {
			if got := tr.places[function]; got != place {
				t.Errorf("%s is at %s, want %s", function, got, place)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(r.folder, "*.meta")); len(left) > 0 {
			t.Errorf("the recording is still there: %v", left)
		}
		if rounds == 50 {
			silent(t, path)
		}
	}
}

// If only the trace's recorder wants an event, it goes into the buffer without a callback; with a
// profile it does not. Both ways record the same.
func TestTraceWithAndWithoutProfile(t *testing.T) {
	expensive.Compilers(t)
	for _, barrier := range []string{"explicit", "implicit"} {
		program := build(t, "gcc", "kinds.c", "--parallel-barrier="+barrier)
		order := func(flags ...string) []string {
			r := traced(t, append(flags, program)...)
			if r.code != 0 {
				t.Fatalf("exit code %d: %s", r.code, r.errors)
			}
			return calls(t, filepath.Join(r.folder, "trace.otf"))
		}
		bare := order()
		profiled := order("--profile=" + filepath.Join(t.TempDir(), "profile"))
		if !slices.Equal(bare, profiled) {
			at := 0
			for at < len(bare) && at < len(profiled) && bare[at] == profiled[at] {
				at++
			}
			t.Errorf("record %d of %d and %d: %q alone, %q beside a profile", at, len(bare),
				len(profiled), bare[at:min(at+3, len(bare))], profiled[at:min(at+3, len(profiled))])
		}
		entered := map[string]bool{}
		for _, c := range bare {
			entered[strings.Fields(c)[1]] = true
		}
		for _, name := range []string{
			"atomic", "critical", "critical:", "critical(named)", "for", "for:", "ordered",
			"ordered:", "sections", "section", "single", "single:", "master",
			"masked", "barrier", "taskgroup", "taskgroup:", "task", "taskwait", "taskyield",
			"taskloop", "cancel", "region(mine)", "omp_set_lock", "omp_test_lock",
			"parallel", "parallel:", "teams", "distribute", "target", "flush",
		} {
			if !entered[name] {
				t.Errorf("%s: no %s", barrier, name)
			}
		}
	}
}

// Without a barrier at the end of parallel, a thread learns of that end by its next event. Its
// wait nevertheless ends when the encountering thread went on. A busy machine may suspend a
// thread for as long, so there are up to ten runs.
func TestImplicitBarrier(t *testing.T) {
	program := build(t, "gcc", "pauses.c", "--parallel-barrier=implicit")
	var wrong []string
	for range 10 {
		r := traced(t, program)
		tr := read(t, filepath.Join(r.folder, "trace.otf"))
		tr.expect(t, map[string]int{
			"parallel": 3, "parallel: implicit task": 6,
			"parallel: implicit barrier": 6,
		})
		if wrong = wrongPauses(tr); len(wrong) == 0 {
			return
		}
	}
	t.Error(strings.Join(wrong, "\n"))
}

// wrongPauses returns what is wrong with the waits of pauses.c. The threads of a team wait 20 ms
// for the first one, and between two regions nobody waits for 200 ms.
func wrongPauses(tr *trace) (wrong []string) {
	for id, th := range tr.threads {
		longest := th.longest["parallel: implicit barrier"]
		if longest > 150e6 {
			wrong = append(wrong,
				fmt.Sprintf("thread %d: a wait of %d ns goes on behind the region", id, longest))
		}
		if th.entered["parallel"] == 0 && longest < 15e6 {
			wrong = append(wrong,
				fmt.Sprintf("thread %d: no wait for the first thread: %d ns", id, longest))
		}
	}
	return wrong
}

// Threads that end leave their number to others, so a stream has one thread after the other.
func TestThreadsComeAndGo(t *testing.T) {
	expensive.Compilers(t)
	for _, barrier := range []string{"explicit", "implicit"} {
		r := traced(t, build(t, "gcc", "threads.c", "--parallel-barrier="+barrier))
		tr := read(t, filepath.Join(r.folder, "trace.otf"))
		tr.expect(t, map[string]int{
			"parallel": 100 + 200 + 100, "parallel: implicit task": 200 + 600 +
				200, "parallel: implicit barrier": 200 + 600 + 200,
			"critical": 200, "critical: wait": 200, "atomic": 600,
		})
		begun := 0
		for _, th := range tr.threads {
			begun += th.begun
		}
		if len(tr.threads) > 12 || begun < 300 {
			t.Errorf("%d streams with %d threads", len(tr.threads), begun)
		}
		silent(t, filepath.Join(r.folder, "trace.otf"))
	}
}

func TestLanguages(t *testing.T) {
	expensive.Compilers(t)
	t.Run("Fortran", func(t *testing.T) {
		r := traced(t, build(t, "gfortran", "counts.f90"))
		tr := read(t, filepath.Join(r.folder, "trace.otf"))
		tr.expect(t, map[string]int{
			"parallel": 100, "parallel: implicit task": 200, "parallel: implicit barrier": 200,
			"do": 200, "do: implicit barrier": 200,
			"critical(gate)": 200, "critical(gate): wait": 200, "single": 200, "single: block": 100,
			"single: implicit barrier": 200,
		})
		if got := tr.places["do"]; got != "counts.f90:8" {
			t.Errorf("the loop is at %s", got)
		}
	})
	t.Run("C++", func(t *testing.T) {
		r := traced(t, build(t, "g++", "counts.cc"))
		read(t, filepath.Join(r.folder, "trace.otf")).expect(t, map[string]int{
			"parallel": 100, "parallel: implicit task": 200, "parallel: implicit barrier": 200,
			"for": 200, "for: implicit barrier": 200,
			"critical(sum)": 900, "critical(sum): wait": 900, "sections": 200,
			"sections: implicit barrier": 200, "section": 100,
			"region(risky)": 100,
		})
	})
}

// However the process ends, the trace has what was recorded before.
func TestEnds(t *testing.T) {
	expensive.Compilers(t)
	program := build(t, "gcc", "counts.c")
	for how, code := range map[string]int{
		"kill": 137, "abort": 134, "segv": 139, "_exit": 7,
		"exit": 7,
	} {
		t.Run(how, func(t *testing.T) {
			r := traced(t, program, "400", how)
			if r.code != code {
				t.Fatalf("exit code %d, want %d: %s", r.code, code, r.errors)
			}
			tr := read(t, filepath.Join(r.folder, "trace.otf"))
			want := expected(400)
			want["parallel"]++
			for _, function := range []string{
				"parallel", "for", "critical(gate)", "task",
				"region(mine)", "omp_set_lock",
			} {
				if got := tr.sum(function); got != want[function] {
					t.Errorf("%s: %d calls, want %d", function, got, want[function])
				}
			}
			if got := tr.sum("critical(end)"); got < 1 || got > 2 {
				t.Errorf("the region in which it ended: %d calls", got)
			}
			if orderly := !strings.Contains(r.errors,
				"did not end in order"); orderly != (how == "exit") {
				t.Errorf("said: %s", r.errors)
			}
			silent(t, filepath.Join(r.folder, "trace.otf"))
		})
	}
}

func TestFork(t *testing.T) {
	expensive.Compilers(t)
	r := traced(t, build(t, "gcc", "counts.c"), "100", "fork")
	want := expected(100)
	want["region(around)"] = 1
	read(t, filepath.Join(r.folder, "trace.otf")).expect(t, want)
	others := others(t, r.folder)
	if len(others) != 1 {
		t.Fatalf("traces of the child: %v: %s", others, r.errors)
	}
	// The child was forked inside a region, and leaves it.
	child := read(t, others[0])
	child.expect(t, map[string]int{"region(around)": 1, "region(mine)": 101})
	if child.threads[1].name != "thread 0 (forked)" {
		t.Errorf("the child's thread is %s", child.threads[1].name)
	}
	silent(t, others[0])
}

// TestForkedCost: a process measures the cost of an event, and a forked child inherits it.
func TestForkedCost(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command(build(t, "gcc", "counts.c"), "10", "fork")
	cmd.Env = append(os.Environ(), "OPARI_TRACE="+folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	processes, _, err := Read(folder)
	if err != nil || len(processes) != 2 {
		t.Fatalf("%d recordings: %v", len(processes), err)
	}
	if parent, child := processes[0].cost, processes[1].cost; parent == 0 || parent != child {
		t.Errorf("%d events cost %d ticks in the parent, %d in the child", costEvents,
			parent, child)
	}
}

func TestExec(t *testing.T) {
	expensive.Compilers(t)
	r := traced(t, build(t, "gcc", "counts.c"), "10", "exec")
	read(t, filepath.Join(r.folder, "trace.otf")).expect(t, expected(10))
	others := others(t, r.folder)
	if len(others) != 1 {
		t.Fatalf("traces of the second program: %v: %s", others, r.errors)
	}
	read(t, others[0]).expect(t, expected(1))
}

func others(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "trace-*.otf"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// If a file may not grow, the trace has what was recorded before and the number of lost events.
// The program does not notice.
func TestLosses(t *testing.T) {
	expensive.Compilers(t)
	program := build(t, "gcc", "counts.c")
	// 4000 rounds make at least 172000 records of the first thread, 1.4 MB. A block of ulimit is
	// 512 or 1024 bytes.
	limited := filepath.Join(t.TempDir(), "limited")
	if err := os.WriteFile(limited, []byte("#!/bin/sh\nulimit -f 512\nexec \"$@\"\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	r := traced(t, limited, program, "4000")
	if r.code != 0 {
		t.Fatalf("exit code %d: %s", r.code, r.errors)
	}
	if !strings.Contains(r.errors, "records lost: file too large") {
		t.Errorf("said: %s", r.errors)
	}
	tr := read(t, filepath.Join(r.folder, "trace.otf"))
	for function, all := range expected(4000) {
		if got := tr.sum(function); got > all || function == "for" && (got < all/20 || got == all) {
			t.Errorf("%s: %d calls of %d", function, got, all)
		}
	}
	if !slices.ContainsFunc(tr.comments, func(c string) bool {
		return strings.HasPrefix(c, "lost: ") && strings.HasSuffix(c, " events (file too large)")
	}) {
		t.Errorf("the trace does not say what is lost: %q", tr.comments)
	}
	silent(t, filepath.Join(r.folder, "trace.otf"))
	// There is no room from the start.
	none := filepath.Join(t.TempDir(), "none")
	if err := os.WriteFile(none, []byte("#!/bin/sh\nulimit -f 0\nexec \"$@\"\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	if r = traced(t, none, program, "4000"); r.code != 0 ||
		!strings.Contains(r.errors, "recorded nothing") {
		t.Errorf("exit code %d, said: %s", r.code, r.errors)
	}
}

func TestFilters(t *testing.T) {
	expensive.Compilers(t)
	program := build(t, "gcc", "counts.c")
	const n = 20
	for name, c := range map[string]struct {
		rules string
		not   func(function, group string) bool // what the filter leaves out
	}{
		"kinds": {"exclude kind critical\nexclude kind task*\n", func(f, _ string) bool {
			return strings.HasPrefix(f, "critical") || strings.HasPrefix(f, "task")
		}},
		"names": {"exclude name gate\nexclude name mine\n", func(f, _ string) bool {
			return strings.HasPrefix(f, "critical(gate)") || f == "region(mine)"
		}},
		"all but one": {
			"exclude file *\ninclude kind for\n",
			func(f, _ string) bool { return !strings.HasPrefix(f, "for") },
		},
		"last name": {"exclude file counts.c\n", func(string, string) bool { return true }},
		"other file": {
			"exclude file other.c\nexclude file */counts/*\n",
			func(string, string) bool { return false },
		},
		"parallel": {
			"exclude kind parallel",
			func(f, _ string) bool { return strings.HasPrefix(f, "parallel") || f == "team" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			filter := filepath.Join(t.TempDir(), "filter")
			if err := os.WriteFile(filter, []byte("# "+name+"\n"+c.rules), 0o644); err != nil {
				t.Fatal(err)
			}
			r := traced(t, "--filter="+filter, program, strconv.Itoa(n))
			want := expected(n)
			maps.DeleteFunc(want, func(f string, _ int) bool { return c.not(f, "") })
			read(t, filepath.Join(r.folder, "trace.otf")).expect(t, want)
		})
	}
}

// Regions shorter than the minimum are left out unless something inside is recorded.
func TestMinimum(t *testing.T) {
	expensive.Compilers(t)
	program := build(t, "gcc", "minimum.c")
	filter := filepath.Join(t.TempDir(), "filter")
	if err := os.WriteFile(filter, []byte("minimum 5ms\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	all := read(t, filepath.Join(traced(t, program).folder, "trace.otf"))
	all.expect(t, map[string]int{
		"region(short)": 100000, "region(outer)": 2, "region(long)": 3, "critical": 50,
		"critical: wait": 50,
		"omp_set_lock":   51, "lock acquired": 51, "lock released": 51,
		"task: creation": 51, "task": 51,
	})
	some := read(t, filepath.Join(traced(t, "--filter="+filter, program).folder, "trace.otf"))
	// A chunk may end after the beginning of a short region, which then stays.
	if got := some.sum("region(short)"); got > 100 {
		t.Errorf("%d short regions are left", got)
	}
	for function, want := range map[string]int{"region(long)": 3, "region(outer)": 2} {
		if got := some.sum(function); got != want {
			t.Errorf("%s: %d calls, want %d", function, got, want)
		}
	}
	// A thread without a team executes a task where it creates it.
	for _, function := range []string{"lock acquired", "lock released", "task", "task: creation"} {
		if got := some.sum(function); got < 1 || got > 2 {
			t.Errorf("%s: %d calls, want one that takes long", function, got)
		}
	}
	if got := some.sum("critical"); got > 1 {
		t.Errorf("%d short critical regions are left", got)
	}
}

// The estimate is for another run, so only the length of its times may differ.
func TestEstimate(t *testing.T) {
	expensive.Compilers(t)
	program := build(t, "gcc", "counts.c")
	real := traced(t, program, "3000")
	var size int64
	files, _ := filepath.Glob(filepath.Join(real.folder, "trace.*"))
	for _, f := range files {
		is, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		size += is.Size()
	}
	tr := read(t, filepath.Join(real.folder, "trace.otf"))
	events := 0
	for _, th := range tr.threads {
		for function, n := range th.entered {
			if !slices.Contains(slices.Collect(maps.Values(points)), function) {
				events += 2 * n
			}
		}
	}
	e := estimate(t, program, "3000")
	if calls := e.Calls; float64(calls) < 0.98*float64(events) ||
		float64(calls) > 1.02*float64(events) {
		t.Errorf("estimated %d enters and leaves; there are %d", calls, events)
	}
	if ratio := float64(e.Trace) / float64(size); ratio < 0.8 || ratio > 1.25 {
		t.Errorf("estimated %d bytes; the trace has %d", e.Trace, size)
	}
}

// estimate predicts the trace of a program from its profile.
func estimate(t *testing.T, args ...string) *Estimate {
	t.Helper()
	kept := filepath.Join(t.TempDir(), "profile")
	if out, err := exec.Command(opari(t), append([]string{
		"run", "--output=" + kept + ".txt",
		"--profile=" + kept,
	}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(kept)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Read(kept, f)
	if err != nil {
		t.Fatal(err)
	}
	return Predict(p, &Filter{}, Sampling{})
}
