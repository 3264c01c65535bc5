package replay

import (
	"math/rand/v2"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/trace"
	"opari/internal/expensive"
	"opari/internal/omp"
)

// everyRole returns functions of every role.
func everyRole() []*trace.Function {
	region := func(kind omp.Kind, line int) *analysis.Region {
		return &analysis.Region{Kind: kind, Name: kind.String(), File: "f.c", Line: line}
	}
	parallel, nested, loop := region(omp.KindParallel, 1), region(omp.KindParallel, 9),
		region(omp.KindFor, 2)
	critical, single, group := region(omp.KindCritical, 3), region(omp.KindSingle, 4),
		region(omp.KindTaskgroup, 5)
	return []*trace.Function{
		{Role: trace.Forking, Region: parallel},
		{Role: trace.Implicit, Region: parallel},
		{Role: trace.AtBarrier, Region: parallel},
		{Role: trace.Forking, Region: nested},
		{Role: trace.Implicit, Region: nested},
		{Region: loop},
		{Role: trace.AtBarrier, Region: loop},
		{Region: critical},
		{Role: trace.ForMutex, Region: critical},
		{Region: single},
		{Region: single, Block: true},
		{Role: trace.AtBarrier, Region: single},
		{Region: group},
		{Role: trace.ForTasks, Region: group},
		{Role: trace.Tasking, Region: region(omp.KindTask, 6)},
		{Role: trace.ForTasks, Region: region(omp.KindTaskwait, 7)},
		{Role: trace.AtBarrier, Region: region(omp.KindBarrier, 8)},
		{Role: trace.ForLock, Region: region(omp.KindLock, 10)},
		{Role: trace.AllWaiting, Region: region(omp.KindAtomic, 11)},
		{Region: region(omp.KindRegion, 12)},
		{Role: trace.Creating, Region: &analysis.Region{
			Creation: true, Word: analysis.WordCreation,
			Name: analysis.CreationOf + "task", File: "f.c", Line: 6,
		}},
	}
}

// play replays random events. A trace may hold anything, because records get lost and programs
// are killed.
func play(seed uint64) *analysis.Result { return playIn(seed, nil) }

// playIn replays the same events in a window.
func playIn(seed uint64, w *analysis.Window) *analysis.Result {
	return playWith(seed, Options{Window: w})
}

// playWith replays the same events with options.
func playWith(seed uint64, o Options) *analysis.Result {
	random := rand.New(rand.NewPCG(seed, 1))
	d := trace.New()
	d.Resolution, d.Kernel = 1e9, seed%2 == 1
	points, unit := 3, 1
	if d.Kernel { // most points are of this kind, and some times longer than waking up
		points, unit = 12, 1000
	}
	for i, typ := range []omp.ThreadType{
		omp.ThreadInitial, omp.ThreadWorker, omp.ThreadWorker,
		omp.ThreadOther,
	} {
		d.Threads = append(d.Threads, analysis.Thread{Name: omp.ThreadName(i, typ), Type: typ})
	}
	functions := everyRole()
	last := uint64((100_000 + random.IntN(1000)) * unit)
	if err := o.Limit(d, 1000, last); err != nil {
		panic(err)
	}
	a := New(d, 1000, last, o)
	now := int64(1000)
	for range random.IntN(400) {
		now = min(now+int64(random.IntN(500)*unit), int64(last))
		t := a.threads[random.IntN(len(a.threads))]
		now := a.ns(uint64(now))
		switch n := random.IntN(24); {
		case n >= 20:
			a.point(t, now, min(trace.OffTheCPU, trace.Point(random.IntN(points))),
				random.Uint64N(3))
		case n == 0:
			a.begin(t, now)
		case n == 1:
			a.end(t, now)
		case n < 10:
			a.leave(t, now)
		default:
			a.enter(t, now, functions[random.IntN(len(functions))])
		}
	}
	return a.Finish()
}

