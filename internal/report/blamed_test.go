package report

import (
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
	"opari/internal/report/profile"
)

// TestLostIsInside checks that no row has more lost time than its threads spent there. A row's
// blamed time may be larger.
func TestLostIsInside(t *testing.T) {
	r := analysis.New("nowait", 1000, fixture.Processes(1, 2))
	region := func(kind string, line int) *analysis.Region {
		g := &analysis.Region{Name: kind, File: "n.c", Line: line}
		g.SetKind(kind)
		return g
	}
	parallel := r.Child(r.Paths[0], region("parallel", 1))
	loop := r.Child(parallel, region("for", 2))
	// Thread 1 leaves the loop after 100 ns and waits for thread 0 at the end of the parallel
	// region. The loop is to blame for that.
	for i, work := range []int64{1000, 100} {
		loop.Add(analysis.Work, i, work)
		loop.Add(analysis.ImbalanceLoop, i, 1000-work)
		loop.Visits[i] = analysis.Visit{Count: 1, Incl: work, Excl: work, Min: work, Max: work}
		parallel.Visits[i] = analysis.Visit{
			Count: 1, Incl: 1000, Excl: 1000 - work,
			Min: 1000, Max: 1000,
		}
	}
	for _, run := range []*analysis.Result{
		r, bankRun(t), profile.Ranks(fixture.ThreeRanks(t)).Result(),
	} {
		o := &Run{Threads: true}
		for _, groups := range [][][]entry{
			o.paths(run), o.grouped(run, byRegion),
			o.grouped(run, byConstruct),
		} {
			for _, rows := range groups {
				for _, e := range rows {
					if e.lost > e.Excl || e.lost > e.Incl {
						t.Errorf("%s of thread %d: lost %d of %d", e.region, e.thread,
							e.lost, e.Incl)
					}
				}
			}
		}
	}
	rows := (&Run{}).paths(r)
	if p, l := rows[1][0], rows[2][0]; p.lost != 900 || p.blamed != 0 || l.lost != 0 ||
		l.blamed != 900 {
		t.Errorf("the parallel region: lost %d, blamed %d; the loop: %d, %d", p.lost, p.blamed,
			l.lost, l.blamed)
	}
}
