package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
)

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
