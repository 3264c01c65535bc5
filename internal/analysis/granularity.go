package analysis

import "opari/internal/omp"

const (
	// fine is a limit for a thread's work between two barriers. Below it, the granularity is to
	// blame for what the barriers cost. It is about ten times what a team needs to begin and to
	// meet.
	fine = 50_000 // ns

	// dear is the share of a region's time above which its cost matters.
	dear = 0.2
)

// Grain moves the cost of barriers and forks to Granularity where threads have hardly any work
// between them. If one thread has much more work than the others, the wait is an imbalance and
// stays one, however short.
func (r *Result) Grain() {
	for _, q := range r.Paths {
		if q.Kind == omp.KindParallel {
			r.grainOfTeam(q)
		} else if q.Meetings > 0 && q.Between/q.Meetings < fine && !r.uneven(q) {
			r.grainOf(q, float64(q.Between))
		}
	}
}

// meetings are the properties of threads that meet.
var meetings = []Property{
	ForkJoin, BarrierExplicit, ImbalanceLoop, ImbalanceSections,
	ImbalanceParallel, BarrierCost,
}

func (r *Result) grainOf(q *Path, work float64) {
	var cost int64
	for _, p := range meetings {
		cost += q.Severity(p, -1)
	}
	if float64(cost) < dear*(work+float64(cost)) {
		return
	}
	for _, p := range meetings {
		q.give(p, q, Granularity)
	}
}

// grainOfTeam does the same for a parallel region, with the work of everything in it.
func (r *Result) grainOfTeam(q *Path) {
	var tasks int64
	for _, v := range q.Visits {
		tasks += v.Count
	}
	work := q.Inclusive(Work, -1)
	if tasks == 0 || work/tasks >= fine || r.uneven(q) {
		return
	}
	var cost int64
	for _, p := range meetings {
		cost += q.Inclusive(p, -1)
	}
	if float64(cost) >= dear*float64(work+cost) {
		r.gather(q, q)
	}
}

// gather moves the cost of meetings at q and below it to the granularity of the path to.
func (r *Result) gather(to, q *Path) {
	for _, p := range meetings {
		q.give(p, to, Granularity)
	}
	for _, c := range q.Children {
		r.gather(to, c)
	}
}

// uneven reports whether a thread has more than one and a half times the mean work of a path.
func (r *Result) uneven(q *Path) bool {
	var sum, most, n int64
	for i := range r.Threads {
		work := q.Inclusive(Work, i)
		if q.Kind == omp.KindBarrier {
			work = q.Parent.Inclusive(Work, i)
		}
		if work > 0 {
			n++
		}
		sum += work
		most = max(most, work)
	}
	return n > 0 && float64(most)*float64(n) > 1.5*float64(sum)
}

// AttributeGranularity finds what shows only when all times are known: too fine granularity and
// too small tasks. It must be called only once.
func (r *Result) AttributeGranularity() {
	r.fineTasks()
	r.Grain()
}

// CreationOf begins the name of the region of a task's creation; the task's name follows.
const CreationOf = "creation of "

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
			if n := q.Count(); q.Kind == omp.KindTask && n > 0 &&
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

// Count returns how often a path was visited.
func (q *Path) Count() int64 {
	var n int64
	for i := range q.Visits {
		n += q.Visits[i].Count
	}
	return n
}

// creation returns the time of creating tasks of a region, at a path and below it.
func (q *Path) creation(task *Region) int64 {
	var sum int64
	if q.Creation && q.File == task.File && q.Line == task.Line && q.Name == CreationOf+task.Name {
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
