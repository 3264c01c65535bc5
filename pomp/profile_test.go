package pomp

import (
	"fmt"
	"strconv"
	"testing"

	"opari/internal/expensive"
)

// The regions of testdata/counts.c, and how often two threads meet them in five rounds.
var counts = []struct {
	line  int
	kind  string
	count int64
}{
	{1, "parallel", 10},
	{2, "for", 10},
	{3, "sections", 10},
	{4, "section", 10},
	{5, "single", 10},
	{6, "master", 5},
	{7, "critical", 20},
	{8, "critical", 20},
	{9, "ordered", 50},
	{10, "atomic", 10},
	{11, "barrier", 10},
	{12, "task", 30},
	{13, "taskwait", 10},
	{14, "taskgroup", 10},
	{15, "flush", 10},
	{16, "lock", 20},
	{17, "lock", 20},
	{18, "lock", 20},
	{19, "nest_lock", 20},
	{20, "nest_lock", 40},
	{21, "nest_lock", 20},
	{22, "region", 1},
	{23, "taskyield", 30},
	{24, "for", 10},
	{25, "task", 10},
}

func TestCountsAreExact(t *testing.T) {
	eachLinkage(t, func(t *testing.T, libs []string) {
		p := measure(t, compileProgram(t, "counts", libs...), nil)
		for _, want := range counts {
			r := p.Regions[want.line]
			if got := r.sum().Count; got != want.count {
				t.Errorf("region %d (%s): met %d times, want %d", want.line, want.kind,
					got, want.count)
			}
			if r != nil && r.Kind != want.kind {
				t.Errorf("region %d is a %s, want %s", want.line, r.Kind, want.kind)
			}
		}
		if len(p.Regions) != len(counts) {
			t.Errorf("%d regions, want %d", len(p.Regions), len(counts))
		}
		if p.Head.Threads != 2 {
			t.Errorf("%d threads, want 2", p.Head.Threads)
		}
		if p.Regions[2].Outer != p.Regions[1].ID {
			t.Errorf("the loop's outer region is %d, want %d", p.Regions[2].Outer, p.Regions[1].ID)
		}
		if got := p.Regions[8].SubName; got != "a \"name\"\t\\" {
			t.Errorf("sub_name %q came out otherwise", got)
		}
	})
}

func TestImbalance(t *testing.T) {
	program := compileProgram(t, "imbalance", library(t).Libs(false)...)
	patiently(t, func(r reporter) { checkImbalance(r, measure(t, program, nil)) })
}

func checkImbalance(t reporter, p *profile) {
	loop, explicit, implicit := p.Regions[4], p.Regions[1], p.Regions[3]
	within(t, "loop, thread 0, body", loop.Threads[0].Body, 180, 300)
	within(t, "loop, thread 1, body", loop.Threads[1].Body, 30, 100)
	within(t, "loop, thread 0, barrier", loop.Threads[0].Barrier, 0, 60)
	within(t, "loop, thread 1, barrier", loop.Threads[1].Barrier, 120, 250)
	within(t, "explicit barrier, thread 0", p.Regions[2].Threads[0].Barrier, 40, 120)
	within(t, "parallel with explicit barrier, thread 0", explicit.Threads[0].Barrier, 0, 40)
	within(t, "parallel with implicit barrier, thread 0, body", implicit.Threads[0].Body, 180, 300)
	within(t, "parallel with implicit barrier, thread 1, body", implicit.Threads[1].Body, 30, 100)
	within(t, "parallel with implicit barrier, thread 0, barrier",
		implicit.Threads[0].Barrier, 0, 60)
	within(t, "parallel with implicit barrier, thread 1, barrier",
		implicit.Threads[1].Barrier, 120, 250)
	within(t, "parallel with implicit barrier, thread 1, incl", implicit.Threads[1].Incl, 180, 300)
	within(t, "parallel with implicit barrier, thread 0, min", implicit.Threads[0].Min, 60, 100)
	for _, r := range []*region{explicit, implicit, loop} {
		if r.sum().Count != 6 {
			t.Errorf("region %d: %d instances, want 6", r.Begin[0], r.sum().Count)
		}
	}
}

// TestShrinkingTeams covers threads that take no part in the regions after the one that they waited
// in: many threads, and those of a record with many regions since.
func TestShrinkingTeams(t *testing.T) {
	expensive.Compilers(t)
	program := compileProgram(t, "shrinks", library(t).Libs(false)...)
	for _, threads := range []int{4, 64} {
		patiently(t, func(r reporter) {
			p := measure(t, program, nil, strconv.Itoa(threads))
			if n := len(p.Regions[1].Threads); n != threads {
				r.Errorf("%d threads, want %d", n, threads)
				return
			}
			within(r, "the working thread's barrier", p.Regions[1].Threads[0].Barrier, 0, 40)
			for i := 1; i < threads; i++ {
				within(r, "barrier", p.Regions[1].Threads[i].Barrier, 40, 10_000)
				within(r, "incl", p.Regions[1].Threads[i].Incl, 40, 10_000)
			}
		})
	}
}

