package graph

// Graph follows the threads of a run.
type Graph struct {
	threads []thread
	unused  *node // a list by prev
	created uint64
	diff    difference
}

// thread is where a thread is.
type thread struct {
	last *node  // its chain up to the last point
	now  vector // what it has done since then
	time int64  // its chain covers the run up to here
}

// node is a point of a chain.
type node struct {
	prev    *node
	refs    int32  // threads, points and nodes that hold it
	created uint64 // nodes are created after those before them in the chain
	time    int64
	vector  // from prev to here
}

// Point is a moment of a thread for which others may wait. The zero value is no point. Each point
// must be released once.
type Point struct{ n *node }

// Known reports whether p is a point.
func (p Point) Known() bool { return p.n != nil }

// Time returns the time of the point.
func (p Point) Time() int64 { return p.n.time }

// New returns the graph of a run with so many threads that starts at a time, in ns.
func New(threads int, start int64) *Graph {
	g := &Graph{threads: make([]thread, threads)}
	root := &node{time: start, refs: int32(threads) + 1}
	for i := range g.threads {
		g.threads[i] = thread{last: root, time: start}
	}
	return g
}

// Spend notes that the thread was at a place until now, and that it waited for nobody. It does
// nothing if the thread's time is already accounted for.
func (g *Graph) Spend(thread int, place int32, now int64) {
	t := &g.threads[thread]
	if now > t.time {
		t.now.add(place, int32(thread), now-t.time)
		t.time = now
	}
}

// Mark returns the point at which the thread is.
func (g *Graph) Mark(thread int) Point {
	t := &g.threads[thread]
	if len(t.now.list) > 0 || t.last.time != t.time {
		n := g.node()
		n.prev, n.time, n.refs = t.last, t.time, 1
		n.vector, t.now = t.now, n.vector
		t.last = n // the thread's hold of the node before passes to n
		g.compact(n)
		g.compact(n.prev)
	}
	t.last.refs++
	return Point{t.last}
}

// compact makes the nodes before n part of n, as long as nobody else holds them.
func (g *Graph) compact(n *node) {
	for n != nil && n.prev != nil && n.prev.refs == 1 && n.prev.prev != nil {
		p := n.prev
		n.vector.absorb(&p.vector)
		n.prev = p.prev
		g.recycle(p)
	}
}

func (g *Graph) node() *node {
	n := g.unused
	if n == nil {
		n = &node{}
	} else {
		g.unused = n.prev
	}
	g.created++
	n.created = g.created
	return n
}

func (g *Graph) recycle(n *node) {
	n.vector.clear()
	n.prev, g.unused = g.unused, n
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

func (g *Graph) release(n *node) {
	for n != nil {
		if n.refs--; n.refs > 0 {
			return
		}
		prev := n.prev
		g.recycle(n)
		n = prev
	}
}

// Replace releases the point in p and stores another one there.
func (g *Graph) Replace(p *Point, other Point) {
	g.Release(*p)
	*p = other
}

// Waited reports whether a thread that goes on now has waited for a point: the point is later than
// all that the thread did itself.
func (g *Graph) Waited(thread int, now int64, on Point) bool {
	return on.n != nil && on.n.time > g.threads[thread].time && on.n.time <= now
}

// Wait notes that the thread goes on after it may have waited for a point. What is left of its time
// until now was spent at a place.
func (g *Graph) Wait(thread int, now int64, on Point, place int32) {
	if g.Waited(thread, now, on) {
		t := &g.threads[thread]
		on.n.refs++
		g.release(t.last)
		t.last, t.time = on.n, on.n.time
		t.now.clear()
	}
	g.Spend(thread, place, now)
}

// Rename gives what the thread did itself at one place since a time to another place.
func (g *Graph) Rename(thread int, since int64, from, to int32) {
	t := &g.threads[thread]
	t.now.move(int32(thread), from, to)
	for n := t.last; n != nil && n.time > since; n = n.prev {
		n.vector.move(int32(thread), from, to)
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
