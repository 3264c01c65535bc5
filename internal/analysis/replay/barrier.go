package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/graph"
	"opari/internal/omp"
)

// barrier is one encounter of a team with a barrier.
type barrier struct {
	waiting []waiter
	arrived int
	left    int
	tasks   int // executed in it
	running int // being executed in it
	last    *thread
	arrival int64       // when the last thread arrived
	doing   spent       // what the last thread did since the team last met
	first   int64       // when the first thread arrived
	chunk   *gotLast    // the last thread's; nil: it has none
	met     bool        // a thread has left, so all have arrived
	point   graph.Point // the last arrival
	changed graph.Gathering
	off     *offcpu.Meeting
}

// waiter is a thread in a barrier.
type waiter struct {
	thread  *thread
	mark    int64 // its time is counted up to here
	busy    bool  // it executes a task
	came    int64
	late    int64 // time before the last thread arrived
	starved int64 // after that, while other threads executed tasks
	rest    int64 // the rest of the time after that
}

// arrive notes a thread's arrival at the next barrier of its implicit task.
func (a *Replay) arrive(t *thread, now int64, f *frame) {
	task := t.task()
	if task == nil {
		f.barrier = &barrier{} // an orphaned barrier of the initial thread alone
	} else {
		f.barrier = a.barrier(task.team, int(task.meets))
		task.meets++
	}
	b := f.barrier
	task.idles(now, 1)
	if a.changed != nil {
		a.graph.Gather(&b.changed, t.index)
	} else {
		a.graph.Replace(&b.point, a.graph.Mark(t.index))
	}
	for i := range b.waiting {
		w := &b.waiting[i]
		if w.busy {
			a.account(w.thread, now)
		}
		if inner := w.thread.task(); inner != nil && task != nil && inner.team == task.team {
			// The tasks that it executed here so far delayed nobody: this thread arrives later.
			w.thread.since = w.thread.since[:0]
		}
		w.count(now)
		w.late += w.rest + w.starved
		w.rest, w.starved = 0, 0
	}
	b.waiting = append(b.waiting, waiter{thread: t, mark: now, came: now})
	if b.arrived++; b.arrived == 1 {
		b.first = now
	}
	b.chunk = t.lastChunk()
	before := b.doing // of the thread before, whose buffer this one gets
	b.last, b.arrival, b.doing = t, now, t.since
	if a.counts(now) {
		f.path.Meetings++
	}
	f.path.Between += t.since.total()
	if a.definitions.Kernel {
		f.path.Between -= offcpu.Clamp(t.offs.Lost-t.offs.Met, t.since.total())
		if b.off == nil {
			b.off = &offcpu.Meeting{}
		}
		b.off.Arrive(&t.offs, now)
	}
	t.since = before[:0]
}

// barrier returns the barrier with that number in the order of the implicit tasks. It drops the
// barriers that all threads have left.
func (a *Replay) barrier(m *team, number int) *barrier {
	a.drop(m, 1)
	if number < m.passed {
		// The thread arrives after the others have left, so records were lost.
		return &barrier{}
	}
	for m.passed+len(m.barriers) <= number {
		m.barriers = append(m.barriers, a.newBarrier())
	}
	return m.barriers[number-m.passed]
}

// drop drops a team's first barriers that all threads have left, until only so many are left.
func (a *Replay) drop(m *team, keep int) {
	n := 0
	for len(m.barriers)-n > keep && m.barriers[n].over(m) {
		b := m.barriers[n]
		a.graph.Replace(&b.point, graph.Point{})
		*b = barrier{waiting: b.waiting[:0], doing: b.doing[:0]}
		a.unused = append(a.unused, b)
		n++
	}
	if n > 0 {
		m.barriers = m.barriers[:copy(m.barriers, m.barriers[n:])]
		m.passed += n
	}
}

// over reports whether all threads of the team have left.
func (b *barrier) over(m *team) bool {
	return b.met && b.left == b.arrived && b.arrived >= len(m.members)
}

// newBarrier returns a barrier with the buffers of one that was dropped, if there is one.
func (a *Replay) newBarrier() *barrier {
	last := len(a.unused) - 1
	if last < 0 {
		return &barrier{}
	}
	b := a.unused[last]
	a.unused = a.unused[:last]
	return b
}

func (w *waiter) count(now int64) {
	if !w.busy {
		w.rest += now - w.mark
	}
	w.mark = now
}

