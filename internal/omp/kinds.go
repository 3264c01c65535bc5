package omp

import (
	"fmt"
	"maps"
	"strings"
	"sync"
)

// Kind is the number of a region's kind in descriptors, profiles and traces: a leaf directive
// that has events, a user region, a lock routine or a routine of MPI. The numbers are part of ABI
// 1. They never change, and new kinds go at the end. The rows of Directives hold the kinds of
// directives, and rows.go their constants.
type Kind uint8

// The kinds that are no directive.
const (
	KindNone     Kind = 0
	KindRegion   Kind = 1 // pomp inst begin(name), and user functions
	KindLock     Kind = 2 // omp_set_lock and the other simple-lock routines
	KindNestLock Kind = 3
	KindMPI      Kind = 35 // a routine of MPI
)

// otherKinds holds the names of the kinds that are no directive.
var otherKinds = map[Kind]string{
	KindNone: "none", KindRegion: "region", KindLock: "lock", KindNestLock: "nest_lock",
	KindMPI: "mpi",
}

// kindNames holds the names of the kinds, by number.
var kindNames = sync.OnceValue(mustNameKinds)

func mustNameKinds() []string {
	names, err := nameKinds(Directives, otherKinds)
	if err != nil {
		panic(err)
	}
	return names
}

// nameKinds names each kind. It refuses a number that two rows have, and a gap in the numbers.
func nameKinds(rows []Directive, others map[Kind]string) ([]string, error) {
	named := maps.Clone(others)
	for i := range rows {
		d := &rows[i]
		if d.Kind == KindNone {
			continue
		}
		if other, taken := named[d.Kind]; taken {
			const twice = "omp: kind %d is both %q and %q: give one of them the next free number"
			return nil, fmt.Errorf(twice, d.Kind, other, d.Name)
		}
		named[d.Kind] = d.Name
	}
	names := make([]string, len(named))
	for k := range names {
		name := named[Kind(k)]
		if name == "" {
			const gap = "omp: kind %d has no name: no row has this number, and there are higher " +
				"ones"
			return nil, fmt.Errorf(gap, k)
		}
		names[k] = name
	}
	return names, nil
}

func (k Kind) String() string {
	if names := kindNames(); int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d, which has no name", uint8(k))
}

// Kinds returns all kinds but KindNone, in the order of their numbers.
func Kinds() []Kind {
	names := kindNames()
	all := make([]Kind, 0, len(names)-1)
	for k := range names[1:] {
		all = append(all, Kind(k+1))
	}
	return all
}

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

var scheduleNames = [schedules]string{
	"none", "static", "dynamic", "guided", "auto", "runtime",
	"static_chunk",
}

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

// ThreadType is what a thread is, as ompt_thread_t numbers it.
type ThreadType uint8

// The types of threads.
const (
	ThreadUnknown ThreadType = iota
	ThreadInitial
	ThreadWorker
	ThreadOther
	// OMPT has no such types.
	ThreadForked     // the first thread of a process that fork has made
	ThreadUnrecorded // that of a process of which nothing is recorded
)

var threadTypeNames = [...]string{
	"unknown", "initial", "worker", "other", "forked", "nothing is recorded",
}

func (t ThreadType) String() string {
	if int(t) < len(threadTypeNames) {
		return threadTypeNames[t]
	}
	return threadTypeNames[ThreadUnknown]
}

// ThreadName is how profiles and traces call thread number n of a process: "thread 1 (worker)".
func ThreadName(n int, t ThreadType) string { return fmt.Sprintf("thread %d (%s)", n, t) }

// SplitThreadName takes the type off the end of such a name, which may have a process in front:
// "rank 3 thread 1 (worker)". Another writer's name has no type that is known.
func SplitThreadName(name string) (rest string, t ThreadType) {
	for t = ThreadInitial; int(t) < len(threadTypeNames); t++ {
		if rest, is := strings.CutSuffix(name, " ("+t.String()+")"); is {
			return rest, t
		}
	}
	return name, ThreadUnknown
}
