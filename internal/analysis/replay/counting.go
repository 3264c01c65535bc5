package replay

import (
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
)

// counted is time of a thread at a path.
type counted struct {
	path  *analysis.Path
	waits bool
	time  int64
}

// counting is what is known of a thread since the latest values of its counters.
type counting struct {
	until int64     // the time up to here is in since
	at    int64     // time of the latest values
	since []counted // after those values
	batch []counted // before them, back to the values before
	last  []uint64  // by Result.Counters
}

// place returns where a thread's counts belong. What the initial thread does outside of regions
// belongs to the root until closeGap finds its path.
func (a *Replay) place(t *thread) counted {
	top := t.top()
	if top == nil {
		return counted{path: a.result.Paths[0], waits: t.worker}
	}
	switch top.Role {
	case trace.Working, trace.Implicit, trace.Tasking:
		return counted{path: top.path}
	}
	return counted{path: top.path, waits: true}
}

// countTime notes where the thread was until now, if it was on a processor.
func (a *Replay) countTime(t *thread, now int64) {
	c := t.counting
	time := now - c.until
	c.until = now
	if time <= 0 || t.offs.State != offcpu.OnCPU || t.absent {
		return
	}
	at := a.place(t)
	for i := range c.since {
		if s := &c.since[i]; s.path == at.path && s.waits == at.waits {
			s.time += time
			return
		}
	}
	at.time = time
	c.since = append(c.since, at)
}

// startCounting prepares for the counters of the trace, if it has any.
func (a *Replay) startCounting(now int64) {
	a.result.Counters = slices.Clip(a.definitions.Counters)
	if n := len(a.result.Counters); n > 0 {
		for _, t := range a.threads {
			t.counting = &counting{until: now, at: -1, last: make([]uint64, n)}
		}
	}
}

// beginCounting forgets the values of the thread that had the number before.
func (t *thread) beginCounting(now int64) {
	c := t.counting
	if c == nil {
		return
	}
	c.until, c.at, c.since, c.batch = now, -1, c.since[:0], c.batch[:0]
	clear(c.last)
}

// count takes a value of a counter. Its increase since the value before is shared out among the
// paths in which the thread has been since, by time. All values of a sample have one time. A window
// has the increases whose second value is inside.
func (a *Replay) count(t *thread, now int64, counter int, value uint64) {
	c, inside := t.counting, a.counts(now)
	if a.options.Counter != nil && inside {
		a.options.Counter(analysis.Reading{
			Thread: t.index, Counter: a.result.Counters[counter], Time: now, Value: value,
		})
	}
	if now != c.at {
		a.countTime(t, now)
		c.batch, c.since, c.at = c.since, c.batch[:0], now
		at := a.place(t)
		if len(c.batch) == 0 {
			c.batch = append(c.batch, at)
		}
		if inside {
			a.countsAt(at, t).Samples++
			for _, s := range c.batch {
				a.countsAt(s, t).Time += s.time
			}
		}
	}
	if value <= c.last[counter] {
		return // what is scaled may seem to run backwards
	}
	increase := float64(value - c.last[counter])
	c.last[counter] = value
	if !inside {
		return
	}
	var total int64
	for _, s := range c.batch {
		total += s.time
	}
	for _, s := range c.batch {
		part := 1 / float64(len(c.batch))
		if total > 0 {
			part = float64(s.time) / float64(total)
		}
		a.countsAt(s, t).Values[counter] += part * increase
	}
}

func (a *Replay) countsAt(at counted, t *thread) *analysis.Counts {
	return at.path.CountsOf(t.index, at.waits, len(a.result.Counters))
}

// moveCounts moves what the initial thread counted outside of regions to the path that this turned
// out to be.
func (a *Replay) moveCounts(to *analysis.Path) {
	t, root := a.threads[0], a.result.Paths[0]
	if t.counting == nil {
		return
	}
	for _, list := range [][]counted{t.counting.since, t.counting.batch} {
		for i := range list {
			if list[i].path == root {
				list[i].path = to
			}
		}
	}
	root.MoveCounts(t.index, to)
}
