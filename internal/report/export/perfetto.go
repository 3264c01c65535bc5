package export

import (
	"compress/zlib"
	"encoding/binary"
	"io"
	"strings"

	"opari/internal/analysis"
)

// These are the field numbers of the messages in Perfetto's trace_packet.proto and in what it
// imports.
const (
	tracePacket                                                      = 1
	packetClockSnapshot, packetTimestamp, packetSequence             = 6, 8, 10
	packetTrackEvent, packetInterned, packetFlags, packetCompressed  = 11, 12, 13, 50
	packetDefaults, packetDescriptor                                 = 59, 60
	snapshotClock, clockID, clockTimestamp, clockIncremental         = 1, 1, 2, 3
	defaultClock, defaultEvent, defaultTrack                         = 58, 11, 11
	internedCategory, internedName, internedArgument, internedSource = 1, 2, 3, 4
	internedIID, internedText, sourceFile, sourceLine                = 1, 2, 2, 4
	eventCategory, eventArgument, eventType, eventName, eventTrack   = 3, 4, 9, 10, 11
	eventCounter, eventSource, eventFlow, eventFlowEnd               = 30, 34, 47, 48
	argumentName, argumentUint                                       = 1, 3
	trackUUID, trackName, trackProcess, trackThread                  = 1, 2, 3, 4
	trackParent, trackCounter, counterUnit                           = 5, 8, 3
	processID, processOrder, processText, processLabel               = 1, 3, 6, 8
	threadProcess, threadID, threadOrder, threadText                 = 1, 2, 3, 5
)

// These are values of enumerations of the same files.
const (
	sliceBegin, sliceEnd, instant, counterValue = 1, 2, 3, 4
	stateCleared, needsState                    = 1, 2
	bootTime                                    = 6  // the clock of traces
	ownClock                                    = 64 // the first number of a sequence's own clocks
	unitCount                                   = 2
)

// perfettoBatch is how many bytes of packets are compressed together. Readers accept up to 512 KB
// of compressed ones.
const perfettoBatch = 256 << 10

// Perfetto writes what threads did in Perfetto's own format, with the slices of tracks. Each
// thread is a sequence of packets: its times are differences, and it numbers names when they
// first appear. Another sequence, 1, has the messages, values of counters, and names of tracks.
type Perfetto struct {
	tracks

	w     io.Writer
	err   error
	batch message      // packets that are not compressed yet
	other message      // the batch that another goroutine compresses and writes, or has written
	done  chan error   // gets what became of it
	busy  bool         // it will
	z     *zlib.Writer // the other goroutine's, as the next two
	zipped,
	buf message

	sequences []sequence
	ends      message  // the rest of the packet that ends a slice
	begins    [][]byte // by name: the rest of the packet that begins a slice
	sent      uint64   // messages
	counters  map[counterOf]int
}

// sequence is the packets of a thread.
type sequence struct {
	begun bool
	head  message // the fields that the sequence's packets have after the time
	last  int64   // time of the last packet, since the start of the trace
	known []bool  // by name: the sequence has it
}

// CounterOf is the track of a thread's counter.
type counterOf struct {
	thread int
	name   string
}

// perfettoHead is the beginning of every file that Perfetto writes: the names that the first
// sequence uses, which are the same in each file. Exported recognizes files by it.
var perfettoHead = string(message(nil).bytes(tracePacket, message(nil).
	field(packetSequence, 1).field(packetFlags, stateCleared).
	bytes(packetInterned, internedEntry(internedName, 1, messageText).
		append(internedEntry(internedCategory, 1, messageText)).
		append(internedEntry(internedArgument, 1, "tag")).
		append(internedEntry(internedArgument, 2, "bytes")))))

func internedEntry(kind, iid int, text string) message {
	return message(nil).bytes(kind,
		message(nil).field(internedIID, uint64(iid)).bytes(internedText, []byte(text)))
}

// NewPerfetto returns a Perfetto that has written the beginning of its file to w.
func NewPerfetto(w io.Writer) *Perfetto {
	p := &Perfetto{w: w, counters: map[counterOf]int{}, done: make(chan error, 1)}
	p.out = p
	p.z, p.err = zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	p.ends = message(nil).bytes(packetTrackEvent, message(nil).field(eventType, sliceEnd))
	if p.err == nil {
		_, p.err = io.WriteString(w, perfettoHead)
	}
	return p
}

// Threads, processes and counters have numbers of their own for their tracks.
func threadUUID(thread int) uint64   { return 3*uint64(thread) + 1 }
func processUUID(rank int) uint64    { return 3*uint64(rank) + 2 }
func counterUUID(counter int) uint64 { return 3*uint64(counter) + 3 }

