package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/analysis/whatif"
	"opari/internal/graph"
	"opari/internal/omp"
)

// change is what all replays of a changed run know.
type change struct {
	*whatif.Change
	teams   map[string]int                       // threads of the largest team, by parallel region
	serials map[string]map[analysis.Region]int64 // of Result
}

func newChange(w *whatif.Change, r *analysis.Result) *change {
	c := &change{Change: w, teams: map[string]int{}, serials: r.Serials}
	for _, q := range r.Paths {
		if q.Kind == omp.KindParallel {
			name := q.Region.String()
			c.teams[name] = max(c.teams[name], q.Team)
		}
	}
	return c
}

// changed is a replay that finds out how long the run would take with a change.
type changed struct {
	*change
	a     *Replay
	paths []pathChange // by number
	gaps  []float64    // factors by place; negative: unknown yet
}

// pathChange is what a change means at a path.
type pathChange struct {
	known          bool
	factor         float64
	balanced, free bool
	shared         float64 // the factor where a team shares its work, if no lock is held
}

// begin makes the graph of a replay that of a changed run.
func (c *change) begin(a *Replay) {
	x := &changed{change: c, a: a}
	g := &graph.Change{Scale: x.scale}
	for i := range c.Parts {
		if c.Parts[i].Verb == whatif.Balances {
			g.Degree = c.Parts[i].By
			g.Balance = func(place int32) bool { return place >= 0 && x.at(place).balanced }
		}
	}
	a.changed = x
	a.graph.Change(g)
}

// at returns what the change means at a path.
func (x *changed) at(place int32) *pathChange {
	for int(place) >= len(x.paths) {
		x.paths = append(x.paths, pathChange{})
	}
	p := &x.paths[place]
	if p.known {
		return p
	}
	q := x.a.result.Paths[place]
	*p = pathChange{known: true, factor: 1, shared: 1}
	for i := range x.Parts {
		part := &x.Parts[i]
		switch {
		case part.Verb == whatif.Threaded:
			p.shared *= x.share(q, part.Count)
		case !part.Covers(q):
		case part.Verb == whatif.Scales:
			p.factor *= part.By
		case part.Verb == whatif.Balances:
			p.balanced = whatif.InTeam(q)
		case part.Verb == whatif.Unlocks:
			p.free = true
		}
	}
	return p
}

// share returns the factor of the work at a path if so many threads shared it.
func (x *changed) share(q *analysis.Path, threads int) float64 {
	shares := false
	for ; q != nil && q.Kind != omp.KindParallel; q = q.Parent {
		switch q.Kind {
		case omp.KindSections, omp.KindTask, omp.KindWorkshare:
			shares = true
		default:
			shares = shares || q.Kind.SharesIterations()
		}
	}
	if q == nil || !shares {
		return 1
	}
	if n := x.teams[q.Region.String()]; n == len(x.a.threads) {
		return float64(n) / float64(threads)
	}
	return 1 // a team that the program has made smaller
}

// scale returns the factor of the time that a thread has just spent at a place.
func (x *changed) scale(thread int, place int32) float64 {
	if place < 0 {
		return x.serial(place)
	}
	t := x.a.threads[thread]
	top := t.top()
	if top == nil && t.absent && x.a.result.Threads[t.index].Begin != 0 {
		return 0 // Predict has the end of the last rank
	}
	if top == nil || int32(top.path.ID) != place {
		return 1
	}
	p := x.at(place)
	switch top.Role {
	case trace.Working, trace.Implicit, trace.Tasking:
		if top.Region.Kind == omp.KindMPI {
			return 1
		}
		if len(t.holds) > 0 {
			return p.factor
		}
		return p.factor * p.shared
	case trace.AllWaiting:
		if p.free {
			return 0
		}
	}
	return 1
}

