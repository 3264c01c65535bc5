package graph

// node is a point of a chain.
type node struct {
	prev *node
	// refs are the holds of it: of threads, points and the nodes after it, of which there are so
	// many. all is the exclusive or of the numbers of these nodes, so of a single one it is the
	// number.
	refs, after int32
	all, number uint32
	cut         int32  // its number in the log; 0: it is not there
	created     uint64 // nodes are created after those before them in the chain
	real        int64  // when it was
	time        int64  // when it would be with a change
	ideal       int64  // the time on a network that transfers in no time; only of joined logs
	vector             // from prev to here
}

// nodes are the nodes of a graph. A node that only one other node holds becomes part of that.
type nodes struct {
	list    []*node // by number
	unused  *node   // a list by prev
	created uint64
	freed   func(cut int32) // nil: there is no log
}

// root returns the first node, which the caller holds. It is never merged.
func (g *nodes) root(time int64) *node {
	n := g.node()
	n.real, n.time, n.refs = time, time, 1
	return n
}

func (g *nodes) node() *node {
	n := g.unused
	if n == nil {
		n = &node{number: uint32(len(g.list))}
		g.list = append(g.list, n)
	} else {
		g.unused = n.prev
	}
	g.created++
	n.created, n.prev = g.created, nil
	return n
}

// nodeAfter returns a new node after another one, which the caller holds. It takes one hold of the
// node before, and the entries.
func (g *nodes) nodeAfter(prev *node, entries *vector, real, time int64) *node {
	n := g.node()
	n.prev, n.real, n.time, n.refs = prev, real, time, 1
	n.vector, *entries = *entries, n.vector
	prev.after++
	prev.all ^= n.number
	g.merge(prev)
	return n
}

// merge makes a node part of the one after it, if nobody else holds it. Nodes of the log only
// become part of others in the log, because those after them name them.
func (g *nodes) merge(p *node) {
	if p.refs != 1 || p.after != 1 || p.prev == nil {
		return
	}
	n := g.list[p.all]
	if p.cut != 0 && n.cut == 0 {
		return
	}
	n.vector.absorb(&p.vector)
	n.prev = p.prev
	n.prev.all ^= p.number ^ n.number
	p.after, p.all = 0, 0
	g.recycle(p)
	// What all chains have in common may be long, because it is there once.
	if len(n.vector.list) > longPiece && n.prev.prev != nil {
		n.fold(longPiece / 2)
	}
}

// longPiece is how many entries a piece of a chain may have. Of a longer one, the threads of the
// shortest times are forgotten.
const longPiece = 128

func (g *nodes) recycle(n *node) {
	if n.cut != 0 {
		g.freed(n.cut)
		n.cut = 0
	}
	n.vector.clear()
	n.refs = 0
	n.prev, g.unused = g.unused, n
}

func (g *nodes) release(n *node) {
	for n != nil {
		if n.refs--; n.refs > 0 {
			g.merge(n)
			return
		}
		prev := n.prev
		if prev != nil {
			prev.after--
			prev.all ^= n.number
		}
		g.recycle(n)
		n = prev
	}
}

func hold(n *node) *node {
	if n != nil {
		n.refs++
	}
	return n
}
