package replay

import (
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

// lateRank replays a rank of several. Its process starts at 2000 of 10000 ns, is in MPI_Init until
// 3000, works in serial code until 4000, in MPI_Barrier until 4500 and in a parallel region of two
// threads until 7000. It is in MPI_Finalize from 7500 to 8500, and then ends.
func lateRank(ranks int) *analysis.Result {
	d := trace.New()
	d.Resolution = 1e9
	d.ThreadsOf = map[int][]uint32{}
	for rank := range ranks {
		d.ThreadsOf[rank] = []uint32{uint32(rank)}
	}
	for i, typ := range []omp.ThreadType{omp.ThreadInitial, omp.ThreadWorker} {
		d.Threads = append(d.Threads, analysis.Thread{Name: omp.ThreadName(i, typ), Type: typ})
	}
	routine := func(name string) *trace.Function {
		g := &analysis.Region{Kind: omp.KindMPI, Name: name}
		return &trace.Function{Region: g, Setup: g.SetsUpMPI()}
	}
	region := &analysis.Region{Kind: omp.KindParallel, Name: "parallel", File: "f.c", Line: 7}
	fork := &trace.Function{Role: trace.Forking, Region: region}
	task := &trace.Function{Role: trace.Implicit, Region: region}
	a := New(d, 0, 10_000, Options{EventCost: -1})
	initial, worker := a.threads[0], a.threads[1]
	in := func(f *trace.Function, from, to int64) {
		a.enter(initial, from, f)
		a.leave(initial, to)
	}
	a.begin(initial, 2000)
	in(routine("MPI_Init"), 2000, 3000)
	in(routine("MPI_Barrier"), 4000, 4500)
	a.enter(initial, 4500, fork)
	a.begin(worker, 4500)
	a.enter(initial, 4500, task)
	a.enter(worker, 4500, task)
	a.leave(worker, 7000)
	a.leave(initial, 7000)
	a.leave(initial, 7000)
	in(routine("MPI_Finalize"), 7500, 8500)
	a.end(worker, 8500)
	a.end(initial, 8500)
	return a.Finish()
}

// TestStartEnd checks that a job's start and end are no loss and no communication, and that
// serial code before and after the regions stays one.
func TestStartEnd(t *testing.T) {
	r := lateRank(2)
	for p, want := range map[analysis.Property]int64{
		analysis.Absent: 2 * (2000 + 1500), analysis.SetupMPI: 2 * (1000 + 1000),
		analysis.MPICall: 500, analysis.IdleMPI: 500,
		analysis.IdleSerial: 1000 + 500, analysis.Work: 1000 + 2*2500 + 500,
		analysis.StartEnd: 11_000, analysis.Time: r.Total(),
	} {
		if got := r.Sum(p, -1); got != want {
			t.Errorf("%s: %d ns, not %d", p, got, want)
		}
	}
	for _, q := range r.Paths {
		for i := range r.Threads {
			if q.SetsUpMPI() && q.Waited(i) != 0 {
				t.Errorf("%s: thread %d waited %d ns", q.Name, i, q.Waited(i))
			}
		}
		if strings.HasPrefix(q.Name, "serial code before") &&
			q.Name != "serial code before the first parallel" {
			t.Errorf("a region is called %q", q.Name)
		}
	}
	for _, f := range finding.Of(r, 0) {
		if f.Region.SetsUpMPI() || f.Property.Of(analysis.StartEnd) {
			t.Error(f.String(r))
		}
	}
	// A process by itself is there all the time.
	if one := lateRank(1); one.Sum(analysis.Absent, -1) != 0 || one.Sum(analysis.SetupMPI, -1) !=
		4000 {
		t.Errorf("one rank: absent for %d ns, %d in MPI_Init and MPI_Finalize",
			one.Sum(analysis.Absent, -1), one.Sum(analysis.SetupMPI, -1))
	}
}
