package analysis

import "opari/otf"

// mpiWait is what a thread in a routine of MPI has waited for.
type mpiWait struct {
	property Property
	until    int64 // 0: nothing
	posted   int64 // when the one that gets what it sends was ready for that; 0: it is not known
	logged   bool  // something is in the log
}

// received is that a message has come, which was sent at a time; 0: it is not known when.
func (w *mpiWait) received(at int64) {
	if at > w.until {
		w.property, w.until = LateSender, at
	}
}

// sent is that a message is sent in a routine that returns only when it has been taken; its
// receiver was ready at a time.
func (w *mpiWait) sent(at int64) { w.posted = max(w.posted, at) }

// met is that a process takes part in a collective operation: where all need something of all they
// wait for the last one, else for the root, or the root for them.
func (w *mpiWait) met(k *meeting, process uint32) {
	switch {
	case k.kind == otf.CollectiveTypeBarrier || k.kind == otf.CollectiveTypeAll2All:
		w.property, w.until = CollectiveWait, k.last
	case k.kind == otf.CollectiveTypeOne2All && k.root != process:
		w.property, w.until = LateBroadcast, k.rootBegins
	case k.kind == otf.CollectiveTypeAll2One && k.root == process:
		w.property, w.until = EarlyReduce, k.last
	}
}

// end is that a routine is left: it tells waiting apart from the rest of the time in it. A send
// that was over when the receiver came has not waited for it: what it sent was small enough to be
// put down somewhere.
func (w *mpiWait) end(enter, now int64) (Property, int64) {
	k := *w
	*w = mpiWait{}
	if k.posted > k.until && k.posted < now {
		k.property, k.until = LateReceiver, k.posted
	}
	if k.until <= 0 {
		return 0, 0
	}
	return k.property, min(now, k.until) - enter
}

// receive is that a message has come: the thread has waited until it was sent. It says when that
// was; 0: it is not known, or not yet.
func (a *replay) receive(t *thread, sender, group, tag uint32) int64 {
	k := address{to: a.rank, from: uint32(a.definitions.rankNumber(sender)), group: group, tag: tag}
	switch {
	case a.log != nil:
		a.log.message(t, stepReceived, &k)
	case a.mail != nil:
		at := a.mail.take(k)
		t.mpi.received(at)
		return at
	}
	return 0
}

// send is that a message is sent: a routine that returns only when it has been taken waits for the
// receiver.
func (a *replay) send(t *thread, receiver, group, tag uint32) {
	top := t.top()
	waits := top != nil && top.sends
	k := address{
		to: a.rank, receiver: true, from: uint32(a.definitions.rankNumber(receiver)),
		group: group, tag: tag,
	}
	switch {
	case a.log != nil && waits:
		a.log.message(t, stepTaken, &k)
	case a.log != nil:
		a.log.message(t, stepSent, &k)
	case a.mail != nil:
		if at := a.mail.take(k); waits {
			t.mpi.sent(at)
		}
	}
}

// meet is that a collective operation has begun.
func (a *replay) meet(t *thread, process, group uint32) {
	if a.meetings == nil || a.definitions.alone[group] {
		return
	}
	n := a.met[group]
	a.met[group]++
	if a.log != nil {
		a.log.met(t, group, n, process)
	} else if k, found := a.meetings.at(group, n); found {
		t.mpi.met(&k, process)
	}
}

// leaveMPI tells waiting apart from the rest of the time in a routine of MPI, or notes what is
// wanted for that.
func (a *replay) leaveMPI(t *thread, now int64, top *frame) {
	if t.mpi.logged {
		t.mpi.logged = false
		a.log.left(t, now, top)
	} else if property, waited := t.mpi.end(top.enter, now); waited > 0 {
		a.add(property, top.path, t, waited)
		a.add(MPICall, top.path, t, -waited)
	}
}

// blocking are the routines that return when a message has been received, and those that may return
// only when theirs is being received.
var blocking = struct{ receives, sends []string }{
	receives: []string{"MPI_Recv", "MPI_Mrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"},
	sends: []string{
		"MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Sendrecv",
		"MPI_Sendrecv_replace",
	},
}
