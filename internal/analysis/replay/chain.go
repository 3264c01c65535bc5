package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/graph"
	"opari/internal/omp"
)

// spend notes in the graph that a thread used the time until now. Time in which it may wait for
// others stays open until the wait ends.
func (a *Replay) spend(t *thread, top *frame, now int64) {
	var place int32 // the root
	switch {
	case top != nil && top.waits(), top == nil && t.index != 0 && (t.worker || !t.alive):
		return
	case top != nil:
		place = int32(top.path.ID)
	case t.absent:
		place = int32(a.absentPath().ID)
	case t.index == 0:
		place = a.gap.kind.place
	}
	a.settleLock(t)
	a.graph.Spend(t.index, place, now)
}

// waits reports whether a thread in the frame may wait for others.
func (f *frame) waits() bool {
	switch f.Role {
	case trace.AtBarrier, trace.ForMutex, trace.ForLock, trace.ForTasks:
		return f.Region.Kind != omp.KindMPI
	}
	return false
}

// goOn notes that a thread goes on after it may have waited at a path for a point, and returns
// what delayed that point.
func (a *Replay) goOn(t *thread, now int64, on graph.Point, at *analysis.Path) []graph.Spent {
	a.causes = a.causes[:0]
	if a.changed != nil { // whose waits have no causes that happened
		if f := t.top(); f != nil && f.Role == trace.AtBarrier {
			a.graph.GoOn(t.index, now, on, int32(at.ID))
		} else {
			a.graph.Wait(t.index, now, on, int32(at.ID))
		}
		return nil
	}
	a.graph.Causes(t.index, now, on, func(e graph.Spent) { a.causes = append(a.causes, e) })
	a.graph.Wait(t.index, now, on, int32(at.ID))
	return a.causes
}

// blameCauses blames a wait, as far as it has causes, on what delayed the point that was waited
// for, in proportion.
func (a *Replay) blameCauses(p analysis.Property, waiter *analysis.Path, time int64,
	causes []graph.Spent,
) {
	var sum int64
	for _, e := range causes {
		sum += e.Time
	}
	if time = min(time, sum); time <= 0 {
		return
	}
	for _, e := range causes {
		if part := int64(float64(time) * float64(e.Time) / float64(sum)); part > 0 {
			a.blame[blameKey{p, waiter, e.Place, int(e.Thread)}] += part
		}
	}
}

// later returns the later one of two points.
func later(p, q graph.Point) graph.Point {
	if !p.Known() || q.Known() && q.Time() > p.Time() {
		return q
	}
	return p
}

// departed notes that a thread goes on after a barrier. Until now it waited for the last thread to
// arrive or to end a task, and late and starved are so much of that as belongs to no other cause.
func (a *Replay) departed(t *thread, task *frame, now int64, f *frame, p analysis.Property,
	path *analysis.Path,
	late, starved int64,
) {
	b := f.barrier
	if a.changed != nil {
		a.metChanged(t, b)
	} else if task != nil && !b.met {
		if last := later(b.point, task.team.ended); last != b.point {
			a.graph.Replace(&b.point, a.graph.Hold(last))
		}
	}
	causes := a.goOn(t, now, b.point, f.path)
	a.blameCauses(p, path, late, causes)
	a.blameCauses(analysis.TaskStarvation, path, starved, causes)
	b.met = true
	if b.left == b.arrived && (task == nil || b.left >= len(task.team.members)) {
		a.graph.Replace(&b.point, graph.Point{})
	}
}

// forget releases the points of a team that nobody can wait for any more.
func (a *Replay) forget(m *team) {
	for _, b := range m.barriers {
		a.graph.Replace(&b.point, graph.Point{})
	}
	a.drop(m, 0)
	for _, q := range m.queues {
		for _, p := range q.points {
			a.graph.Release(p)
		}
	}
	a.graph.Replace(&m.forked, graph.Point{})
	a.graph.Replace(&m.ended, graph.Point{})
	a.graph.Replace(&m.finished, graph.Point{})
	a.graph.Replace(&m.ordered.point, graph.Point{})
	m.queues = nil
}

// endGraph finds the critical path, unless it goes through other ranks. The run ends with the
// initial thread.
func (a *Replay) endGraph() {
	r := a.result
	if len(a.threads) == 0 {
		return
	}
	a.settleLock(a.threads[0])
	if a.links != nil {
		a.links.err = a.graph.End(0)
	} else if len(a.definitions.ThreadsOf) < 2 {
		r.CriticalThreads = make([]int64, len(r.Threads))
		r.Predicted = a.graph.Elapsed(0) - int64(r.Start)
		a.graph.Chain(0, func(e graph.Spent) {
			if e.Thread != graph.AnyThread {
				r.CriticalThreads[e.Thread] += e.Time
			}
			a.at(e.Place, e.Time, func(q *analysis.Path, time int64) { q.Critical += time })
		})
	}
}

// settleLock ends a thread's wait for a lock that it did not acquire.
func (a *Replay) settleLock(t *thread) {
	if w := &t.wait; w.path != nil {
		a.graph.Spend(t.index, int32(w.path.ID), w.end)
	}
}

// causesOf returns all blame.
func (a *Replay) causesOf() []analysis.Blame {
	sums := map[analysis.Blame]int64{}
	for k, time := range a.blame {
		a.at(k.cause, time, func(q *analysis.Path, time int64) {
			sums[analysis.Blame{
				Property: k.property, Waiter: k.waiter, Cause: q,
				Thread: k.thread,
			}] += time
		})
	}
	return analysis.BlameOf(sums)
}
