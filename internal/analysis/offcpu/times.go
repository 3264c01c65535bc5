package offcpu

// State is whether a thread is on a processor, as the kernel noted it.
type State uint8

const (
	OnCPU     State = iota // also where nothing is noted
	Preempted              // it could run
	Blocked                // it sleeps in the kernel, or has not got a processor since
	NumStates
)

// WakeUp is how long a construct may take to get a sleeping thread going, in ns. What is longer
// is the lack of a processor.
const WakeUp = 100_000

// Times sums up when a thread was off the CPU. Times that a wait may explain go to waits until
// the wait has ended.
type Times struct {
	// Account accounts for the time of the thread until now.
	Account func(now int64)

	State State
	Since int64 // when the thread got into its state
	Lost  int64 // ns off the CPU, or waiting for a thread that was
	Met   int64 // lost when the team last met
	Late  int64 // the part of met that kept the thread from going on from that meeting
	Waits Sums
	// Begun is waits when the thread could first begin its next implicit task.
	Begun  Sums
	Joined int64 // when its last team ended
	// Back is when the worker was back from its last team, if it was off the CPU until then.
	Back  int64
	Outer []Mark  // of the enclosing implicit tasks
	Asked []int64 // what each thread had lost when the thread asked to enter an ordered region
}

type Mark struct{ Met, Late int64 }

// Sums is time by state.
type Sums [NumStates]int64

func (s *Sums) Total() int64 { return s[Preempted] + s[Blocked] }

// Settle accounts for the time of a thread that is off the CPU, before another thread's event
// looks at its sums.
func (o *Times) Settle(now int64) {
	if o.State != OnCPU {
		o.Account(now)
	}
}

// sinceMet returns what the thread lost between the last meeting of its team and now.
func (o *Times) sinceMet() int64 { return o.Lost - o.Met + o.Late }

// Meet notes that the team has met. The thread went on only when late was over.
func (o *Times) Meet(late int64) { o.Met, o.Late = o.Lost, late }

// Clamp returns time, but at least 0 and at most limit.
func Clamp(time, limit int64) int64 { return max(0, min(time, limit)) }

// LateSince returns how long a thread was off the CPU although its wait was over, without the
// time that waking up takes. over is what waits was in total when the wait was over.
func (o *Times) LateSince(over int64) int64 { return o.Waits.Total() - over - WakeUp }
