package recording

import "math"

// clocks returns for each process a clock that turns its ticks into ns since the world began. The
// processes of a node have one clock. The length of its tick comes from the readings that are
// farthest apart on that node. Between nodes, the offsets that MPI has measured are interpolated;
// before the first and after the last they are extrapolated.
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
		c := clock{
			start: n.start.ticks, startNS: n.start.ns, length: 1, zero: float64(n.start.ns),
		}
		if n.tsc && n.end.ticks > n.start.ticks {
			c.length = float64(n.end.ns-n.start.ns) / float64(n.end.ticks-n.start.ticks)
		}
		if k := p.mpi.clocks; len(k) > 0 {
			first, last := k[0], k[len(k)-1]
			if last.NS > first.NS {
				c.drift = float64(last.Ahead-first.Ahead) / float64(last.NS-first.NS)
			}
			// All times are relative to the start of the node's recording. So the terms stay
			// small and a float64 keeps their precision.
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
