package graph

import "math"

// Change is what would be different in a run. The graph then holds two times of everything: when
// it was, which says who waited for whom, and when it would have been.
type Change struct {
	// Scale returns the factor of the time that a thread has just spent at a place; nil: 1.
	Scale func(thread int, place int32) float64
	// Balance reports whether the threads that meet would share the time at a place; nil: no.
	Balance func(place int32) bool
	// Degree is how much of it: 0 leaves all as it was, and 1 gives all threads the same.
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

// Skip notes that a thread goes on after a wait for a point that the change takes away.
func (g *Graph) Skip(thread int, now int64, on Point, place int32) {
	t := &g.threads[thread]
	if on.n != nil && on.n.real <= now {
		t.real = max(t.real, on.n.real)
	}
	g.rest(t, thread, place, now)
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
	last       Point // of the thread that would come last if its part of the shared time took none
	real, rest int64 // when the last one came; the time of the point without that part
	part       int64
	place      int32
	thread     int32
	sum        int64 // of all parts
	n          int64
}

// Gather notes that a thread comes to a meeting.
func (g *Graph) Gather(m *Gathering, thread int) {
	t := &g.threads[thread]
	part := int64(math.Round(g.change.Degree * float64(t.share)))
	t.share = 0
	m.sum += part
	if m.n++; m.n == 1 || t.time-part >= m.rest {
		g.Replace(&m.last, g.Mark(thread))
		m.rest, m.part = t.time-part, part
		m.place, m.thread = t.shared, int32(thread)
	}
	m.real = max(m.real, t.real)
}

// Gathered returns the point at which all have come to the meeting, where each has the same part
// of what they share. It empties the meeting.
func (g *Graph) Gathered(m *Gathering) Point {
	n := m.last.n
	if n == nil {
		return Point{}
	}
	same := m.sum / m.n
	if same != m.part || m.real > n.real {
		var v vector
		v.add(m.place, m.thread, same-m.part)
		n = g.nodeAfter(n, &v, max(m.real, n.real), m.rest+same)
	}
	*m = Gathering{}
	return Point{n}
}

// Forget makes the time that a thread shares with others begin anew.
func (g *Graph) Forget(thread int) { g.threads[thread].share = 0 }
