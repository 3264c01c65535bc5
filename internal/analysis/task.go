package analysis

import "opari/internal/omp"

// creationOf begins the name of the region of a task's creation; the task's name follows.
const creationOf = "creation of "

// fineTask is the work of a task below which the cost of making and scheduling it is too high. It
// is about ten times what a runtime takes for that.
const fineTask = 10_000 // ns

// fineTasks moves the cost of making tasks and of waiting for them to TaskGranularity, in teams
// whose tasks have hardly any work.
func (r *Result) fineTasks() {
	for _, team := range r.Paths {
		if team.Kind != omp.KindParallel && team.Parent != nil {
			continue
		}
		var most *Path
		var many, made int64
		for _, q := range team.Children {
			if n := q.count(); q.Kind == omp.KindTask && n > 0 &&
				q.Inclusive(Work, -1)/n < fineTask {
				made += team.creation(q.Region)
				if n > many {
					most, many = q, n
				}
			}
		}
		work := team.Inclusive(Work, -1)
		cost := made
		for _, p := range taskWaits {
			cost += team.Inclusive(p, -1)
		}
		if many > 0 && float64(cost) >= dear*float64(work+cost) &&
			float64(made) >= dear/2*float64(work+made) {
			team.gatherTasks(most)
		}
	}
}

// taskWaits are the properties of threads that have no task to execute.
var taskWaits = []Property{TaskStarvation, TaskWait}

// count returns how often a path was visited.
func (q *Path) count() int64 {
	var n int64
	for i := range q.Visits {
		n += q.Visits[i].Count
	}
	return n
}

// creation returns the time of creating tasks of a region, at a path and below it.
func (q *Path) creation(task *Region) int64 {
	var sum int64
	if q.Creation && q.File == task.File && q.Line == task.Line && q.Name == creationOf+task.Name {
		sum = q.Severity(TaskCreation, -1)
	}
	for _, c := range q.Children {
		if c.Kind != omp.KindParallel {
			sum += c.creation(task)
		}
	}
	return sum
}

// gatherTasks moves the cost of tasks at q and below it to the granularity of the path to.
func (q *Path) gatherTasks(to *Path) {
	for _, p := range []Property{TaskCreation, TaskStarvation, TaskWait} {
		q.give(p, to, TaskGranularity)
	}
	for _, c := range q.Children {
		if c.Kind != omp.KindParallel {
			c.gatherTasks(to)
		}
	}
}

// execution is the execution of a task by a thread.
type execution struct {
	thread     *thread // nil: none
	path       *Path
	start, end int64
	lost       int64 // what the thread lost meanwhile by being off the CPU
}

// executed notes that a task ends.
func (a *replay) executed(t *thread, now int64, f *frame) {
	if task := t.task(); task != nil {
		task.team.executed = execution{t, f.path, f.enter, now, t.offs.lost - f.mark}
		a.graph.Replace(&task.team.ended, a.graph.Mark(t.index))
		if a.changed != nil {
			m := task.team
			m.finished = a.graph.Latest(m.finished, a.graph.Hold(m.ended))
		}
		task.team.starve(now).taskEnds(t)
		if a.definitions.kernel {
			a.waitOver(task.team.members, forTasks, now)
		}
	}
}

// awaited notes that a wait for tasks ends. It blames what delayed the end of the team's last task,
// if another thread executed that during the wait.
func (a *replay) awaited(t *thread, now int64, f *frame) {
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
			a.blame[blameKey{OffWait, f.path, int32(x.path.ID), x.thread.index}] += off
		}
		if a.definitions.kernel {
			a.awaitedOff(t, f, off)
		}
	}
	a.blameCauses(TaskWait, f.path, f.waited-off, causes)
}
