package analysis

// offMeeting is what being off the CPU does to a team that meets at a barrier or at the end of a
// parallel region. A thread waits for the last one. Had no thread been off the CPU, each would
// have come earlier by what it lost, and the wait would have ended with the last of these
// arrivals.
type offMeeting struct {
	last      int64 // when the last thread arrived
	undelayed int64 // when it would have, or another
	opened    int64 // when the first thread went on; 0: none has
	members   []offMember
}

type offMember struct {
	thread        *thread
	came          int64
	lost          int64   // since the previous meeting
	starved       int64   // waiting for a task of a thread that was off the CPU
	busy          int64   // what it had lost when its task began
	arrival, open offSums // its waits when the last thread arrived, and when the meeting opened
}

// offParts are parts of a thread's time in a meeting.
type offParts struct {
	early int64 // waiting before the last arrival, for a thread that was off the CPU
	held  int64 // the same afterwards: a thread was taken off before it had taken part
	late  int64 // the thread itself was off the CPU although it could go on
	after int64 // the part of late since the meeting opened
}

// arrive notes that a thread arrives.
func (m *offMeeting) arrive(a *replay, t *thread, now int64) {
	lost := t.offs.sinceMet()
	m.last, m.undelayed, m.opened = now, max(m.undelayed, now-lost), 0
	m.members = append(m.members, offMember{thread: t, came: now, lost: lost})
	for i := range m.members {
		o := &m.members[i]
		a.settle(o.thread, now)
		o.arrival, o.starved = o.thread.offs.waits, 0
	}
}

// open notes that a thread can go on, so all can.
func (m *offMeeting) open(a *replay, now int64) {
	if m.opened > 0 {
		return
	}
	m.opened = now
	for i := range m.members {
		o := &m.members[i]
		a.settle(o.thread, now)
		o.open = o.thread.offs.waits
	}
}

func (m *offMeeting) member(t *thread) *offMember {
	for i := range m.members {
		if m.members[i].thread == t {
			return &m.members[i]
		}
	}
	return nil
}

// leave returns the parts of a thread's time in the meeting. It waited for so long before the
// last arrival, and so long since.
func (m *offMeeting) leave(t *thread, waited, rest int64) (p offParts) {
	o := m.member(t)
	if o == nil {
		return p
	}
	p.early = clamp(m.last-m.undelayed-o.lost, waited)
	closed := min(rest, m.opened-m.last)
	since := rest - closed
	own := clamp(o.open[preempted]-o.arrival[preempted], closed)
	for i := range m.members {
		if x := &m.members[i]; x.thread != t {
			p.held = max(p.held, x.open[preempted]-x.arrival[preempted])
		}
	}
	p.held = clamp(p.held, closed-own)
	slept := o.open[blocked] - o.arrival[blocked]
	own += clamp(slept-p.held-wakeUp, closed-own-p.held)
	p.after = clamp(t.offs.lateSince(o.open.total()), since)
	p.late = own + p.after
	return p
}

// departOff takes from a thread's time at a barrier what is due to being off the CPU. path has
// the waits for the last thread, at the barrier's own.
func (a *replay) departOff(t *thread, now int64, w *waiter, b *barrier, path, at *Path) {
	b.off.open(a, now)
	o := b.off.member(t)
	if o == nil {
		return
	}
	p := b.off.leave(t, w.late, w.rest)
	starved := clamp(o.starved, w.starved)
	w.late, w.starved, w.rest = w.late-p.early, w.starved-starved, w.rest-p.held-p.late
	wait := p.early + p.held + starved
	a.loseAt(path, at, t, wait, p.late)
	a.blameFor(OffWait, path, wait, b.doing, b.last, t)
	t.offs.meet(p.after)
}

// busy notes that a waiting thread begins to execute a task.
func (m *offMeeting) busy(t *thread) {
	if o := m.member(t); o != nil {
		o.busy = t.offs.lost
	}
}

// executed notes that the thread has executed the task. The others in the barrier starve as long
// as it was off the CPU.
func (m *offMeeting) executed(t *thread) {
	o := m.member(t)
	if o == nil {
		return
	}
	for i := range m.members {
		if x := &m.members[i]; x != o {
			x.starved += t.offs.lost - o.busy
		}
	}
}
