package replay

import (
	"opari/internal/analysis"
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
