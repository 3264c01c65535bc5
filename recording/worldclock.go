package recording

import "math"

// clocks gives each process of the world one that turns its ticks into ns since the world began: what a tick is worth is found out by what both
// clocks said on a node over the longest time, so that the processes of a node have one clock; between nodes the offsets that MPI has measured are
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
			// Offsets are measured in whole worlds' times; what is added is kept small, for the sake of precision.
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

// crossing is an end of a message in a world of several nodes.
type crossing struct {
	time    uint64
	channel channel
	receive bool
	index   int // among the receives of the thread
	thread  int // of the process
}

// channel is what messages overtake each other in never.
type channel struct {
	group    uint32
	from, to int // ranks of the world
	tag      uint64
}

// floors finds the receives that would come before their sends by the error of the clocks, and when they may be at the earliest: one ns behind the
// send. events are the crossings of each process, in the order of time. What a process does behind such a receive is not earlier than that either, so
// a send can be late, too; this goes on until nothing has to be moved.
func floors(events [][]crossing) []map[[2]int]uint64 {
	moved := make([]map[[2]int]uint64, len(events))
	sends := map[channel][]uint64{}
	next := make([]int, len(events))
	now := make([]uint64, len(events))
	for progress := true; progress; {
		progress = false
		for i, list := range events {
			for next[i] < len(list) {
				e := &list[next[i]]
				at := max(e.time, now[i])
				if e.receive {
					queue := sends[e.channel]
					if len(queue) == 0 {
						break
					}
					sends[e.channel] = queue[1:]
					if queue[0] >= at {
						at = queue[0] + 1
						if moved[i] == nil {
							moved[i] = map[[2]int]uint64{}
						}
						moved[i][[2]int{e.thread, e.index}] = at
					}
				} else {
					sends[e.channel] = append(sends[e.channel], at)
				}
				now[i] = at
				next[i]++
				progress = true
			}
		}
		if !progress { // a receive whose send was lost: it stays where it is, and what is behind it goes on
			for i, list := range events {
				if next[i] < len(list) {
					now[i] = max(now[i], list[next[i]].time)
					next[i]++
					progress = true
					break
				}
			}
		}
	}
	return moved
}
