package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

var roleStates = [...]analysis.State{
	trace.Working: analysis.StateWork, trace.Forking: analysis.StateFork,
	trace.Implicit: analysis.StateWork, trace.Tasking: analysis.StateTask,
	trace.AtBarrier: analysis.StateBarrier, trace.ForMutex: analysis.StateMutex,
	trace.ForLock: analysis.StateMutex, trace.ForTasks: analysis.StateTasks,
	trace.AllWaiting: analysis.StateMutex, trace.Creating: analysis.StateFork,
}

// interval calls the Interval callback.
func (a *Replay) interval(t *thread, top *frame, from, to int64) {
	i := analysis.Interval{
		Thread: t.index, Rank: int(a.Rank), Path: a.result.Paths[0], From: from,
		To: to,
	}
	switch {
	case top != nil:
		i.Path, i.State = top.path, roleStates[top.Role]
		if top.Region.Kind == omp.KindMPI {
			i.State = analysis.StateMPI
		} else if i.State == analysis.StateWork && a.alone(t) {
			i.State = analysis.StateSerial
		}
	case !t.alive:
		i.State = analysis.StateAbsent
	case t.worker:
		i.State = analysis.StateIdle
	default:
		i.State = analysis.StateSerial
	}
	if t.offs.State != offcpu.OnCPU {
		a.offState(t, top, &i)
	}
	a.options.Interval(i)
}
