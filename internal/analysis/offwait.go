package analysis

// within returns the part of a time that was lost, if so much of a longer time was. The longer
// time includes the other.
func within(time, lost, longer int64) int64 {
	if lost <= 0 || longer <= 0 {
		return 0
	}
	return int64(float64(time) * min(1, float64(lost)/float64(longer)))
}

// acquiredOff takes from a wait to enter a critical or ordered region the time in which the
// threads inside were off the CPU, and that in which the waiting thread was although it could
// enter. A thread that waits for its turn in an ordered region sleeps while nobody is inside.
func (a *replay) acquiredOff(t *thread, m *mutex, q *asking) {
	a.lose(m.property, OffWait, q.path, t, q.off)
	if m.property != OrderedWait {
		a.lose(m.property, Preempted, q.path, t, t.offs.lateSince(q.over))
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
