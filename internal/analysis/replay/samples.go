package replay

import (
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/counting"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
)

// sampled counts a sample of a thread.
func (a *Replay) sampled(t *thread, value uint64) {
	if value >= uint64(len(a.result.Samples.Stacks)) {
		value = 0
	}
	stack, waits := int(value), true
	t.sample = standing{}
	if top := t.top(); top != nil {
		switch top.Role {
		// an atomic update is the program's own code
		case trace.Working, trace.Implicit, trace.Tasking, trace.AllWaiting:
			t.sample, waits = standing{top.path, stack}, false
		}
		top.path.Sample(t.index, stack, waits, 1)
		return
	}
	if t.index == 0 && !a.gap.closed {
		if a.gap.samples == nil {
			a.gap.samples = map[int]int64{}
		}
		a.gap.samples[stack]++
		return
	}
	a.result.Paths[0].Sample(t.index, stack, t.worker, 1)
}

// standing is where a thread's latest sample stands, if it has worked there.
type standing struct {
	path  *analysis.Path // nil: it has not, or its access is known
	stack int
}

// accessed notes the access of the latest sample of a thread.
func (a *Replay) accessed(t *thread, address uint64, write bool) {
	from := t.sample
	t.sample = standing{}
	if from.path == nil || a.result.Measures(from.stack) {
		return
	}
	a.accesses.Add(from.path, from.stack, t.index, address, write)
}

// place returns where a thread's counts belong. What the initial thread does outside of regions
// belongs to the root until closeGap finds its path.
func (a *Replay) place(t *thread) counting.Place {
	top := t.top()
	if top == nil {
		return counting.Place{Path: a.result.Paths[0], Waits: t.worker}
	}
	switch top.Role {
	case trace.Working, trace.Implicit, trace.Tasking:
		return counting.Place{Path: top.path}
	}
	return counting.Place{Path: top.path, Waits: true}
}

// countTime notes where the thread was until now, if it was on a processor.
func (a *Replay) countTime(t *thread, now int64) {
	time := t.counting.Pass(now)
	if time > 0 && t.offs.State == offcpu.OnCPU && !t.absent {
		t.counting.Spend(a.place(t), time)
	}
}

// startCounting prepares for the counters of the trace, if it has any.
func (a *Replay) startCounting(now int64) {
	a.result.Counters = slices.Clip(a.definitions.Counters)
	if n := len(a.result.Counters); n > 0 {
		for _, t := range a.threads {
			t.counting = counting.NewThread(t.index, n, now)
		}
	}
}

// count takes a value of a counter.
func (a *Replay) count(t *thread, now int64, counter int, value uint64) {
	inside := a.counts(now)
	if a.options.Counter != nil && inside {
		a.options.Counter(analysis.Reading{
			Thread: t.index, Counter: a.result.Counters[counter], Time: now, Value: value,
		})
	}
	if !t.counting.Known(now) {
		a.countTime(t, now)
		t.counting.Sample(now, a.place(t), inside)
	}
	t.counting.Count(counter, value, inside)
}
