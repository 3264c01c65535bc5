package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

// offProperties are the properties of time in a state.
var offProperties = [offcpu.NumStates]analysis.Property{
	analysis.Work, analysis.Preempted,
	analysis.Blocked,
}

// switched notes that a thread changes its state.
func (a *Replay) switched(t *thread, now int64, value uint64) {
	a.account(t, now)
	state := offcpu.OnCPU
	if value < uint64(offcpu.NumStates) {
		state = offcpu.State(value)
	}
	if t.offs.State != offcpu.OnCPU && t.offs.Since < t.offs.Joined {
		t.offs.Back = now
	}
	top := t.top()
	if t.offs.State != offcpu.OnCPU && top != nil && top.Region.Kind == omp.KindMPI {
		t.delay.Add(t.offs.Since, now, t.offs.State)
	}
	if state != t.offs.State && a.counts(now) && a.isOff(t, top, state) {
		switch {
		case top != nil:
			top.path.LeaveCPU(t.index, state, 1)
		case t.index == 0:
			a.gap.left[state]++
		default:
			a.result.Paths[0].LeaveCPU(t.index, state, 1)
		}
	}
	t.offs.State, t.offs.Since = state, now
}

// isOff reports whether being in a state is a loss of its own, whatever the thread is in. In a
// wait it is not: threads sleep there, and one that is preempted would wait as long.
func (a *Replay) isOff(t *thread, top *frame, state offcpu.State) bool {
	switch {
	case state == offcpu.OnCPU:
		return false
	case top == nil:
		return t.alive && !t.worker
	case top.Region.Kind == omp.KindMPI:
		return false
	}
	switch top.Role {
	case trace.Working:
		return state == offcpu.Preempted || !top.Region.Kind.WaitsForDevice()
	case trace.Implicit, trace.Tasking, trace.Creating:
		return true
	case trace.Forking:
		return state == offcpu.Preempted && t.began < top.enter
	case trace.AllWaiting:
		return state == offcpu.Preempted
	}
	return false
}

// offTime assigns time in which a thread was off the CPU. It returns false where the time belongs
// to what the thread was in.
func (a *Replay) offTime(t *thread, top *frame, time int64) bool {
	if !a.isOff(t, top, t.offs.State) {
		t.offs.Waits[t.offs.State] += time
		return false
	}
	t.offs.Lost += time
	path := a.result.Paths[0]
	if top != nil {
		path = top.path
	}
	for _, h := range t.holds {
		h.spent.add(path, time)
	}
	if a.alone(t) {
		a.gap.spent.add(path, time)
		a.gap.off.add(path, time)
	}
	if top == nil || top.Role != trace.Forking { // join adds the time of the team
		t.since.add(path, time)
	}
	if top == nil && t.index == 0 {
		a.gap.lost[t.offs.State] += time // closeGap knows the path
		return true
	}
	path.Visits[t.index].Excl += time
	path.Add(offProperties[t.offs.State], t.index, time)
	return true
}

// State corrects the state of an interval of a thread that is off the CPU.
func (a *Replay) offState(t *thread, top *frame, i *analysis.Interval) {
	switch {
	case t.offs.State == offcpu.Preempted && top != nil:
		i.State = analysis.StatePreempted
	case !a.isOff(t, top, t.offs.State):
	case t.offs.State == offcpu.Preempted:
		i.State = analysis.StatePreempted
	default:
		i.State = analysis.StateBlocked
	}
}

// move gives time of a thread at a path to another property, at most what the first one has. It
// returns how much that was.
func (a *Replay) move(from, to analysis.Property, path *analysis.Path, t *thread,
	time int64,
) int64 {
	if path.Times(from) == nil {
		return 0
	}
	time = offcpu.Clamp(time, path.Times(from)[t.index])
	path.Add(from, t.index, -time)
	path.Add(to, t.index, time)
	return time
}

// lose does the same with time that the thread lost.
func (a *Replay) lose(from, to analysis.Property, path *analysis.Path, t *thread, time int64) {
	time = a.move(from, to, path, t, time)
	t.offs.Lost += time
	if to == analysis.Preempted && time > 0 {
		path.LeaveCPU(t.index, offcpu.Preempted, 1)
	}
}

// loseAt adds what a thread lost at a path: waiting for others, and being late itself.
func (a *Replay) loseAt(path, at *analysis.Path, t *thread, wait, late int64) {
	path.Add(analysis.OffWait, t.index, wait)
	at.Add(analysis.Preempted, t.index, late)
	t.offs.Lost += wait + late
	if late > 0 {
		at.LeaveCPU(t.index, offcpu.Preempted, 1)
	}
}
