package graph

import "encoding/binary"

// log is the part of a graph that other processes need, as text: the points at which messages are
// sent and received and at which processes meet, and what is between them on the chains.
//
// It is a list of steps in numbers of seven bits a byte: first the kind of a step, then its
// values. Points are numbered in the order of the log. Point 0 is the start of the run.
type log struct {
	text []byte
	cuts int32
	time int64 // of the last point
	gone int   // how often a thread went on
	put  func(text []byte) error
	err  error
	sum  vector
}

// Steps of a log.
const (
	// Time since the last point, the point before it in its chain, number of entries, and for
	// each of them place, thread and time. The point gets the next number.
	stepCut   = iota
	stepFree  // point: no later step names it
	stepSend  // point, receiver, group, tag
	stepReady // point: the process is ready to receive
	stepMeet  // point, group, number of the meeting, need, whether it is the root
	// Point, time since then, place, thread, how often threads went on since the last such step,
	// number of messages received, and for each sender, group and tag; whether there was a
	// meeting, and its group, number, need and whether it is the root. It makes the next point.
	stepGo
	stepEnd // point
)

// LogPiece is how many bytes of a log are handed over at once.
const logPiece = 16 << 10

// Channel is one way from process to process. Messages of a channel do not overtake each other.
type Channel struct{ From, To, Group, Tag uint32 }

// Need is what the members of a meeting wait for.
type Need uint8

const (
	NeedNobody Need = iota
	NeedAll         // each member waits for the last one
	NeedRoot        // each member waits for the root
	NeedOthers      // the root waits for the last one
)

// Meeting is a process's part in a collective operation. The nth meeting of a member is the nth of
// its group.
type Meeting struct {
	Group, Number uint32
	Need          Need
	Root          bool
}

// Link keeps a log of what other processes need to know. put gets it in pieces, in their order,
// none of which divides a step.
func (g *Graph) Link(put func(text []byte) error) {
	g.log = &log{put: put}
	g.freed = g.log.free
}

func (l *log) number(values ...uint32) {
	for _, v := range values {
		l.text = binary.AppendUvarint(l.text, uint64(v))
	}
}

func (l *log) step(kind byte, values ...uint32) {
	l.text = append(l.text, kind)
	l.number(values...)
}

func (l *log) free(cut int32) { l.step(stepFree, uint32(cut)) }

// cut writes a node and returns its number.
func (g *Graph) cut(n *node) uint32 {
	l := g.log
	if n.cut != 0 || n.prev == nil {
		return uint32(n.cut)
	}
	l.sum.clear()
	before := n
	for ; before.prev != nil && before.cut == 0; before = before.prev {
		for _, e := range before.list {
			l.sum.add(e.Place, e.Thread, e.Time)
		}
	}
	l.cuts++
	n.cut = l.cuts
	l.text = binary.AppendVarint(append(l.text, stepCut), n.real-l.time)
	l.time = n.real
	l.number(uint32(before.cut), uint32(len(l.sum.list)))
	for _, e := range l.sum.list {
		l.text = binary.AppendVarint(l.text, int64(e.Place))
		l.number(uint32(e.Thread))
		l.text = binary.AppendVarint(l.text, e.Time)
	}
	g.merge(n.prev) // it may have waited for n to be in the log
	return uint32(n.cut)
}

// flush hands over a long log.
func (l *log) flush(least int) {
	if len(l.text) < least || l.err != nil {
		return
	}
	l.err = l.put(l.text)
	l.text = l.text[:0]
}

// Enter returns the point at which a thread enters a routine that may wait for other processes.
// receives says that it waits for a message, so that senders may wait for the point.
func (g *Graph) Enter(thread int, receives bool) Point {
	p := g.Mark(thread)
	if receives && g.log != nil {
		g.log.step(stepReady, g.cut(p.n))
	}
	return p
}

// Send notes that the thread sends a message, and moves its point of entry there.
func (g *Graph) Send(thread int, entry *Point, c Channel) {
	g.Replace(entry, g.Mark(thread))
	g.log.step(stepSend, g.cut(entry.n), c.To, c.Group, c.Tag)
}

// Meet notes that the thread comes to a meeting, and moves its point of entry there.
func (g *Graph) Meet(thread int, entry *Point, m Meeting) {
	g.Replace(entry, g.Mark(thread))
	g.log.step(stepMeet, g.cut(entry.n))
	g.log.meeting(m)
}

func (l *log) meeting(m Meeting) {
	root := uint32(0)
	if m.Root {
		root = 1
	}
	l.number(m.Group, m.Number, uint32(m.Need), root)
}

// Link is what a thread that leaves a routine may have waited for.
type Link struct {
	Received []Channel
	Met      *Meeting
	Waits    bool // the routine may have waited until its message was received
}

// Leave notes that a thread leaves a routine at a place. For this process it has spent its time
// there; whether it waited for another process turns out when the logs are joined.
func (g *Graph) Leave(thread int, entry *Point, place int32, now int64, link Link) {
	g.rest(&g.threads[thread], thread, place, now)
	l := g.log
	l.gone++
	if len(link.Received) == 0 && link.Met == nil && !link.Waits {
		return
	}
	base := g.cut(entry.n)
	t := &g.threads[thread]
	g.end(t) // always a node of its own
	l.cuts++
	t.last.cut = l.cuts
	g.merge(t.last.prev)
	l.step(stepGo, base)
	l.text = binary.AppendUvarint(l.text, uint64(t.real-entry.n.real))
	l.text = binary.AppendVarint(l.text, int64(place))
	l.number(uint32(thread), uint32(l.gone), uint32(len(link.Received)))
	l.gone, l.time = 0, t.real
	for _, c := range link.Received {
		l.number(c.From, c.Group, c.Tag)
	}
	if link.Met == nil {
		l.number(0)
	} else {
		l.number(1)
		l.meeting(*link.Met)
	}
	l.flush(logPiece)
}

// End ends the log with the chain of a thread. The error is the first of put.
func (g *Graph) End(thread int) error {
	p := g.Mark(thread)
	g.log.step(stepEnd, g.cut(p.n))
	g.Release(p)
	g.log.flush(1)
	return g.log.err
}
