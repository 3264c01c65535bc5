package recording

import (
	"encoding/binary"
	"errors"

	"opari/internal/omp"
	"opari/otf"
)

// Trace describes a trace that opari has made.
type Trace struct {
	*Process
	Path    string // of the master file
	Threads int
	Ranks   int    // MPI ranks; 0: one process without MPI
	Events  uint64 // records in the files of events
}

// Convert makes a trace in the Open Trace Format from a recording; stub is the trace's path
// without .otf. progress, if not nil, gets the numbers of bytes done and of all bytes. Convert
// handles one thread after the other, in memory that does not grow with the recording.
func (p *Process) Convert(stub string, progress func(done, size int64)) (*Trace, error) {
	manager := otf.NewFileManagerOf(8, p.open)
	master := otf.NewMasterControl()
	c := &converter{process: p, clock: p.clock(), names: newNames(p.regions)}
	c.names.kernel = newKernelNames([]*Process{p})
	types := map[uint32]omp.ThreadType{} // of the threads
	var threads []uint32
	var done, size int64
	for _, t := range p.threads {
		size += int64(len(t.chunks))
	}
	for _, t := range p.threads {
		c.begin(t, otf.OpenWStream(stub, uint32(t.number+1), manager))
		threads = append(threads, c.id)
		master.Append(c.id, c.id)
		err := c.run(func() {
			if done++; progress != nil {
				progress(done, size)
			}
		})
		if err = errors.Join(err, c.out.Close()); err != nil {
			return nil, err
		}
		types[c.id] = c.threadType
	}
	if len(threads) == 0 {
		return nil, nil
	}
	definitions := otf.OpenWStream(stub, 0, manager)
	if c.names.kernel != nil {
		c.names.kernel.notes = c.notes
	}
	err := errors.Join(c.names.write(definitions, p, threads, types), definitions.Close(),
		master.Write(stub, manager))
	return &Trace{Process: p, Path: stub + ".otf", Threads: len(threads), Events: c.events}, err
}

// frame is a function that the thread has entered and not left.
type frame struct {
	place
	function uint32
	waits    bool
	start    uint64 // ns
	inner    uint64 // time in the functions that it called, ns
	left     uint64 // ns; with over
	over     bool   // the thread has left it, see postpone
}

// converter writes the streams of the threads, one after the other.
type converter struct {
	process *Process
	clock   clock
	names   *names
	world   *worldTrace // nil: the process has no messages
	groups  []uint32    // groups of the process's communicators
	events  uint64

	raw        *rawThread
	out        *otf.WStream
	id         uint32
	threadType omp.ThreadType
	stack      []frame
	waited     uint64 // ns
	alive      bool   // the thread, which the trace calls a process, has begun and not ended
	counted    bool
	time       uint64 // of the last event, ns

	tid    int           // the kernel's number of the thread; 0: unknown
	kernel *kernelThread // nil: the kernel's notes have nothing of the thread
	notes  []string      // comments about the threads

	words    []uint64 // data words of the next message, or the number of the next thread or task
	pending  pending  // the collective operation that the thread is in
	receives uint32
	moved    []movedReceive // receives to move that are still to come
}

func (c *converter) begin(t *rawThread, out *otf.WStream) {
	c.raw, c.out, c.id, c.threadType = t, out, uint32(t.number+1), omp.ThreadForked
	c.stack, c.waited, c.alive, c.counted, c.time = c.stack[:0], 0, false, false, 0
	c.words, c.pending, c.receives = c.words[:0], pending{}, 0
	c.tid, c.kernel = 0, nil
	if c.process.generation > 1 && t.number == 0 {
		c.tid = c.process.PID // it was forked, so no record says that it begins
	}
}

// run converts the current thread. It calls done after each chunk.
func (c *converter) run(done func()) error {
	f, err := c.raw.open()
	if err != nil {
		return err
	}
	defer f.Close()
	for i, s := range c.raw.segments() {
		if err := c.resume(f, s, i > 0); err != nil {
			return err
		}
		for _, k := range s {
			if err := words(f, segment{k}, c.records); err != nil {
				return err
			}
			done()
		}
	}
	return c.end()
}

// records converts the records of a chunk.
func (c *converter) records(text []byte, k chunk) error {
	r, base := record{time: k.first}, k.first
	for ; len(text) >= 8; text = text[8:] {
		word := binary.LittleEndian.Uint64(text)
		if what(word>>1&(allKinds-1)) == data {
			c.words = append(c.words, word>>opBits)
			continue
		}
		if !r.decode(word, &base) {
			continue
		}
		if err := c.event(&r); err != nil {
			return err
		}
	}
	return nil
}

