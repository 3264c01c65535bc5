package offcpu

// Meeting is what being off the CPU does to a team that meets at a barrier or at the end of a
// parallel region. A thread waits for the last one. Had no thread been off the CPU, each would
// have come earlier by what it lost, and the wait would have ended with the last of these
// arrivals.
type Meeting struct {
	last      int64 // when the last thread arrived
	undelayed int64 // when it would have, or another
	opened    int64 // when the first thread went on; 0: none has
	members   []member
}

type member struct {
	times         *Times
	came          int64
	lost          int64 // since the previous meeting
	Starved       int64 // waiting for a task of a thread that was off the CPU
	busy          int64 // what it had lost when its task began
	arrival, open Sums  // its waits when the last thread arrived, and when the meeting opened
}

// Parts are parts of a thread's time in a meeting.
type Parts struct {
	Early int64 // waiting before the last arrival, for a thread that was off the CPU
	Held  int64 // the same afterwards: a thread was taken off before it had taken part
	Late  int64 // the thread itself was off the CPU although it could go on
	After int64 // the part of late since the meeting opened
}

// Arrive notes that a thread arrives.
func (m *Meeting) Arrive(t *Times, now int64) {
	lost := t.sinceMet()
	m.last, m.undelayed, m.opened = now, max(m.undelayed, now-lost), 0
	m.members = append(m.members, member{times: t, came: now, lost: lost})
	for i := range m.members {
		o := &m.members[i]
		o.times.Settle(now)
		o.arrival, o.Starved = o.times.Waits, 0
	}
}

// Open notes that a thread can go on, so all can.
func (m *Meeting) Open(now int64) {
	if m.opened > 0 {
		return
	}
	m.opened = now
	for i := range m.members {
		o := &m.members[i]
		o.times.Settle(now)
		o.open = o.times.Waits
	}
}

func (m *Meeting) Member(t *Times) *member {
	for i := range m.members {
		if m.members[i].times == t {
			return &m.members[i]
		}
	}
	return nil
}

// Leave returns the parts of a thread's time in the meeting. It waited for so long before the
// last arrival, and so long since.
func (m *Meeting) Leave(t *Times, waited, rest int64) (p Parts) {
	o := m.Member(t)
	if o == nil {
		return p
	}
	p.Early = Clamp(m.last-m.undelayed-o.lost, waited)
	closed := min(rest, m.opened-m.last)
	since := rest - closed
	own := Clamp(o.open[Preempted]-o.arrival[Preempted], closed)
	for i := range m.members {
		if x := &m.members[i]; x.times != t {
			p.Held = max(p.Held, x.open[Preempted]-x.arrival[Preempted])
		}
	}
	p.Held = Clamp(p.Held, closed-own)
	slept := o.open[Blocked] - o.arrival[Blocked]
	own += Clamp(slept-p.Held-WakeUp, closed-own-p.Held)
	p.After = Clamp(t.LateSince(o.open.Total()), since)
	p.Late = own + p.After
	return p
}

// Busy notes that a waiting thread begins to execute a task.
func (m *Meeting) Busy(t *Times) {
	if o := m.Member(t); o != nil {
		o.busy = t.Lost
	}
}

// Executed notes that the thread has executed the task. The others in the barrier starve as long
// as it was off the CPU.
func (m *Meeting) Executed(t *Times) {
	o := m.Member(t)
	if o == nil {
		return
	}
	for i := range m.members {
		if x := &m.members[i]; x != o {
			x.Starved += t.Lost - o.busy
		}
	}
}

// Left returns the parts of a thread's time in a meeting that it leaves when the meeting opens.
func (m *Meeting) Left(t *Times, now int64) Parts {
	o := m.Member(t)
	if o == nil {
		return Parts{}
	}
	return m.Leave(t, m.last-o.came, now-m.last)
}
