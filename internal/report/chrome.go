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

// chromeHead is the beginning of every file that Chrome writes. Exported recognizes files by
// it.
const chromeHead = `{"otherData":{"creator":"opari export"},"displayTimeUnit":"ns","traceEvents":[`

// Chrome writes what threads did as trace events in JSON, for Perfetto and chrome://tracing.
// Each thread is a track, and the tracks of an MPI rank are together. A track has nested slices
// for the thread's regions, and inside them slices for the states in which it waits. An arrow
// stands for each message.
//
// Chrome writes while the trace is being read and keeps only the open slices. A slice is two
// events, not one with a duration: strict viewers add times as floating-point numbers, so
// neighbours would overlap. The end event repeats the name, because some viewers match the two
// by it.
//
// Two visits of a region with no time between them are one slice. A task that a thread executes
// at a construct's barrier splits the construct's slice in two.
type Chrome struct {
	From, To int64 // the range to write, in ns since the start of the trace; To 0: to its end

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

// slice is a region, or a state that belongs to no region.
type slice struct {
	path  *analysis.Path // nil for a state
	state analysis.State // for a state only
}

type chromeThread struct {
	open []slice
	last int64
	rank int
}

// NewChrome returns a Chrome that has written the beginning of its file to w.
func NewChrome(w io.Writer) *Chrome {
	c := &Chrome{w: bufio.NewWriterSize(w, 1<<16), regions: map[*analysis.Path]regionText{}}
	_, c.err = c.w.WriteString(chromeHead)
	return c
}

// categories gives each state a name without a comma, which would separate two categories.
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

	analysis.StatePreempted: analysis.StatePreempted.String(),
	analysis.StateBlocked:   analysis.StateBlocked.String(),
}

// colors gives colour names that chrome://tracing knows, for states with slices of their own.
var colors = [analysis.NumStates]string{
	analysis.StateIdle: "grey", analysis.StateSerial: "generic_work", analysis.StateFork: "olive",
	analysis.StateBarrier: "terrible",
	analysis.StateMutex:   "bad", analysis.StateTasks: "yellow",
	analysis.StatePreempted: "black", analysis.StateBlocked: "black",
}

// Interval writes the changes on a thread. It fits analysis.Options.Interval.
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

// slices returns the slices that are open during an interval, outermost first.
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
		if !i.Path.OnlyWaits() || i.State == analysis.StatePreempted {
			c.chain = append(c.chain, slice{state: i.State})
		}
	}
	return c.chain
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

// end closes all slices of a thread except the outermost keep, innermost first.
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

// regionText is a region in JSON: its quoted name, and the other fields of its begin event.
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
	b, _ := json.Marshal(s) // Marshal never fails for a string
	return b
}

// Message writes an arrow from the sending slice to the receiving one. It fits
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

// processName returns the name of a rank.
func processName(r *analysis.Result, t *analysis.Thread) string {
	name := r.Program[strings.LastIndexByte(r.Program, '/')+1:] + " " + t.Process
	if t.Node != "" {
		name += " (" + t.Node + ")"
	}
	return name
}

// Finish closes the open slices and names the threads, which are known only after the last
// event.
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
		_, _ = fmt.Sscanf(t.Process, "rank %d", &rank) // without a rank, the single process is 0
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
	if len(r.Threads) > 0 && r.Threads[0].Process != "" {
		first = processName(r, &r.Threads[0])
	}
	// This is the last event, so no comma follows it.
	if _, err := c.w.WriteString(`{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":` +
		string(quoted(first)) + "}}\n]}\n"); err != nil {
		return err
	}
	return c.w.Flush()
}
