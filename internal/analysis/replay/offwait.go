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

// offTeam is what being off the CPU does to the begin and the end of a team.
type offTeam struct {
	forked int64 // what the encountering thread had lost at the fork
	begun  int64 // when the first thread began its implicit task; 0: none has
	lost   int64 // what the encountering thread had lost then
	// held is how long the fork waited for threads that were not back from their last team,
	// because they were off the CPU.
	held int64
	join offcpu.Meeting
}

// idle reports whether a thread waits for a team to begin.
func (t *thread) idle() bool { return t.worker && t.stack.len() == 0 }

// forkOff notes that a thread forks a team.
func (a *Replay) forkOff(t *thread, now int64, m *team) {
	m.off = &offTeam{forked: t.offs.Lost}
	for _, w := range a.threads {
		if w.idle() {
			w.offs.Settle(now)
			w.offs.Begun = w.offs.Waits
		}
	}
}

// open notes that a thread of the team begins, so the others can.
func (o *offTeam) open(a *Replay, now int64, m *team) {
	m.master.offs.Settle(now)
	o.begun, o.lost, m.master.offs.Begun = now, m.master.offs.Lost, m.master.offs.Waits
	for _, w := range a.threads {
		if !w.idle() {
			continue
		}
		w.offs.Settle(now)
		back := w.offs.Back
		if w.offs.State != offcpu.OnCPU && w.offs.Since < w.offs.Joined {
			back = now
		}
		o.held = max(o.held, back-max(m.fork, w.offs.Joined+offcpu.WakeUp),
			w.offs.Waits[offcpu.Preempted]-w.offs.Begun[offcpu.Preempted])
		w.offs.Begun = w.offs.Waits
	}
}

// beginOff takes from the time between the fork and a thread's begin what is due to being off the
// CPU, and returns the rest. time is 0 for the encountering thread, whose time is accounted for.
func (a *Replay) beginOff(t *thread, now int64, m *team, time int64) int64 {
	o := m.off
	t.offs.Outer = append(t.offs.Outer, offcpu.Mark{Met: t.offs.Met, Late: t.offs.Late})
	if o == nil {
		t.offs.Meet(0)
		return time
	}
	if o.begun == 0 {
		o.open(a, now, m)
	}
	switch late := t.offs.LateSince(t.offs.Begun.Total()); {
	case t == m.master:
		a.lose(analysis.ForkJoin, analysis.OffWait, m.path, t, min(o.held, o.begun-m.fork))
		a.lose(analysis.ForkJoin, analysis.Preempted, m.path, t, min(late, now-o.begun))
		t.offs.Meet(t.offs.Lost - o.lost)
	case t.idle():
		closed := offcpu.Clamp(o.begun-max(m.fork, t.free), time)
		wait := offcpu.Clamp(max(o.held, o.lost-o.forked), closed)
		late = offcpu.Clamp(late, time-closed)
		a.loseAt(m.path, m.path, t, wait, late)
		t.offs.Meet(late)
		t.began = now - late
		return time - wait - late
	default:
		t.offs.Meet(0)
	}
	return time
}

// endOff notes that a thread's implicit task ends. Then it waits for the others.
func (a *Replay) endOff(t *thread, m *team) {
	if m.off != nil {
		m.off.join.Arrive(&t.offs, t.done)
	}
	last := len(t.offs.Outer) - 1
	t.offs.Met, t.offs.Late = t.offs.Outer[last].Met, t.offs.Outer[last].Late
	t.offs.Outer = t.offs.Outer[:last]
	t.offs.Begun = t.offs.Waits
}

// joinOff takes from the encountering thread's wait for the others what is due to being off the
// CPU.
func (a *Replay) joinOff(t *thread, now int64, m *team) {
	m.off.join.Open(now)
	p := m.off.join.Left(&t.offs, now)
	a.lose(analysis.ForkJoin, analysis.OffWait, m.path, t, p.Early+p.Held)
	a.lose(analysis.ForkJoin, analysis.Preempted, m.path, t, p.Late)
}

// joinedOff does the same for another thread, which waited so long in all. It returns the rest.
func (a *Replay) joinedOff(t *thread, now int64, m *team, time int64) int64 {
	t.offs.Joined = now
	p := m.off.join.Left(&t.offs, now)
	wait := offcpu.Clamp(p.Early+p.Held, time)
	late := offcpu.Clamp(p.Late, time-wait)
	a.loseAt(m.path, m.path, t, wait, late)
	return time - wait - late
}
