package replay

import (
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

// TestManyPlaces has a critical path through more regions than the graph keeps apart by thread.
// The sum over regions stays exact, and no thread gets more than it has done.
func TestManyPlaces(t *testing.T) {
	d := trace.New()
	d.Resolution = 1e9
	d.Threads = []analysis.Thread{
		{Name: "thread 0 (initial)", Type: omp.ThreadInitial},
		{Name: "thread 1 (worker)", Type: omp.ThreadWorker},
	}
	f := everyRole()
	fork, implicit, barrier := f[3], f[4], f[2]
	const regions, long = 1000, 10
	a := New(d, 0, 4*regions*long+10, Options{EventCost: -1})
	for _, t := range a.threads {
		a.begin(t, 0)
	}
	now := int64(5)
	a.enter(a.threads[0], now, f[0]) // the others may wait for this fork until it has joined
	a.enter(a.threads[0], now, f[1])
	for round := range 4 {
		a.enter(a.threads[0], now, fork)
		for _, t := range a.threads {
			a.enter(t, now, implicit)
		}
		busy, waiting := a.threads[round%2], a.threads[1-round%2]
		a.enter(waiting, now, barrier)
		for i := range regions {
			region := &analysis.Region{Kind: omp.KindRegion, Name: "region", File: "f.c", Line: 20 +
				i}
			a.enter(busy, now, &trace.Function{Region: region})
			now += long
			a.leave(busy, now)
		}
		a.enter(busy, now, barrier)
		for _, t := range a.threads {
			a.leave(t, now)
			a.leave(t, now)
		}
		a.leave(a.threads[0], now)
	}
	a.leave(a.threads[0], now)
	a.leave(a.threads[0], now)
	r := a.Finish()
	var critical int64
	for _, q := range r.Paths {
		critical += q.Critical
	}
	if critical != r.Wall {
		t.Errorf("the critical path is %d ns, the run %d", critical, r.Wall)
	}
	for i, time := range r.CriticalThreads {
		if time <= 0 || time > 2*regions*long+10 {
			t.Errorf("thread %d has %d ns of the critical path", i, time)
		}
	}
}
