package analysis

import "opari/internal/omp"

// Property is what threads spend their time on, like the performance properties of EXPERT. It is
// a hierarchy: each property is part of its parent. Only leaves have severities of their own;
// those of other properties are sums.
type Property uint8

const (
	Time Property = iota
	Execution
	Work
	Measurement
	Idle
	IdleSerial
	IdleSmallTeam
	OpenMP
	ForkJoin
	Granularity
	Dispatch
	Barrier
	BarrierExplicit
	BarrierImplicit
	ImbalanceLoop
	ImbalanceSections
	ImbalanceParallel
	SerialSections
	SingleWait
	FalseNesting
	BarrierCost
	Mutex
	CriticalWait
	LockWait
	AtomicWait
	OrderedWait
	Polling
	Tasking
	TaskStarvation
	TaskWait
	TaskCreation
	TaskGranularity
	IdleMPI
	MPI
	MPICall
	LateSender
	LateReceiver
	CollectiveWait
	LateBroadcast
	EarlyReduce
	OffCPU
	Preempted
	Blocked
	OffWait
	StartEnd
	SetupMPI
	Absent
	NumProperties
)

// propertyRow describes a property. The rows are in the order of reports: parents before
// children.
type propertyRow struct {
	parent Property
	key    string // in files; for a property of one kind of construct, the name of the kind
	name   string // for people
	what   string // what it counts
	loss   bool   // time in which a thread could have worked
	phrase string // the subject of a finding's message
}

var properties = [NumProperties]propertyRow{
	Time: {
		Time, "time", "time",
		"processors reserved: wall time times threads", false, "",
	},
	Execution: {Time, "execution", "execution", "the program's own code", false, ""},
	Work:      {Execution, "work", "work", "in regions and outside of them", false, ""},
	Measurement: {Execution, "measurement", "measurement", "recording events: so many ns " +
		"each, where threads work or wait for nobody", true, "measuring"},
	Idle: {
		Time, "idle", "idle threads",
		"threads that are in no parallel region", true, "",
	},
	IdleSerial: {
		Idle, "idle-serial", "serial code", "the initial thread is alone", true,
		"idling of the other threads",
	},
	IdleSmallTeam: {Idle, "idle-team", "small team", "a parallel region has fewer threads " +
		"than there are", true, "idling of threads outside of the team"},
	OpenMP: {
		Time, "openmp", "OpenMP",
		"waiting for other threads, and what constructs cost", true, "",
	},
	ForkJoin: {OpenMP, "fork-join", "fork and join", "from the fork to the begin of " +
		"each implicit task, from its end to the join", true, "forking and joining"},
	Granularity: {
		OpenMP, "granularity", "too fine granularity",
		"what constructs cost that have hardly more work than that", true, "too fine granularity",
	},
	Dispatch: {
		OpenMP, "dispatch-cost", "dispatch of chunks",
		"the runtime's part in handing out the chunks of a loop", true, "handing out its chunks",
	},
	Barrier: {
		OpenMP, omp.KindBarrier.String(), "barriers",
		"waiting at barriers", true, "",
	},
	BarrierExplicit: {
		Barrier, "barrier-explicit", "explicit barriers",
		"waiting for the last thread at a barrier directive", true, "waiting at it",
	},
	BarrierImplicit: {
		Barrier, "barrier-implicit", "implicit barriers",
		"waiting for the last thread at the end of a construct", true, "",
	},
	ImbalanceLoop: {
		BarrierImplicit, "imbalance-loop", "loop imbalance",
		"the iterations were not shared evenly", true, "loop imbalance",
	},
	ImbalanceSections: {
		BarrierImplicit, "imbalance-sections", "sections imbalance",
		"sections of different length", true, "imbalance of its sections",
	},
	ImbalanceParallel: {
		BarrierImplicit, "imbalance-parallel", "parallel imbalance",
		"the threads of a parallel region have different work", true, "imbalance of the threads",
	},
	SerialSections: {
		BarrierImplicit, "serial-sections", "serialised sections",
		"threads without a section wait for those that have one", true,
		"waiting without a section",
	},
	SingleWait: {
		BarrierImplicit, omp.KindSingle.String(), omp.KindSingle.String(),
		"waiting while one thread executes a single construct", true,
		"waiting for the one thread in it",
	},
	FalseNesting: {
		BarrierImplicit, "false-nesting", "false nesting",
		"waiting for a thread that executes a nested parallel region alone", true, "false nesting",
	},
	BarrierCost: {
		Barrier, "barrier-cost", "cost of barriers",
		"from the arrival of the last thread until a thread goes on", true, "the barrier itself",
	},
	Mutex: {OpenMP, "mutex", "mutual exclusion", "waiting to enter or to acquire", true, ""},
	CriticalWait: {
		Mutex, omp.KindCritical.String(), "critical competition",
		"waiting to enter a critical construct", true, "competition for it",
	},
	LockWait: {
		Mutex, omp.KindLock.String(), "lock competition", "waiting for a lock",
		true, "competition for the lock",
	},
	AtomicWait: {
		Mutex, omp.KindAtomic.String(), "atomic updates", "in atomic constructs",
		true, "updating",
	},
	OrderedWait: {
		Mutex, omp.KindOrdered.String(), "ordered waiting",
		"waiting for the iterations before", true, "waiting for the iterations before",
	},
	Polling: {
		OpenMP, "polling", "polling", "looking again and again, in a loop of the program, " +
			"whether another thread or rank has done something", true, "polling",
	},
	Tasking: {OpenMP, "tasking", "tasks", "waiting for tasks, and creating them", true, ""},
	TaskStarvation: {
		Tasking, "task-starvation", "task starvation",
		"at a barrier, with too few tasks to execute", true, "task starvation",
	},
	TaskWait: {
		Tasking, omp.KindTaskwait.String(), "task completion",
		"in taskwait and at the end of taskgroup", true, "waiting for tasks",
	},
	TaskCreation: {
		Tasking, "task-creation", "task creation",
		"creating tasks, and copying their data", true, "creating them",
	},
	TaskGranularity: {
		Tasking, "task-granularity", "too small tasks",
		"creating and scheduling tasks that have hardly more work than that", true,
		"too small tasks",
	},
	IdleMPI: {
		Idle, "idle-mpi", "initial thread in MPI",
		"the initial thread is in a routine of MPI", true, "idling of the other threads",
	},
	MPI: {Time, omp.KindMPI.String(), "MPI", "in routines of MPI", true, ""},
	MPICall: {
		MPI, "mpi-call", "communication",
		"in routines of MPI, without known waiting", false, "",
	},
	LateSender: {
		MPI, "late-sender", "late sender",
		"waiting for a message that has not been sent yet", true, "waiting for a late sender",
	},
	LateReceiver: {
		MPI, "late-receiver", "late receiver",
		"sending to a process that is not ready to receive yet", true,
		"waiting for a late receiver",
	},
	CollectiveWait: {MPI, "mpi-collective", "wait at collective", "waiting for the last " +
		"process at an all-to-all operation", true, "waiting for the last process"},
	LateBroadcast: {
		MPI, "late-broadcast", "late broadcast",
		"waiting for the root of a one-to-all operation", true, "waiting for a late root",
	},
	EarlyReduce: {MPI, "early-reduce", "early reduce", "the root of an all-to-one " +
		"operation waits for the others", true, "waiting of an early root"},
	OffCPU: {
		Time, "off-cpu", "off the CPU", "threads that could go on but had no processor, and " +
			"waiting for them", true, "",
	},
	Preempted: {
		OffCPU, "preempted", "preempted", "the thread could run, and something else did",
		true, "being off the CPU",
	},
	Blocked: {
		OffCPU, "blocked", "blocked", "in the kernel, inside of the program's own code: " +
			"sleeping, reading, waiting for a page", true, "being blocked in the kernel",
	},
	OffWait: {
		OffCPU, "off-wait", "waiting for one off the CPU", "waiting for a thread for as long " +
			"as it was off the CPU", true, "waiting for a thread that was off the CPU",
	},
	StartEnd: {
		Time, "start-end", "start and end", "of a job of MPI, apart from what its program does",
		false, "",
	},
	SetupMPI: {
		StartEnd, "mpi-setup", "MPI_Init and MPI_Finalize", "in these routines, and threads " +
			"that idle meanwhile", false, "",
	},
	Absent: {
		StartEnd, "absent", "absent ranks", "before a process has started, and after it has " +
			"ended", false, "",
	},
}

