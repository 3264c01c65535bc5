package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

// pollReplay begins a replay of threads in a parallel region of so many. kernel says whether the
// trace has when they were off the CPU.
func pollReplay(threads int, kernel bool) *Replay {
	d := trace.New()
	d.Resolution, d.Kernel = 1e9, kernel
	d.Threads = []analysis.Thread{{Name: "thread 0 (initial)", Type: omp.ThreadInitial}}
	for i := 1; i < threads; i++ {
		d.Threads = append(d.Threads,
			analysis.Thread{Name: fmt.Sprintf("thread %d (worker)", i), Type: omp.ThreadWorker})
	}
	a := New(d, 0, pollEnd, Options{EventCost: -1})
	parallel := pollRegion("parallel", 1, omp.KindParallel)
	for i, t := range a.threads {
		a.begin(t, 0)
		if i == 0 {
			a.enter(t, 0, &trace.Function{Role: trace.Forking, Region: parallel})
		}
		a.enter(t, 0, &trace.Function{Role: trace.Implicit, Region: parallel})
	}
	return a
}

const (
	pollEnd  = 1_000_000
	pollTime = 20 // of a visit
)

func pollRegion(name string, line int, kind omp.Kind) *analysis.Region {
	return &analysis.Region{Name: name, File: "a.c", Line: line, Kind: kind}
}

// pollResult ends the parallel region and the replay.
func pollResult(t *testing.T, a *Replay, now int64) *analysis.Result {
	t.Helper()
	for i := range a.threads {
		thread := a.threads[len(a.threads)-1-i]
		a.leave(thread, now)
	}
	a.leave(a.threads[0], now)
	r := a.Finish()
	if got := r.Sum(analysis.Time, -1); got != int64(len(a.threads))*pollEnd {
		t.Errorf("the severities are %d ns", got)
	}
	return r
}

// pollRun replays two threads. Thread 1 looks again and again, with a time in between, and thread 0
// writes at some times. It returns the path of the looks.
func pollRun(t *testing.T, looks, between int64, writes ...int64) (*analysis.Result,
	*analysis.Path,
) {
	t.Helper()
	a := pollReplay(2, false)
	main, worker := a.threads[0], a.threads[1]
	now := int64(0)
	for range looks {
		for len(writes) > 0 && writes[0] <= now {
			a.enter(main, now, pollFunctions['W'])
			a.leave(main, now)
			writes = writes[1:]
		}
		a.enter(worker, now, pollFunctions['r'])
		a.leave(worker, now+pollTime)
		now += pollTime + between
	}
	r := pollResult(t, a, max(now, pollEnd/2))
	i := slices.IndexFunc(r.Paths, func(q *analysis.Path) bool { return q.Line == 5 })
	return r, r.Paths[i]
}

// pollFunctions are constructs by letter: a read, another one, flushes, tests of a lock and of MPI,
// and what thread 0 does, a write and a flush.
var pollFunctions = map[rune]*trace.Function{
	'r': {Role: trace.AllWaiting, Region: pollRegion("atomic", 5, omp.KindAtomic), Polls: true},
	's': {Role: trace.AllWaiting, Region: pollRegion("atomic", 6, omp.KindAtomic), Polls: true},
	'f': {Region: pollRegion("flush", 7, omp.KindFlush), Polls: true, Writes: true},
	'g': {Region: pollRegion("flush", 8, omp.KindFlush), Polls: true, Writes: true},
	't': {Region: pollRegion("omp_test_lock", 9, omp.KindLock), Polls: true, Alone: true},
	'm': {Region: pollRegion("MPI_Test", 10, omp.KindMPI), Polls: true, Alone: true},
	'c': {Region: pollRegion("region", 11, omp.KindRegion)},
	'W': {Role: trace.AllWaiting, Region: pollRegion("atomic", 3, omp.KindAtomic), Writes: true},
	'F': {Region: pollRegion("flush", 4, omp.KindFlush), Polls: true, Writes: true},
}

