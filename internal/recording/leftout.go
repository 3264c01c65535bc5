package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"opari/internal/report"
)

// These are the place and size of the block, in a process's first page, that says what was not
// recorded (ompt_bridge/src/recording/left_out.h).
const (
	leftOutBytes = 512
	leftOutAt    = metaBytes - identityBytes - leftOutBytes
)

// leftOut says what was not recorded of a process. If measurement is off, it stays off until the
// end.
type leftOut struct {
	report.LeftOut
	since uint64 // start of the time without measurement, ns; 0: measurement is on
}

func readLeftOut(page []byte) leftOut {
	text := page[leftOutAt : leftOutAt+leftOutBytes]
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(text[8*i:]) }
	var l leftOut
	if id := word(2); id != 0 {
		l.Filter = &report.Filter{
			Rules: word(0), Minimum: word(1), Regions: word(3),
			ID: fmt.Sprintf("%016x", id),
		}
	}
	l.Off, l.OffTime, l.since = word(4), word(5), word(6)
	options := text[56:]
	l.Disabled = report.LeftOutOptions(string(options[:max(bytes.IndexByte(options, 0), 0)]))
	return l
}

// until returns what was left out of a process that ended at that time.
func (l leftOut) until(end uint64) report.LeftOut {
	if l.since != 0 {
		l.OffTime += max(end, l.since) - l.since
	}
	return l.LeftOut
}

// notes returns the comments of a trace that say what it lacks of a process.
func (p *Process) notes() []string {
	left := p.left.until(p.end.ns)
	all := left.Comments()
	if p.Lost > 0 {
		text := fmt.Sprintf("lost: %d events", p.Lost)
		if p.Failure != 0 {
			text += " (" + p.Failure.Error() + ")"
		}
		all = append(all, text)
	}
	return all
}
