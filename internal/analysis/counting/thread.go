package counting

import "opari/internal/analysis"

// Place is where counts belong: a path, and whether a thread waits there.
type Place struct {
	Path  *analysis.Path
	Waits bool
}

// counted is time of a thread at a place.
type counted struct {
	Place
	time int64
}

// Thread is what is known of a thread since the latest values of its counters.
type Thread struct {
	index int
	until int64     // the time up to here is in since
	at    int64     // time of the latest values
	since []counted // after those values
	batch []counted // before them, back to the values before
	last  []uint64  // by Result.Counters
}

// NewThread returns a thread of which so many counters will be known from now on.
func NewThread(index, counters int, now int64) *Thread {
	return &Thread{index: index, until: now, at: -1, last: make([]uint64, counters)}
}

// Begin forgets the values of the thread that had the number before.
func (c *Thread) Begin(now int64) {
	c.until, c.at, c.since, c.batch = now, -1, c.since[:0], c.batch[:0]
	clear(c.last)
}

// Pass returns the time that has passed since the last call.
func (c *Thread) Pass(now int64) int64 {
	time := now - c.until
	c.until = now
	return time
}

// Spend notes that the thread was at a place, on a processor.
func (c *Thread) Spend(at Place, time int64) {
	for i := range c.since {
		if s := &c.since[i]; s.Place == at {
			s.time += time
			return
		}
	}
	c.since = append(c.since, counted{at, time})
}

// Known reports whether a value of that time is known already: all values of a sample have one
// time.
func (c *Thread) Known(now int64) bool { return now == c.at }

// Sample begins a sample, of a thread that is at a place. It counts if that time is inside the
// window.
func (c *Thread) Sample(now int64, at Place, inside bool) {
	c.batch, c.since, c.at = c.since, c.batch[:0], now
	if len(c.batch) == 0 {
		c.batch = append(c.batch, counted{Place: at})
	}
	if inside {
		c.of(at).Samples++
		for _, s := range c.batch {
			c.of(s.Place).Time += s.time
		}
	}
}

// Count takes a value of a counter. Its increase since the value before is shared out among the
// paths in which the thread has been since, by time. A window has the increases whose second value
// is inside.
func (c *Thread) Count(counter int, value uint64, inside bool) {
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
		c.of(s.Place).Values[counter] += part * increase
	}
}

func (c *Thread) of(at Place) *analysis.Counts {
	return at.Path.CountsOf(c.index, at.Waits, len(c.last))
}

// Move moves what the thread counted in a path to another path.
func (c *Thread) Move(from, to *analysis.Path) {
	for _, list := range [][]counted{c.since, c.batch} {
		for i := range list {
			if list[i].Path == from {
				list[i].Path = to
			}
		}
	}
	from.MoveCounts(c.index, to)
}
