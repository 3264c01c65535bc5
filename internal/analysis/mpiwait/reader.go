package mpiwait

import (
	"encoding/binary"

	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
)

// Reader is the state of one rank while its log is read.
type Reader struct {
	Mail    Inbox
	numbers []int            // of its threads in the trace of all ranks
	paths   []*analysis.Path // of the joined result, by number in the log
	known   []int32          // number of the address in the inbox, by its number in the log
	threads []Wait
	surplus []surplus // by thread
	thread  int
	time    int64
	Late    LateNotes
	Index   int       // of the rank
	sums    [][]int64 // by number of the path, then by thread and property
	off     bool      // the trace says when threads were off the CPU
}

// preemptions stands behind the properties in sums: so often was a thread late.
const (
	preemptions = analysis.NumProperties
	sumsWidth   = int(analysis.NumProperties) + 1
)

// NewReader returns the reader of a log of a rank. off says that the trace knows when threads were
// off the CPU.
func NewReader(index int, numbers []int, paths []*analysis.Path, off bool) *Reader {
	return &Reader{
		Index: index, numbers: numbers, paths: paths, off: off,
		threads: make([]Wait, len(numbers)), surplus: make([]surplus, len(numbers)),
	}
}

// Read follows one piece of the log.
func (r *Reader) Read(rank uint32, meetings *Meetings, text []byte) {
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
	var spans []span
	for len(text) > 0 {
		kind := text[0]
		text = text[1:]
		w := &r.threads[r.thread]
		switch kind {
		case stepThread:
			r.thread = int(word())
		case stepAddress:
			k := Address{
				To: rank, Receiver: word() != 0, From: uint32(word()),
				Group: uint32(word()), Tag: uint32(word()),
			}
			r.known = append(r.known, r.Mail.find(&k).number)
		case StepReceived:
			w.Received(r.Mail.takeOf(r.known[word()-1], r.off))
		case StepSent:
			r.Mail.takeOf(r.known[word()-1], r.off)
		case StepTaken:
			w.Sent(r.Mail.takeOf(r.known[word()-1], r.off))
		case stepMet:
			group, n, process := uint32(word()), uint32(word()), uint32(word())
			if k, found := meetings.At(group, n); found {
				w.Met(&k, process)
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
					spans = append(spans, span{from: from, to: from + signed()})
				}
			}
			posted := w.posted
			p := w.end(r.time-in, r.time, behind, spans)
			r.surplus[r.thread].leave(p.until, last, spans)
			r.Late.Note(true, &p, posted)
			p.Each(func(property analysis.Property, time int64) { r.add(number, property, time) })
			if p.Late > 0 {
				r.add(number, preemptions, 1)
			}
		}
	}
}

func (r *Reader) add(path int, p analysis.Property, time int64) {
	if time == 0 {
		return
	}
	for len(r.sums) <= path {
		r.sums = append(r.sums, make([]int64, len(r.threads)*sumsWidth))
	}
	r.sums[path][r.thread*sumsWidth+int(p)] += time
}

// HandOver adds the waiting to the joined result and takes it from the rest of the time in a
// routine.
func (r *Reader) HandOver() {
	for number, sums := range r.sums {
		for i, time := range sums {
			thread, p := r.numbers[i/sumsWidth], analysis.Property(i%sumsWidth)
			if p == preemptions {
				r.paths[number].LeaveCPU(thread, offcpu.Preempted, time)
				continue
			}
			r.paths[number].Add(p, thread, time)
			r.paths[number].Add(analysis.MPICall, thread, -time)
		}
	}
}
