package recording

import (
	"fmt"

	"opari/otf"
)

// clock converts ticks to ns since the start of the process or the world.
type clock struct {
	start   uint64
	startNS uint64  // the monotonic clock at the start, ns
	length  float64 // of a tick, ns
	zero    float64 // value at the start, ns
	ahead   float64 // lead of rank 0's clock at the start, ns
	drift   float64 // growth of that lead per ns
}

func (p *Process) clock() clock {
	c := clock{start: p.start.ticks, startNS: p.start.ns, length: 1}
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
	return c.after(float64(ticks-c.start) * c.length)
}

// monotonic converts a time of the system's monotonic clock, which the kernel's notes have.
func (c *clock) monotonic(ns uint64) uint64 { return c.after(float64(int64(ns - c.startNS))) }

// after returns the time that lies some ns after the start.
func (c *clock) after(since float64) uint64 {
	if at := c.zero + c.ahead + since*(1+c.drift); at > 0 {
		return uint64(min(at, latest))
	}
	return 0
}
