package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/mpiwait"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
	"opari/internal/graph"
	"opari/otf"
)

// report calls the Message callback for a message that a thread received.
func (a *Replay) report(t *thread, sender uint32, sent, received int64, tag, bytes uint32) {
	if a.options.Message == nil || sent == 0 || !a.counts(sent) || !a.counts(received) {
		return
	}
	if from, known := a.definitions.Everywhere[sender]; known {
		a.options.Message(analysis.Message{
			From: from, To: t.index, Sender: a.definitions.RankNumber(sender), Target: int(a.Rank),
			Sent: sent, Received: received, Tag: tag, Bytes: bytes,
		})
	}
}

// receive notes that a message arrived: the thread waited until it was sent. It returns when that
// was, or 0 if that is not known, or not yet.
func (a *Replay) receive(t *thread, sender, group, tag uint32) int64 {
	k := mpiwait.Address{
		To: a.Rank, From: uint32(a.definitions.RankNumber(sender)), Group: group,
		Tag: tag,
	}
	t.delay.Received = true
	if t.link.used = true; a.links != nil {
		t.link.Received = append(t.link.Received,
			graph.Channel{From: k.From, Group: group, Tag: tag})
	}
	switch {
	case a.Log != nil:
		a.Log.Message(t.index, &t.mpi, mpiwait.StepReceived, &k)
	case a.Mail != nil:
		at, behind := a.Mail.Take(k, a.definitions.Kernel)
		t.mpi.Received(at, behind)
		return at
	}
	return 0
}

// send notes that a message is sent. A routine that returns only when the message is taken waits
// for the receiver.
func (a *Replay) send(t *thread, now int64, receiver, group, tag uint32) {
	top := t.top()
	waits := top != nil && top.Sends
	t.delay.Sent = true
	k := mpiwait.Address{
		To: a.Rank, Receiver: true, From: uint32(a.definitions.RankNumber(receiver)),
		Group: group, Tag: tag,
	}
	if t.link.used = true; a.links != nil {
		a.linkSend(t, now, top, graph.Channel{To: k.From, Group: group, Tag: tag})
	}
	switch {
	case a.Log != nil && waits:
		a.Log.Message(t.index, &t.mpi, mpiwait.StepTaken, &k)
	case a.Log != nil:
		a.Log.Message(t.index, &t.mpi, mpiwait.StepSent, &k)
	case a.Mail != nil:
		if at, behind := a.Mail.Take(k, a.definitions.Kernel); waits {
			t.mpi.Sent(at, behind)
		}
	}
}

// meet notes that a collective operation begins.
func (a *Replay) meet(t *thread, now int64, process, group, root, kind uint32) {
	if a.definitions.Alone[group] {
		return
	}
	if t.delay.Meet(kind, root == process); a.Meetings == nil {
		return
	}
	n := a.met[group]
	a.met[group]++
	if t.link.used = true; a.links != nil {
		a.linkMeeting(t, now, graph.Meeting{
			Group: group, Number: n, Need: needs[kind], Root: root == process,
		})
	}
	if a.Log != nil {
		a.Log.Met(t.index, &t.mpi, group, n, process)
	} else if k, found := a.Meetings.At(group, n); found {
		t.mpi.Met(&k, process)
	}
}

// leaveMPI separates the wait from the rest of the time in an MPI routine, or logs what is needed
// for that.
func (a *Replay) leaveMPI(t *thread, now int64, top *frame) {
	off := &t.delay
	if t.mpi.Logged {
		a.Log.Left(t.index, &t.mpi, top.path, top.enter, now)
		if a.definitions.Kernel {
			a.Log.Delayed(off, t.offs.Lost, top.enter, now)
		}
	} else {
		p, posted := t.mpi.Leave(off, t.offs.Lost, top.enter, now)
		if a.links != nil {
			a.links.late.Note(t.link.used, &p, posted)
		}
		p.Each(func(property analysis.Property, time int64) {
			top.path.Add(property, t.index, time)
			top.path.Add(analysis.MPICall, t.index, -time)
		})
		if p.Late > 0 {
			top.path.LeaveCPU(t.index, offcpu.Preempted, 1)
		}
	}
	if a.definitions.Kernel {
		off.Leave(t.offs.Lost, top.enter, now)
	}
	if a.links != nil {
		a.linkLeave(t, now, top)
	}
	t.link.used = false
}

// Behind returns by how much a process is behind since it was last in step with others, and how
// long it was off the CPU in all, or waited for threads of its rank that were.
func (a *Replay) Behind(process uint32) (behind, lost int64) {
	if i, known := a.definitions.ByProcess[process]; known {
		t := a.threads[i]
		behind, lost = t.delay.Behind(t.offs.Lost), t.delay.InAll(t.offs.Lost)
	}
	return behind, lost
}

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