func (b *barrier) waiter(t *thread) *waiter {
	for i := range b.waiting {
		if b.waiting[i].thread == t {
			return &b.waiting[i]
		}
	}
	return &waiter{thread: t, mark: t.done}
}

// pass counts the time until now for a waiting thread.
func (b *barrier) pass(t *thread, now int64) { b.waiter(t).count(now) }

// interrupt notes that a waiting thread begins to execute a task.
func (b *barrier) interrupt(t *thread) {
	b.waiter(t).busy = true
	if b.off != nil {
		b.off.Busy(&t.offs)
	}
	b.running++
	if !b.met { // else it is one of the next barrier's, while this thread has not gone on
		b.tasks++
	}
}

// resume notes that the thread has executed the task. While any thread executed tasks, the
// waiting threads had too few.
func (b *barrier) resume(t *thread, now int64) {
	w := b.waiter(t)
	w.mark, w.busy = now, false
	if b.running--; b.met {
		return
	}
	if b.off != nil {
		b.off.Executed(&t.offs)
	}
	if b.running > 0 {
		return
	}
	for i := range b.waiting {
		w := &b.waiting[i]
		w.count(now)
		w.starved += w.rest
		w.rest = 0
	}
}

// depart notes that a thread leaves a barrier. All threads have arrived, so the parts of its wait
// are known.
func (a *Replay) depart(t *thread, now int64, f *frame) {
	b, task := f.barrier, t.task()
	w := *b.waiter(t)
	for i := range b.waiting {
		if b.waiting[i].thread == t {
			b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
			break
		}
	}
	b.left++
	task.idles(now, -1)
	property, path := a.classify(t, f, b)
	if b.tasks > 0 && property != analysis.BarrierExplicit {
		property = analysis.TaskStarvation
	}
	if task != nil && !b.met {
		a.starved.Add(&task.team.starvation, path)
	}
	if b.off != nil {
		a.departOff(t, now, &w, b, path, f.path)
	}
	if early := min(w.late, b.last.began-w.came); early > 0 && b.last != t {
		// the last thread had not begun its task yet
		a.add(analysis.ForkJoin, a.teamPath(t), t, early)
		w.late -= early
	}
	a.add(property, path, t, w.late)
	if property == analysis.ImbalanceLoop && b.last != t {
		a.waitedForChunk(b, path, w.came, w.late)
	}
	a.add(analysis.TaskStarvation, path, t, w.starved)
	if b.last == t { // it waited for nobody
		a.measure(analysis.BarrierCost, f.path, t, w.rest, false)
	} else {
		a.add(analysis.BarrierCost, f.path, t, w.rest)
	}
	a.departed(t, task, now, f, property, path, w.late, w.starved)
	t.since, t.sections = t.since[:0], 0
	if task != nil && task.team.joined {
		a.drop(task.team, 0)
	}
}

// classify returns the property of a wait for the last thread at a barrier, and the path of the
// construct that ends there. At the end of a parallel region this is the loop or sections
// construct without its own barrier in which the last thread spent most of its time. If the last
// thread spent it in a nested parallel region with a team of one, the wait is false nesting of
// that region.
func (a *Replay) classify(t *thread, f *frame, b *barrier) (analysis.Property, *analysis.Path) {
	path, team := f.path, a.teamPath(t)
	for q := b.doing.most(); q != nil && q != team; q = q.Parent {
		if q.Kind == omp.KindParallel && q.Team == 1 {
			return analysis.FalseNesting, q
		}
		if f.Region.Kind == omp.KindParallel && q.Parent == path &&
			(q.Kind.SharesIterations() || q.Kind == omp.KindSections) {
			path = q
		}
	}
	p := analysis.WaitAtEnd(path.Kind)
	if p == analysis.ImbalanceSections && t.sections == 0 {
		p = analysis.SerialSections
	}
	return p, path
}

// blameFor blames a wait on what the thread that was waited for did, in proportion to its times.
func (a *Replay) blameFor(p analysis.Property, waiter *analysis.Path, time int64, doing spent,
	cause, t *thread,
) {
	total := doing.total()
	if time == 0 || total == 0 || cause == t {
		return
	}
	for _, e := range doing {
		if part := int64(float64(time) * float64(e.time) / float64(total)); part > 0 {
			a.blame[blameKey{p, waiter, int32(e.path.ID), cause.index}] += part
		}
	}
}
