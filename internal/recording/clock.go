package recording

import (
	"fmt"

	"opari/otf"
)

// clock converts ticks to ns since the start of the process or the world.
type clock struct {
	start  uint64
	length float64 // of a tick, ns
	zero   float64 // value at the start, ns
	ahead  float64 // lead of rank 0's clock at the start, ns
	drift  float64 // growth of that lead per ns
}

func (p *Process) clock() clock {
	c := clock{start: p.start.ticks, length: 1}
	if p.tsc && p.end.ticks > p.start.ticks {
		c.length = float64(p.end.ns-p.start.ns) / float64(p.end.ticks-p.start.ticks)
	}
	return c
}

// latest is the greatest time in a trace, ns. A damaged recording may have any time, and sums of
// times must not overflow.
const latest = 1 << 62

// eventCost returns the time that recording an event takes, in ns; 0: unknown.
func (p *Process) eventCost() uint64 {
	if p.cost == 0 {
		return 0
	}
	return max(1, uint64(float64(p.cost)*p.clock().length/costEvents+0.5))
}

// costComment writes the cost of an event into the trace as a comment.
func costComment(w *otf.WStream, cost uint64) error {
	if cost == 0 {
		return nil
	}
	return w.WriteDefinitionComment(fmt.Sprintf("event cost: %d ns", cost))
}

func (c *clock) ns(ticks uint64) uint64 {
	if ticks < c.start {
		return 0
	}
	since := float64(ticks-c.start) * c.length
	if at := c.zero + c.ahead + since*(1+c.drift); at > 0 {
		return uint64(min(at, latest))
	}
	return 0
}