func TestWaits(t *testing.T) {
	program := compileProgram(t, "waits", library(t).Libs(false)...)
	patiently(t, func(r reporter) { checkWaits(r, measure(t, program, nil)) })
}

func checkWaits(t reporter, p *profile) {
	within(t, "critical: the later thread's wait", p.Regions[2].sum().Wait, 28, 90)
	within(t, "critical: hold", p.Regions[2].sum().Hold, 60, 120)
	within(t, "lock: the later thread's wait", p.Regions[3].sum().Wait, 28, 90)
	within(t, "lock: hold", p.Regions[3].sum().Hold, 60, 120)
	within(t, "tasks in the barrier of single: time", p.Regions[6].sum().Incl, 80, 160)
	within(t, "tasks in the barrier of single: not waiting", p.Regions[7].sum().Barrier, 0, 39)
	within(t, "single: not the tasks' time", p.Regions[7].sum().Excl, 0, 39)
	within(t, "tasks in the last barrier: time", p.Regions[9].sum().Incl, 80, 160)
	within(t, "tasks in the last barrier: not waiting", p.Regions[8].sum().Barrier, 0, 39)
	within(t, "tasks in the last barrier: the team's work", p.Regions[8].sum().Body, 80, 200)
	// The other thread takes the task at once, and the creator waits for it.
	within(t, "taskwait", p.Regions[11].sum().Wait+p.Regions[12].Threads[0].zero().Incl, 80, 600)
	within(t, "taskgroup, wait",
		p.Regions[13].sum().Wait+p.Regions[14].Threads[0].zero().Incl, 80, 600)
	within(t, "taskgroup, body", p.Regions[13].sum().Body, 10, 150)
	// recurse(3): 3 times 10 ms and 3 times 5 ms. Inclusive time counts the outermost call once.
	within(t, "recursion, inclusive", p.Regions[15].sum().Incl, 45, 100)
	within(t, "recursion, exclusive", p.Regions[15].sum().Excl, 30, 70)
	within(t, "recursion, longest", p.Regions[15].Threads[0].Max, 45, 100)
	within(t, "recursion, shortest", p.Regions[15].Threads[0].Min, 15, 60)
	within(t, "recursion, inner", p.Regions[16].sum().Incl, 15, 60)
}

// zero returns n, or no times if the thread has not met the region.
func (n *times) zero() times {
	if n == nil {
		return times{}
	}
	return *n
}

func TestNestedTeams(t *testing.T) {
	expensive.Compilers(t)
	p := measure(t, compileProgram(t, "nested", library(t).Libs(false)...), nil)
	for line, want := range map[int]int64{1: 10000, 2: 20000, 3: 100} {
		if got := p.Regions[line].sum().Count; got != want {
			t.Errorf("region %d: %d instances, want %d", line, got, want)
		}
	}
	if p.Head.Threads > 8 {
		t.Errorf("%d records for 4 threads at a time", p.Head.Threads)
	}
}

func TestHostThreads(t *testing.T) {
	eachLinkage(t, func(t *testing.T, libs []string) {
		p := measure(t, compileProgram(t, "hosts", append(libs, "-pthread")...), nil)
		for line, want := range map[int]int64{1: 400, 2: 400, 3: 200} {
			if got := p.Regions[line].sum().Count; got != want {
				t.Errorf("region %d: %d instances, want %d", line, got, want)
			}
		}
		if p.Head.Threads > 9 {
			t.Errorf("%d records for at most 9 threads at a time", p.Head.Threads)
		}
	})
}

func TestForks(t *testing.T) {
	eachLinkage(t, func(t *testing.T, libs []string) {
		program := compileProgram(t, "forks", libs...)
		patiently(t, func(r reporter) { checkForks(t, r, execute(t, program, nil)) })
	})
}

func checkForks(t *testing.T, failed reporter, e execution) {
	t.Helper()
	if e.code != 0 || len(e.files) != 3 {
		t.Fatalf("exit code %d, profiles %v; want 0 and those of the parent and of two children",
			e.code, e.files)
	}
	seen := map[string]int{}
	for _, f := range e.files {
		p := readProfile(t, f)
		key := ""
		for line := 1; line <= 4; line++ {
			if r := p.Regions[line]; r != nil {
				key += fmt.Sprintf("%d:%d ", line, r.sum().Count)
			}
		}
		seen[key]++
		if r := p.Regions[3]; r != nil && p.Regions[1] == nil {
			within(failed, "the child's part of an open region", r.sum().Incl, 20, 49)
			if r.Threads[0] == nil {
				t.Error("the child's thread is not number 0")
			}
		}
	}
	if seen["1:1 3:1 4:2 "] != 1 || seen["2:1 "] != 1 || seen["3:1 "] != 1 {
		t.Errorf("regions by process: %v", seen)
	}
}