// packet adds a packet with all its fields.
func (p *Perfetto) packet(m message) {
	p.batch = p.batch.bytes(tracePacket, m)
	p.flushFull()
}

// event adds a packet of a thread's sequence, of which event is the rest after its head. Such a
// packet is shorter than 128 bytes, so its length is one byte.
func (p *Perfetto) event(thread int, now int64, event []byte) {
	l := p.sequence(thread)
	now -= p.start
	b := append(p.batch, tracePacket<<3|2, 0)
	at := len(b)
	b = b.field(packetTimestamp, uint64(now-l.last))
	b = append(append(b, l.head...), event...)
	b[at-1] = byte(len(b) - at)
	p.batch, l.last = b, now
	p.flushFull()
}

// sequence returns the sequence of a thread, and begins it.
func (p *Perfetto) sequence(thread int) *sequence {
	for len(p.sequences) <= thread {
		p.sequences = append(p.sequences, sequence{})
	}
	l := &p.sequences[thread]
	if l.begun {
		return l
	}
	l.begun = true
	number := uint64(thread) + 2
	l.head = message(nil).field(packetSequence, number).field(packetFlags, needsState)
	clock := func(id uint64) message {
		return message(nil).field(clockID, id).field(clockTimestamp, 0)
	}
	p.packet(message(nil).field(packetSequence, number).field(packetFlags, stateCleared).
		bytes(packetClockSnapshot, message(nil).bytes(snapshotClock, clock(bootTime)).
			bytes(snapshotClock, clock(ownClock).field(clockIncremental, 1))).
		bytes(packetDefaults, message(nil).field(defaultClock, ownClock).
			bytes(defaultEvent, message(nil).field(defaultTrack, threadUUID(thread)))))
	p.describe(p.thread(thread, p.threads[thread].rank, nil))
	return l
}

func (p *Perfetto) begin(thread int, now int64, s slice, state analysis.State) {
	l := p.sequence(thread)
	name := int(s.state)
	if s.path != nil {
		name = int(analysis.NumStates) + s.path.ID
	}
	for len(p.begins) <= name {
		p.begins = append(p.begins, nil)
	}
	for len(l.known) <= name {
		l.known = append(l.known, false)
	}
	if !l.known[name] {
		l.known[name] = true
		if s.path != nil {
			state = category(s.path, state)
		} else {
			state = s.state
		}
		p.intern(l, name, s.path, state)
	}
	p.event(thread, now, p.begins[name])
}

// intern tells a sequence a name, its category and its place in the source. It prepares the
// packets that begin slices of that name, which are the same in all sequences.
func (p *Perfetto) intern(l *sequence, name int, q *analysis.Path, state analysis.State) {
	text, iid := state.String(), name+1
	if q != nil {
		text = sliceName(q.Region)
	}
	e := message(nil).field(eventType, sliceBegin).field(eventCategory, uint64(state)+1).
		field(eventName, uint64(iid))
	names := internedEntry(internedName, iid, text).
		append(internedEntry(internedCategory, int(state)+1, categories[state]))
	if q != nil && q.File != "" {
		e = e.field(eventSource, uint64(iid))
		names = names.bytes(internedSource, message(nil).field(internedIID, uint64(iid)).
			bytes(sourceFile, []byte(q.File)).number(sourceLine, int64(q.Line)))
	}
	if p.begins[name] == nil {
		p.begins[name] = message(nil).bytes(packetTrackEvent, e)
	}
	p.packet(append(message(nil), l.head...).bytes(packetInterned, names))
}

func (p *Perfetto) end(thread int, now int64, _ slice) { p.event(thread, now, p.ends) }

// absolute adds an event of the first sequence, whose times are those since the start of the trace.
func (p *Perfetto) absolute(now int64, event message) {
	p.packet(message(nil).field(packetTimestamp, uint64(now-p.start)).field(packetSequence, 1).
		field(packetFlags, needsState).bytes(packetTrackEvent, event))
}

