package sampling

// Record is what the kernel noted of the threads of a run. All times are ns of CLOCK_MONOTONIC.
type Record struct {
	Rate     int      // samples per second of a thread's processor time; 0: none were taken
	Counters []string // names of the counters whose values the samples have
	Lost     uint64   // notes that the kernel dropped because nobody had read the earlier ones
	Cut      uint64   // samples of which not all callers were found by call frame information
	Threads  []Thread // in the order of their beginnings
	Files    []string // of code; File in Address is an index
	Stacks   []Frame  // each refers to its caller, which stands before it
}

// Thread is a thread of a program. The kernel may give its TID to a later thread.
type Thread struct {
	PID, TID   int
	Begin, End uint64 // End is 0 if the thread has not ended
	Off        []Off
	Samples    []Sample
	Allowed    []int // processors on which it was last allowed to run; nil: unknown
	Ran        []int // processors on which it was seen to run
	Migrations uint64
	Used       uint64 // ns on a processor; 0: unknown
	Waited     uint64 // ns in which it could have run, and other threads had the processors
}

// Off is a time in which a thread was off the processor.
type Off struct {
	From, To uint64
	// Preempted says that the thread could have run. Otherwise it waited in the kernel, for
	// instance at a futex, in a system call or for a page.
	Preempted bool
}

// Sample is one moment of a thread that ran.
type Sample struct {
	Time   uint64
	Stack  int32 // index of the innermost frame in Stacks; negative: unknown, or OnlyValues
	Access Access
	Values []uint64 // of Counters, since the thread began
}

// OnlyValues stands for the stack of a Sample that is none: it has only the counters' values, when
// the thread ends.
const OnlyValues = -2

// Access is the access to memory that a sample is about: that of the instruction which it stands
// behind, or else at. What is read and soon written counts as written. Only instructions of amd64
// tell.
type Access struct {
	Address uint64 // 0: none, or unknown
	Size    uint8  // bytes; 0: unknown
	Write   bool
}

// Frame is a place in the code, and its callers.
type Frame struct {
	Caller int32 // index in Stacks; negative: none is known
	Code   Address
}

// Address is a place in a file of code: the executable, or a shared object.
type Address struct {
	File   int32  // index in Files; negative: unknown code
	Offset uint64 // in the file; of a caller, the return address
	Return bool   // the call stands before Offset
}
