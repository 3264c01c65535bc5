package analysis

import "opari/otf"

// mpiWait is what a thread in a routine of MPI has waited for.
type mpiWait struct {
	property Property
	until    int64 // 0: nothing
	posted   int64 // when the one that gets what it sends was ready for that; 0: it is not known
}

// receive is that a message has come: the thread has waited until it was sent. It says when that was; 0: it is not known.
func (a *replay) receive(t *thread, sender, group, tag uint32) int64 {
	if a.mail == nil {
		return 0
	}
	at := a.mail.take(address{to: a.rank, from: uint32(a.definitions.rankNumber(sender)), group: group, tag: tag})
	if at > t.mpi.until {
		t.mpi.property, t.mpi.until = LateSender, at
	}
	return at
}

// send is that a message is sent: a routine that returns only when it has been taken waits for the receiver.
func (a *replay) send(t *thread, receiver, group, tag uint32) {
	if a.mail == nil {
		return
	}
	at := a.mail.take(address{to: a.rank, receiver: true, from: uint32(a.definitions.rankNumber(receiver)), group: group, tag: tag})
	if top := t.top(); top != nil && top.sends {
		t.mpi.posted = max(t.mpi.posted, at)
	}
}

// meet is that a collective operation has begun: where all need something of all they wait for the last one, else for the root, or the root for them.
func (a *replay) meet(t *thread, process, group uint32) {
	if a.meetings == nil || a.definitions.alone[group] {
		return
	}
	n := a.met[group]
	a.met[group]++
	k, found := a.meetings.at(group, n)
	switch {
	case !found:
	case k.kind == otf.CollectiveTypeBarrier || k.kind == otf.CollectiveTypeAll2All:
		t.mpi.property, t.mpi.until = CollectiveWait, k.last
	case k.kind == otf.CollectiveTypeOne2All && k.root != process:
		t.mpi.property, t.mpi.until = LateBroadcast, k.rootBegins
	case k.kind == otf.CollectiveTypeAll2One && k.root == process:
		t.mpi.property, t.mpi.until = EarlyReduce, k.last
	}
}

// leaveMPI tells waiting apart from the rest of the time in a routine of MPI. A send that was over when the receiver came has not waited for it: what it
// sent was small enough to be put down somewhere.
func (a *replay) leaveMPI(t *thread, now int64, top *frame) {
	w := t.mpi
	t.mpi = mpiWait{}
	if w.posted > w.until && w.posted < now {
		w.property, w.until = LateReceiver, w.posted
	}
	if waited := min(now, w.until) - top.enter; w.until > 0 && waited > 0 {
		a.add(w.property, top.path, t, waited)
		a.add(MPICall, top.path, t, -waited)
	}
}

// blocking are the routines that return when a message has been received, and those that may return only when theirs is being received.
var blocking = struct{ receives, sends []string }{
	receives: []string{"MPI_Recv", "MPI_Mrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"},
	sends:    []string{"MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Sendrecv", "MPI_Sendrecv_replace"},
}
