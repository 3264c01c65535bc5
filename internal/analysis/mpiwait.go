package analysis

import (
	"slices"

	"opari/internal/graph"
	"opari/internal/omp"
)

import "opari/otf"

// mpiWait is what a thread in an MPI routine waited for.
type mpiWait struct {
	property Property
	until    int64 // when the wait ended; 0: it did not wait
	posted   int64 // when the receiver of its message was ready; 0: unknown
	logged   bool  // the log has a step for this routine
	// When until and posted would have been, had no process been off the CPU.
	undelayed, ready int64
}

// received notes a received message and when it was sent; 0: unknown. The sender was behind by so
// much.
func (w *mpiWait) received(at, behind int64) {
	if at > w.until {
		w.property, w.until = LateSender, at
	}
	w.undelayed = max(w.undelayed, at-behind)
}

// sent notes a message that is sent in a routine which may wait for the receiver, and when the
// receiver was ready, and behind by so much.
func (w *mpiWait) sent(at, behind int64) {
	w.posted, w.ready = max(w.posted, at), max(w.ready, at-behind)
}

// met notes that a process takes part in a collective operation. If all members need data of all,
// they wait for the last one. Otherwise they wait for the root, or the root for them.
func (w *mpiWait) met(k *meeting, process uint32) {
	switch {
	case k.kind == otf.CollectiveTypeBarrier || k.kind == otf.CollectiveTypeAll2All:
		w.property, w.until, w.undelayed = CollectiveWait, k.last, k.undelayed
	case k.kind == otf.CollectiveTypeOne2All && k.root != process:
		w.property, w.until, w.undelayed = LateBroadcast, k.rootBegins, k.rootUndelayed
	case k.kind == otf.CollectiveTypeAll2One && k.root == process:
		w.property, w.until, w.undelayed = EarlyReduce, k.last, k.undelayed
	}
}

// receive notes that a message arrived: the thread waited until it was sent. It returns when that
// was, or 0 if that is not known, or not yet.
func (a *replay) receive(t *thread, sender, group, tag uint32) int64 {
	k := address{to: a.rank, from: uint32(a.definitions.rankNumber(sender)), group: group, tag: tag}
	t.offs.mpi.received = true
	if t.link.used = true; a.links != nil {
		t.link.Received = append(t.link.Received,
			graph.Channel{From: k.from, Group: group, Tag: tag})
	}
	switch {
	case a.log != nil:
		a.log.message(t, stepReceived, &k)
	case a.mail != nil:
		at, behind := a.mail.take(k, a.definitions.kernel)
		t.mpi.received(at, behind)
		return at
	}
	return 0
}

// send notes that a message is sent. A routine that returns only when the message is taken waits
// for the receiver.
func (a *replay) send(t *thread, now int64, receiver, group, tag uint32) {
	top := t.top()
	waits := top != nil && top.sends
	t.offs.mpi.sent = true
	k := address{
		to: a.rank, receiver: true, from: uint32(a.definitions.rankNumber(receiver)),
		group: group, tag: tag,
	}
	if t.link.used = true; a.links != nil {
		a.linkSend(t, now, top, graph.Channel{To: k.from, Group: group, Tag: tag})
	}
	switch {
	case a.log != nil && waits:
		a.log.message(t, stepTaken, &k)
	case a.log != nil:
		a.log.message(t, stepSent, &k)
	case a.mail != nil:
		if at, behind := a.mail.take(k, a.definitions.kernel); waits {
			t.mpi.sent(at, behind)
		}
	}
}

// meet notes that a collective operation begins.
func (a *replay) meet(t *thread, now int64, process, group, root, kind uint32) {
	if a.definitions.alone[group] {
		return
	}
	if t.offs.mpi.meet(kind, root == process); a.meetings == nil {
		return
	}
	n := a.met[group]
	a.met[group]++
	if t.link.used = true; a.links != nil {
		a.linkMeeting(t, now, graph.Meeting{
			Group: group, Number: n, Need: needs[kind], Root: root == process,
		})
	}
	if a.log != nil {
		a.log.met(t, group, n, process)
	} else if k, found := a.meetings.at(group, n); found {
		t.mpi.met(&k, process)
	}
}

// leaveMPI separates the wait from the rest of the time in an MPI routine, or logs what is needed
// for that.
func (a *replay) leaveMPI(t *thread, now int64, top *frame) {
	off := &t.offs.mpi
	if t.mpi.logged {
		t.mpi.logged = false
		a.log.left(t, now, top, a.definitions.kernel)
	} else {
		posted, spans := t.mpi.posted, off.kept()
		p := t.mpi.end(top.enter, now, t.behind()-off.surplus.of(off.step), spans)
		if off.sent || off.received || off.met { // the log has no other routines
			off.surplus.leave(p.until, off.last(top.enter, now), spans)
		}
		if a.links != nil {
			a.links.late.note(t.link.used, &p, posted)
		}
		p.each(func(property Property, time int64) {
			top.path.Add(property, t.index, time)
			top.path.Add(MPICall, t.index, -time)
		})
		if p.late > 0 {
			top.path.leaveCPU(t.index, preempted, 1)
		}
	}
	if a.definitions.kernel {
		off.leave(t, top.enter, now)
	}
	if a.links != nil {
		a.linkLeave(t, now, top)
	}
	t.link.used = false
}

// SetsUpMPI reports whether the region is a routine that begins or ends MPI. Its time depends on
// the launcher and the network, not on what the program does.
func (g *Region) SetsUpMPI() bool {
	return g.Kind == omp.KindMPI && slices.Contains(setup, g.Name)
}

var setup = []string{"MPI_Init", "MPI_Init_thread", "MPI_Finalize"}

// blocking lists the routines that return when they have received a message, and those that may
// return only when their own message is being received.
var blocking = struct{ receives, sends []string }{
	receives: []string{"MPI_Recv", "MPI_Mrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"},
	sends: []string{
		"MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Sendrecv",
		"MPI_Sendrecv_replace",
	},
}
