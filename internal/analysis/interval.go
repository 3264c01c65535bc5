package analysis

import "opari/internal/omp"

// State is what a thread does at a moment, as a timeline shows it. It is coarser than Property,
// because the cause of a wait is known only later.
type State uint8

const (
	StateAbsent State = iota // before the thread began or after it ended
	StateIdle                // a worker outside of parallel regions
	StateSerial              // the initial thread outside of parallel regions
	StateWork                // in a region
	StateTask                // in an explicit task
	// Between fork and implicit task, between its end and the join, or creating a task.
	StateFork
	StateBarrier // waiting at a barrier
	// Waiting to enter a critical or ordered construct or for a lock, or in an atomic construct.
	StateMutex
	StateTasks // waiting for tasks to be completed
	StateMPI   // in an MPI routine
	// Off the CPU inside of a region or as the initial thread: it could run, or the kernel has it
	// wait. A thread that sleeps where it waits for others is in the state of that wait.
	StatePreempted
	StateBlocked
	NumStates
)

var stateNames = [NumStates]string{
	"absent", "idle", "serial", "work", omp.KindTask.String(), "fork and join",
	omp.KindBarrier.String(), "mutual exclusion", "waiting for tasks", "MPI",
	"preempted", "blocked",
}

// String returns the state's name for people.
func (s State) String() string { return stateNames[s] }

// Interval is what a thread does from one event to the next.
type Interval struct {
	Thread   int
	Rank     int // of MPI
	Path     *Path
	State    State
	From, To int64 // ns on the clock of the trace
}

// Message is a message between processes of which both ends are known.
type Message struct {
	From, To       int   // threads; From is the first thread of the sending process
	Sender, Target int   // ranks
	Sent, Received int64 // ns on the clock of the trace
	Tag, Bytes     uint32
}
