package polling

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
)

// offPoll is what being off the CPU does to a row of visits by which a thread may poll. A thread
// that polls waits, so being preempted meanwhile is part of its wait, but for the time since the
// last visit but one has ended: the answer may have come then.
type offPoll struct {
	work int64   // severity of Preempted at outer when the last visit ended
	lost []int64 // what each thread had lost when the row had become long enough; else empty
}

// offLook is the same of a construct: the time that the thread was preempted in its visits and
// before each.
type offLook struct {
	inside, in, between int64 // as in look, but for Preempted
	lastIn, lastBetween int64 // the part of the last visit
}

// lookOff notes that a visit begins.
func (a *Rows) lookOff(thread int, p *poll, l *look) {
	o := &l.off
	o.lastBetween = 0
	if p.visits > 0 {
		o.lastBetween = timeOf(p.outer, analysis.Preempted, thread) - p.off.work
	}
	o.between += o.lastBetween
	o.inside = timeOf(l.path, analysis.Preempted, thread)
}

// lookedOff notes that a visit ends.
func (a *Rows) lookedOff(thread int, now int64, p *poll, l *look) {
	o := &l.off
	o.lastIn = timeOf(l.path, analysis.Preempted, thread) - o.inside
	o.in += o.lastIn
	p.off.work = timeOf(p.outer, analysis.Preempted, thread)
	if p.visits != fewestLooks {
		return
	}
	p.off.lost = p.off.lost[:0]
	for _, other := range a.times {
		other.Settle(now)
		p.off.lost = append(p.off.lost, other.Lost)
	}
}

// polledOff divides the time of a row of visits by which a thread polled. What the thread that
// answered has lost meanwhile was waiting for one off the CPU.
func (a *Rows) polledOff(thread int, now int64, p *poll, who int) {
	for i := range p.looks {
		l := &p.looks[i]
		in, between := l.off.in, l.off.between
		if i == p.at {
			in, between = in-l.off.lastIn, between-l.off.lastBetween
		}
		l.path.Add(analysis.Preempted, thread, -in)
		p.outer.Add(analysis.Preempted, thread, -between)
		l.path.Add(analysis.Polling, thread, in+between)
		a.times[thread].Lost -= in + between
		l.off.in, l.off.between = in, between
	}
	if who < 0 {
		who = a.written.since(thread, p.unseen())
	}
	if who < 0 || who == thread || len(p.off.lost) == 0 {
		return
	}
	a.times[who].Settle(now)
	off := a.times[who].Lost - p.off.lost[who]
	for i := range p.looks {
		l := &p.looks[i]
		part := offcpu.Clamp(off, l.in+l.between+l.off.in+l.off.between)
		off -= part
		l.path.Add(analysis.Polling, thread, -part)
		l.path.Add(analysis.OffWait, thread, part)
		a.times[thread].Lost += part
		if at := a.process.At(who); part > 0 && at != nil {
			a.process.Blame(l.path, at, who, part)
		}
	}
}
