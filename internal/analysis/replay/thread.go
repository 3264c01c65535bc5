package replay

import (
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
	sections int     // executed since the team last met
	began    int64   // when its implicit task began
	awaits   int     // waits for tasks that it is in, one inside the other
	holds    []*holding
	chunk    gotLast
	wait     lockWait // its last wait for a lock
	poll     poll
	// team is the number of the team whose fork or implicit task comes next; negative: unknown.
	team     int64
	mpi      mpiwait.Wait
	link     linkage
	offs     offcpu.Times
	delay    mpiwait.Delay
	counting *counting // nil: the trace has no counters
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
