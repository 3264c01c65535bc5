package mpiwait

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/otf"
)

// Wait is what a thread in an MPI routine waited for.
type Wait struct {
	property analysis.Property
	until    int64 // when the wait ended; 0: it did not wait
	posted   int64 // when the receiver of its message was ready; 0: unknown
	Logged   bool  // the log has a step for this routine
	// When until and posted would have been, had no process been off the CPU.
	undelayed, ready int64
}

// Received notes a received message and when it was sent; 0: unknown. The sender was behind by so
// much.
func (w *Wait) Received(at, behind int64) {
	if at > w.until {
		w.property, w.until = analysis.LateSender, at
	}
	w.undelayed = max(w.undelayed, at-behind)
}

// Sent notes a message that is sent in a routine which may wait for the receiver, and when the
// receiver was ready, and behind by so much.
func (w *Wait) Sent(at, behind int64) {
	w.posted, w.ready = max(w.posted, at), max(w.ready, at-behind)
}

// Met notes that a process takes part in a collective operation. If all members need data of all,
// they wait for the last one. Otherwise they wait for the root, or the root for them.
func (w *Wait) Met(k *meeting, process uint32) {
	switch {
	case k.kind == otf.CollectiveTypeBarrier || k.kind == otf.CollectiveTypeAll2All:
		w.property, w.until, w.undelayed = analysis.CollectiveWait, k.last, k.undelayed
	case k.kind == otf.CollectiveTypeOne2All && k.root != process:
		w.property, w.until, w.undelayed = analysis.LateBroadcast, k.rootBegins, k.rootUndelayed
	case k.kind == otf.CollectiveTypeAll2One && k.root == process:
		w.property, w.until, w.undelayed = analysis.EarlyReduce, k.last, k.undelayed
	}
}

// Parts are parts of a thread's time in a routine of MPI.
type Parts struct {
	property analysis.Property // of waited
	waited   int64
	off      int64 // waiting for a process that is behind by being off the CPU
	Late     int64 // the thread itself was off the CPU although it could go on
	until    int64 // when it could; 0: unknown
}

// Each calls do for each part.
func (p *Parts) Each(do func(analysis.Property, int64)) {
	do(p.property, p.waited)
	do(analysis.OffWait, p.off)
	do(analysis.Preempted, p.Late)
}

// Leave ends a routine and returns the parts of its time, and when the receiver of its message was
// ready; 0: unknown. The thread has lost so much apart from the ends of routines.
func (w *Wait) Leave(o *Delay, lost, enter, now int64) (p Parts, posted int64) {
	posted, spans := w.posted, o.kept()
	p = w.end(enter, now, o.Behind(lost)-o.surplus.of(o.step), spans)
	if o.Sent || o.Received || o.met { // the log has no other routines
		o.surplus.leave(p.until, o.last(enter, now), spans)
	}
	return p, posted
}

// end ends a routine and returns the parts of its time. A send that ended before the receiver was
// ready did not wait: its message was small enough for a buffer. behind and spans are the thread's.
func (w *Wait) end(enter, now, behind int64, spans []span) (p Parts) {
	k := *w
	*w = Wait{}
	if k.posted > k.until && k.posted < now {
		k.property, k.until, k.undelayed = analysis.LateReceiver, k.posted, k.ready
	}
	if k.until <= 0 {
		return p
	}
	p.property, p.until = k.property, k.until
	if p.waited = max(0, min(now, k.until)-enter); p.waited > 0 {
		p.off = offcpu.Clamp(k.until-k.undelayed-behind, p.waited)
		p.waited -= p.off
	}
	p.Late = min(lateIn(spans, max(enter, k.until), now), now-max(enter, min(now, k.until)))
	return p
}
