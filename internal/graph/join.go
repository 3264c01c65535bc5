package graph

// Process is one process of a run, and its log.
type Process struct {
	Number  uint32  // in channels
	Threads []int32 // their numbers in the run
	// Next returns the next piece of the log, which is valid until the call after it; nil at the
	// end.
	Next func() ([]byte, error)
	// Place gives the time at a place of the log to places of the run.
	Place func(place int32, time int64, do func(place int32, time int64))
	// Ready says when the receiver was ready for whose message a thread waited when it went on for
	// the nth time; 0: it waited for no receiver. It gets ascending n.
	Ready func(n uint64) int64
}

// Wait is a wait of a process for another one.
type Wait struct {
	For           Reason
	Thread, Place int32
	Time          int64 // ns
}

// Reason is why a process waits for another one.
type Reason uint8

const (
	ForMessage  Reason = iota
	ForReceiver        // until it is ready
	ForAll             // at a meeting
	ForRoot
	ForOthers // the root waits for them
)

// Run is what the logs of all processes are joined with.
type Run struct {
	Start     int64
	Processes []Process
	// Members returns how many members a group has.
	Members func(group uint32) int
	// Blame gets each cause of each wait. The times add up to the wait.
	Blame func(w *Wait, cause Spent)
	// Last is the index of the process with which the run ends.
	Last int
	// Transfers reports whether time at a place is only for the transfer of messages, apart from
	// waiting for other processes.
	Transfers func(place int32) bool
	// Ideal is the time at which the run would have ended if that took none. It is set by Join.
	Ideal int64
	// Changed says that something would be different. Then Join sets Latest, the time at which the
	// last process would have ended, and the critical path is of that one.
	Changed bool
	Latest  int64
}

// Join joins the logs and returns the critical path of the run, in no order. A place and thread may
// come several times. It takes what is in the logs in the order of time, as it happened. Where
// clocks differ, so that a message arrives before it is sent, nobody waited for it.
func (r *Run) Join() ([]Spent, error) {
	j := &joiner{
		Run: r, channels: map[address]*channel{}, meetings: map[meetingKey]*meeting{},
		byNumber: map[uint32]*reader{},
	}
	root := j.root(r.Start)
	root.ideal, r.Ideal = r.Start, r.Start
	for i := range r.Processes {
		p := &reader{
			Process: &r.Processes[i], index: i,
			cuts: []cut{{0, hold(root)}},
		}
		j.byNumber[p.Number] = p
		if err := j.advance(p); err != nil {
			return nil, err
		}
		if !p.ended {
			j.heads.push(p)
		}
	}
	for len(j.heads) > 0 {
		p := j.heads[0].reader
		j.happen(p)
		if err := j.advance(p); err != nil {
			return nil, err
		}
		j.heads.passed()
	}
	var critical []Spent
	for n := j.end; n != nil; n = n.prev {
		critical = append(critical, n.list...)
	}
	return critical, nil
}

// joiner joins the logs of a run. Its graph has no threads, only chains.
type joiner struct {
	*Run
	nodes
	diff     difference
	heads    heads
	byNumber map[uint32]*reader
	channels map[address]*channel
	meetings map[meetingKey]*meeting
	end      *node
	blamed   Wait
	text     vector
}

type address struct{ from, to, group, tag uint32 }

// channel holds the points at which the messages of a channel were sent that are not received yet.
type channel struct {
	sent, received uint64
	points         []*node
}

type meetingKey struct{ group, number uint32 }

type meeting struct {
	last, root    *node
	late          *node // the last one with the change
	arrived, left int
}

// happen does what the next step of a process says.
func (j *joiner) happen(p *reader) {
	switch p.kind {
	case stepSend:
		c := j.channel(address{p.Number, p.to, p.channel.Group, p.channel.Tag})
		if c.sent++; c.sent > c.received {
			c.points = append(c.points, hold(p.point(p.cut)))
		}
		p.sentTo = p.to
	case stepReady:
		j.ready(p, p.point(p.cut))
	case stepMeet:
		m := j.meeting(&p.met)
		m.arrived++
		n := p.point(p.cut)
		if n != nil && (m.last == nil || n.real >= m.last.real) {
			j.release(m.last)
			m.last = hold(n)
		}
		if n != nil && j.Changed && (m.late == nil || n.time >= m.late.time) {
			j.release(m.late)
			m.late = hold(n)
		}
		if p.met.Root {
			j.release(m.root)
			m.root = hold(n)
		}
	case stepGo:
		j.goOn(p)
	case stepEnd:
		if n := p.point(p.cut); n != nil {
			j.Ideal = max(j.Ideal, n.ideal)
		}
		j.ends(p)
	}
}

