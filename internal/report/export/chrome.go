package export

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// chromeHead is the beginning of every file that Chrome writes. Exported recognizes files by
// it.
const chromeHead = `{"otherData":{"creator":"opari export"},"displayTimeUnit":"ns","traceEvents":[`

// Chrome writes what threads did as trace events in JSON, for Perfetto and chrome://tracing.
// Each thread is a track, and the tracks of an MPI rank are together. A track has the slices of
// tracks. An arrow stands for each message.
//
// A slice is two events, not one with a duration: strict viewers add times as floating-point
// numbers, so neighbours would overlap. The end event repeats the name, because some viewers
// match the two by it.
type Chrome struct {
	tracks

	w       *bufio.Writer
	err     error
	buf     []byte
	sent    uint64 // messages
	regions map[*analysis.Path]regionText
}

// NewChrome returns a Chrome that has written the beginning of its file to w.
func NewChrome(w io.Writer) *Chrome {
	c := &Chrome{w: bufio.NewWriterSize(w, 1<<16), regions: map[*analysis.Path]regionText{}}
	c.out = c
	_, c.err = c.w.WriteString(chromeHead)
	return c
}

// colors gives colour names that chrome://tracing knows, for states with slices of their own.
var colors = [analysis.NumStates]string{
	analysis.StateIdle: "grey", analysis.StateSerial: "generic_work", analysis.StateFork: "olive",
	analysis.StateBarrier: "terrible",
	analysis.StateMutex:   "bad", analysis.StateTasks: "yellow",
	analysis.StatePreempted: "black", analysis.StateBlocked: "black",
}

// event begins an event with the fields that all events have.
func (c *Chrome) event(phase byte, thread int, now int64) []byte {
	return c.eventOf(phase, c.threads[thread].rank, thread, now)
}

func (c *Chrome) eventOf(phase byte, rank, thread int, now int64) []byte {
	b := append(c.buf[:0], `{"ph":"`...)
	b = append(append(b, phase), `","pid":`...)
	b = append(strconv.AppendInt(b, int64(rank)+1, 10), `,"tid":`...)
	b = strconv.AppendInt(b, int64(thread)+1, 10)
	return appendMicroseconds(append(b, `,"ts":`...), now-c.start)
}

// appendMicroseconds appends ns as microseconds without loss of precision.
func appendMicroseconds(b []byte, ns int64) []byte {
	if ns < 0 {
		b, ns = append(b, '-'), -ns
	}
	b = strconv.AppendInt(b, ns/1000, 10)
	if part := ns % 1000; part > 0 {
		b = append(b, '.', byte('0'+part/100), byte('0'+part/10%10), byte('0'+part%10))
	}
	return b
}

// put writes an event on its own line.
func (c *Chrome) put(b []byte) {
	c.buf = b
	if c.err == nil {
		_, c.err = c.w.Write(append(b, ",\n"...))
	}
}

func (c *Chrome) end(thread int, now int64, s slice) {
	b := append(c.event('E', thread, now), `,"name":`...)
	if s.path != nil {
		b = append(b, c.regions[s.path].name...)
	} else {
		b = append(append(append(b, '"'), s.state.String()...), '"')
	}
	c.put(append(b, '}'))
}

func (c *Chrome) begin(thread int, now int64, s slice, state analysis.State) {
	b := append(c.event('B', thread, now), `,"name":`...)
	if s.path == nil {
		b = append(append(append(b, '"'), s.state.String()...), '"')
		b = append(append(b, `,"cat":"`...), categories[s.state]...)
		b = append(append(b, `","cname":"`...), colors[s.state]...)
		c.put(append(b, `"}`...))
		return
	}
	text, known := c.regions[s.path]
	if !known {
		text = textOf(s.path.Region, categories[category(s.path, state)])
		c.regions[s.path] = text
	}
	c.put(append(append(append(b, text.name...), text.rest...), '}'))
}

// regionText is a region in JSON: its quoted name, and the other fields of its begin event.
type regionText struct{ name, rest []byte }

func textOf(g *analysis.Region, category string) regionText {
	t := regionText{quoted(sliceName(g)), []byte(`,"cat":"` + category + `"`)}
	if g.File != "" {
		t.rest = append(append(t.rest, `,"args":{"file":`...), quoted(g.File)...)
		t.rest = append(strconv.AppendInt(append(t.rest, `,"line":`...), int64(g.Line), 10), '}')
	}
	return t
}

func quoted(s string) []byte {
	b, _ := json.Marshal(s) // Marshal never fails for a string
	return b
}

// Message writes an arrow from the sending slice to the receiving one. It fits
// analysis.Options.Message.
func (c *Chrome) Message(m analysis.Message) {
	if !c.within(m.Sent, m.Received) {
		return
	}
	c.sent++
	tail := func(b []byte) []byte {
		b = append(strconv.AppendUint(append(b, `,"id":`...), c.sent, 10),
			`,"name":"`+messageText+`","cat":"`+messageText+`","args":{"tag":`...)
		b = append(strconv.AppendUint(b, uint64(m.Tag), 10), `,"bytes":`...)
		return append(strconv.AppendUint(b, uint64(m.Bytes), 10), "}}"...)
	}
	c.put(tail(c.eventOf('s', m.Sender, m.From, m.Sent)))
	c.put(tail(append(c.eventOf('f', m.Target, m.To, m.Received), `,"bp":"e"`...)))
}

// Finish closes the open slices and names the threads, which are known only after the last
// event.
func (c *Chrome) Finish(r *analysis.Result) error {
	c.closeAll()
	meta := func(name string, rank, thread int, args string) {
		b := append(append(c.buf[:0], `{"ph":"M","pid":`+strconv.Itoa(rank+1)+`,"tid":`...),
			strconv.Itoa(thread)...)
		c.put(append(append(b, `,"name":"`+name+`","args":`...), args+"}"...))
	}
	var named []int
	for i, t := range r.Threads {
		rank := rankOf(&t)
		meta("thread_name", rank, i+1, `{"name":`+string(quoted(t.Name))+`}`)
		meta("thread_sort_index", rank, i+1, `{"sort_index":`+strconv.Itoa(i)+`}`)
		if t.Process == "" || slices.Contains(named, rank) {
			continue
		}
		named = append(named, rank)
		if rank > 0 { // rank 0 is the last line of the file
			meta("process_name", rank, 0, `{"name":`+string(quoted(processName(r, &t)))+`}`)
		}
		meta("process_sort_index", rank, 0, `{"sort_index":`+strconv.Itoa(rank)+`}`)
	}
	if notes := r.Notes(); len(notes) > 0 {
		meta("process_labels", 0, 0, `{"labels":`+string(quoted(strings.Join(notes, "; ")))+`}`)
	}
	if c.err != nil {
		return c.err
	}
	first := r.Program
	if len(r.Threads) > 0 {
		first = processName(r, &r.Threads[0])
	}
	// This is the last event, so no comma follows it.
	if _, err := c.w.WriteString(`{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":` +
		string(quoted(first)) + "}}\n]}\n"); err != nil {
		return err
	}
	return c.w.Flush()
}
