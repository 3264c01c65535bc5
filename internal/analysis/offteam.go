package analysis

// offTeam is what being off the CPU does to the begin and the end of a team.
type offTeam struct {
	forked int64 // what the encountering thread had lost at the fork
	begun  int64 // when the first thread began its implicit task; 0: none has
	lost   int64 // what the encountering thread had lost then
	// held is how long the fork waited for threads that were not back from their last team,
	// because they were off the CPU.
	held int64
	join offMeeting
}

// idle reports whether a thread waits for a team to begin.
func (t *thread) idle() bool { return t.worker && t.stack.len() == 0 }

// forkOff notes that a thread forks a team.
func (a *replay) forkOff(t *thread, now int64, m *team) {
	m.off = &offTeam{forked: t.offs.lost}
	for _, w := range a.threads {
		if w.idle() {
			a.settle(w, now)
			w.offs.begun = w.offs.waits
		}
	}
}

// open notes that a thread of the team begins, so the others can.
func (o *offTeam) open(a *replay, now int64, m *team) {
	a.settle(m.master, now)
	o.begun, o.lost, m.master.offs.begun = now, m.master.offs.lost, m.master.offs.waits
	for _, w := range a.threads {
		if !w.idle() {
			continue
		}
		a.settle(w, now)
		back := w.offs.back
		if w.off != onCPU && w.offs.since < w.offs.joined {
			back = now
		}
		o.held = max(o.held, back-max(m.fork, w.offs.joined+wakeUp),
			w.offs.waits[preempted]-w.offs.begun[preempted])
		w.offs.begun = w.offs.waits
	}
}

// beginOff takes from the time between the fork and a thread's begin what is due to being off the
// CPU, and returns the rest. time is 0 for the encountering thread, whose time is accounted for.
func (a *replay) beginOff(t *thread, now int64, m *team, time int64) int64 {
	o := m.off
	t.offs.outer = append(t.offs.outer, offMark{t.offs.met, t.offs.late})
	if o == nil {
		t.offs.meet(0)
		return time
	}
	if o.begun == 0 {
		o.open(a, now, m)
	}
	switch late := t.offs.lateSince(t.offs.begun.total()); {
	case t == m.master:
		a.lose(ForkJoin, OffWait, m.path, t, min(o.held, o.begun-m.fork))
		a.lose(ForkJoin, Preempted, m.path, t, min(late, now-o.begun))
		t.offs.meet(t.offs.lost - o.lost)
	case t.idle():
		closed := clamp(o.begun-max(m.fork, t.free), time)
		wait := clamp(max(o.held, o.lost-o.forked), closed)
		late = clamp(late, time-closed)
		a.loseAt(m.path, m.path, t, wait, late)
		t.offs.meet(late)
		t.began = now - late
		return time - wait - late
	default:
		t.offs.meet(0)
	}
	return time
}

// endOff notes that a thread's implicit task ends. Then it waits for the others.
func (a *replay) endOff(t *thread, m *team) {
	if m.off != nil {
		m.off.join.arrive(a, t, t.done)
	}
	last := len(t.offs.outer) - 1
	t.offs.met, t.offs.late = t.offs.outer[last].met, t.offs.outer[last].late
	t.offs.outer = t.offs.outer[:last]
	t.offs.begun = t.offs.waits
}

// joinOff takes from the encountering thread's wait for the others what is due to being off the
// CPU.
func (a *replay) joinOff(t *thread, now int64, m *team) {
	m.off.join.open(a, now)
	p := m.off.join.left(t, now)
	a.lose(ForkJoin, OffWait, m.path, t, p.early+p.held)
	a.lose(ForkJoin, Preempted, m.path, t, p.late)
}

// joinedOff does the same for another thread, which waited so long in all. It returns the rest.
func (a *replay) joinedOff(t *thread, now int64, m *team, time int64) int64 {
	t.offs.joined = now
	p := m.off.join.left(t, now)
	wait := clamp(p.early+p.held, time)
	late := clamp(p.late, time-wait)
	a.loseAt(m.path, m.path, t, wait, late)
	return time - wait - late
}

// left returns the parts of a thread's time in a meeting that it leaves when the meeting opens.
func (m *offMeeting) left(t *thread, now int64) offParts {
	o := m.member(t)
	if o == nil {
		return offParts{}
	}
	return m.leave(t, m.last-o.came, now-m.last)
}
