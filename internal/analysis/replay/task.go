package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/trace"
)

// execution is the execution of a task by a thread.
type execution struct {
	thread     *thread // nil: none
	path       *analysis.Path
	start, end int64
	lost       int64 // what the thread lost meanwhile by being off the CPU
}

// executed notes that a task ends.
func (a *Replay) executed(t *thread, now int64, f *frame) {
	if task := t.task(); task != nil {
		task.team.executed = execution{t, f.path, f.enter, now, t.offs.Lost - f.mark}
		a.graph.Replace(&task.team.ended, a.graph.Mark(t.index))
		if a.changed != nil {
			m := task.team
			m.finished = a.graph.Latest(m.finished, a.graph.Hold(m.ended))
		}
		task.team.starve(now).taskEnds(t)
		if a.definitions.Kernel {
			a.waitOver(task.team.members, trace.ForTasks, now)
		}
	}
}

// awaited notes that a wait for tasks ends. It blames what delayed the end of the team's last task,
// if another thread executed that during the wait.
func (a *Replay) awaited(t *thread, now int64, f *frame) {
	task := t.task()
	if task == nil {
		a.graph.Spend(t.index, int32(f.path.ID), now)
		return
	}
	on := task.team.ended
	if a.changed != nil {
		on = a.awaitedChanged(t, now, task.team)
	}
	causes := a.goOn(t, now, on, f.path)
	x := &task.team.executed
	var off int64
	if time := min(x.end-max(f.enter, x.start), f.waited); time > 0 && x.thread != t {
		if off = within(time, x.lost, x.end-x.start); off > 0 {
			a.blame[blameKey{analysis.OffWait, f.path, int32(x.path.ID), x.thread.index}] += off
		}
		if a.definitions.Kernel {
			a.awaitedOff(t, f, off)
		}
	}
	a.blameCauses(analysis.TaskWait, f.path, f.waited-off, causes)
}
