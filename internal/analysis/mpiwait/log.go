package mpiwait

import (
	"encoding/binary"

	"opari/internal/analysis"
)

// Log notes, in the order of events, where a rank may have waited for other ranks. Who
// arrived when is known only after all ranks are read.
//
// It is a list of steps in numbers of seven bits a byte: first the kind of a step, then its
// values.
type Log struct {
	// The addresses number the channels. The times at an address in the inbox are taken in the
	// order of the log.
	addresses
	text   []byte
	thread int
	time   int64
	Paths  []*analysis.Path // of MPI routines, by number
}

// Steps of a log.
const (
	stepThread = iota // its index: all later steps belong to it
	// Receiver, from, group, tag: the address gets the next number, starting at 1.
	stepAddress
	StepReceived // number of the address
	StepSent     // the same
	StepTaken    // the same, in a routine that may wait for the receiver
	stepMet      // group, earlier meetings of it, process
	// Number of the path, time since the previous stepLeft, time in the routine. If the trace says
	// when threads were off the CPU, then by how much the thread was behind, since what it had
	// lost in all, and how long it was off at the end. Then the number of times off the CPU; for
	// each the time since it began, and its length.
	stepLeft
)

const (
	LogPiece = 16 << 10 // bytes: a longer log goes to the spill lists
	logHead  = 8        // bytes: the rank, and the number of bytes that follow
)

// Begin empties the log for another rank and keeps its buffers.
func (l *Log) Begin() {
	l.clear()
	l.text, l.thread, l.time, l.Paths = append(l.text[:0], make([]byte, logHead)...), 0, 0, nil
}

func (l *Log) step(thread int, kind byte) {
	if thread != l.thread {
		l.thread = thread
		l.text = binary.AppendUvarint(append(l.text, stepThread), uint64(thread))
	}
	l.text = append(l.text, kind)
}

// Message notes one end of a message.
func (l *Log) Message(thread int, w *Wait, kind byte, k *Address) {
	w.Logged = true
	number := l.find(k).number
	if number == 0 {
		number = l.add(k)
		l.step(thread, stepAddress)
		receiver := uint32(0)
		if k.Receiver {
			receiver = 1
		}
		for _, v := range [4]uint32{receiver, k.From, k.Group, k.Tag} {
			l.text = binary.AppendUvarint(l.text, uint64(v))
		}
	}
	l.step(thread, kind)
	l.text = binary.AppendUvarint(l.text, uint64(number))
}

// Met notes that the thread takes part in a collective operation.
func (l *Log) Met(thread int, w *Wait, group, n, process uint32) {
	w.Logged = true
	l.step(thread, stepMet)
	for _, v := range [3]uint32{group, n, process} {
		l.text = binary.AppendUvarint(l.text, uint64(v))
	}
}

// Left notes that the thread leaves an MPI routine.
func (l *Log) Left(thread int, w *Wait, path *analysis.Path, enter, now int64) {
	w.Logged = false
	number := 0
	for number < len(l.Paths) && l.Paths[number] != path {
		number++
	}
	if number == len(l.Paths) {
		l.Paths = append(l.Paths, path)
	}
	l.step(thread, stepLeft)
	l.text = binary.AppendUvarint(l.text, uint64(number))
	l.text = binary.AppendVarint(l.text, now-l.time)
	l.text = binary.AppendVarint(l.text, now-enter)
	l.time = now
}

// Delayed follows left in a trace that says when threads were off the CPU.
func (l *Log) Delayed(o *Delay, lost, enter, now int64) {
	spans := o.kept()
	l.text = binary.AppendVarint(l.text, o.Behind(lost))
	l.text = binary.AppendVarint(l.text, o.step)
	l.text = binary.AppendVarint(l.text, o.last(enter, now))
	l.text = binary.AppendUvarint(l.text, uint64(len(spans)))
	for _, s := range spans {
		l.text = binary.AppendVarint(l.text, now-s.from)
		l.text = binary.AppendVarint(l.text, s.to-s.from)
	}
}

// Take hands over the text if it has at least so many bytes.
func (l *Log) Take(rank, least int, hand func(text []byte) error) error {
	if len(l.text) < least+logHead {
		return nil
	}
	binary.LittleEndian.PutUint32(l.text, uint32(rank))
	binary.LittleEndian.PutUint32(l.text[4:], uint32(len(l.text)-logHead))
	err := hand(l.text)
	l.text = l.text[:logHead]
	return err
}

// Split calls do for each piece of what was handed over.
func Split(text []byte, do func(rank uint32, text []byte)) {
	for len(text) >= logHead {
		rank, size := binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[4:])
		do(rank, text[logHead:logHead+size])
		text = text[logHead+size:]
	}
}
