package efficiency

import (
	"slices"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// Class is what a thread's time counts as.
type Class uint8

// Unclassed is the zero value, so that a property without a row in classes shows.
const (
	Unclassed  Class = iota
	Useful           // the program's own code
	InMPI            // in routines of MPI, or idle while the initial thread is
	Serialised       // others had to wait, or had nothing to do, while some worked
	Imbalance        // the threads had different amounts of work
	Scheduling       // the runtime's own work
	Disturbed        // measuring, and threads off the CPU
	LeftOut          // before and after what the program does
	numClasses
)

// classes has the class of each property that has times of its own.
var classes = [analysis.NumProperties]Class{
	analysis.Work: Useful,

	analysis.MPICall:        InMPI,
	analysis.LateSender:     InMPI,
	analysis.LateReceiver:   InMPI,
	analysis.CollectiveWait: InMPI,
	analysis.LateBroadcast:  InMPI,
	analysis.EarlyReduce:    InMPI,
	analysis.IdleMPI:        InMPI,

	analysis.IdleSerial:     Serialised,
	analysis.IdleSmallTeam:  Serialised,
	analysis.SerialSections: Serialised,
	analysis.SingleWait:     Serialised,
	analysis.FalseNesting:   Serialised,
	analysis.CriticalWait:   Serialised,
	analysis.LockWait:       Serialised,
	analysis.AtomicWait:     Serialised,
	analysis.OrderedWait:    Serialised,
	analysis.Polling:        Serialised,
	analysis.TaskWait:       Serialised,

	analysis.BarrierExplicit:   Imbalance,
	analysis.ImbalanceLoop:     Imbalance,
	analysis.ImbalanceSections: Imbalance,
	analysis.ImbalanceParallel: Imbalance,
	analysis.TaskStarvation:    Imbalance,

	analysis.ForkJoin:        Scheduling,
	analysis.Granularity:     Scheduling,
	analysis.Dispatch:        Scheduling,
	analysis.BarrierCost:     Scheduling,
	analysis.TaskCreation:    Scheduling,
	analysis.TaskGranularity: Scheduling,

	analysis.Measurement: Disturbed,
	analysis.Preempted:   Disturbed,
	analysis.Blocked:     Disturbed,
	analysis.OffWait:     Disturbed,

	analysis.SetupMPI: LeftOut,
	analysis.Absent:   LeftOut,
}

// ClassOf returns the class of a property in a region. A thread that polls by calling MPI_Test
// again and again is in MPI.
func ClassOf(p analysis.Property, g *analysis.Region) Class {
	if p == analysis.Polling && g.Kind == omp.KindMPI {
		return InMPI
	}
	return classes[p]
}

// sums are the times of a region or of the run.
type sums struct {
	region *analysis.Region // nil: the run
	by     [numClasses]int64
	// Times of processes, by number.
	reserved, inMPI []int64
}

func newSums(g *analysis.Region, processes int) *sums {
	return &sums{region: g, reserved: make([]int64, processes), inMPI: make([]int64, processes)}
}

// add adds the times of a class by thread; process has the number of each thread's process.
func (s *sums) add(c Class, times []int64, process []int) {
	if c == LeftOut {
		return
	}
	for i, time := range times {
		s.by[c] += time
		s.reserved[process[i]] += time
		if c == InMPI {
			s.inMPI[process[i]] += time
		}
	}
}

// whole returns the time of all classes.
func (s *sums) whole() int64 {
	var whole int64
	for _, time := range s.by {
		whole += time
	}
	return whole
}

// summary gathers the sums of the run and of its parallel regions.
type summary struct {
	process   []int // number of each thread's process
	processes int
	within    bool // the result is limited to a region
	run       *sums
	regions   map[analysis.Region]*sums
	order     []*sums // of regions, by first occurrence
}

func summarise(r *analysis.Result) *summary {
	s := &summary{
		regions: map[analysis.Region]*sums{},
		within:  r.Part != nil && r.Part.Region != "",
	}
	numbers := map[string]int{}
	for _, t := range r.Threads {
		n, known := numbers[t.Process]
		if !known {
			n = len(numbers)
			numbers[t.Process] = n
		}
		s.process = append(s.process, n)
	}
	s.processes = len(numbers)
	s.run = newSums(nil, s.processes)
	s.walk(r.Paths[0], []*sums{s.run})
	return s
}

// walk adds the times of a path and of those below it to the sums of all that is open around it.
// A region that is open already gets its times once.
func (s *summary) walk(q *analysis.Path, open []*sums) {
	if q.Kind == omp.KindParallel && (!s.within || visited(q)) {
		g := s.region(q.Region)
		if !slices.Contains(open, g) {
			open = append(slices.Clip(open), g)
		}
	}
	for p := range analysis.NumProperties {
		times := q.Times(p)
		for _, g := range open {
			g.add(ClassOf(p, q.Region), times, s.process)
		}
	}
	for _, c := range q.Children {
		s.walk(c, open)
	}
}

// visited reports whether a path is in the region that the result is limited to. The regions around
// that one have no visits.
func visited(q *analysis.Path) bool {
	return slices.ContainsFunc(q.Visits, func(v analysis.Visit) bool { return v.Count > 0 })
}

func (s *summary) region(g *analysis.Region) *sums {
	if s.regions[*g] == nil {
		s.regions[*g] = newSums(g, s.processes)
		s.order = append(s.order, s.regions[*g])
	}
	return s.regions[*g]
}
