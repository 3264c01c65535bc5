package replay

import (
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/trace"
)

// TestWaitsForOthers checks that a wait for a thread inside a critical construct keeps its
// length, whatever recording costs. A wait with nobody inside does not, nor does the barrier of
// the last thread to arrive.
func TestWaitsForOthers(t *testing.T) {
	d := trace.New()
	d.Resolution, d.Cost = 1e9, 10
	d.Threads = []analysis.Thread{{Name: "thread 0 (initial)"}, {Name: "thread 1 (worker)"}}
	f := everyRole()
	a := New(d, 0, 3000, Options{})
	first, second := a.threads[0], a.threads[1]
	critical, wait := f[7], f[8]
	for _, e := range []struct {
		t     *thread
		now   int64
		enter *trace.Function
	}{
		{first, 100, f[0]},
		{first, 150, f[1]},
		{second, 160, f[1]},
		{first, 200, critical},
		{first, 200, wait},
		{second, 210, critical},
		{second, 210, wait},
		{first, 225, nil}, // enters after 25, nobody was inside
		{first, 1000, nil},
		{second, 1010, nil}, // enters after it waited 800 for the other
		{second, 1500, nil},
		{first, 1500, f[2]},
		{second, 1600, f[2]}, // the last thread to arrive
		{second, 1650, nil},  // 50
		{first, 1660, nil},
	} {
		if e.enter != nil {
			a.enter(e.t, e.now, e.enter)
		} else {
			a.leave(e.t, e.now)
		}
	}
	r := a.Finish()
	for p, want := range map[analysis.Property]int64{
		analysis.CriticalWait: 25 - 10 + 800,
		analysis.BarrierCost:  50 - 10 + 60,
	} {
		if got := r.Sum(p, -1); got != want {
			t.Errorf("%s: %d ns, want %d", p, got, want)
		}
	}
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
		t.Errorf("the severities are %d ns together, of %d", got, want)
	}
}
