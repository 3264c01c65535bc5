package recording

import "math"

// clocks gives each process of the world one that turns its ticks into ns since the world began:
// what a tick is worth is found out by what both clocks said on a node over the longest time, so
// that the processes of a node have one clock; between nodes the offsets that MPI has measured are
// interpolated, and are continued before the first and behind the last.
func (w *world) clocks() map[*Process]clock {
	type node struct {
		start, end reading
		tsc        bool
	}
	nodes := map[int]*node{}
	for _, p := range w.processes {
		n := nodes[p.mpi.Node]
		if n == nil {
			n = &node{start: p.start, end: p.end, tsc: p.tsc}
			nodes[p.mpi.Node] = n
		}
		if p.start.ns < n.start.ns {
			n.start = p.start
		}
		if p.end.ns > n.end.ns {
			n.end = p.end
		}
	}
	all := map[*Process]clock{}
	begin := math.Inf(1)
	for _, p := range w.processes {
		n := nodes[p.mpi.Node]
		c := clock{start: n.start.ticks, length: 1, zero: float64(n.start.ns)}
		if n.tsc && n.end.ticks > n.start.ticks {
			c.length = float64(n.end.ns-n.start.ns) / float64(n.end.ticks-n.start.ticks)
		}
		if k := p.mpi.clocks; len(k) > 0 {
			first, last := k[0], k[len(k)-1]
			if last.NS > first.NS {
				c.drift = float64(last.Ahead-first.Ahead) / float64(last.NS-first.NS)
			}
			// Offsets are measured in whole worlds' times; what is added is kept small, for the
			// sake of precision.
			c.ahead = float64(first.Ahead) + c.drift*(float64(n.start.ns)-float64(first.NS))
		}
		all[p] = c
		begin = min(begin, c.zero+c.ahead+float64(p.start.ticks-c.start)*c.length)
	}
	for p, c := range all {
		c.zero -= begin
		all[p] = c
	}
	return all
}
