package analysis

import "opari/otf"

// offMPI is what a thread has lost by being off the CPU, as far as other processes wait for that.
// A process is behind by what it lost since it was last in step with others.
type offMPI struct {
	late int64 // ns off the CPU at the ends of routines
	step int64 // what the thread had lost in all when it was in step
	sent bool  // it has sent a message since then
	// What the thread did in the routine at hand.
	received, met bool
	spans         [offSpans]offSpan // the last times off the CPU; the next one is at count%offSpans
	count         int
}

// offSpans is how many times off the CPU are kept of a visit of a routine. A thread that waits may
// have any number, but once it can go on it is soon gone.
const offSpans = 8

type offSpan struct {
	from, to int64
	state    offState
}

// lostInAll returns how long the thread was off the CPU, or waited for threads of its process that
// were.
func (t *thread) lostInAll() int64 { return t.offs.lost + t.offs.mpi.late }

// behind returns how much of that it lost since it was in step.
func (t *thread) behind() int64 { return t.lostInAll() - t.offs.mpi.step }

// meet notes that the thread takes part in a collective operation. The root of some only sends, or
// only receives.
func (o *offMPI) meet(kind uint32, root bool) {
	switch kind {
	case otf.CollectiveTypeOne2All:
		o.sent, o.received = o.sent || root, o.received || !root
	case otf.CollectiveTypeAll2One:
		o.sent, o.received = o.sent || !root, o.received || root
	default:
		o.met = true
	}
}

// add notes a time off the CPU in a routine.
func (o *offMPI) add(s offSpan) {
	o.spans[o.count%offSpans] = s
	o.count++
}

// kept returns the times off the CPU that are kept, the last one first.
func (o *offMPI) kept() []offSpan {
	list := make([]offSpan, min(o.count, offSpans))
	for i := range list {
		list[i] = o.spans[(o.count-1-i)%offSpans]
	}
	return list
}

// leave notes that the thread leaves a routine. Who has been with all others is in step, and so is
// who has waited for a message, or has been waited for. When a message came is known only after
// all ranks are read. So the whole time off the CPU just before the end counts as late, if the
// thread could have run.
func (o *offMPI) leave(t *thread, enter, now int64) {
	var last, off int64
	for i, s := range o.kept() {
		off += s.to - max(s.from, enter)
		if i == 0 && s.state == preempted && now-s.to < wakeUp {
			last = s.to - max(s.from, enter)
		}
	}
	waited := now-enter-off > wakeUp
	if o.met || o.received && (o.sent || waited) {
		o.step, o.sent = t.lostInAll(), false
	}
	o.late += last
	o.received, o.met, o.count = false, false, 0
}

// lateIn returns how long a thread was off the CPU between two times, without the time that waking
// up takes.
func lateIn(spans []offSpan, from, to int64) int64 {
	off := -int64(wakeUp)
	for _, s := range spans {
		off += max(0, min(s.to, to)-max(s.from, from))
	}
	return max(0, off)
}

// mpiParts are parts of a thread's time in a routine of MPI.
type mpiParts struct {
	property Property // of waited
	waited   int64
	off      int64 // waiting for a process that is behind by being off the CPU
	late     int64 // the thread itself was off the CPU although it could go on
}

// each calls do for each part.
func (p *mpiParts) each(do func(Property, int64)) {
	do(p.property, p.waited)
	do(OffWait, p.off)
	do(Preempted, p.late)
}

// end ends a routine and returns the parts of its time. A send that ended before the receiver was
// ready did not wait: its message was small enough for a buffer. behind and spans are the thread's.
func (w *mpiWait) end(enter, now, behind int64, spans []offSpan) (p mpiParts) {
	k := *w
	*w = mpiWait{}
	if k.posted > k.until && k.posted < now {
		k.property, k.until, k.undelayed = LateReceiver, k.posted, k.ready
	}
	if k.until <= 0 {
		return p
	}
	p.property = k.property
	if p.waited = max(0, min(now, k.until)-enter); p.waited > 0 {
		p.off = clamp(k.until-k.undelayed-behind, p.waited)
		p.waited -= p.off
	}
	p.late = min(lateIn(spans, max(enter, k.until), now), now-max(enter, min(now, k.until)))
	return p
}
