package analysis

// within returns the part of a time that was lost, if so much of a longer time was. The longer
// time includes the other.
func within(time, lost, longer int64) int64 {
	if lost <= 0 || longer <= 0 {
		return 0
	}
	return int64(float64(time) * min(1, float64(lost)/float64(longer)))
}

// askedOff notes what the team's threads have lost when one of them asks to enter an ordered
// region. It waits for one that may be anywhere in its iteration.
func (a *replay) askedOff(t *thread, now int64, m *mutex) {
	task := t.task()
	if m.property != OrderedWait || task == nil {
		return
	}
	if t.offs.asked == nil {
		t.offs.asked = make([]int64, len(a.threads))
	}
	for _, o := range task.team.members {
		a.settle(o, now)
		t.offs.asked[o.index] = o.offs.lost
	}
}

// releasedOff notes that what a thread asked for is released. The thread inside was off the CPU
// for so long meanwhile, but of an ordered region that is what it has lost since it was asked for.
func (a *replay) releasedOff(m *mutex, q *asking, off, now int64) {
	a.settle(q.thread, now)
	q.over = q.thread.offs.waits.total()
	if asked := q.thread.offs.asked; m.property != OrderedWait || asked == nil {
		q.off += off
	} else {
		q.holder = m.now.thread
		q.off = q.holder.offs.lost - asked[q.holder.index]
	}
}

// acquiredOff takes from a wait to enter a critical or ordered region the time in which the
// threads inside were off the CPU, and that in which the waiting thread was although it could
// enter.
func (a *replay) acquiredOff(t *thread, m *mutex, q *asking, waited int64) {
	off := clamp(q.off, waited)
	a.lose(m.property, OffWait, q.path, t, off)
	a.lose(m.property, Preempted, q.path, t, min(t.offs.lateSince(q.over), waited-off))
	if q.holder != nil && off > 0 && q.path.Parent != nil {
		a.blame[blameKey{OffWait, q.path, int32(q.path.Parent.ID), q.holder.index}] += off
	}
}

// lockedOff does the same for a wait for a lock. off is the time in which holders were off the
// CPU. released says that the lock was released before the thread acquired it.
func (a *replay) lockedOff(t *thread, w *lockWait, off int64, released bool) {
	a.lose(LockWait, OffWait, w.path, t, off)
	if released {
		a.lose(LockWait, Preempted, w.path, t, t.offs.lateSince(w.over))
	}
}

// waitOver notes that what threads wait for in functions of a role may have come true, for some
// of them.
func (a *replay) waitOver(threads []*thread, r role, now int64) {
	for _, t := range threads {
		if top := t.top(); top != nil && top.role == r {
			a.settle(t, now)
			top.mark = t.offs.waits.total()
		}
	}
}

// awaitedOff takes from a wait for tasks the time in which the thread that executed the last one
// was off the CPU, and that in which the waiting thread was although the task had ended.
func (a *replay) awaitedOff(t *thread, f *frame, off int64) {
	a.lose(TaskWait, OffWait, f.path, t, off)
	a.lose(TaskWait, Preempted, f.path, t, t.offs.lateSince(f.mark))
}
