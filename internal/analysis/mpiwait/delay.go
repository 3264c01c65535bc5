package mpiwait

import (
	"opari/internal/analysis/offcpu"
	"opari/otf"
)

// Delay is what a thread has lost by being off the CPU, as far as other processes wait for that.
// A process is behind by what it lost since it was last in step with others.
type Delay struct {
	late int64 // ns off the CPU at the ends of routines
	step int64 // what the thread had lost in all when it was in step
	// told is what it had lost in all when it last sent something, if anyTold. It does so in
	// several routines at a time. left is when it left the last routine.
	told, left int64
	anyTold    bool
	surplus    surplus
	// What the thread did in the routine at hand.
	Sent, Received, met bool
	spans               [mostSpans]span // the last ones; the next is at count%mostSpans
	count               int
}

// mostSpans is how many times off the CPU are kept of a visit of a routine. A thread that waits may
// have any number, but once it can go on it is soon gone.
const mostSpans = 8

type span struct {
	from, to int64
	state    offcpu.State
}

// InAll returns how long the thread was off the CPU, or waited for threads of its process that
// were, if it has lost so much apart from the ends of routines.
func (o *Delay) InAll(lost int64) int64 { return lost + o.late }

// Behind returns how much of that it lost since it was in step.
func (o *Delay) Behind(lost int64) int64 { return o.InAll(lost) - o.step }

// Meet notes that the thread takes part in a collective operation. The root of some only sends, or
// only receives.
func (o *Delay) Meet(kind uint32, root bool) {
	switch kind {
	case otf.CollectiveTypeOne2All:
		o.Sent, o.Received = o.Sent || root, o.Received || !root
	case otf.CollectiveTypeAll2One:
		o.Sent, o.Received = o.Sent || !root, o.Received || root
	default:
		o.met = true
	}
}

// Add notes a time off the CPU in a routine.
func (o *Delay) Add(from, to int64, state offcpu.State) {
	o.spans[o.count%mostSpans] = span{from, to, state}
	o.count++
}

// kept returns the times off the CPU that are kept, the last one first.
func (o *Delay) kept() []span {
	list := make([]span, min(o.count, mostSpans))
	for i := range list {
		list[i] = o.spans[(o.count-1-i)%mostSpans]
	}
	return list
}

// Enter notes that the thread enters a routine. If it has worked since it sent something, others
// have waited for what it had lost before.
func (o *Delay) Enter(now int64) {
	if o.anyTold && now-o.left > offcpu.WakeUp {
		o.step, o.anyTold = o.told, false
	}
}

// last returns how long the thread was off the CPU just before the end of a routine, if it could
// have run.
func (o *Delay) last(enter, now int64) int64 {
	if o.count > 0 {
		s := o.spans[(o.count-1)%mostSpans]
		if s.state == offcpu.Preempted && now-s.to < offcpu.WakeUp {
			return s.to - max(s.from, enter)
		}
	}
	return 0
}

// Leave notes that the thread leaves a routine. Who has been with all others is in step, and so is
// who has waited for a message. When that came is known only after all ranks are read. So the
// whole time off the CPU just before the end counts as late.
func (o *Delay) Leave(lost, enter, now int64) {
	last := o.last(enter, now)
	switch waited := now-enter-last > offcpu.WakeUp; {
	case o.met, o.Received && waited:
		o.step, o.anyTold = o.InAll(lost), false
	case o.Sent:
		o.told, o.anyTold = o.InAll(lost), true
	}
	o.late += last
	o.left, o.Sent, o.Received, o.met, o.count = now, false, false, false, 0
}

// surplus is what a thread's own waits know better: how much of its time off the CPU at the ends
// of routines was before it could go on.
type surplus struct {
	step                int64 // of Delay
	all, before, atStep int64 // up to now, up to the routine before, up to step
}

// of returns what counts too much in what the thread is behind, which it is since step.
func (o *surplus) of(step int64) int64 {
	if step != o.step {
		o.step, o.atStep = step, o.before
	}
	return o.all - o.atStep
}

// leave notes the end of a routine. The thread could go on at the time until; 0: unknown. It was
// off the CPU for so long at the end, which is the first of spans.
func (o *surplus) leave(until, last int64, spans []span) {
	o.before = o.all
	if until > 0 && last > 0 && len(spans) > 0 {
		o.all += last - offcpu.Clamp(spans[0].to-max(spans[0].from, until), last)
	}
}

// lateIn returns how long a thread was off the CPU between two times, without the time that waking
// up takes.
func lateIn(spans []span, from, to int64) int64 {
	off := -int64(offcpu.WakeUp)
	for _, s := range spans {
		off += max(0, min(s.to, to)-max(s.from, from))
	}
	return max(0, off)
}
