package offload

import (
	"fmt"
	"strings"
)

// Outcome is the result of a comparison.
type Outcome struct {
	Done     int      // device operations that a tool must get: copies to the host, kernels
	Reported int      // events that a tool got: data operations and kernels
	Mistakes []string // events that are wrong or missing
}

type span struct {
	device         int
	at, host       uint64
	bytes          uint64
	reported, gone bool
}

// These are the copies in a log: to a device, and from it.
const (
	copyTo   = "to"
	copyFrom = "from"
)

type comparison struct {
	Outcome
	block, to, from, within []*span
	run, submitted          int
}

// Compare compares the events that a tool got with the operations of the devices. A log has lines
// of both, in the order of time. A tool's lines begin with "reported"; "in" and "out" say whether
// the event belongs to a construct. A tool's line comes after the device's line for the same
// operation:
//
//	reported in|out alloc|delete DEVICE ADDRESS BYTES
//	reported in|out to|from DEVICE ADDRESS HOST BYTES
//	reported in|out submit DEVICE
//
// The runtime copies and allocates for several variables at once, so the bytes of an operation
// must lie in such a block. A copy back has one event with exactly its bytes. An operation
// outside a construct may stand for several of the device's.
func Compare(log string) Outcome {
	c := &comparison{}
	for line := range strings.SplitSeq(log, "\n") {
		var what string
		if rest, ok := strings.CutPrefix(line, "reported "); ok {
			c.reported(rest)
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
		case what == copyTo:
			_, _ = fmt.Sscan(line, &what, &s.device, &s.at, &s.host, &s.bytes)
			c.to = append(c.to, s)
		case what == copyFrom:
			_, _ = fmt.Sscan(line, &what, &s.device, &s.host, &s.at, &s.bytes)
			if s.bytes != 0 { // an empty copy is no operation
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
		if !s.reported {
			c.wrong("not reported: from %d %#x %#x %d", s.device, s.host, s.at, s.bytes)
		}
	}
	c.Done += c.run
	if c.run != c.submitted {
		c.wrong("%d kernels ran, %d were reported", c.run, c.submitted)
	}
	return c.Outcome
}

func (c *comparison) wrong(format string, args ...any) {
	c.Mistakes = append(c.Mistakes, fmt.Sprintf(format, args...))
}

func (c *comparison) reported(line string) {
	var where, what string
	s := span{}
	_, _ = fmt.Sscan(line, &where, &what, &s.device, &s.at)
	c.Reported++
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
	case copyTo:
		_, _ = fmt.Sscan(line, &where, &what, &s.device, &s.at, &s.host, &s.bytes)
		found = c.copied(c.to, &s, where == "in") || c.copied(c.within, &s, false)
	case copyFrom:
		_, _ = fmt.Sscan(line, &where, &what, &s.device, &s.at, &s.host, &s.bytes)
		found = c.copied(c.from, &s, false)
	}
	if !found {
		c.wrong("reported and not done: %s", line)
	}
}

func (s *span) in(b *span) bool {
	return s.device == b.device && s.at >= b.at && s.at+s.bytes <= b.at+b.bytes && s.at != 0
}

// copied marks the device's copies that make up the copy that a tool got. With part it is the one
// that contains the tool's copy, else those from the same addresses with as many bytes in total.
func (c *comparison) copied(of []*span, s *span, part bool) bool {
	for i := len(of) - 1; i >= 0; i-- {
		switch {
		case part && s.in(of[i]):
			of[i].reported = true
			return true
		case part || of[i].reported || of[i].device != s.device || of[i].at != s.at ||
			of[i].host != s.host:
			continue
		}
		sum := uint64(0)
		for j := i; j < len(of) && sum < s.bytes; j++ {
			of[j].reported = true
			sum += of[j].bytes
		}
		return sum == s.bytes
	}
	return false
}
