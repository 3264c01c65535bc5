package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// chromeHead is how a file begins: so we know our own.
const chromeHead = `{"otherData":{"creator":"opari export"},"displayTimeUnit":"ns","traceEvents":[`

// Chrome writes what threads did as trace events in JSON, for Perfetto and chrome://tracing: a
// track for each thread, those of a rank of MPI together, with slices of the regions that it was
// in, one in the other, and in them of the states in which it waits; and an arrow for each message.
// It writes while the trace is read and keeps nothing but the slices that are open. A slice is two
// events: with one that has a duration, as a sum of floating-point numbers, neighbours would
// overlap in viewers that are strict. Its end repeats its name, by which some of them match the
// two.
//
// Two visits of a region with no time between them are one slice; a task that is executed at a
// barrier of a construct parts the construct's slice in two.
type Chrome struct {
	From, To int64 // what is written, in ns since the start of the trace; To 0: to its end

	w       *bufio.Writer
	err     error
	buf     []byte
	started bool
	start   int64 // ns on the clock of the trace
	threads []chromeThread
	sent    uint64 // messages
	regions map[*analysis.Path]regionText
	chain   []slice
}

// slice is a region, or a state for which there is none.
type slice struct {
	path  *analysis.Path // nil of a state
	state analysis.State // of a state
}

type chromeThread struct {
	open []slice
	last int64
	rank int
}

// NewChrome begins a file.
func NewChrome(w io.Writer) *Chrome {
	c := &Chrome{w: bufio.NewWriterSize(w, 1<<16), regions: map[*analysis.Path]regionText{}}
	_, c.err = c.w.WriteString(chromeHead)
	return c
}

// categories are the states as categories: no comma may stand there.
var categories = [analysis.NumStates]string{
	analysis.StateAbsent:  analysis.StateAbsent.String(),
	analysis.StateIdle:    analysis.StateIdle.String(),
	analysis.StateSerial:  analysis.StateSerial.String(),
	analysis.StateWork:    analysis.StateWork.String(),
	analysis.StateTask:    omp.KindTask.String(),
	analysis.StateFork:    "fork-join",
	analysis.StateBarrier: omp.KindBarrier.String(),
	analysis.StateMutex:   "mutex",
	analysis.StateTasks:   omp.KindTaskwait.String(),
	analysis.StateMPI:     omp.KindMPI.String(),
}

// colors are names of colours that chrome://tracing knows, of the states that are slices of their
// own.
var colors = [analysis.NumStates]string{
	analysis.StateIdle: "grey", analysis.StateSerial: "generic_work", analysis.StateFork: "olive",
	analysis.StateBarrier: "terrible",
	analysis.StateMutex:   "bad", analysis.StateTasks: "yellow",
}

// Interval writes what changes on a thread. It is for analysis.Options.Interval.
func (c *Chrome) Interval(i analysis.Interval) {
	if !c.started {
		c.started, c.start = true, i.From
	}
	i.From = max(i.From, c.start+c.From)
	if c.To > 0 {
		i.To = min(i.To, c.start+c.To)
	}
	if i.From >= i.To {
		return
	}
	for len(c.threads) <= i.Thread {
		c.threads = append(c.threads, chromeThread{})
	}
	t := &c.threads[i.Thread]
	t.rank = i.Rank
	chain := c.slices(i)
	same := 0
	for same < len(chain) && same < len(t.open) && chain[same] == t.open[same] {
		same++
	}
	c.end(i.Thread, same, i.From)
	t.open = append(t.open, chain[same:]...)
	for _, s := range chain[same:] {
		c.begin(i.Thread, i.From, s, i.State)
	}
	t.last = i.To
}

// slices are those that are open during an interval, the outermost first.
func (c *Chrome) slices(i analysis.Interval) []slice {
	c.chain = c.chain[:0]
	if i.State == analysis.StateAbsent {
		return c.chain
	}
	for q := i.Path; q.Parent != nil; q = q.Parent {
		c.chain = append(c.chain, slice{path: q})
	}
	slices.Reverse(c.chain)
	switch i.State {
	case analysis.StateWork, analysis.StateTask, analysis.StateMPI:
	case analysis.StateSerial:
		if len(c.chain) == 0 {
			c.chain = append(c.chain, slice{state: i.State})
		}
	default:
		if !i.Path.OnlyWaits() {
			c.chain = append(c.chain, slice{state: i.State})
		}
	}
	return c.chain
}

// event begins an event: what all have.
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

// appendMicroseconds appends ns as microseconds, without loss.
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

