package otf

import (
	"cmp"
	"maps"
	"slices"
)

// SampleOptions say at which times statistics or snapshots are taken, and how they are written.
type SampleOptions struct {
	// number of equal steps from the first to the last event, with a sample between each two;
	// statistics have one more sample, after the last event
	Points   int
	Groups   bool
	Format   Format
	Level    int
	Progress func(Progress) // statistics count streams, not bytes
}

// replay follows the events of a trace: call stacks, messages sent but not yet received, and sums
// since the start.
type replay struct {
	processes map[uint32]*replayed
	groups    map[uint32]uint32        // of functions
	messages  map[messageKey][]pending // nil: nobody wants them
	sampleAt  []uint64
	sample    func(time uint64) error
}

// replayed is the state of a process.
type replayed struct {
	id    uint32
	stack []frame
	calls map[uint32]*callSums
	sums  map[messageKind]*messageSums
	since uint64 // the innermost frame's time is counted up to here
}

// frame is a function that was entered and not yet left.
type frame struct {
	function, source uint32
	time             uint64
}

type callSums struct {
	count, exclusive, inclusive uint64
	// frames on the stack; only the outermost of a recursion counts for the inclusive time
	open  int
	since uint64 // the inclusive time is counted up to here
}

type messageKind struct{ peer, group, tag uint32 }

type messageSums struct{ sent, received, bytesSent, bytesReceived uint64 }

// messageKey is how a receive event finds its send event. Several messages with the same key are
// received in the order of sending.
type messageKey struct{ sender, receiver, group, tag uint32 }

// pending is a message that was sent and not yet received.
type pending struct {
	time           uint64
	length, source uint32
}

// run reads all events and calls sample between them. A sample at a time includes the events
// before that time and excludes those at it (section 2.8).
func (p *replay) run(r *Reader, progress func(Progress)) error {
	if progress != nil {
		r.SetRecordLimit(progressEvery)
	}
	h := p.handlers()
	for {
		n, err := r.ReadEvents(h)
		if err != nil {
			return err
		}
		if n == 0 || progress == nil {
			break
		}
		state, err := r.EventProgress()
		if err != nil {
			return err
		}
		progress(state)
	}
	return p.until(MaxTime)
}

// until takes the samples up to a time.
func (p *replay) until(time uint64) error {
	for len(p.sampleAt) > 0 && p.sampleAt[0] <= time {
		if err := p.sample(p.sampleAt[0]); err != nil {
			return err
		}
		p.sampleAt = p.sampleAt[1:]
	}
	return nil
}

func (p *replay) handlers() *HandlerArray {
	return &HandlerArray{
		Enter: func(time uint64, function, process, source uint32) error {
			err := p.until(time)
			p.process(process).enter(time, function, source)
			return err
		},
		Leave: func(time uint64, function, process, _ uint32) error {
			err := p.until(time)
			p.process(process).leave(time, function)
			return err
		},
		SendMsg: func(time uint64, sender, receiver, group, tag, length, source uint32) error {
			err := p.until(time)
			if p.messages != nil {
				key := messageKey{sender, receiver, group, tag}
				p.messages[key] = append(p.messages[key], pending{time, length, source})
			}
			sums := p.process(sender).messageSums(messageKind{receiver, group, tag})
			sums.sent++
			sums.bytesSent += uint64(length)
			return err
		},
		RecvMsg: func(time uint64, receiver, sender, group, tag, length, _ uint32) error {
			err := p.until(time)
			key := messageKey{sender, receiver, group, tag}
			if waiting := p.messages[key]; len(waiting) > 1 {
				p.messages[key] = waiting[1:]
			} else {
				delete(p.messages, key)
			}
			sums := p.process(receiver).messageSums(messageKind{sender, group, tag})
			sums.received++
			sums.bytesReceived += uint64(length)
			return err
		},
	}
}

func (p *replay) process(id uint32) *replayed {
	q := p.processes[id]
	if q == nil {
		q = &replayed{id: id, calls: map[uint32]*callSums{}, sums: map[messageKind]*messageSums{}}
		p.processes[id] = q
	}
	return q
}

func (q *replayed) messageSums(k messageKind) *messageSums {
	s := q.sums[k]
	if s == nil {
		s = &messageSums{}
		q.sums[k] = s
	}
	return s
}

func (q *replayed) sumsOf(function uint32) *callSums {
	c := q.calls[function]
	if c == nil {
		c = &callSums{}
		q.calls[function] = c
	}
	return c
}

// account adds the time since the last event to the innermost function.
func (q *replayed) account(time uint64) {
	if n := len(q.stack); n > 0 {
		q.sumsOf(q.stack[n-1].function).exclusive += time - q.since
	}
	q.since = time
}

func (q *replayed) enter(time uint64, function, source uint32) {
	q.account(time)
	c := q.sumsOf(function)
	c.count++
	if c.open == 0 {
		c.since = time
	}
	c.open++
	q.stack = append(q.stack, frame{function, source, time})
}

// leave leaves function, or with 0 the innermost one. Frames above it end with it, because their
// leave events are missing. A function that is not on the stack changes nothing.
func (q *replayed) leave(time uint64, function uint32) {
	at := len(q.stack) - 1
	for function != 0 && at >= 0 && q.stack[at].function != function {
		at--
	}
	if at < 0 {
		return
	}
	q.account(time)
	for i := len(q.stack) - 1; i >= at; i-- {
		c := q.sumsOf(q.stack[i].function)
		if c.open--; c.open == 0 {
			c.inclusive += time - c.since
		}
	}
	q.stack = q.stack[:at]
}

// sorted returns the processes by number: maps have no order, and the output must have one.
func (p *replay) sorted() []*replayed {
	return slices.SortedFunc(maps.Values(p.processes),
		func(a, b *replayed) int { return cmp.Compare(a.id, b.id) })
}

// points returns the times of samples: n-1 between the first and the last event, as in otfaux.
func points(first, last uint64, n int) []uint64 {
	var out []uint64
	for i := 1; i < n; i++ {
		// The product may exceed 64 bits, so quotient and remainder are multiplied separately.
		step, rest := (last-first)/uint64(n), (last-first)%uint64(n)
		t := first + step*uint64(i) + (rest*uint64(i)+uint64(n)/2)/uint64(n)
		if t > first && (len(out) == 0 || t > out[len(out)-1]) {
			out = append(out, t)
		}
	}
	return out
}
