package recording

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"opari/internal/report/profile"
)

// These are the place and size of the block, in a process's first page, that says what was not
// recorded (ompt_bridge/src/recording/left_out.h).
const (
	leftOutBytes = 512
	leftOutAt    = metaBytes - identityBytes - leftOutBytes
)

// LeftOut says what was not recorded of a process. If measurement is off, it stays off until the
// end.
type leftOut struct {
	profile.LeftOut
	functions uint64 // switched off; each has a line
	since     uint64 // start of the time without measurement, ns; 0: measurement is on
}

func readLeftOut(page []byte) leftOut {
	text := page[leftOutAt : leftOutAt+leftOutBytes]
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(text[8*i:]) }
	var l leftOut
	if id := word(2); id != 0 {
		l.Filter = &profile.Filter{
			Rules: word(0), Minimum: word(1), Regions: word(3),
			ID: fmt.Sprintf("%016x", id),
		}
	}
	l.Off, l.OffTime, l.since = word(4), word(5), word(6)
	l.functions = word(leftOutBytes/8 - 1)
	options := text[56 : leftOutBytes-8]
	l.Disabled = profile.LeftOutOptions(string(options[:max(bytes.IndexByte(options, 0), 0)]))
	return l
}

// offRow is the line of a process's file about a function that was switched off.
type offRow struct {
	Off   int    `json:"off"`
	Calls uint64 `json:"calls"`
}

// readOff reads which functions were switched off.
func (p *Process) readOff(r *bufio.Reader) error {
	var functions profile.LeftOut
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		var row offRow
		if !bytes.HasPrefix(line, []byte(`{"off":`)) || json.Unmarshal(line, &row) != nil ||
			row.Off <= 0 || row.Off >= len(p.regions) || p.regions[row.Off] == nil {
			continue
		}
		q := p.regions[row.Off]
		functions.Functions = append(functions.Functions, profile.OffFunction{
			Name: q.SubName, File: q.File, Line: q.Begin[0], Calls: row.Calls,
		})
	}
	several := p.left.Several
	p.left.Join(&functions)
	p.left.Several = several
	return nil
}

// until returns what was left out of a process that ended at that time.
func (l leftOut) until(end uint64) profile.LeftOut {
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
