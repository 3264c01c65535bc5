package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
)

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
func (a *Replay) askedOff(t *thread, now int64, m *mutex) {
	task := t.task()
	if m.property != analysis.OrderedWait || task == nil {
		return
	}
	if t.offs.Asked == nil {
		t.offs.Asked = make([]int64, len(a.threads))
	}
	for _, o := range task.team.members {
		o.offs.Settle(now)
		t.offs.Asked[o.index] = o.offs.Lost
	}
}

// releasedOff notes that what a thread asked for is released. The thread inside was off the CPU
// for so long meanwhile, but of an ordered region that is what it has lost since it was asked for.
func (a *Replay) releasedOff(m *mutex, q *asking, off, now int64) {
	q.thread.offs.Settle(now)
	q.over = q.thread.offs.Waits.Total()
	if asked := q.thread.offs.Asked; m.property != analysis.OrderedWait || asked == nil {
		q.off += off
	} else {
		q.holder = m.now.thread
		q.off = q.holder.offs.Lost - asked[q.holder.index]
	}
}

// acquiredOff takes from a wait to enter a critical or ordered region the time in which the
// threads inside were off the CPU, and that in which the waiting thread was although it could
// enter.
func (a *Replay) acquiredOff(t *thread, m *mutex, q *asking, waited int64) {
	off := offcpu.Clamp(q.off, waited)
	a.lose(m.property, analysis.OffWait, q.path, t, off)
	a.lose(m.property, analysis.Preempted, q.path, t, min(t.offs.LateSince(q.over), waited-off))
	if q.holder != nil && off > 0 && q.path.Parent != nil {
		a.blame[blameKey{analysis.OffWait, q.path, int32(q.path.Parent.ID), q.holder.index}] += off
	}
}

// lockedOff does the same for a wait for a lock. off is the time in which holders were off the
// CPU. released says that the lock was released before the thread acquired it.
func (a *Replay) lockedOff(t *thread, w *lockWait, off int64, released bool) {
	a.lose(analysis.LockWait, analysis.OffWait, w.path, t, off)
	if released {
		a.lose(analysis.LockWait, analysis.Preempted, w.path, t, t.offs.LateSince(w.over))
	}
}

// waitOver notes that what threads wait for in functions of a role may have come true, for some
// of them.
func (a *Replay) waitOver(threads []*thread, r trace.Role, now int64) {
	for _, t := range threads {
		if top := t.top(); top != nil && top.Role == r {
			t.offs.Settle(now)
			top.mark = t.offs.Waits.Total()
		}
	}
}

// awaitedOff takes from a wait for tasks the time in which the thread that executed the last one
// was off the CPU, and that in which the waiting thread was although the task had ended.
func (a *Replay) awaitedOff(t *thread, f *frame, off int64) {
	a.lose(analysis.TaskWait, analysis.OffWait, f.path, t, off)
	a.lose(analysis.TaskWait, analysis.Preempted, f.path, t, t.offs.LateSince(f.mark))
}

// departOff takes from a thread's time at a barrier what is due to being off the CPU. path has
// the waits for the last thread, at the barrier's own.
func (a *Replay) departOff(t *thread, now int64, w *waiter, b *barrier, path, at *analysis.Path) {
	b.off.Open(now)
	o := b.off.Member(&t.offs)
	if o == nil {
		return
	}
	p := b.off.Leave(&t.offs, w.late, w.rest)
	starved := offcpu.Clamp(o.Starved, w.starved)
	w.late, w.starved, w.rest = w.late-p.Early, w.starved-starved, w.rest-p.Held-p.Late
	wait := p.Early + p.Held + starved
	a.loseAt(path, at, t, wait, p.Late)
	a.blameFor(analysis.OffWait, path, wait, b.doing, b.last, t)
	t.offs.Meet(p.After)
}