// TestSums compares the sum of the severities with the available processor time.
func TestSums(t *testing.T) {
	for seed := range expensive.Tries(uint64(5_000)) {
		r := play(seed)
		if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
			t.Fatalf("seed %d: the severities are %d ns together, %d threads of %d ns are %d", seed,
				got, len(r.Threads), r.Wall, want)
		}
		var critical int64
		for _, q := range r.Paths {
			critical += q.Critical
		}
		if critical != r.Wall {
			t.Fatalf("seed %d: the critical path is %d ns, the run %d", seed, critical, r.Wall)
		}
		for i := range r.Threads {
			if got := r.Sum(analysis.Time, i); got != r.Wall {
				t.Fatalf("seed %d: thread %d has %d ns of %d", seed, i, got, r.Wall)
			}
			var sum int64
			for _, q := range r.Paths {
				sum += q.Visits[i].Excl
			}
			if sum != r.Wall {
				t.Fatalf("seed %d: the exclusive times of thread %d are %d ns of %d", seed, i,
					sum, r.Wall)
			}
		}
		for _, q := range r.Paths {
			for p := range analysis.NumProperties {
				for i, time := range q.Times(p) {
					if time < 0 {
						t.Fatalf("seed %d: %s of thread %d in %s is %d ns", seed, p, i,
							q.Region, time)
					}
				}
			}
		}
		finding.Of(r, 0)
	}
}

// TestCriticalTasks checks the critical path after the last arrival at a barrier: it goes through
// the tasks of the thread that ends the last task. A wait for tasks is blamed on the task that
// ended it.
func TestCriticalTasks(t *testing.T) {
	d := trace.New()
	d.Resolution = 1e9
	d.Threads = []analysis.Thread{
		{Name: "thread 0 (initial)", Type: omp.ThreadInitial},
		{Name: "thread 1 (worker)", Type: omp.ThreadWorker},
	}
	f := everyRole()
	a := New(d, 0, 1000, Options{EventCost: -1})
	first, second := a.threads[0], a.threads[1]
	fork, implicit, barrier, tasked, wait := f[0], f[1], f[2], f[14], f[15]
	a.begin(first, 0)
	a.begin(second, 0)
	for _, e := range []struct {
		t     *thread
		now   int64
		enter *trace.Function
	}{
		{first, 100, fork},
		{first, 100, implicit},
		{second, 100, implicit},
		{first, 200, wait},
		{second, 250, tasked},
		{second, 400, nil},
		{first, 400, nil}, // waited for the task
		{second, 410, barrier},
		{second, 420, tasked}, // from before the last arrival until after it
		{first, 500, barrier},
		{first, 510, tasked}, // ends before the other's
		{first, 600, nil},
		{second, 700, nil},
		{second, 720, nil},
		{first, 720, nil},
		{second, 720, nil},
		{first, 720, nil},
		{first, 720, nil},
	} {
		if e.enter != nil {
			a.enter(e.t, e.now, e.enter)
		} else {
			a.leave(e.t, e.now)
		}
	}
	r := a.Finish()
	critical := map[string]int64{}
	for _, q := range r.Paths {
		critical[q.Name] += q.Critical
	}
	// The critical path is the second thread's: its work, the task that the first thread waited
	// for, and the task until 700.
	if critical["task"] != 150+280 || critical["taskwait"] != 0 {
		t.Errorf("on the critical path: %v", critical)
	}
	var sum int64
	for _, time := range critical {
		sum += time
	}
	if sum != r.Wall {
		t.Errorf("the critical path is %d of %d", sum, r.Wall)
	}
	if len(r.Blame) == 0 {
		t.Fatal("nothing is blamed")
	}
	// The task began 50 ns after the wait, because its thread had work outside of it.
	want := map[string]int64{"task": 150, "parallel": 50}
	for _, b := range r.Blame {
		if b.Property != analysis.TaskWait {
			continue
		}
		if b.Thread != 1 || b.Time != want[b.Cause.Name] {
			t.Errorf("the wait for tasks: %d ns of %s by thread %d", b.Time, b.Cause.Name, b.Thread)
		}
		delete(want, b.Cause.Name)
	}
	if len(want) > 0 {
		t.Errorf("the wait for tasks is not blamed on %v", want)
	}
}
