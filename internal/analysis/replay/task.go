package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/starvation"
	"opari/internal/analysis/trace"
	"opari/internal/graph"
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
		task.team.starvation.Ends(now, t.index, t.taskFrame)
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

// queue has the tasks of a region that were created and not begun yet.
type queue struct {
	starvation.Queue
	points []graph.Point // when they were created; of the oldest only
}

// mostQueued limits the points in a queue. Where so many tasks wait, no thread waits for one.
const mostQueued = 64

// created notes that a thread has created a task. The queue is that of its place.
func (a *Replay) created(t *thread, now int64, region *analysis.Region) {
	task := t.task()
	if task == nil {
		return
	}
	m := task.team
	m.starvation.Creates(now, t.index, t.taskFrame)
	if m.queues == nil {
		m.queues = map[taskPlace]*queue{}
	}
	k := taskPlace{region.File, region.Line}
	q := m.queues[k]
	if q == nil {
		q = &queue{Queue: starvation.Queue{
			Region: region, Depends: a.definitions.Depends(region),
		}}
		m.queues[k] = q
		m.starvation.Follow(&q.Queue)
	}
	if q.Tasks == len(q.points) && q.Tasks < mostQueued {
		q.points = append(q.points, a.graph.Mark(t.index))
	}
	q.Tasks++
}

type taskPlace struct {
	file string
	line int
}

// execute notes that a thread begins to execute a task. If the thread waited for one at a path, it
// waited until the task was created, or until another task had ended that this one depends on.
func (a *Replay) execute(t *thread, now int64, region *analysis.Region, at *analysis.Path) {
	task := t.task()
	if task == nil {
		return
	}
	var born graph.Point
	task.team.starvation.Tally(now)
	if q := task.team.queues[taskPlace{region.File, region.Line}]; q != nil {
		if q.Tasks--; len(q.points) > 0 {
			born = q.points[0]
			q.points = append(q.points[:0], q.points[1:]...)
		}
	}
	if a.changed != nil {
		a.executeChanged(t, now, task.team, born, at)
	} else if at != nil {
		a.graph.Wait(t.index, now, later(task.team.ended, born), int32(at.ID))
	}
	a.graph.Release(born)
}

// idles notes that so many more threads are idle at a barrier of the team of a task, if it has one.
func (task *frame) idles(now int64, more int) {
	if task != nil {
		task.team.starvation.Idles(now, more)
	}
}

// taskFrame returns the place of the innermost task on the thread's stack.
func (t *thread) taskFrame() int {
	for i := t.stack.len() - 1; i >= 0; i-- {
		if r := t.stack.at(i).Role; r == trace.Tasking || r == trace.Implicit {
			return i
		}
	}
	return -1
}

// pauses notes that a thread begins to wait for tasks, or goes on with that.
func (t *thread) pauses(now int64, path *analysis.Path) {
	if task := t.task(); task != nil {
		task.team.starvation.Pauses(now, t.index, path)
	}
}

// resumes notes that the wait is over, or that the thread executes something meanwhile.
func (t *thread) resumes(now int64) {
	if task := t.task(); task != nil {
		task.team.starvation.Resumes(now, t.index)
	}
}

// waitsForTasks notes that a thread begins to wait for tasks. Of waits in tasks that it executes
// meanwhile nothing is noted: the outer wait goes on.
func (t *thread) waitsForTasks(now int64, g *analysis.Region) {
	t.awaits++
	if task := t.task(); task != nil && t.awaits <= 1 {
		task.team.starvation.Waits(now, t.index, t.taskFrame(), g)
	}
}

// waitedForTasks notes that such a wait is over.
func (t *thread) waitedForTasks(now int64) {
	t.awaits--
	if task := t.task(); task != nil && t.awaits <= 0 {
		task.team.starvation.Waited(now, t.index)
	}
}
