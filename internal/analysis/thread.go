package analysis

// thread is a thread during the replay.
type thread struct {
	index  int
	worker bool
	alive  bool
	absent bool  // the initial thread of a rank whose process has not started or has ended
	owed   int64 // cost of the last record that is not charged yet
	done   int64 // its time is accounted for up to here
	free   int64 // a worker outside of regions: its time is accounted for up to here
	stack  stack
	// since is what the thread did since its team last met, for the critical path and blame.
	since    spent
	outer    []spent // the same for the enclosing implicit tasks
	sections int     // executed since the team last met
	began    int64   // when its implicit task began
	awaits   int     // waits for tasks that it is in, one inside the other
	holds    []*holding
	chunk    gotLast
	wait     lockWait // its last wait for a lock
	poll     poll
	// team is the number of the team whose fork or implicit task comes next; negative: unknown.
	team int64
	mpi  mpiWait
	link linkage
	// off is whether the kernel has taken the thread off its processor.
	off      offState
	offs     offTimes
	counting *counting // nil: the trace has no counters
	sample   standing
}

func (t *thread) top() *frame {
	if t.stack.len() == 0 {
		return nil
	}
	return t.stack.at(t.stack.len() - 1)
}

// task returns the frame of the innermost implicit task, or nil.
func (t *thread) task() *frame {
	for i := t.stack.len() - 1; i >= 0; i-- {
		if f := t.stack.at(i); f.role == implicit {
			return f
		}
	}
	return nil
}
