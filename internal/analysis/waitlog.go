package analysis

import (
	"encoding/binary"
	"errors"
	"sync"

	"opari/otf"
)

// waitLog notes, in the order of events, where a rank may have waited for other ranks. Who
// arrived when is known only after all ranks are read.
//
// It is a list of steps in numbers of seven bits a byte: first the kind of a step, then its
// values.
type waitLog struct {
	// The addresses number the channels. The times at an address in the inbox are taken in the
	// order of the log.
	addresses
	text   []byte
	thread int
	time   int64
	paths  []*Path // of MPI routines, by number
}

// Steps of a log.
const (
	stepThread = iota // its index: all later steps belong to it
	// Receiver, from, group, tag: the address gets the next number, starting at 1.
	stepAddress
	stepReceived // number of the address
	stepSent     // the same
	stepTaken    // the same, in a routine that may wait for the receiver
	stepMet      // group, earlier meetings of it, process
	// Number of the path, time since the previous stepLeft, time in the routine. If the trace says
	// when threads were off the CPU, then by how much the thread was behind, since what it had
	// lost in all, and how long it was off at the end. Then the number of times off the CPU; for
	// each the time since it began, and its length.
	stepLeft
)

const (
	logPiece = 16 << 10 // bytes: a longer log goes to the spill lists
	logHead  = 8        // bytes: the rank, and the number of bytes that follow
)

// begin empties the log for another rank and keeps its buffers.
func (l *waitLog) begin() {
	l.clear()
	l.text, l.thread, l.time, l.paths = append(l.text[:0], make([]byte, logHead)...), 0, 0, nil
}

func (l *waitLog) step(t *thread, kind byte) {
	if t.index != l.thread {
		l.thread = t.index
		l.text = binary.AppendUvarint(append(l.text, stepThread), uint64(t.index))
	}
	l.text = append(l.text, kind)
}

// message notes one end of a message.
func (l *waitLog) message(t *thread, kind byte, k *address) {
	t.mpi.logged = true
	number := l.find(k).number
	if number == 0 {
		number = l.add(k)
		l.step(t, stepAddress)
		receiver := uint32(0)
		if k.receiver {
			receiver = 1
		}
		for _, v := range [4]uint32{receiver, k.from, k.group, k.tag} {
			l.text = binary.AppendUvarint(l.text, uint64(v))
		}
	}
	l.step(t, kind)
	l.text = binary.AppendUvarint(l.text, uint64(number))
}

// met notes that the thread takes part in a collective operation.
func (l *waitLog) met(t *thread, group, n, process uint32) {
	t.mpi.logged = true
	l.step(t, stepMet)
	for _, v := range [3]uint32{group, n, process} {
		l.text = binary.AppendUvarint(l.text, uint64(v))
	}
}

// left notes that the thread leaves an MPI routine.
func (l *waitLog) left(t *thread, now int64, top *frame, off bool) {
	number := 0
	for number < len(l.paths) && l.paths[number] != top.path {
		number++
	}
	if number == len(l.paths) {
		l.paths = append(l.paths, top.path)
	}
	l.step(t, stepLeft)
	l.text = binary.AppendUvarint(l.text, uint64(number))
	l.text = binary.AppendVarint(l.text, now-l.time)
	l.text = binary.AppendVarint(l.text, now-top.enter)
	l.time = now
	if !off {
		return
	}
	spans := t.offs.mpi.kept()
	l.text = binary.AppendVarint(l.text, t.behind())
	l.text = binary.AppendVarint(l.text, t.offs.mpi.step)
	l.text = binary.AppendVarint(l.text, t.offs.mpi.last(top.enter, now))
	l.text = binary.AppendUvarint(l.text, uint64(len(spans)))
	for _, s := range spans {
		l.text = binary.AppendVarint(l.text, now-s.from)
		l.text = binary.AppendVarint(l.text, s.to-s.from)
	}
}

// logReader is the state of one rank while its log is read.
type logReader struct {
	mail    inbox
	numbers []int   // of its threads in the trace of all ranks
	paths   []*Path // of the joined result, by number in the log
	known   []int32 // number of the address in the inbox, by its number in the log
	threads []mpiWait
	surplus []offSurplus // by thread
	thread  int
	time    int64
	late    lateNotes
	index   int       // of the rank
	sums    [][]int64 // by number of the path, then by thread and property
	off     bool      // the trace says when threads were off the CPU
}

// preemptions stands behind the properties in sums: so often was a thread late.
const (
	preemptions = NumProperties
	sumsWidth   = int(NumProperties) + 1
)

