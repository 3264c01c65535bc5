package analysis

import "opari/otf"

// offMPI is what a thread has lost by being off the CPU, as far as other processes wait for that.
// A process is behind by what it lost since it was last in step with others.
type offMPI struct {
	late int64 // ns off the CPU at the ends of routines
	step int64 // what the thread had lost in all when it was in step
	// told is what it had lost in all when it last sent something, if anyTold. It does so in
	// several routines at a time. left is when it left the last routine.
	told, left int64
	anyTold    bool
	surplus    offSurplus
	// What the thread did in the routine at hand.
	sent, received, met bool
	spans               [offSpans]offSpan // the last ones; the next is at count%offSpans
	count               int
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

// enter notes that the thread enters a routine. If it has worked since it sent something, others
// have waited for what it had lost before.
func (o *offMPI) enter(now int64) {
	if o.anyTold && now-o.left > wakeUp {
		o.step, o.anyTold = o.told, false
	}
}

// last returns how long the thread was off the CPU just before the end of a routine, if it could
// have run.
func (o *offMPI) last(enter, now int64) int64 {
	if o.count > 0 {
		s := o.spans[(o.count-1)%offSpans]
		if s.state == preempted && now-s.to < wakeUp {
			return s.to - max(s.from, enter)
		}
	}
	return 0
}

// leave notes that the thread leaves a routine. Who has been with all others is in step, and so is
// who has waited for a message. When that came is known only after all ranks are read. So the
// whole time off the CPU just before the end counts as late.
func (o *offMPI) leave(t *thread, enter, now int64) {
	last := o.last(enter, now)
	switch waited := now-enter-last > wakeUp; {
	case o.met, o.received && waited:
		o.step, o.anyTold = t.lostInAll(), false
	case o.sent:
		o.told, o.anyTold = t.lostInAll(), true
	}
	o.late += last
	o.left, o.sent, o.received, o.met, o.count = now, false, false, false, 0
}

// offSurplus is what a thread's own waits know better: how much of its time off the CPU at the ends
// of routines was before it could go on.
type offSurplus struct {
	step                int64 // of offMPI
	all, before, atStep int64 // up to now, up to the routine before, up to step
}

// of returns what counts too much in what the thread is behind, which it is since step.
func (o *offSurplus) of(step int64) int64 {
	if step != o.step {
		o.step, o.atStep = step, o.before
	}
	return o.all - o.atStep
}

// leave notes the end of a routine. The thread could go on at the time until; 0: unknown. It was
// off the CPU for so long at the end, which is the first of spans.
func (o *offSurplus) leave(until, last int64, spans []offSpan) {
	o.before = o.all
	if until > 0 && last > 0 && len(spans) > 0 {
		o.all += last - clamp(spans[0].to-max(spans[0].from, until), last)
	}
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
	until    int64 // when it could; 0: unknown
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
	p.property, p.until = k.property, k.until
	if p.waited = max(0, min(now, k.until)-enter); p.waited > 0 {
		p.off = clamp(k.until-k.undelayed-behind, p.waited)
		p.waited -= p.off
	}
	p.late = min(lateIn(spans, max(enter, k.until), now), now-max(enter, min(now, k.until)))
	return p
}
