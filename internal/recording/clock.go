package recording

import (
	"fmt"

	"opari/otf"
)

// clock converts ticks to ns since the start of the process.
type clock struct {
	start  uint64
	length float64 // of a tick, ns
	zero   float64 // what it says at the start, ns
	ahead  float64 // that of the world's rank 0 is so much ahead at the start, ns
	drift  float64 // and so much more each ns
}

func (p *Process) clock() clock {
	c := clock{start: p.start.ticks, length: 1}
	if p.tsc && p.end.ticks > p.start.ticks {
		c.length = float64(p.end.ns-p.start.ns) / float64(p.end.ticks-p.start.ticks)
	}
	return c
}

// latest is the greatest time of a trace, ns. That of a damaged recording would be any number, and
// sums of times need room.
const latest = 1 << 62

// eventCost is what recording an event takes, in ns; 0: it is not known.
func (p *Process) eventCost() uint64 {
	if p.cost == 0 {
		return 0
	}
	return max(1, uint64(float64(p.cost)*p.clock().length/costEvents+0.5))
}

// costComment is how a trace says it.
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
