package replay

import (
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/trace"
)

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
	path   *analysis.Path
}

type starvedBy struct {
	waiter *analysis.Path // nil: the barrier
	region *analysis.Region
	time   int64
}

// taskWait is a wait of a task for others. It is to blame for what starved meanwhile only if the
// task creates more of them later.
type taskWait struct {
	thread *thread
	task   int // its frame on the thread's stack
	region *analysis.Region
	time   int64
	over   bool
}

func (s *starving) add(waiter *analysis.Path, g *analysis.Region, time int64) {
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
		if r := t.stack.at(i).Role; r == trace.Tasking || r == trace.Implicit {
			return i
		}
	}
	return -1
}

// pauses notes that a thread begins to wait for tasks, or goes on with that.
func (t *thread) pauses(now int64, path *analysis.Path) {
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
func (t *thread) waitsForTasks(now int64, g *analysis.Region) {
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
func (a *Replay) endStarved(m *team, path *analysis.Path) {
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
	waiter *analysis.Path
	by     *analysis.Region
}

// starvedOf returns why threads starved, the longest first.
func (a *Replay) starvedOf() []analysis.Starved {
	var all []analysis.Starved
	for k, time := range a.starved {
		all = append(all, analysis.Starved{Waiter: k.waiter, By: k.by, Time: time})
	}
	analysis.SortStarved(all)
	return all
}
