package replay

import (
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
)

// TestOffPolling has thread 1 poll 300 times. Thread 0 is preempted from look 110 to look 250, and
// answers at look 298. Thread 1 is preempted for 3 us after look 200, and for 2 us before its last
// look.
func TestOffPolling(t *testing.T) {
	const between, own, late = 40, 3000, 2000
	a := pollReplay(2, true)
	main, worker := a.threads[0], a.threads[1]
	var now, lost int64
	off := func(time int64) {
		a.point(worker, now, trace.OffTheCPU, uint64(offcpu.Preempted))
		now += time
		a.point(worker, now, trace.OffTheCPU, uint64(offcpu.OnCPU))
	}
	for i := range 300 {
		switch i {
		case 110:
			a.point(main, now, trace.OffTheCPU, uint64(offcpu.Preempted))
			lost = now
		case 200:
			off(own)
		case 250:
			a.point(main, now, trace.OffTheCPU, uint64(offcpu.OnCPU))
			lost = now - lost
		case 298:
			a.enter(main, now, pollFunctions['W'])
			a.leave(main, now)
		case 299:
			off(late)
		}
		a.enter(worker, now, pollFunctions['r'])
		a.leave(worker, now+pollTime)
		now += pollTime + between
	}
	r := pollResult(t, a, max(now, pollEnd/2))
	for _, c := range []struct {
		property analysis.Property
		thread   int
		want     int64
	}{
		{analysis.OffWait, 1, lost},
		{analysis.Polling, 1, 300*(pollTime+between) - between + own - lost},
		{analysis.Preempted, 1, late},
		{analysis.Preempted, 0, lost},
	} {
		if got := r.Sum(c.property, c.thread); got != c.want {
			t.Errorf("%s of thread %d: %d ns, want %d", c.property, c.thread, got, c.want)
		}
	}
	var blamed int64
	for _, b := range r.Blame {
		if b.Property == analysis.OffWait && b.Waiter.Line == 5 && b.Thread == 0 {
			blamed += b.Time
		}
	}
	if blamed != lost {
		t.Errorf("thread 0 is blamed for %d ns, want %d", blamed, lost)
	}
}

// TestOffTesting has thread 1 test a lock until it gets it, while thread 0 is preempted with it.
func TestOffTesting(t *testing.T) {
	const between, visits = 60, 200
	a := pollReplay(2, true)
	main, worker := a.threads[0], a.threads[1]
	a.point(main, 0, trace.LockAcquired, 7)
	now := int64(0)
	for i := range visits {
		switch i {
		case 110:
			a.point(main, now, trace.OffTheCPU, uint64(offcpu.Preempted))
		case 150:
			a.point(main, now, trace.OffTheCPU, uint64(offcpu.OnCPU))
		case visits - 1:
			a.point(main, now, trace.LockReleased, 7)
		}
		a.enter(worker, now, pollFunctions['t'])
		a.leave(worker, now)
		now += between
	}
	a.point(worker, now, trace.LockAcquired, 7)
	r := pollResult(t, a, pollEnd/2)
	const off = 40 * between
	if got := r.Sum(analysis.OffWait, 1); got != off {
		t.Errorf("waiting for one off the CPU: %d ns, want %d", got, off)
	}
	if got, want := r.Sum(analysis.Polling, 1), int64((visits-1)*between-off); got != want {
		t.Errorf("polling: %d ns, want %d", got, want)
	}
}
