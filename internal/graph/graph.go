package graph

// Graph follows the threads of a run.
type Graph struct {
	threads []thread
	nodes
	diff   difference
	log    *log // nil: there is one process
	change *Change
}

// thread is where a thread is.
type thread struct {
	last *node  // its chain up to the last point
	now  vector // what it has done since then
	// Its chain covers the run up to here: as it was, and as it would be with a change.
	real, time int64
	share      int64 // its time at balanced places since its team last met
	shared     int32 // the last of these places
}

// Point is a moment of a thread for which others may wait. The zero value is no point. Each point
// must be released once.
type Point struct{ n *node }

// Known reports whether p is a point.
func (p Point) Known() bool { return p.n != nil }

// Time returns the time of the point, as it was.
func (p Point) Time() int64 { return p.n.real }

// New returns the graph of a run with so many threads that starts at a time, in ns.
func New(threads int, start int64) *Graph {
	g := &Graph{threads: make([]thread, threads)}
	root := g.root(start)
	root.refs += int32(threads)
	for i := range g.threads {
		g.threads[i] = thread{last: root, real: start, time: start}
	}
	return g
}

// Spend notes that the thread was at a place until now, and that it waited for nobody. It does
// nothing if the thread's time is already accounted for.
func (g *Graph) Spend(thread int, place int32, now int64) {
	t := &g.threads[thread]
	if now <= t.real {
		return
	}
	time := now - t.real
	t.real = now
	if g.change != nil {
		time = g.change.of(t, thread, place, time)
	}
	t.now.add(place, int32(thread), time)
	t.time += time
}

// Mark returns the point at which the thread is.
func (g *Graph) Mark(thread int) Point {
	t := &g.threads[thread]
	if len(t.now.list) > 0 || t.last.real != t.real {
		g.end(t)
	}
	t.last.refs++
	return Point{t.last}
}

// end makes what the thread has done since its last point a node.
func (g *Graph) end(t *thread) {
	// The node takes the thread's hold of the node before.
	t.last = g.nodeAfter(t.last, &t.now, t.real, t.time)
}

// Hold returns the point once more, to be released once more.
func (g *Graph) Hold(p Point) Point {
	if p.n != nil {
		p.n.refs++
	}
	return p
}

// Release gives a point back.
func (g *Graph) Release(p Point) { g.release(p.n) }

// Replace releases the point in p and stores another one there.
func (g *Graph) Replace(p *Point, other Point) {
	g.Release(*p)
	*p = other
}

// Waited reports whether a thread that goes on now has waited for a point: the point is later than
// all that the thread did itself.
func (g *Graph) Waited(thread int, now int64, on Point) bool {
	return on.n != nil && on.n.real > g.threads[thread].real && on.n.real <= now
}

// Wait notes that the thread goes on after it may have waited for a point. What is left of its time
// until now was spent at a place.
func (g *Graph) Wait(thread int, now int64, on Point, place int32) {
	t := &g.threads[thread]
	if on.n == nil || on.n.real > now {
		g.rest(t, thread, place, now)
		return
	}
	t.real = max(t.real, on.n.real)
	if on.n.time > t.time {
		on.n.refs++
		g.release(t.last)
		t.last, t.time = on.n, on.n.time
		t.now.clear()
	}
	g.rest(t, thread, place, now)
}

// rest notes what is left of a wait, which no change makes shorter.
func (g *Graph) rest(t *thread, thread int, place int32, now int64) {
	if time := now - t.real; time > 0 {
		t.now.add(place, int32(thread), time)
		t.real, t.time = now, t.time+time
	}
}

// Chain calls do with what the chain of a thread consists of. A place and thread may come several
// times.
func (g *Graph) Chain(thread int, do func(Spent)) {
	t := &g.threads[thread]
	each(t.now.list, do)
	for n := t.last; n != nil; n = n.prev {
		each(n.list, do)
	}
}

func each(list []Spent, do func(Spent)) {
	for _, e := range list {
		do(e)
	}
}
