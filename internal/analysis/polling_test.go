package analysis

import (
	"fmt"
	"slices"
	"testing"

	"opari/internal/expensive"
	"opari/internal/omp"
)

// pollRun replays two threads in a parallel region for 1 ms. Thread 1 looks again and again, with a
// time in between, and thread 0 writes at some times. It returns the path of the looks.
func pollRun(t *testing.T, looks, between int64, writes ...int64) (*Result, *Path) {
	t.Helper()
	d := newDefinitions()
	d.resolution = 1e9
	d.threads = []Thread{
		{Name: "thread 0 (initial)", Type: omp.ThreadInitial},
		{Name: "thread 1 (worker)", Type: omp.ThreadWorker},
	}
	region := func(name string, line int, kind omp.Kind) *Region {
		return d.region(Region{Name: name, File: "a.c", Line: line, Kind: kind})
	}
	parallel := region("parallel", 1, omp.KindParallel)
	fork := &function{role: forking, region: parallel}
	task := &function{role: implicit, region: parallel}
	read := &function{role: allWaiting, region: region("atomic", 5, omp.KindAtomic), polls: true}
	write := &function{role: allWaiting, region: region("atomic", 3, omp.KindAtomic), writes: true}
	const end = 1_000_000
	a := newReplay(d, 0, end, Options{EventCost: -1})
	main, worker := a.threads[0], a.threads[1]
	a.begin(main, 0)
	a.begin(worker, 0)
	a.enter(main, 0, fork)
	a.enter(main, 0, task)
	a.enter(worker, 0, task)
	const length = 20
	now := int64(0)
	for range looks {
		for len(writes) > 0 && writes[0] <= now {
			a.enter(main, now, write)
			a.leave(main, now)
			writes = writes[1:]
		}
		a.enter(worker, now, read)
		a.leave(worker, now+length)
		now += length + between
	}
	now = max(now, end/2)
	for _, thread := range []*thread{worker, main, main} {
		a.leave(thread, now)
	}
	r := a.finish()
	i := slices.IndexFunc(r.Paths, func(q *Path) bool { return q.Line == 5 })
	if got := r.Sum(Time, -1); got != 2*end {
		t.Errorf("the severities are %d ns", got)
	}
	return r, r.Paths[i]
}

// TestPollingProgram runs a program in which one thread polls a flag of another one.
func TestPollingProgram(t *testing.T) {
	expensive.Test(t, "its program raises events all the time")
	r, _ := traced(t, build(t, "testdata/polls.c"))
	for _, f := range r.Findings(0) {
		if f.Property == Polling && f.Region.Line == 23 {
			return
		}
	}
	t.Errorf("no polling in line 23: %v", r.Findings(0))
}

// TestPolling checks when visits of an atomic construct in a row are polling: if there are many,
// and little time between them, and another thread wrote something at their end, and seldom before.
func TestPolling(t *testing.T) {
	var often []int64
	for i := range int64(20) {
		often = append(often, 600*i)
	}
	for _, c := range []struct {
		name           string
		looks, between int64
		writes         []int64
		polls          bool
	}{
		{"polling", 200, 40, []int64{199 * 60}, true},
		{"few looks", 99, 40, []int64{98 * 60}, false},
		{"work between them", 200, 1200, []int64{199 * 1220}, false},
		{"nobody writes", 200, 40, nil, false},
		{"a write long before", 200, 40, []int64{100 * 60}, false},
		{"many writes", 200, 40, append(often, 199*60), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, q := pollRun(t, c.looks, c.between, c.writes...)
			in := c.looks * 20
			got := fmt.Sprint(q.Severity(Polling, -1), " ", q.Severity(AtomicWait, -1))
			want := fmt.Sprint(0, " ", in)
			if c.polls {
				want = fmt.Sprint(in+(c.looks-1)*c.between, " ", 0)
			}
			if got != want {
				t.Errorf("polling and updating take %s ns, want %s", got, want)
			}
			if c.polls != slices.ContainsFunc(r.Findings(0), func(f Finding) bool {
				return f.Property == Polling && f.Region.Line == 5
			}) {
				t.Errorf("findings: %v", r.Findings(0))
			}
		})
	}
}