// ends notes with which process the run ends.
func (j *joiner) ends(p *reader) {
	n := p.point(p.cut)
	switch {
	case n != nil && j.Changed && (j.end == nil || n.time > j.end.time):
		j.release(j.end)
		j.end, j.Latest = hold(n), n.time
	case !j.Changed && p.index == j.Last:
		j.end = hold(n)
	}
}

// after returns a new node that goes on from another one with what is in the text.
func (j *joiner) after(before *node, real int64) *node {
	ideal, time := before.ideal, before.time
	for _, e := range j.text.list {
		time += e.Time
		if !j.Transfers(e.Place) {
			ideal += e.Time
		}
	}
	n := j.nodeAfter(hold(before), &j.text, real, time)
	n.ideal = ideal
	return n
}

func (j *joiner) channel(k address) *channel {
	c := j.channels[k]
	if c == nil {
		c = &channel{}
		j.channels[k] = c
	}
	return c
}

func (j *joiner) meeting(m *Meeting) *meeting {
	k := meetingKey{m.Group, m.Number}
	of := j.meetings[k]
	if of == nil {
		of = &meeting{}
		j.meetings[k] = of
	}
	return of
}

// remembered is how many of the latest points a process was ready to receive at are kept.
const remembered = 8

func (j *joiner) ready(p *reader, n *node) {
	at := &p.readies[p.nextReady%remembered]
	p.nextReady++
	j.release(*at)
	*at = hold(n)
}

// readyAt returns the point at which a process was ready at a time.
func (j *joiner) readyAt(number uint32, time int64) *node {
	if p := j.byNumber[number]; p != nil && time > 0 {
		for _, n := range p.readies {
			if n != nil && n.real == time {
				return n
			}
		}
	}
	return nil
}

// goOn finds out what a thread has waited for that leaves a routine.
func (j *joiner) goOn(p *reader) {
	base := p.point(p.cut)
	if base == nil {
		return // the point before it was lost
	}
	until, on, reason := base.real, (*node)(nil), ForMessage
	ideal, late := base.ideal, base
	candidate := func(n *node, why Reason) {
		if n != nil {
			ideal = max(ideal, n.ideal)
		}
		if n == nil || n.real > p.at {
			return
		}
		if n.real > until {
			until, on, reason = n.real, n, why
		}
		if n.time > late.time {
			late = n
		}
	}
	for _, from := range p.received {
		c := j.channel(address{from.From, p.Number, from.Group, from.Tag})
		if c.received++; len(c.points) > 0 {
			n := c.points[0]
			c.points = append(c.points[:0], c.points[1:]...)
			candidate(n, ForMessage)
			if n != on && n != late {
				j.release(n)
			} else {
				defer j.release(n)
			}
		}
	}
	if p.meets {
		m := j.meeting(&p.met)
		switch {
		case p.met.Need == NeedAll:
			candidate(m.last, ForAll)
			candidate(m.late, ForAll)
		case p.met.Need == NeedRoot && !p.met.Root:
			candidate(m.root, ForRoot)
		case p.met.Need == NeedOthers && p.met.Root:
			candidate(m.last, ForOthers)
			candidate(m.late, ForOthers)
		}
	}
	candidate(j.readyAt(p.sentTo, p.Ready(p.gone)), ForReceiver)
	if on != nil {
		j.blamed = Wait{For: reason, Thread: p.Threads[p.thread], Time: until - base.real}
		p.Place(p.place, j.blamed.Time, func(place int32, _ int64) { j.blamed.Place = place })
		j.diff.compare(on, base, nil)
		j.diff.blame(j.blamed.Time, func(e Spent) { j.Blame(&j.blamed, e) })
		base = on
	}
	if j.Changed {
		base = late
	}
	j.text.clear()
	p.Place(p.place, p.at-until, func(place int32, time int64) {
		j.text.add(place, p.Threads[p.thread], time)
	})
	n := j.after(base, p.at)
	n.ideal = max(n.ideal, ideal)
	p.cuts = append(p.cuts, cut{p.made, n})
	if p.meets {
		j.depart(p)
	}
}

// depart forgets a meeting that all members have left.
func (j *joiner) depart(p *reader) {
	m := j.meeting(&p.met)
	if m.left++; m.left >= j.Members(p.met.Group) {
		j.release(m.last)
		j.release(m.late)
		j.release(m.root)
		delete(j.meetings, meetingKey{p.met.Group, p.met.Number})
	}
}