func (c *converter) event(r *record) error {
	now := max(c.clock.ns(r.time), c.time)
	if c.pending.operation != 0 {
		if err := c.collect(now); err != nil {
			return err
		}
	}
	if r.what == thread {
		if err := c.settle(place{}); err != nil {
			return err
		}
		if r.leave {
			return c.leaveThread(now)
		}
		err := c.leaveThread(now)
		c.tid = 0
		if n := len(c.words); n > 0 {
			c.tid = int(c.words[n-1])
		}
		c.words = c.words[:0]
		c.threadType = omp.ThreadWorker
		if t := omp.ThreadType(r.number); int(t) == r.number && omp.ThreadInitial <= t &&
			t <= omp.ThreadOther {
			c.threadType = t
		}
		return errors.Join(err, c.comeAlive(now))
	}
	if !c.alive {
		if err := c.comeAlive(now); err != nil {
			return err
		}
	}
	at := place{r.what, r.number}
	entered := at
	if r.leave {
		entered = place{}
	}
	if err := c.settle(entered); err != nil {
		return err
	}
	switch {
	case r.what == team:
		return c.point(teamNumber, uint64(r.number), now)
	case r.what == own && r.leave:
		return c.point(lockReleased, uint64(r.number), now)
	case r.what == own:
		return c.point(lockAcquired, uint64(r.number), now)
	case r.what == dealt:
		return c.dealt(now)
	case r.what >= requested && r.what <= sent:
		return c.message(r, now)
	case r.what == held:
		// The thread has entered the region, so its wait has ended.
		if n := len(c.stack); n > 0 && c.stack[n-1].place == (place{held, r.number}) {
			return c.pop(now)
		}
		return nil
	case r.leave && c.postpone(at, now):
		return nil
	case r.leave:
		return c.leave(at, now)
	case r.what == try:
		err := c.push(at, c.names.function(at.what, at.number), false, now)
		return errors.Join(err, c.pop(now))
	case r.what == mutex:
		err := c.push(at, c.names.function(at.what, at.number), false, now)
		return errors.Join(err,
			c.push(place{held, r.number}, c.names.waitFunction(r.number), true, now))
	case (r.what == create || r.what == task) && len(c.words) > 0:
		number := c.words[len(c.words)-1]
		c.words = c.words[:0]
		err := c.point(taskNumber, number, now)
		return errors.Join(err, c.push(at, c.names.function(at.what, at.number), false, now))
	default:
		return c.push(at, c.names.function(at.what, c.waitsIn(at)), kinds[at.what].waits, now)
	}
}

func (c *converter) comeAlive(now uint64) error {
	if c.alive {
		return nil
	}
	c.alive, c.time = true, now
	c.events++
	err := c.out.WriteBeginProcess(now, c.id)
	c.beginKernel(now)
	if !c.counted {
		c.counted = true
		c.events++
		err = errors.Join(err, c.out.WriteCounter(now, c.id, waitingTime, 0))
	}
	return err
}

// point writes the value of a counter at one moment.
func (c *converter) point(counter uint32, value, now uint64) error {
	if err := c.advance(now); err != nil {
		return err
	}
	c.events++
	c.names.counters[counter] = true
	return c.out.WriteCounter(now, c.id, counter, value)
}

func (c *converter) leaveThread(now uint64) error {
	if !c.alive {
		return nil
	}
	var err error
	for len(c.stack) > 0 {
		err = errors.Join(err, c.pop(now))
	}
	err = errors.Join(err, c.advance(now), c.endKernel())
	c.alive = false
	c.events++
	return errors.Join(err, c.out.WriteEndProcess(now, c.id))
}

func (c *converter) push(at place, function uint32, waits bool, now uint64) error {
	c.stack = append(c.stack, frame{place: at, function: function, waits: waits, start: now})
	if err := c.advance(now); err != nil {
		return err
	}
	c.events++
	return c.out.WriteEnter(now, function, c.id, 0)
}

// leave leaves the innermost open function of a place, and all that is open inside it: the
// program has left those without an event. It does nothing if the place is not open.
func (c *converter) leave(at place, now uint64) error {
	i := len(c.stack) - 1
	for i >= 0 && c.stack[i].place != at {
		i--
	}
	if i < 0 {
		return nil
	}
	var err error
	for len(c.stack) > i {
		err = errors.Join(err, c.pop(now))
	}
	if i > 0 && c.stack[i-1].over {
		err = errors.Join(err, c.pop(now))
	}
	return err
}

// pop leaves the innermost function. Tasks that the thread executed while it waited do not count
// as waiting.
func (c *converter) pop(now uint64) error {
	n := len(c.stack) - 1
	top := c.stack[n]
	c.stack = c.stack[:n]
	if err := c.advance(now); err != nil {
		return err
	}
	c.events++
	spent := now - top.start
	if n > 0 {
		c.stack[n-1].inner += spent
	}
	err := c.out.WriteLeave(now, top.function, c.id, 0)
	if top.waits && err == nil {
		c.waited += spent - min(top.inner, spent)
		c.events++
		err = c.out.WriteCounter(now, c.id, waitingTime, c.waited)
	}
	return err
}

// end ends a thread that has no end record because the process ended first. Its functions stay
// open until the end of the process. The exception is a wait at the end of a parallel region: it
// ends when the encountering thread went on.
func (c *converter) end() error {
	now := max(c.clock.ns(c.process.finish()), c.time)
	if err := c.settle(place{}); err != nil {
		return err
	}
	if owner, n := c.raw.dock&^(2*joins-1), c.raw.dock%joins; owner != 0 && len(c.stack) > 0 {
		for _, t := range c.process.threads {
			if t.self != owner || t.joins[n] < c.raw.last {
				continue
			}
			joined := max(c.clock.ns(t.joins[n]), c.time)
			if err := c.leave(place{implicit, c.docked()}, joined); err != nil {
				return err
			}
		}
	}
	return c.leaveThread(max(now, c.time))
}

// docked returns the region of the innermost implicit task.
func (c *converter) docked() int {
	for i := len(c.stack) - 1; i >= 0; i-- {
		if c.stack[i].what == implicit {
			return c.stack[i].number
		}
	}
	return 0
}

// finish returns the last known time of the process, in ticks.
func (p *Process) finish() uint64 {
	last := p.end.ticks
	for _, t := range p.threads {
		last = max(last, t.last)
	}
	return last
}
