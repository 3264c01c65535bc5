package analysis

import "opari/internal/omp"

// State is what a thread does at a moment, as a timeline shows it. Why it waits is only known
// afterwards, so it is coarser than Property.
type State uint8

const (
	StateAbsent State = iota // before it began, after it ended
	StateIdle                // a worker without a parallel region
	StateSerial              // the initial thread outside of parallel regions
	StateWork                // in a region
	StateTask                // in an explicit task
	// between fork and implicit task, or end of that and join; creating a task
	StateFork
	StateBarrier // waiting at a barrier
	// waiting to enter a critical or ordered construct, for a lock, in an atomic construct
	StateMutex
	StateTasks // waiting for tasks to be completed
	StateMPI   // in a routine of MPI
	NumStates
)

var stateNames = [NumStates]string{
	"absent", "idle", "serial", "work", omp.KindTask.String(), "fork and join",
	omp.KindBarrier.String(), "mutual exclusion", "waiting for tasks", "MPI",
}

// String is the state's name for people.
func (s State) String() string { return stateNames[s] }

// Interval is what a thread did from one event to the next.
type Interval struct {
	Thread   int
	Rank     int // of MPI
	Path     *Path
	State    State
	From, To int64 // ns on the clock of the trace
}

var roleStates = [...]State{
	working: StateWork, forking: StateFork, implicit: StateWork, tasking: StateTask,
	atBarrier: StateBarrier, forMutex: StateMutex,
	forLock: StateMutex, forTasks: StateTasks, allWaiting: StateMutex, creating: StateFork,
}

// interval tells of an interval.
func (a *replay) interval(t *thread, top *frame, from, to int64) {
	i := Interval{Thread: t.index, Rank: int(a.rank), Path: a.result.Paths[0], From: from, To: to}
	switch {
	case top != nil:
		i.Path, i.State = top.path, roleStates[top.role]
		if top.region.Kind == omp.KindMPI {
			i.State = StateMPI
		} else if i.State == StateWork && a.alone(t) {
			i.State = StateSerial
		}
	case !t.alive:
		i.State = StateAbsent
	case t.worker:
		i.State = StateIdle
	default:
		i.State = StateSerial
	}
	a.options.Interval(i)
}
