package analysis

import (
	"cmp"
	"fmt"
	"slices"
)

// Starved is time that threads had nothing to do while tasks could not begin, or be created.
type Starved struct {
	Waiter *Path   // where they starved
	By     *Region // a task whose depend clauses order its tasks, or a wait for tasks
	Time   int64   // of all threads
}

// starving follows why idle threads of a team have no task. Few teams have tasks, so it is made
// when they are first met.
type starving struct {
	mark   int64 // it is counted up to here
	queues []*queue
	others []waitingAt
	by     []starvedBy
	waits  []taskWait
}

// waitingAt is a thread that waits for tasks elsewhere and executes none.
type waitingAt struct {
	thread *thread
	path   *Path
}

type starvedBy struct {
	waiter *Path // nil: the barrier
	region *Region
	time   int64
}

// taskWait is a wait of a task for others. It is to blame for what starved meanwhile only if the
// task creates more of them later.
type taskWait struct {
	thread *thread
	task   int // its frame on the thread's stack
	region *Region
	time   int64
	over   bool
}

func (s *starving) add(waiter *Path, g *Region, time int64) {
	if time == 0 {
		return
	}
	for i := range s.by {
		if e := &s.by[i]; e.waiter == waiter && e.region == g {
			e.time += time
			return
		}
	}
	s.by = append(s.by, starvedBy{waiter, g, time})
}

// tally counts the time until now. While tasks are created and not begun, they wait for others if
// they have dependences; an idle thread would execute them else.
func (m *team) tally(now int64) {
	s := m.starving
	if s == nil {
		return
	}
	passed := now - s.mark
	if s.mark = now; passed <= 0 || m.idle <= 0 && len(s.others) == 0 {
		return
	}
	time := passed * int64(max(0, m.idle))
	for _, q := range s.queues {
		if q.tasks > 0 {
			if q.depends {
				s.add(nil, q.region, time)
				for _, w := range s.others {
					s.add(w.path, q.region, passed)
				}
			}
			return
		}
	}
	for i := range s.waits {
		if w := &s.waits[i]; !w.over {
			w.time += time
			return
		}
	}
}

// starve returns what follows the team's tasks, counted up to now.
func (m *team) starve(now int64) *starving {
	if m.starving == nil {
		m.starving = &starving{mark: now}
	}
	m.tally(now)
	return m.starving
}

// idles notes that so many more threads are idle at a barrier of the team of a task, if it has one.
func (task *frame) idles(now int64, more int) {
	if task != nil {
		task.team.tally(now)
		task.team.idle += more
	}
}

// taskFrame returns the place of the innermost task on the thread's stack.
func (t *thread) taskFrame() int {
	for i := t.stack.len() - 1; i >= 0; i-- {
		if r := t.stack.at(i).role; r == tasking || r == implicit {
			return i
		}
	}
	return -1
}

// pauses notes that a thread begins to wait for tasks, or goes on with that.
func (t *thread) pauses(now int64, path *Path) {
	if task := t.task(); task != nil {
		s := task.team.starve(now)
		s.others = append(s.others, waitingAt{t, path})
	}
}

// resumes notes that the wait is over, or that the thread executes something meanwhile.
func (t *thread) resumes(now int64) {
	if task := t.task(); task != nil {
		s := task.team.starve(now)
		s.others = slices.DeleteFunc(s.others, func(w waitingAt) bool { return w.thread == t })
	}
}

// waitsForTasks notes that a thread begins to wait for tasks. Of waits in tasks that it executes
// meanwhile nothing is noted: the outer wait goes on.
func (t *thread) waitsForTasks(now int64, g *Region) {
	t.awaits++
	task := t.task()
	if task == nil || t.awaits > 1 {
		return
	}
	s := task.team.starve(now)
	frame := t.taskFrame()
	for i := range s.waits {
		if w := &s.waits[i]; w.thread == t && w.task == frame && w.region == g {
			w.over = false
			return
		}
	}
	s.waits = append(s.waits, taskWait{thread: t, task: frame, region: g})
}

// waitedForTasks notes that such a wait is over.
func (t *thread) waitedForTasks(now int64) {
	t.awaits--
	task := t.task()
	if task == nil || t.awaits > 0 {
		return
	}
	s := task.team.starve(now)
	for i := range s.waits {
		if w := &s.waits[i]; w.thread == t {
			w.over = true
		}
	}
}

// createsAgain blames waits of a thread's task for others, because it creates more only now.
func (s *starving) createsAgain(t *thread) {
	if len(s.waits) == 0 {
		return
	}
	frame := t.taskFrame()
	s.waits = slices.DeleteFunc(s.waits, func(w taskWait) bool {
		if w.thread != t || w.task != frame || !w.over {
			return false
		}
		s.add(nil, w.region, w.time)
		return true
	})
}

// taskEnds forgets the waits of a task that creates no more others.
func (s *starving) taskEnds(t *thread) {
	if len(s.waits) == 0 {
		return
	}
	frame := t.taskFrame()
	s.waits = slices.DeleteFunc(s.waits, func(w taskWait) bool {
		return w.thread == t && w.task >= frame
	})
}

// endStarved notes that the threads of a team go on after a barrier at which they may have starved.
func (a *replay) endStarved(m *team, path *Path) {
	if m.starving == nil {
		return
	}
	for _, e := range m.starving.by {
		waiter := e.waiter
		if waiter == nil {
			waiter = path
		}
		a.starved[starvedKey{waiter, e.region}] += e.time
	}
	m.starving.by, m.starving.waits = m.starving.by[:0], m.starving.waits[:0]
}

type starvedKey struct {
	waiter *Path
	by     *Region
}

// starvedOf returns why threads starved, the longest first.
func (a *replay) starvedOf() []Starved {
	var all []Starved
	for k, time := range a.starved {
		all = append(all, Starved{k.waiter, k.by, time})
	}
	sortStarved(all)
	return all
}

func sortStarved(all []Starved) {
	slices.SortFunc(all, func(x, y Starved) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), cmp.Compare(x.Waiter.ID, y.Waiter.ID),
			cmp.Compare(x.By.File, y.By.File), cmp.Compare(x.By.Line, y.By.Line),
			cmp.Compare(x.By.Name, y.By.Name))
	})
}

// serialises returns what held back the tasks of a finding for most of its time, and for what
// share of it; nil: nothing did.
func (r *Result) serialises(f Finding) (*Region, float64) {
	sums := map[*Region]int64{}
	var most *Region
	for _, s := range r.Starved { // the longest first, so that equal sums have an order
		if s.Waiter.Region == f.Region {
			if sums[s.By] += s.Time; most == nil || sums[s.By] > sums[most] {
				most = s.By
			}
		}
	}
	if most == nil || 2*sums[most] < f.Time {
		return nil, 0
	}
	return most, min(1, float64(sums[most])/float64(f.Time))
}

// chained says what held back the tasks.
func (r *Result) chained(f Finding) string {
	g, share := r.serialises(f)
	switch {
	case g == nil:
		return ""
	case g.Creation:
		return fmt.Sprintf("tasks of %s wait for each other for %.0f %% of it, as depend says",
			g.Place(), 100*share)
	}
	return fmt.Sprintf("%s holds back the creation of tasks for %.0f %% of it", g, 100*share)
}

// depends reports whether tasks created in a region have dependences.
func (d *definitions) depends(g *Region) bool { return d.ordered[line{g.File, g.Line}] }