func TestExitInTheMiddle(t *testing.T) {
	program := compileProgram(t, "exits", library(t).Libs(false)...)
	for _, who := range []string{"0", "1"} {
		patiently(t, func(r reporter) { checkExit(t, r, who, execute(t, program, nil, who)) })
	}
}

func checkExit(t *testing.T, failed reporter, who string, e execution) {
	t.Helper()
	if e.code != 7 || len(e.files) != 1 {
		t.Fatalf("thread %s: exit code %d, profiles %v", who, e.code, e.files)
	}
	p := readProfile(t, e.files[0])
	if p.Regions[1].sum().Count != 1 {
		t.Errorf("thread %s: what was done before is lost", who)
	}
	within(failed, "thread "+who+": the critical it was in", p.Regions[3].sum().Hold, 20, 500)
	within(failed, "thread "+who+": the region that both were in",
		p.Regions[2].sum().Incl, 75, 1000)
}

func TestCancellation(t *testing.T) {
	p := measure(t, compileProgram(t, "cancels", library(t).Libs(false)...),
		[]string{"OMP_CANCELLATION=true"})
	const rounds = 2200
	for line, want := range map[int]int64{
		1: 2 * rounds, 3: 2 * rounds, 4: 2 * rounds,
		6: 2 * rounds, 7: rounds, 11: 1,
	} {
		if got := p.Regions[line].sum().Count; got != want {
			t.Errorf("region %d: %d instances, want %d", line, got, want)
		}
	}
	if got := p.Regions[8].sum().Count; got < rounds || got > 50*rounds {
		t.Errorf("%d tasks began, want at least one a round", got)
	}
	// The 2 s at the end belong to no region, whatever the cancelled regions left open.
	for line := range p.Regions {
		if line != 11 {
			within(t, fmt.Sprintf("region %d, longest", line),
				p.Regions[line].Threads[0].zero().Max, 0, 1900)
			within(t, fmt.Sprintf("region %d, longest", line),
				p.Regions[line].Threads[1].zero().Max, 0, 1900)
		}
	}
}

func TestOffAndOn(t *testing.T) {
	program := compileProgram(t, "onoff", library(t).Libs(false)...)
	var p *profile
	patiently(t, func(r reporter) {
		p = measure(t, program, nil)
		within(r, "a region that is open at off", p.Regions[1].sum().Incl, 20, 69)
	})
	if off := p.Head.LeftOut; off.Off != 200002 || off.OffTime <= 0 || off.OffTime > p.Head.Wall {
		t.Errorf("measurement was switched off %d times for %d ns of %d", off.Off, off.OffTime,
			p.Head.Wall)
	}
	for line, want := range map[int]int64{1: 1, 2: 0, 3: 2, 4: 2, 5: 200000, 6: 0} {
		if got := p.Regions[line].sum().Count; got != want {
			t.Errorf("region %d: %d instances, want %d", line, got, want)
		}
	}
}

func TestManyRegions(t *testing.T) {
	expensive.Compilers(t)
	p := measure(t, compileProgram(t, "many", library(t).Libs(false)...), nil)
	if len(p.Regions) != 10000 {
		t.Fatalf("%d regions, want 10000", len(p.Regions))
	}
	for line, r := range p.Regions {
		if len(r.Threads) != 2 || r.Threads[0].Count != 3 || r.Threads[1].Count != 3 {
			t.Fatalf("region %d: %+v", line, r.Threads)
		}
	}
}

func TestSignalHandler(t *testing.T) {
	expensive.Compilers(t)
	p := measure(t, compileProgram(t, "signals", library(t).Libs(false)...), nil)
	if got := p.Regions[1].sum().Count; got != 3000000 {
		t.Errorf("%d instances on the interrupted thread, want 3000000", got)
	}
	if got := p.Regions[3].sum().Count; got != 3000000 {
		t.Errorf("%d instances of the critical on that thread, want 3000000", got)
	}
	if p.Regions[2].sum().Count == 0 {
		t.Error("no handler was recorded")
	}
}

func TestMillionTasks(t *testing.T) {
	p := measure(t, compileProgram(t, "pipeline", library(t).Libs(false)...), nil)
	for line, want := range map[int]int64{1: 200, 2: 1000000, 3: 320, 4: 320} {
		if got := p.Regions[line].sum().Count; got != want {
			t.Errorf("region %d: %d instances, want %d", line, got, want)
		}
	}
	if p.Head.Threads != 64 {
		t.Errorf("%d threads, want 64", p.Head.Threads)
	}
}
