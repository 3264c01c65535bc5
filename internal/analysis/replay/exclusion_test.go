package replay

import (
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

// act is what a thread does in a trace made by hand.
type act struct {
	thread int
	now    int64
	does   *trace.Function // it enters that; nil: it leaves, or what is below
	point  trace.Point
	value  uint64 // of the point; 0: none
}

// replayed returns the result of acts of so many threads, the last of which is at the end.
func replayed(threads int, acts []act) *analysis.Result {
	d := trace.New()
	d.Resolution = 1e9
	if err := d.Handlers().DefinitionComment(0, "depends 6 f.c"); err != nil { // tasks of everyRole
		panic(err)
	}
	for i := range threads {
		typ := omp.ThreadWorker
		if i == 0 {
			typ = omp.ThreadInitial
		}
		d.Threads = append(d.Threads, analysis.Thread{Name: omp.ThreadName(i, typ), Type: typ})
	}
	a := New(d, 0, uint64(acts[len(acts)-1].now), Options{EventCost: -1})
	for _, t := range a.threads {
		a.begin(t, 0)
	}
	for _, x := range acts {
		switch t := a.threads[x.thread]; {
		case x.value != 0:
			a.point(t, x.now, x.point, x.value)
		case x.does != nil:
			a.enter(t, x.now, x.does)
		default:
			a.leave(t, x.now)
		}
	}
	return a.Finish()
}

// TestHolders checks who held a lock for how much of the time in which it was in use, in two
// parallel regions. Another lock, for which nobody waited, is not named.
func TestHolders(t *testing.T) {
	f := everyRole()
	fork, implicit, lock := f[0], f[1], f[17]
	const gate, other = 7, 8
	var acts []act
	for _, at := range []int64{0, 5000} {
		for _, x := range []act{
			{0, 0, fork, 0, 0},
			{0, 0, implicit, 0, 0},
			{1, 0, implicit, 0, 0},
			{1, 10, lock, 0, 0},
			{1, 10, nil, 0, 0},
			{1, 10, nil, trace.LockAcquired, other},
			{0, 100, lock, 0, 0},
			{0, 100, nil, 0, 0},
			{0, 100, nil, trace.LockAcquired, gate},
			{1, 200, nil, trace.LockReleased, other},
			{1, 200, lock, 0, 0},
			{0, 700, nil, trace.LockReleased, gate}, // held for 600
			{1, 700, nil, 0, 0},
			{1, 700, nil, trace.LockAcquired, gate}, // waited for 500
			{0, 750, lock, 0, 0},
			{1, 900, nil, trace.LockReleased, gate}, // held for 200
			{0, 1000, nil, 0, 0},
			{0, 1000, nil, trace.LockAcquired, gate}, // waited for 150, and 100 for nobody
			{0, 1100, nil, trace.LockReleased, gate}, // held for 100
			{1, 1200, nil, 0, 0},
			{0, 1200, nil, 0, 0},
			{0, 1200, nil, 0, 0},
		} {
			x.now += at
			acts = append(acts, x)
		}
	}
	r := replayed(2, acts)
	if len(r.Exclusions) != 1 {
		t.Fatalf("%d things are waited for", len(r.Exclusions))
	}
	x := r.Exclusions[0]
	if x.Name != "lock 7" || x.Period != 2000 || x.Held[0] != 1400 || x.Held[1] != 400 ||
		x.Waited() != 1500 {
		t.Errorf("%+v", x)
	}
	for _, f := range finding.Of(r, 0) {
		if f.Property == analysis.LockWait {
			const want = "lock 7 is held 90 % of 2.00us: 70 % by thread 0, 20 % by thread 1"
			if f.Time != 1500 || !strings.Contains(f.Why, want) ||
				!strings.Contains(f.Why, "caused in f.c:10 lock") {
				t.Errorf("%s", f.String(r))
			}
			return
		}
	}
	t.Error("no finding")
}
