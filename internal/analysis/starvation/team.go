package starvation

import (
	"slices"

	"opari/internal/analysis"
)

// Team follows why idle threads of a team have no task. Its zero value is a team without tasks.
type Team struct {
	idle  int    // threads that wait at a barrier and execute nothing
	tasks *tasks // nil: no tasks are known yet
}

// tasks is what is known of a team with tasks. Few teams have some, so it is made when they are
// first met.
type tasks struct {
	mark   int64 // it is counted up to here
	queues []*Queue
	others []waitingAt
	by     []starvedBy
	waits  []taskWait
}

// Queue is how many tasks of a region were created and not begun yet.
type Queue struct {
	Region  *analysis.Region // of the creation
	Depends bool             // they have dependences
	Tasks   int              // negative while tasks are executed inside of their creation
}

// waitingAt is a thread that waits for tasks elsewhere and executes none.
type waitingAt struct {
	thread int
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
	thread int
	task   int // its frame on the thread's stack
	region *analysis.Region
	time   int64
	over   bool
}

func (s *tasks) add(waiter *analysis.Path, g *analysis.Region, time int64) {
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

// Tally counts the time until now. While tasks are created and not begun, they wait for others if
// they have dependences; an idle thread would execute them else.
func (m *Team) Tally(now int64) {
	s := m.tasks
	if s == nil {
		return
	}
	passed := now - s.mark
	if s.mark = now; passed <= 0 || m.idle <= 0 && len(s.others) == 0 {
		return
	}
	time := passed * int64(max(0, m.idle))
	for _, q := range s.queues {
		if q.Tasks > 0 {
			if q.Depends {
				s.add(nil, q.Region, time)
				for _, w := range s.others {
					s.add(w.path, q.Region, passed)
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

// upTo returns what is known of the team's tasks, counted up to now.
func (m *Team) upTo(now int64) *tasks {
	if m.tasks == nil {
		m.tasks = &tasks{mark: now}
	}
	m.Tally(now)
	return m.tasks
}

// Idles notes that so many more threads are idle at a barrier of the team.
func (m *Team) Idles(now int64, more int) {
	m.Tally(now)
	m.idle += more
}

// Pauses notes that a thread begins to wait for tasks, or goes on with that.
func (m *Team) Pauses(now int64, thread int, path *analysis.Path) {
	s := m.upTo(now)
	s.others = append(s.others, waitingAt{thread, path})
}

// Resumes notes that the wait is over, or that the thread executes something meanwhile.
func (m *Team) Resumes(now int64, thread int) {
	s := m.upTo(now)
	s.others = slices.DeleteFunc(s.others, func(w waitingAt) bool { return w.thread == thread })
}

// Waits notes that a task, which has a frame on the thread's stack, begins to wait for others.
func (m *Team) Waits(now int64, thread, frame int, g *analysis.Region) {
	s := m.upTo(now)
	for i := range s.waits {
		if w := &s.waits[i]; w.thread == thread && w.task == frame && w.region == g {
			w.over = false
			return
		}
	}
	s.waits = append(s.waits, taskWait{thread: thread, task: frame, region: g})
}

// Waited notes that such a wait is over.
func (m *Team) Waited(now int64, thread int) {
	s := m.upTo(now)
	for i := range s.waits {
		if w := &s.waits[i]; w.thread == thread {
			w.over = true
		}
	}
}

// Creates blames waits of a thread's task for others, because it creates more only now. frame
// returns the task's place on the thread's stack.
func (m *Team) Creates(now int64, thread int, frame func() int) {
	s := m.upTo(now)
	if len(s.waits) == 0 {
		return
	}
	task := frame()
	s.waits = slices.DeleteFunc(s.waits, func(w taskWait) bool {
		if w.thread != thread || w.task != task || !w.over {
			return false
		}
		s.add(nil, w.region, w.time)
		return true
	})
}

// Follow begins to follow a queue.
func (m *Team) Follow(q *Queue) { m.tasks.queues = append(m.tasks.queues, q) }

// Ends forgets the waits of a task that creates no more others.
func (m *Team) Ends(now int64, thread int, frame func() int) {
	s := m.upTo(now)
	if len(s.waits) == 0 {
		return
	}
	task := frame()
	s.waits = slices.DeleteFunc(s.waits, func(w taskWait) bool {
		return w.thread == thread && w.task >= task
	})
}

// Sums are times that threads starved, by where they did and what held their tasks back.
type Sums map[starvedKey]int64

type starvedKey struct {
	waiter *analysis.Path
	by     *analysis.Region
}

// Add adds the times of a team whose threads go on after a barrier, and forgets them.
func (s Sums) Add(m *Team, barrier *analysis.Path) {
	if m.tasks == nil {
		return
	}
	for _, e := range m.tasks.by {
		waiter := e.waiter
		if waiter == nil {
			waiter = barrier
		}
		s[starvedKey{waiter, e.region}] += e.time
	}
	m.tasks.by, m.tasks.waits = m.tasks.by[:0], m.tasks.waits[:0]
}

// List returns why threads starved, the longest first.
func (s Sums) List() []analysis.Starved {
	var all []analysis.Starved
	for k, time := range s {
		all = append(all, analysis.Starved{Waiter: k.waiter, By: k.by, Time: time})
	}
	analysis.SortStarved(all)
	return all
}
