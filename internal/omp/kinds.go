package omp

// Kind is the number of a region's kind in descriptors, profiles and traces: a leaf directive
// that has events, a user region or a lock routine. The numbers are part of ABI 1. They never
// change, and new kinds go at the end.
type Kind uint8

// The kinds.
const (
	KindNone              Kind = 0
	KindRegion            Kind = 1 // pomp inst begin(name), and user functions
	KindLock              Kind = 2 // omp_set_lock and the other simple-lock routines
	KindNestLock          Kind = 3
	KindParallel          Kind = 4
	KindFor               Kind = 5 // Fortran: do
	KindSections          Kind = 6
	KindSection           Kind = 7
	KindSingle            Kind = 8
	KindWorkshare         Kind = 9
	KindMaster            Kind = 10
	KindMasked            Kind = 11
	KindCritical          Kind = 12
	KindBarrier           Kind = 13
	KindTaskwait          Kind = 14
	KindTaskgroup         Kind = 15
	KindAtomic            Kind = 16
	KindFlush             Kind = 17
	KindOrdered           Kind = 18
	KindTask              Kind = 19
	KindTaskyield         Kind = 20
	KindTaskloop          Kind = 21
	KindLoop              Kind = 22
	KindScope             Kind = 23
	KindTeams             Kind = 24
	KindDistribute        Kind = 25
	KindCancel            Kind = 26
	KindCancellationPoint Kind = 27
	KindTarget            Kind = 28
	KindTargetData        Kind = 29
	KindTargetEnterData   Kind = 30
	KindTargetExitData    Kind = 31
	KindTargetUpdate      Kind = 32
	KindInterop           Kind = 33
	KindDispatch          Kind = 34
	KindMPI               Kind = 35 // a routine of MPI
)

// kindNames holds the names of the kinds that are no directive. The other kinds have the names of
// their directives.
var kindNames = [...]string{
	KindNone:     "none",
	KindRegion:   "region",
	KindLock:     "lock",
	KindNestLock: "nest_lock",
	KindDispatch: "",
	KindMPI:      "mpi",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Kinds is the number of kinds, including KindNone.
const Kinds = len(kindNames)

// Facts is a set of constant facts about a region, for its descriptor. The bits are part of ABI
// 1.
type Facts uint32

// The facts. Most say that the directive has the clause of that name. The comments explain the
// others.
const (
	HasNowait      Facts = 1 << 0
	HasIf          Facts = 1 << 1
	HasNumThreads  Facts = 1 << 2
	HasReduction   Facts = 1 << 3
	HasOrdered     Facts = 1 << 4
	HasUntied      Facts = 1 << 5
	HasCopy        Facts = 1 << 6 // copyin or copyprivate: one thread's data go to the others
	HasDepend      Facts = 1 << 7 // depend or doacross
	HasCancel      Facts = 1 << 8 // a cancel directive inside may end it
	HasBarrier     Facts = 1 << 9 // an implied barrier stays implicit, so exit includes its wait
	HasSchedule    Facts = 1 << 10
	HasCollapse    Facts = 1 << 11
	HasLastprivate Facts = 1 << 12
	HasProcBind    Facts = 1 << 13
	HasFinal       Facts = 1 << 14
	HasMergeable   Facts = 1 << 15
	HasDetach      Facts = 1 << 16
	HasPriority    Facts = 1 << 17
	HasNogroup     Facts = 1 << 18
	HasGrainsize   Facts = 1 << 19 // grainsize or dist_schedule: the size of chunks
	HasNumTasks    Facts = 1 << 20
	HasInReduction Facts = 1 << 21 // in_reduction or task_reduction
	HasHint        Facts = 1 << 22
	HasRead        Facts = 1 << 23
	HasWrite       Facts = 1 << 24
	HasCapture     Facts = 1 << 25
	HasCompare     Facts = 1 << 26
	HasDevice      Facts = 1 << 27
	HasNumTeams    Facts = 1 << 28
	HasThreadLimit Facts = 1 << 29
	HasDoacross    Facts = 1 << 30 // ordered(n): the loop has cross-iteration dependences
	HasSimd        Facts = 1 << 31 // the combined directive ends in simd, or ordered simd
)

// Fact is a row of FactTable.
type Fact struct {
	Name string // NOWAIT, as in POMP_HAS_NOWAIT
	Bit  Facts
	Doc  string
}

// FactTable lists the facts in the order of their bits.
var FactTable = []Fact{
	{"NOWAIT", HasNowait, "nowait"},
	{"IF", HasIf, "if"},
	{"NUM_THREADS", HasNumThreads, "num_threads"},
	{"REDUCTION", HasReduction, "reduction"},
	{"ORDERED", HasOrdered, "ordered"},
	{"UNTIED", HasUntied, "untied"},
	{"COPY", HasCopy, "copyin or copyprivate"},
	{"DEPEND", HasDepend, "depend or doacross"},
	{"CANCEL", HasCancel, "a cancel directive inside may end it"},
	{"BARRIER", HasBarrier, "an implied barrier was left implicit: exit includes its wait"},
	{"SCHEDULE", HasSchedule, "schedule"},
	{"COLLAPSE", HasCollapse, "collapse"},
	{"LASTPRIVATE", HasLastprivate, "lastprivate"},
	{"PROC_BIND", HasProcBind, "proc_bind"},
	{"FINAL", HasFinal, "final"},
	{"MERGEABLE", HasMergeable, "mergeable"},
	{"DETACH", HasDetach, "detach"},
	{"PRIORITY", HasPriority, "priority"},
	{"NOGROUP", HasNogroup, "nogroup"},
	{"GRAINSIZE", HasGrainsize, "grainsize or dist_schedule"},
	{"NUM_TASKS", HasNumTasks, "num_tasks"},
	{"IN_REDUCTION", HasInReduction, "in_reduction or task_reduction"},
	{"HINT", HasHint, "hint"},
	{"READ", HasRead, "atomic read"},
	{"WRITE", HasWrite, "atomic write"},
	{"CAPTURE", HasCapture, "atomic capture"},
	{"COMPARE", HasCompare, "atomic compare"},
	{"DEVICE", HasDevice, "device"},
	{"NUM_TEAMS", HasNumTeams, "num_teams"},
	{"THREAD_LIMIT", HasThreadLimit, "thread_limit"},
	{"DOACROSS", HasDoacross, "ordered(n): the loop has dependences between iterations"},
	{"SIMD", HasSimd, "the combined directive includes simd; ordered simd"},
}

// Schedule is the kind that a schedule clause names. The numbers are part of ABI 1.
type Schedule uint8

// The schedules.
const (
	ScheduleNone Schedule = iota // no clause
	ScheduleStatic
	ScheduleDynamic
	ScheduleGuided
	ScheduleAuto
	ScheduleRuntime
	ScheduleStaticChunk // static, with a chunk size
	schedules
)

var scheduleNames = [schedules]string{"none", "static", "dynamic", "guided", "auto", "runtime", "static_chunk"}

func (s Schedule) String() string {
	if s < schedules {
		return scheduleNames[s]
	}
	return "unknown"
}

// ScheduleOf returns the schedule that the word of a clause names ("dynamic"), or ScheduleNone
// for any other word.
func ScheduleOf(word string) Schedule {
	for s := ScheduleStatic; s < schedules; s++ {
		if scheduleNames[s] == word {
			return s
		}
	}
	return ScheduleNone
}