// pollSteps replays what threads do. A letter is a visit: a small one of thread 1, a capital one of
// thread 0. All of the threads beyond visit what thread 1 does. A point is 5 us of work, and L says
// that thread 1 gets a lock. It returns the time of polling by line.
func pollSteps(t *testing.T, threads int, steps string, between int64) map[int]int64 {
	t.Helper()
	a := pollReplay(threads, false)
	now := int64(0)
	for _, step := range steps {
		switch {
		case step == '.':
			now += 5000
		case step == 'L':
			a.point(a.threads[1], now, trace.LockAcquired, 1)
			a.point(a.threads[1], now+between, trace.LockReleased, 1)
			now += between
		case step < 'a':
			a.enter(a.threads[0], now, pollFunctions[step])
			a.leave(a.threads[0], now)
		default:
			for _, thread := range a.threads[1:] {
				a.enter(thread, now, pollFunctions[step])
			}
			for _, thread := range a.threads[1:] {
				a.leave(thread, now+pollTime)
			}
			now += pollTime + between
		}
	}
	r := pollResult(t, a, max(now, pollEnd/2))
	polled := map[int]int64{}
	for _, q := range r.Paths {
		if time := q.Severity(analysis.Polling, -1); time != 0 {
			polled[q.Line] += time
		}
		for p := range analysis.NumProperties {
			if q.Severity(p, -1) < 0 {
				t.Errorf("%s of line %d is %d ns", p, q.Line, q.Severity(p, -1))
			}
		}
	}
	return polled
}

// TestPollingTwo checks when visits of several constructs in turn are polling.
func TestPollingTwo(t *testing.T) {
	const between = 40
	all := func(visits int64) int64 { return visits * (pollTime + between) }
	times := strings.Repeat
	for _, c := range []struct {
		name, steps string
		want        map[int]int64
	}{
		{"read and flush", times("rf", 100) + "Wrf", map[int]int64{
			5: all(101) - between, 7: all(101),
		}},
		{"read, flush and read", times("rfs", 50) + "Wrf", map[int]int64{
			5: all(51) - between, 7: all(51), 6: all(50),
		}},
		{
			"flags of eight neighbours", times(times("r", 8)+"f", 30) + "W" + times("r", 8),
			map[int]int64{5: all(248) - between, 7: all(30)},
		},
		{
			"a flag, then another one", times("r", 150) + "Wr" + times("f", 150) + "Wf",
			map[int]int64{5: all(151) - between, 7: all(151) - between},
		},
		{"a read before the loop", "s" + times("f", 150) + "Wf", map[int]int64{7: all(151)}},
		{
			"a loop over data, then a flag", times("r", 150) + times("f", 150) + "Wf",
			map[int]int64{7: all(151) - between},
		},
		{"flush and MPI_Test", times("fm", 60), map[int]int64{7: all(60) - between, 10: all(60)}},
		{"reads with MPI_Test now and then", times(times("r", 10)+"m", 20), nil},
		{"omp_test_lock and read", times("tr", 60), map[int]int64{
			9: all(60) - between, 5: all(60),
		}},
		{"omp_test_lock in vain, then not", times("t", 120) + "L", map[int]int64{
			9: all(120) - between,
		}},
		{"omp_test_lock with success", times("tL", 200), nil},
		{"few", times("rf", 49) + "Wr", nil},
		{"nobody writes", times("rf", 100), nil},
		{"work between them", times("rf.", 100) + "Wrf", nil},
		{"another region between them", times("rfc", 100) + "Wrf", nil},
		{"many writes", times("rfrfW", 60) + "Wrf", nil},
		{"flushes of the other thread", times("rfrfrfrfrfrfF.", 60) + "Wrf", nil},
		{"the other one flushes at the end", times("rf", 100) + "Frf", map[int]int64{
			5: all(101) - between, 7: all(101),
		}},
		{"five constructs", times("rsfgt", 60) + "Wr", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := pollSteps(t, 2, c.steps, between); !maps.Equal(got, c.want) {
				t.Errorf("polling takes %v ns by line, want %v", got, c.want)
			}
		})
	}
	// Flushes of others that poll as well are no writes.
	got := pollSteps(t, 4, times("rf", 100)+"Wrf", between)
	if want := (map[int]int64{5: 3 * (all(101) - between), 7: 3 * all(101)}); !maps.Equal(got,
		want) {
		t.Errorf("three threads poll for %v ns by line, want %v", got, want)
	}
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
			got := fmt.Sprint(q.Severity(analysis.Polling, -1), " ", q.Severity(analysis.AtomicWait,
				-1))
			want := fmt.Sprint(0, " ", in)
			if c.polls {
				want = fmt.Sprint(in+(c.looks-1)*c.between, " ", 0)
			}
			if got != want {
				t.Errorf("polling and updating take %s ns, want %s", got, want)
			}
			if c.polls != slices.ContainsFunc(finding.Of(r, 0), func(f finding.Finding) bool {
				return f.Property == analysis.Polling && f.Region.Line == 5
			}) {
				t.Errorf("findings: %v", finding.Of(r, 0))
			}
		})
	}
}