// Message writes an instant on the track of the sender and one on that of the receiver, with a
// flow from one to the other. It fits analysis.Options.Message.
func (p *Perfetto) Message(m analysis.Message) {
	if !p.within(m.Sent, m.Received) {
		return
	}
	p.sent++
	argument := func(name, value uint64) message {
		return message(nil).field(argumentName, name).field(argumentUint, value)
	}
	for i, thread := range []int{m.From, m.To} {
		now, flow := m.Sent, eventFlow
		if i == 1 {
			now, flow = m.Received, eventFlowEnd
		}
		p.absolute(now, message(nil).field(eventCategory, 1).
			bytes(eventArgument, argument(1, uint64(m.Tag))).
			bytes(eventArgument, argument(2, uint64(m.Bytes))).
			field(eventType, instant).field(eventName, 1).field(eventTrack, threadUUID(thread)).
			fixed(flow, p.sent))
	}
}

// Counter writes a value of a counter, on a track of its own below that of the thread. It fits
// analysis.Options.Counter.
func (p *Perfetto) Counter(v analysis.Reading) {
	if !p.within(v.Time, v.Time) {
		return
	}
	counter := counterOf{v.Thread, v.Counter}
	at, known := p.counters[counter]
	if !known {
		at = len(p.counters)
		p.counters[counter] = at
		p.describe(message(nil).field(trackUUID, counterUUID(at)).
			bytes(trackName, []byte(v.Counter)).field(trackParent, threadUUID(v.Thread)).
			bytes(trackCounter, message(nil).field(counterUnit, unitCount)))
	}
	p.absolute(v.Time, message(nil).field(eventType, counterValue).
		field(eventTrack, counterUUID(at)).field(eventCounter, v.Value))
}

// describe adds the descriptor of a track.
func (p *Perfetto) describe(track message) {
	p.packet(message(nil).field(packetSequence, 1).bytes(packetDescriptor, track))
}

// thread returns the descriptor of a thread's track. Its name is known only at the end; it is
// described once before, so that its events find their track.
func (p *Perfetto) thread(thread, rank int, name []byte) message {
	t := message(nil).field(threadProcess, uint64(rank)+1).field(threadID, uint64(thread)+1).
		field(threadOrder, uint64(thread))
	if name != nil {
		t = t.bytes(threadText, name)
	}
	return message(nil).field(trackUUID, threadUUID(thread)).bytes(trackThread, t).
		field(trackParent, processUUID(rank))
}

// Finish closes the open slices and names the tracks.
func (p *Perfetto) Finish(r *analysis.Result) error {
	p.closeAll()
	named := map[int]bool{}
	for i := range r.Threads {
		t := &r.Threads[i]
		rank := rankOf(t)
		if !named[rank] {
			process := message(nil).field(processID, uint64(rank)+1).
				field(processOrder, uint64(rank)).
				bytes(processText, []byte(processName(r, t)))
			if notes := r.Notes(); len(notes) > 0 && len(named) == 0 {
				process = process.bytes(processLabel, []byte(strings.Join(notes, "; ")))
			}
			p.describe(message(nil).field(trackUUID, processUUID(rank)).
				bytes(trackProcess, process))
			named[rank] = true
		}
		p.describe(p.thread(i, rank, []byte(t.Name)))
	}
	p.flush()
	p.wait()
	return p.err
}

func (p *Perfetto) flushFull() {
	if len(p.batch) >= perfettoBatch {
		p.flush()
	}
}

// Write takes the compressed packets. It makes the Perfetto the writer that zlib writes to.
func (m *message) Write(b []byte) (int, error) {
	*m = append(*m, b...)
	return len(b), nil
}

// flush has another goroutine write the packets so far, compressed, while more are made.
func (p *Perfetto) flush() {
	p.wait()
	if p.err == nil && len(p.batch) > 0 {
		p.batch, p.other = p.other, p.batch
		p.busy = true
		go func() { p.done <- p.compress(p.other) }()
	}
	p.batch = p.batch[:0]
}

// wait waits for what flush began.
func (p *Perfetto) wait() {
	if p.busy {
		p.err, p.busy = <-p.done, false
	}
}

func (p *Perfetto) compress(packets message) error {
	p.zipped = p.zipped[:0]
	p.z.Reset(&p.zipped)
	if _, err := p.z.Write(packets); err != nil {
		return err
	}
	if err := p.z.Close(); err != nil {
		return err
	}
	p.buf = p.buf[:0].bytes(tracePacket, message(nil).bytes(packetCompressed, p.zipped))
	_, err := p.w.Write(p.buf)
	return err
}

// field adds a number, 0 as well.
func (m message) field(number int, x uint64) message {
	return m.varint(uint64(number) << 3).varint(x)
}

// fixed adds a number of eight bytes.
func (m message) fixed(number int, x uint64) message {
	return binary.LittleEndian.AppendUint64(m.varint(uint64(number)<<3|1), x)
}

func (m message) append(fields message) message { return append(m, fields...) }
