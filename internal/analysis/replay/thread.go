package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/counting"
	"opari/internal/analysis/mpiwait"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
)

// thread is a thread during the replay.
type thread struct {
	index  int
	worker bool
	alive  bool
	absent bool  // the initial thread of a rank whose process has not started or has ended
	owed   int64 // cost of the last record that is not charged yet
	done   int64 // its time is accounted for up to here
	free   int64 // a worker outside of regions: its time is accounted for up to here
	stack  stack
	// since is what the thread did since its team last met, for the critical path and blame.
	since    spent
	outer    []spent // the same for the enclosing implicit tasks
	spare    spent   // a buffer for the next implicit task
	sections int     // executed since the team last met
	began    int64   // when its implicit task began
	awaits   int     // waits for tasks that it is in, one inside the other
	holds    []*holding
	chunk    gotLast
	wait     lockWait // its last wait for a lock
	// team is the number of the team whose fork or implicit task comes next; negative: unknown.
	team     int64
	mpi      mpiwait.Wait
	link     linkage
	offs     offcpu.Times
	delay    mpiwait.Delay
	counting *counting.Thread // nil: the trace has no counters
	sample   standing
}

func (t *thread) top() *frame {
	if t.stack.len() == 0 {
		return nil
	}
	return t.stack.at(t.stack.len() - 1)
}

// task returns the frame of the innermost implicit task, or nil.
func (t *thread) task() *frame {
	for i := t.stack.len() - 1; i >= 0; i-- {
		if f := t.stack.at(i); f.Role == trace.Implicit {
			return f
		}
	}
	return nil
}

// stack holds the open frames of a thread. It grows by parts, because a copy of a stack of
// millions of frames would take as much memory again.
type stack struct {
	parts [][]frame
	n     int
}

const partBits = 10 // a part has 1<<partBits frames

func (s *stack) len() int { return s.n }

func (s *stack) at(i int) *frame { return &s.parts[i>>partBits][i&(1<<partBits-1)] }

func (s *stack) push(f frame) {
	part := s.n >> partBits
	if part == len(s.parts) {
		s.parts = append(s.parts, nil)
		if part > 0 { // few threads get here, so only the first part starts small
			s.parts[part] = make([]frame, 0, 1<<partBits)
		}
	}
	s.parts[part] = append(s.parts[part], f)
	s.n++
}

func (s *stack) pop() {
	s.n--
	part := &s.parts[s.n>>partBits]
	*part = (*part)[:len(*part)-1]
}

// spent is time by path. It has few entries, so a linear search is enough.
type spent []struct {
	path *analysis.Path
	time int64
}

func (s *spent) add(path *analysis.Path, time int64) {
	if time == 0 {
		return
	}
	for i := range *s {
		if e := &(*s)[i]; e.path == path {
			e.time += time
			return
		}
	}
	*s = append(*s, struct {
		path *analysis.Path
		time int64
	}{path, time})
}

// of returns the time of a path.
func (s spent) of(path *analysis.Path) int64 {
	for i := range s {
		if s[i].path == path {
			return s[i].time
		}
	}
	return 0
}

func (s spent) total() int64 {
	var sum int64
	for i := range s {
		sum += s[i].time
	}
	return sum
}

// most returns the path with the most time.
func (s spent) most() *analysis.Path {
	var path *analysis.Path
	var time int64 = -1
	for i := range s {
		if s[i].time > time {
			path, time = s[i].path, s[i].time
		}
	}
	return path
}

// at returns the path that the thread is in; nil: it is in no region.
func (t *thread) at() *analysis.Path {
	if top := t.top(); top != nil {
		return top.path
	}
	return nil
}

// watched is a replay whose threads may poll.
type watched struct{ *Replay }

// Child is as in analysis.Result.
func (a watched) Child(q *analysis.Path, g *analysis.Region) *analysis.Path {
	return a.result.Child(q, g)
}

// At returns the path that a thread is in.
func (a watched) At(thread int) *analysis.Path { return a.threads[thread].at() }

// Blame notes that a thread waited for another one, which was off the CPU at cause.
func (a watched) Blame(waiter, cause *analysis.Path, thread int, time int64) {
	a.blame[blameKey{analysis.OffWait, waiter, int32(cause.ID), thread}] += time
}

// times returns what the threads lose by being off the CPU; nil: that is unknown.
func (a *Replay) times() []*offcpu.Times {
	if !a.definitions.Kernel {
		return nil
	}
	all := make([]*offcpu.Times, len(a.threads))
	for i, t := range a.threads {
		all[i] = &t.offs
	}
	return all
}
