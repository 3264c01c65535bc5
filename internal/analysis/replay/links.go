package replay

import (
	"opari/internal/analysis/mpiwait"
	"opari/internal/analysis/trace"
	"opari/internal/graph"
	"opari/otf"
)

// links is what a rank notes of its chains for the critical path over all ranks.
type links struct {
	late mpiwait.LateNotes
	err  error
}

// linkage is what a thread in a routine of MPI may wait for.
type linkage struct {
	graph.Link
	meeting graph.Meeting
	entry   graph.Point
	used    bool // the routine had a message or a meeting
}

var needs = map[uint32]graph.Need{
	otf.CollectiveTypeBarrier: graph.NeedAll, otf.CollectiveTypeAll2All: graph.NeedAll,
	otf.CollectiveTypeOne2All: graph.NeedRoot, otf.CollectiveTypeAll2One: graph.NeedOthers,
}

// Link begins to note what the chains of all ranks need. hand gets the log in pieces.
func (a *Replay) Link(hand func(text []byte) error) {
	a.links = &links{}
	a.graph.Link(hand)
}

// Late returns the notes on late receivers of a linked replay that has ended, and the error that
// its log had.
func (a *Replay) Late() ([]byte, error) { return a.links.late.Text, a.links.err }

// enterMPI notes that a thread enters a routine.
func (a *Replay) enterMPI(t *thread, f *trace.Function) {
	a.graph.Replace(&t.link.entry, a.graph.Enter(t.index, f.Receives))
	t.link.Link = graph.Link{Received: t.link.Received[:0]}
}

// linkSend notes that a thread sends a message in a routine.
func (a *Replay) linkSend(t *thread, now int64, top *frame, c graph.Channel) {
	if t.link.entry.Known() {
		a.graph.Spend(t.index, int32(top.path.ID), now)
		a.graph.Send(t.index, &t.link.entry, c)
		t.link.Waits = t.link.Waits || top.Sends
	}
}

// linkMeeting notes that a thread comes to a collective operation.
func (a *Replay) linkMeeting(t *thread, now int64, m graph.Meeting) {
	if t.link.entry.Known() {
		a.graph.Spend(t.index, int32(t.top().path.ID), now)
		a.graph.Meet(t.index, &t.link.entry, m)
		t.link.meeting = m
		t.link.Met = &t.link.meeting
	}
}

// linkLeave notes that a thread leaves a routine.
func (a *Replay) linkLeave(t *thread, now int64, top *frame) {
	if t.link.used {
		a.graph.Leave(t.index, &t.link.entry, int32(top.path.ID), now, t.link.Link)
	}
	a.graph.Replace(&t.link.entry, graph.Point{})
}
