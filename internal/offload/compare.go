package offload

import (
	"fmt"
	"strings"
)

// Outcome is what a comparison has found.
type Outcome struct {
	Done     int      // what devices did that has to be told: copies to the host, kernels
	Told     int      // what a tool was told: operations on data and kernels
	Mistakes []string // what was told otherwise than it was, or was not told
}

type span struct {
	device     int
	at, host   uint64
	bytes      uint64
	told, gone bool
}

type comparison struct {
	Outcome
	block, to, from, within []*span
	run, submitted          int
}

// Compare holds what a tool was told against what the devices did. A log has lines of both, in the order of time; those of a tool begin with "told" and
// "in" or "out", of a construct, and follow what they tell of:
//
//	told in|out alloc|delete DEVICE ADDRESS BYTES
//	told in|out to|from DEVICE ADDRESS HOST BYTES
//	told in|out submit DEVICE
//
// The runtime copies and allocates for several variables at once, so that the bytes of an operation must lie in such a block; what is copied back is told as it was
// copied. An operation out of a construct may be several of the device's.
func Compare(log string) Outcome {
	c := &comparison{}
	for line := range strings.SplitSeq(log, "\n") {
		var what string
		if rest, told := strings.CutPrefix(line, "told "); told {
			c.told(rest)
			continue
		}
		s := &span{}
		switch n, _ := fmt.Sscan(line, &what); {
		case n == 0:
		case what == "alloc":
			_, _ = fmt.Sscan(line, &what, &s.device, &s.at, &s.bytes)
			c.block = append(c.block, s)
		case what == "free":
			_, _ = fmt.Sscan(line, &what, &s.device, &s.at)
			for _, b := range c.block {
				b.gone = b.gone || b.device == s.device && b.at == s.at
			}
		case what == "to":
			_, _ = fmt.Sscan(line, &what, &s.device, &s.at, &s.host, &s.bytes)
			c.to = append(c.to, s)
		case what == "from":
			_, _ = fmt.Sscan(line, &what, &s.device, &s.host, &s.at, &s.bytes)
			if s.bytes != 0 { // no operation
				c.from = append(c.from, s)
			}
		case what == "within":
			_, _ = fmt.Sscan(line, &what, &s.device, &s.at, &s.host, &s.bytes)
			c.within = append(c.within, s)
		case what == "run":
			c.run++
		}
	}
	for _, s := range c.from {
		c.Done++
		if !s.told {
			c.wrong("not told: from %d %#x %#x %d", s.device, s.host, s.at, s.bytes)
		}
	}
	c.Done += c.run
	if c.run != c.submitted {
		c.wrong("%d kernels ran, %d were told", c.run, c.submitted)
	}
	return c.Outcome
}

func (c *comparison) wrong(format string, args ...any) {
	c.Mistakes = append(c.Mistakes, fmt.Sprintf(format, args...))
}

func (c *comparison) told(line string) {
	var where, what string
	s := span{}
	_, _ = fmt.Sscan(line, &where, &what, &s.device, &s.at)
	c.Told++
	found := false
	switch what {
	case "submit":
		c.submitted++
		found = true
	case "alloc", "delete":
		_, _ = fmt.Sscan(line, &where, &what, &s.device, &s.at, &s.bytes)
		for _, b := range c.block {
			found = found || s.in(b) && (what == "delete" || !b.gone)
		}
	case "to":
		_, _ = fmt.Sscan(line, &where, &what, &s.device, &s.at, &s.host, &s.bytes)
		found = c.copied(c.to, &s, where == "in") || c.copied(c.within, &s, false)
	case "from":
		_, _ = fmt.Sscan(line, &where, &what, &s.device, &s.at, &s.host, &s.bytes)
		found = c.copied(c.from, &s, false)
	}
	if !found {
		c.wrong("told and not done: %s", line)
	}
}

func (s *span) in(b *span) bool {
	return s.device == b.device && s.at >= b.at && s.at+s.bytes <= b.at+b.bytes && s.at != 0
}

// copied marks the copies that make up one that is told: with part, one of which it is a part, else all from the same addresses on that have as many
// bytes.
func (c *comparison) copied(of []*span, s *span, part bool) bool {
	for i := len(of) - 1; i >= 0; i-- {
		switch {
		case part && s.in(of[i]):
			of[i].told = true
			return true
		case part || of[i].told || of[i].device != s.device || of[i].at != s.at || of[i].host != s.host:
			continue
		}
		sum := uint64(0)
		for j := i; j < len(of) && sum < s.bytes; j++ {
			of[j].told = true
			sum += of[j].bytes
		}
		return sum == s.bytes
	}
	return false
}
