package graph

import (
	"math"
	"slices"
)

// Change is what would be different in a run. The graph then holds two times of everything: when
// it was, which says who waited for whom, and when it would have been.
type Change struct {
	// Scale returns the factor of the time that a thread has just spent at a place; nil: 1.
	Scale func(thread int, place int32) float64
	// Balance reports whether the threads that meet would share the time at a place; nil: no.
	Balance func(place int32) bool
	// Degree is how well: 0 leaves all as it was, and with 1 the last one comes as early as can be.
	Degree float64
}

// Change sets what would be different. It is called before anything happens.
func (g *Graph) Change(c *Change) { g.change = c }

// Changed reports whether anything would be different.
func (g *Graph) Changed() bool { return g.change != nil }

// of returns what a time at a place would be.
func (c *Change) of(t *thread, thread int, place int32, time int64) int64 {
	if c.Scale != nil {
		if f := c.Scale(thread, place); f != 1 {
			time = int64(math.Round(float64(time) * f))
		}
	}
	if c.Balance != nil && c.Balance(place) {
		t.share += time
		t.shared = place
	}
	return time
}

// Elapsed returns the time up to which the chain of a thread would go.
func (g *Graph) Elapsed(thread int) int64 { return g.threads[thread].time }

// Skip notes that a thread goes on after a wait that the change takes away, with all its cost.
func (g *Graph) Skip(thread int, now int64) {
	t := &g.threads[thread]
	t.real = max(t.real, now)
}

// Latest returns a point that is as late as the later of two, now and with the change. It takes
// the caller's holds of both.
func (g *Graph) Latest(p, q Point) Point {
	if p.n == nil {
		return q
	}
	if q.n == nil {
		return p
	}
	first, last := p.n, q.n
	if first.time > last.time {
		first, last = last, first
	}
	if real := first.real; real > last.real {
		last = g.nodeAfter(last, &vector{}, real, last.time)
	}
	g.release(first)
	return Point{last}
}

// Gathering is a meeting of threads that share time at balanced places. The zero value is one
// that nobody has come to.
type Gathering struct {
	last       Point // of the thread that would come last if what it shares took no time
	rest, part int64 // when that would be; what it shares
	place      int32 // where
	thread     int32
	real, time int64   // when the last one came, as it was and as it would be
	rests      []int64 // of all threads, if anything is balanced
	shared     int64   // by all threads
}

// Gather notes that a thread comes to a meeting.
func (g *Graph) Gather(m *Gathering, thread int) {
	t := &g.threads[thread]
	rest := t.time - t.share
	if !m.last.Known() || rest >= m.rest {
		g.Replace(&m.last, g.Mark(thread))
		m.rest, m.part, m.place, m.thread = rest, t.share, t.shared, int32(thread)
	}
	m.real, m.time = max(m.real, t.real), max(m.time, t.time)
	if g.change.Balance != nil {
		m.rests = append(m.rests, rest)
		m.shared += t.share
	}
	t.share = 0
}

// Gathered returns the point at which all have come to the meeting. It empties the meeting.
func (g *Graph) Gathered(m *Gathering) Point {
	n := m.last.n
	if n == nil {
		return Point{}
	}
	time := m.time
	if m.shared > 0 {
		time -= int64(math.Round(g.change.Degree * float64(time-m.level())))
	}
	if time != n.time || m.real != n.real {
		var v vector
		v.add(m.place, m.thread, time-n.time)
		n = g.nodeAfter(n, &v, m.real, time)
	}
	*m = Gathering{}
	return Point{n}
}

// level returns when all would have come who share their time such that the last one is as early
// as can be. Those who come first take most of it.
func (m *Gathering) level() int64 {
	slices.Sort(m.rests)
	sum := m.shared
	for i, rest := range m.rests {
		sum += rest
		if level := sum / int64(i+1); i+1 == len(m.rests) || level <= m.rests[i+1] {
			return max(level, m.rest)
		}
	}
	return m.rest
}

// GoOn notes that a thread goes on after a meeting. Its time until then is that of the meeting,
// for which it may have come too late by what it shares.
func (g *Graph) GoOn(thread int, now int64, on Point, place int32) {
	t := &g.threads[thread]
	if on.n != nil && on.n.real <= now && on.n.real >= t.real {
		t.real, t.time = on.n.real, on.n.time
		on.n.refs++
		g.release(t.last)
		t.last = on.n
		t.now.clear()
	}
	g.rest(t, thread, place, now)
}

// Forget makes the time that a thread shares with others begin anew.
func (g *Graph) Forget(thread int) { g.threads[thread].share = 0 }