// serial returns the factor of the initial thread's time between two parallel regions.
func (x *changed) serial(place int32) float64 {
	i := int(-1 - place)
	for i >= len(x.gaps) {
		x.gaps = append(x.gaps, -1)
	}
	if x.gaps[i] >= 0 {
		return x.gaps[i]
	}
	var time, scaled float64
	for region, t := range x.serials[x.a.gaps[i].key()] {
		factor := 1.0
		for k := range x.Parts {
			if part := &x.Parts[k]; part.Verb == whatif.Scales && region.Is(part.Place) {
				factor *= part.By
			}
		}
		time, scaled = time+float64(t), scaled+factor*float64(t)
	}
	if x.gaps[i] = 1; time > 0 {
		x.gaps[i] = scaled / time
	}
	return x.gaps[i]
}

// key names gaps for another replay of the same trace.
func (k *GapKind) key() string {
	if k.after == nil {
		return ""
	}
	return k.after.Region.String()
}

// noteSerials notes for a changed replay what followed on gaps.
func (a *Replay) noteSerials() {
	all := map[string]map[analysis.Region]int64{}
	for _, k := range a.gaps {
		of := all[k.key()]
		if of == nil {
			of = map[analysis.Region]int64{}
			all[k.key()] = of
		}
		for _, e := range k.spent {
			of[*e.path.Region] += e.time
		}
	}
	a.result.Serials = all
}

// freed reports whether nobody waits at a path to exclude others.
func (a *Replay) freed(q *analysis.Path) bool {
	return a.changed != nil && q != nil && a.changed.at(int32(q.ID)).free
}

// enterMutex notes that a thread enters a mutex at a path for which it may have waited. Where it
// did not wait, and would come before the one that was inside before, it would not wait for that
// one either. In ordered regions the order stays.
func (a *Replay) enterMutex(t *thread, now int64, m *mutex, at *analysis.Path) {
	if a.changed == nil {
		a.graph.Wait(t.index, now, m.point, int32(at.ID))
		return
	}
	before := m.property != analysis.OrderedWait && !a.graph.Waited(t.index, now, m.point) &&
		a.graph.Elapsed(t.index) < m.entered
	switch {
	case m.unlocked || a.freed(at):
		a.graph.Skip(t.index, now)
	case before:
		a.graph.Wait(t.index, now, graph.Point{}, int32(at.ID))
	default:
		a.graph.Wait(t.index, now, m.point, int32(at.ID))
	}
	m.entered = max(m.entered, a.graph.Elapsed(t.index))
}

// leftMutex notes that a thread leaves a mutex, for which others wait or, in a changed run, may
// wait.
func (a *Replay) leftMutex(t *thread, m *mutex) {
	if a.changed == nil {
		a.graph.Replace(&m.point, a.graph.Mark(t.index))
		return
	}
	m.point = a.graph.Latest(m.point, a.graph.Mark(t.index))
	m.unlocked = a.freed(m.now.path)
}

// metChanged finds out when all threads and tasks of a barrier would have ended.
func (a *Replay) metChanged(t *thread, b *barrier) {
	if task := t.task(); !b.met {
		b.point = a.graph.Latest(b.point, a.graph.Gathered(&b.changed))
		if task != nil {
			b.point = a.graph.Latest(b.point, a.graph.Hold(task.team.finished))
		}
	}
	a.graph.Forget(t.index)
}

// executeChanged notes that a thread begins a task, which must have been created. The thread waits
// for the end of another task only if it did.
func (a *Replay) executeChanged(t *thread, now int64, m *team, born graph.Point,
	at *analysis.Path,
) {
	switch {
	case at == nil:
	case a.graph.Waited(t.index, now, m.ended) && later(m.ended, born) == m.ended:
		a.graph.Wait(t.index, now, m.ended, int32(at.ID))
	default:
		a.graph.Wait(t.index, now, born, int32(at.ID))
	}
}

// awaitedChanged returns what a thread waits for at the end of a wait for tasks: for all that have
// ended if it waited for one.
func (a *Replay) awaitedChanged(t *thread, now int64, m *team) graph.Point {
	if a.graph.Waited(t.index, now, m.ended) {
		return m.finished
	}
	return graph.Point{}
}