// read follows one piece of the log.
func (r *logReader) read(rank uint32, meetings *meetingTable, text []byte) {
	word := func() uint64 {
		if text[0] < 0x80 {
			v := text[0]
			text = text[1:]
			return uint64(v)
		}
		v, n := binary.Uvarint(text)
		text = text[n:]
		return v
	}
	signed := func() int64 {
		v := word()
		return int64(v>>1) ^ -int64(v&1)
	}
	var spans []offSpan
	for len(text) > 0 {
		kind := text[0]
		text = text[1:]
		w := &r.threads[r.thread]
		switch kind {
		case stepThread:
			r.thread = int(word())
		case stepAddress:
			k := address{
				to: rank, receiver: word() != 0, from: uint32(word()),
				group: uint32(word()), tag: uint32(word()),
			}
			r.known = append(r.known, r.mail.find(&k).number)
		case stepReceived:
			w.received(r.mail.takeOf(r.known[word()-1], r.off))
		case stepSent:
			r.mail.takeOf(r.known[word()-1], r.off)
		case stepTaken:
			w.sent(r.mail.takeOf(r.known[word()-1], r.off))
		case stepMet:
			group, n, process := uint32(word()), uint32(word()), uint32(word())
			if k, found := meetings.at(group, n); found {
				w.met(&k, process)
			}
		case stepLeft:
			number, since, in := int(word()), signed(), signed()
			r.time += since
			var behind, last int64
			spans = spans[:0]
			if r.off {
				behind = signed()
				behind -= r.surplus[r.thread].of(signed())
				last = signed()
				for range word() {
					from := r.time - signed()
					spans = append(spans, offSpan{from: from, to: from + signed()})
				}
			}
			posted := w.posted
			p := w.end(r.time-in, r.time, behind, spans)
			r.surplus[r.thread].leave(p.until, last, spans)
			r.late.note(true, &p, posted)
			p.each(func(property Property, time int64) { r.add(number, property, time) })
			if p.late > 0 {
				r.add(number, preemptions, 1)
			}
		}
	}
}

func (r *logReader) add(path int, p Property, time int64) {
	if time == 0 {
		return
	}
	for len(r.sums) <= path {
		r.sums = append(r.sums, make([]int64, len(r.threads)*sumsWidth))
	}
	r.sums[path][r.thread*sumsWidth+int(p)] += time
}

// handOver adds the waiting to the joined result and takes it from the rest of the time in a
// routine.
func (r *logReader) handOver() {
	for number, sums := range r.sums {
		for i, time := range sums {
			thread, p := r.numbers[i/sumsWidth], Property(i%sumsWidth)
			if p == preemptions {
				r.paths[number].leaveCPU(thread, preempted, time)
				continue
			}
			r.paths[number].Add(p, thread, time)
			r.paths[number].Add(MPICall, thread, -time)
		}
	}
}

// readLogs finds out what the ranks of a bucket waited for.
func (w *ranks) readLogs(bucket int, readers map[int]*logReader, lock *sync.Mutex) error {
	list, err := w.letters.fetch(bucket)
	if err != nil {
		return err
	}
	some := w.inBucket(bucket)
	for _, rank := range some {
		var own []letter
		own, list = lettersTo(rank, list)
		readers[rank].mail.fill(own)
	}
	err = w.logs.Take(bucket, func(text []byte) error {
		for len(text) >= logHead {
			rank, size := binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[4:])
			readers[int(rank)].read(rank, &w.meetings, text[logHead:logHead+size])
			text = text[logHead+size:]
		}
		return nil
	})
	lock.Lock()
	for _, rank := range some {
		readers[rank].handOver()
		err = errors.Join(err, w.crossing.late.Append(readers[rank].index, readers[rank].late.text))
		*readers[rank] = logReader{}
	}
	lock.Unlock()
	for range some {
		w.step()
	}
	return err
}

// put moves the log to the spill lists if it has at least that many bytes.
func (w *ranks) put(l *waitLog, rank, least int) error {
	if len(l.text) < least+logHead {
		return nil
	}
	binary.LittleEndian.PutUint32(l.text, uint32(rank))
	binary.LittleEndian.PutUint32(l.text[4:], uint32(len(l.text)-logHead))
	err := w.logs.Append(rank/w.letters.width, l.text)
	l.text = l.text[:logHead]
	return err
}

// chained returns the handlers of first, followed by those of then for the events that then
// handles.
func chained(first, then *otf.HandlerArray) *otf.HandlerArray {
	both := *first
	both.Enter = func(time uint64, function, process, source uint32) error {
		if err := first.Enter(time, function, process, source); err != nil {
			return err
		}
		return then.Enter(time, function, process, source)
	}
	both.SendMsg = func(time uint64, sender, receiver, group, tag, length, source uint32) error {
		if err := first.SendMsg(time, sender, receiver, group, tag, length, source); err != nil {
			return err
		}
		return then.SendMsg(time, sender, receiver, group, tag, length, source)
	}
	both.RecvMsg = func(time uint64, receiver, sender, group, tag, length, source uint32) error {
		if err := first.RecvMsg(time, receiver, sender, group, tag, length, source); err != nil {
			return err
		}
		return then.RecvMsg(time, receiver, sender, group, tag, length, source)
	}
	both.CollectiveOperation = func(time uint64, process, operation, group, root, sent,
		received uint32, duration uint64, source uint32,
	) error {
		if err := first.CollectiveOperation(time, process, operation, group, root, sent, received,
			duration, source); err != nil {
			return err
		}
		return then.CollectiveOperation(time, process, operation, group, root, sent, received,
			duration, source)
	}
	return &both
}