// Parent returns the property that p is part of. The parent of Time is Time.
func (p Property) Parent() Property { return properties[p].parent }

// Key returns p's name in files.
func (p Property) Key() string { return properties[p].key }

// String returns p's name for people.
func (p Property) String() string { return properties[p].name }

// Phrase returns the subject of a finding's message.
func (p Property) Phrase() string { return properties[p].phrase }

// What says what p counts.
func (p Property) What() string { return properties[p].what }

// Loss reports whether p is time in which a thread could have worked.
func (p Property) Loss() bool { return properties[p].loss }

// Leaf reports whether p has severities of its own.
func (p Property) Leaf() bool {
	for q := range properties {
		if Property(q) != p && properties[q].parent == p {
			return false
		}
	}
	return true
}

// Depth returns how many properties p is part of.
func (p Property) Depth() int {
	depth := 0
	for ; p != Time; p = properties[p].parent {
		depth++
	}
	return depth
}

// Of reports whether p is q or part of q.
func (p Property) Of(q Property) bool {
	for ; p != q; p = properties[p].parent {
		if p == Time {
			return false
		}
	}
	return true
}

// WaitAtEnd returns the property of waiting for other threads in the barrier of a construct.
func WaitAtEnd(k omp.Kind) Property {
	switch {
	case k == omp.KindBarrier:
		return BarrierExplicit
	case k == omp.KindSingle:
		return SingleWait
	case k == omp.KindSections:
		return ImbalanceSections
	case k.SharesIterations():
		return ImbalanceLoop
	}
	return ImbalanceParallel
}

// WaitToEnter returns the property of any other wait in a construct.
func WaitToEnter(k omp.Kind) Property {
	switch {
	case k == omp.KindOrdered:
		return OrderedWait
	case k == omp.KindLock || k == omp.KindNestLock:
		return LockWait
	case k == omp.KindAtomic:
		return AtomicWait
	case k.Excludes():
		return CriticalWait
	}
	return TaskWait
}

// Leaves are the properties that have severities of their own.
var Leaves = func() []Property {
	var all []Property
	for p := range NumProperties {
		if p.Leaf() {
			all = append(all, p)
		}
	}
	return all
}()