// put writes an event, which begins on a line of its own.
func (c *Chrome) put(b []byte) {
	c.buf = b
	if c.err == nil {
		_, c.err = c.w.Write(append(b, ",\n"...))
	}
}

// end ends the slices of a thread but the outermost keep, the innermost first.
func (c *Chrome) end(thread, keep int, now int64) {
	t := &c.threads[thread]
	for i := len(t.open) - 1; i >= keep; i-- {
		b := append(c.event('E', thread, now), `,"name":`...)
		if s := t.open[i]; s.path != nil {
			b = append(b, c.regions[s.path].name...)
		} else {
			b = append(append(append(b, '"'), s.state.String()...), '"')
		}
		c.put(append(b, '}'))
	}
	t.open = t.open[:keep]
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
		category := categories[analysis.StateWork]
		switch {
		case s.path.Kind == omp.KindMPI:
			category = categories[analysis.StateMPI]
		case s.path.Kind == omp.KindTask:
			category = categories[analysis.StateTask]
		case s.path.OnlyWaits():
			category = categories[state]
		}
		text = textOf(s.path.Region, category)
		c.regions[s.path] = text
	}
	c.put(append(append(append(b, text.name...), text.rest...), '}'))
}

// regionText is what events say of a region: its name, quoted, and what else its begin has.
type regionText struct{ name, rest []byte }

func textOf(g *analysis.Region, category string) regionText {
	name := g.Name
	if place := g.Place(); place != "" {
		name += " " + place
	}
	t := regionText{quoted(name), []byte(`,"cat":"` + category + `"`)}
	if g.File != "" {
		t.rest = append(append(t.rest, `,"args":{"file":`...), quoted(g.File)...)
		t.rest = append(strconv.AppendInt(append(t.rest, `,"line":`...), int64(g.Line), 10), '}')
	}
	return t
}

func quoted(s string) []byte {
	b, _ := json.Marshal(s) // a text is never refused
	return b
}

// Message writes an arrow from the slice that sends to the one that receives. It is for
// analysis.Options.Message.
func (c *Chrome) Message(m analysis.Message) {
	if !c.started {
		return
	}
	if from := m.Sent - c.start; from < c.From || c.To > 0 && m.Received-c.start > c.To {
		return
	}
	c.sent++
	tail := func(b []byte) []byte {
		b = append(strconv.AppendUint(append(b, `,"id":`...), c.sent, 10),
			`,"name":"message","cat":"message","args":{"tag":`...)
		b = append(strconv.AppendUint(b, uint64(m.Tag), 10), `,"bytes":`...)
		return append(strconv.AppendUint(b, uint64(m.Bytes), 10), "}}"...)
	}
	c.put(tail(c.eventOf('s', m.Sender, m.From, m.Sent)))
	c.put(tail(append(c.eventOf('f', m.Target, m.To, m.Received), `,"bp":"e"`...)))
}

// processName is what a rank is called.
func processName(r *analysis.Result, t *analysis.Thread) string {
	name := r.Program[strings.LastIndexByte(r.Program, '/')+1:] + " " + t.Process
	if t.Node != "" {
		name += " (" + t.Node + ")"
	}
	return name
}

// Finish ends what is open and names the threads, which are known when all is read.
func (c *Chrome) Finish(r *analysis.Result) error {
	for i := range c.threads {
		c.end(i, 0, c.threads[i].last)
	}
	meta := func(name string, rank, thread int, args string) {
		b := append(append(c.buf[:0], `{"ph":"M","pid":`+strconv.Itoa(rank+1)+`,"tid":`...),
			strconv.Itoa(thread)...)
		c.put(append(append(b, `,"name":"`+name+`","args":`...), args+"}"...))
	}
	var named []int
	for i, t := range r.Threads {
		rank := 0
		_, _ = fmt.Sscanf(t.Process, "rank %d", &rank) // where there is none, the one process
		meta("thread_name", rank, i+1, `{"name":`+string(quoted(t.Name))+`}`)
		meta("thread_sort_index", rank, i+1, `{"sort_index":`+strconv.Itoa(i)+`}`)
		if t.Process == "" || slices.Contains(named, rank) {
			continue
		}
		named = append(named, rank)
		if rank > 0 { // the first one is the file's last line
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
	if len(r.Threads) > 0 && r.Threads[0].Process != "" {
		first = processName(r, &r.Threads[0])
	}
	// The last one, behind which no comma stands.
	if _, err := c.w.WriteString(`{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":` +
		string(quoted(first)) + "}}\n]}\n"); err != nil {
		return err
	}
	return c.w.Flush()
}
