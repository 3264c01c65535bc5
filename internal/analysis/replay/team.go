package replay

import (
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/starvation"
	"opari/internal/analysis/trace"
	"opari/internal/graph"
)

// team is one team of a parallel region.
type team struct {
	path    *analysis.Path
	master  *thread
	fork    int64
	members []*thread
	// barriers are the barriers that a thread still is in or has to reach. The first has the
	// number passed.
	barriers []*barrier
	passed   int
	joined   bool
	// number is the team's number in the recording. It is negative if the recording gives none,
	// which means that no other team of the region can be open.
	number     int64
	ordered    mutex
	executed   execution   // the task that ended last
	ended      graph.Point // its end
	finished   graph.Point // in a changed run, the end of the last task
	forked     graph.Point
	queues     map[taskPlace]*queue
	starvation starvation.Team
	off        *offTeam // nil: nothing is known
}

func newTeam(path *analysis.Path, master *thread, fork int64) *team {
	return &team{
		path: path, master: master, fork: fork, number: -1,
		members: make([]*thread, 0, path.Team),
		ordered: mutex{property: analysis.OrderedWait},
	}
}

// fork begins a team.
func (a *Replay) fork(t *thread, now int64, f *frame, outer *analysis.Path) {
	if a.alone(t) {
		a.closeGap(now, f.Region)
		f.gap = true
	}
	f.path, f.visit = a.result.Child(outer, f.Region), true
	f.team = newTeam(f.path, t, now)
	f.team.forked = a.graph.Mark(t.index)
	if a.definitions.Kernel {
		a.forkOff(t, now, f.team)
	}
	if t.team >= 0 {
		f.team.number, t.team = t.team, -1
		a.numbered[uint64(f.team.number)] = f.team
		return
	}
	a.teams[f.Region] = append(a.teams[f.Region], f.team)
}

// find returns the team whose implicit task of a region a thread begins. If its number is unknown
// and several teams are open, it is the last forked team that the thread is not in. This happens
// only with lost records or another writer's recording.
func (a *Replay) find(t *thread, region *analysis.Region) *team {
	number := t.team
	t.team = -1
	if top := t.top(); top != nil && top.Role == trace.Forking && top.Region == region {
		return top.team
	}
	if number >= 0 {
		if m := a.numbered[uint64(number)]; m != nil && m.path.Region == region {
			return m
		}
	}
	open := a.teams[region]
	for i := len(open) - 1; i >= 0; i-- {
		if !open[i].has(t) {
			return open[i]
		}
	}
	// The fork of the team was not recorded.
	path := a.result.Child(a.result.Paths[0], region)
	return newTeam(path, t, t.done)
}

func (m *team) has(t *thread) bool {
	return slices.Contains(m.members, t)
}

// beginTask begins an implicit task.
func (a *Replay) beginTask(t *thread, now int64, f *frame) {
	m := a.find(t, f.Region)
	if m.members = append(m.members, t); t != m.master {
		a.graph.Wait(t.index, now, m.forked, int32(m.path.ID))
	}
	a.graph.Forget(t.index)
	m.path.Team = max(m.path.Team, len(m.members))
	f.team, f.path = m, m.path
	t.began = now
	if t != m.master {
		f.visit = true
	}
	var cost int64
	if t.idle() {
		a.add(analysis.IdleSmallTeam, m.path.Parent, t, max(0, m.fork-t.free))
		cost = now - max(m.fork, t.free)
	}
	if a.definitions.Kernel {
		cost = a.beginOff(t, now, m, cost)
	}
	a.add(analysis.ForkJoin, m.path, t, cost)
	t.outer, t.since, t.sections = append(t.outer, t.since), t.spare[:0], 0
	t.spare = nil
}

// endTask ends an implicit task.
func (a *Replay) endTask(t *thread, f *frame) {
	if a.definitions.Kernel {
		a.endOff(t, f.team)
	}
	last := len(t.outer) - 1
	t.spare, t.since, t.outer = t.since, t.outer[last], t.outer[:last]
}

// join ends a team.
func (a *Replay) join(t *thread, now int64, f *frame) {
	m := f.team
	if m.number >= 0 && a.numbered[uint64(m.number)] == m {
		delete(a.numbered, uint64(m.number))
	}
	open := a.teams[f.Region]
	for i := range open {
		if open[i] == m {
			a.teams[f.Region] = append(open[:i], open[i+1:]...)
			break
		}
	}
	m.joined = true
	a.forget(m)
	t.since.add(m.path, now-m.fork)
	if m.off != nil {
		a.joinOff(t, now, m)
	}
	for _, other := range m.members {
		if other != t && other.worker && other.stack.len() == 0 && other.free < now {
			cost := now - other.free
			if m.off != nil {
				cost = a.joinedOff(other, now, m, cost)
			}
			a.add(analysis.ForkJoin, m.path, other, cost)
			other.free = now
		}
	}
	if f.gap {
		a.openGap(now, m)
	}
}

// teamPath returns the path of the parallel region that t executes. Tasks belong to it, wherever
// they are executed.
func (a *Replay) teamPath(t *thread) *analysis.Path {
	if task := t.task(); task != nil {
		return task.path
	}
	return a.result.Paths[0]
}
