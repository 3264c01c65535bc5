package analysis

import (
	"slices"
	"strconv"

	"opari/internal/omp"
)

// Result is what is known of a run. All times are in nanoseconds. A severity is the time of one
// property, at one call path, of one thread. The sum of all severities is the processor time that
// the run reserved: Wall times the number of threads.
type Result struct {
	Program string
	Start   uint64 // on the clock of the trace
	Wall    int64
	// IdealWall is how long the run would have taken on a network that transfers in no time; 0:
	// unknown.
	IdealWall int64
	Events    uint64 // records read; 0 for a profile

	EventCost  int64  // cost of recording an event, ns
	CostSource string // the source of EventCost

	LeftOut LeftOut
	// Lost is what the recording says of lost records or of a killed process, one line each.
	Lost []string
	// Machines are those that the recording knows. Scheduled says that it knows when threads
	// were off the CPU.
	Machines  []Machine
	Scheduled bool
	Threads   []Thread
	Paths     []*Path // the root first, parents before children
	Blame     []Blame // by time, descending
	Remedies  []Remedy
	// Exclusions is what threads waited for to enter or to acquire, the longest waits first.
	Exclusions []*Exclusion
	Starved    []Starved // by time, descending
	Samples
	Counters []string // names of what Counts has
	// CriticalThreads is the time of the critical path on each thread, of a path through very
	// many regions without the shortest times; nil: it is unknown.
	CriticalThreads []int64
	// Part is the part of the run that the result is of; nil: all.
	Part *Part

	reserved int64 // processor time of the part; 0: all
	// Predicted is the wall time with a change. serials is what the initial threads did between
	// parallel regions, by the region before and the code that followed.
	Predicted int64
	Serials   map[string]map[Region]int64
}

// Thread is a thread of the run.
type Thread struct {
	Name       string
	Type       omp.ThreadType
	Node       string // "node HOST"; "" if unknown
	Process    string // "rank 3"; "" for a single process
	Begin, End uint64 // on the clock of the trace
	// Allowed are the processors on which the thread could run, and Ran those on which it did;
	// nil: unknown.
	Allowed, Ran []int
	Migrations   int64
	// Used is how long the thread was on a processor, and Waited how long it waited for one, in
	// ns; 0 if unknown.
	Used, Waited int64
}

// Path is a region together with the regions around it. Its severities are the losses that it is
// to blame for. A loop without a barrier has the wait at the end of the parallel region if it is
// why threads wait there.
type Path struct {
	*Region
	ID       int
	Parent   *Path // nil for the root
	Children []*Path
	Visits   []Visit // by thread
	Critical int64   // time on the critical path
	Team     int     // threads of the largest team of a parallel region
	Meetings int64   // arrivals of threads at barriers here
	Between  int64   // what those threads did since the previous meeting, in sum
	// Of a loop whose chunks the runtime handed out: what it got, and last chunks that the others
	// waited for.
	Chunks     Chunks
	LastChunks []*LastChunk

	folded   []*Path                // enclosing paths whose region is entered again here
	severity [NumProperties][]int64 // of leaves, by thread; nil for none
	samples  map[sampleKey]int64    // nil: none
	counts   map[countKey]*Counts   // nil: none
	sharing  *Sharing               // nil: none
	left     []offCounts            // how often each thread left the CPU here; nil: never
	// Dense is the part of severity that would be much shorter without recording, over all
	// threads.
	Dense [NumProperties]int64
}

// Visit is how often and how long a thread was in a path.
type Visit struct {
	Count int64
	Incl  int64
	// Excl is the time without inner regions. For a construct with a barrier at its end it
	// includes the wait there, whatever its cause.
	Excl     int64
	Min, Max int64
	// Open is the number of open visits. In a recursion only the outermost visit counts for Incl.
	Open int
}

// Blame is time that threads waited, with its cause.
type Blame struct {
	Property Property
	Waiter   *Path // where threads waited
	Cause    *Path // where the thread was that they waited for
	Thread   int   // the thread that they waited for; -1: several
	Time     int64
}

// Severity returns the time of p, including its parts, at this path alone; thread < 0 means all
// threads.
func (q *Path) Severity(p Property, thread int) int64 {
	var sum int64
	for leaf := range q.severity {
		if q.severity[leaf] == nil || !Property(leaf).Of(p) {
			continue
		}
		if thread >= 0 {
			sum += q.severity[leaf][thread]
			continue
		}
		for _, t := range q.severity[leaf] {
			sum += t
		}
	}
	return sum
}

// Times returns the times of p at this path alone by thread, and nil if p is no leaf or has none.
// They are the path's own, to read only.
func (q *Path) Times(p Property) []int64 { return q.severity[p] }

// Inclusive returns the time of p at this path and below it.
func (q *Path) Inclusive(p Property, thread int) int64 {
	sum := q.Severity(p, thread)
	for _, c := range q.Children {
		sum += c.Inclusive(p, thread)
	}
	return sum
}

// Add adds time to the severity of p, which must be a leaf.
func (q *Path) Add(p Property, thread int, time int64) {
	if time == 0 {
		return
	}
	if q.severity[p] == nil {
		q.severity[p] = make([]int64, len(q.Visits))
	}
	q.severity[p][thread] += time
}

// Sum returns the time of a property over all paths; thread < 0 means all threads.
func (r *Result) Sum(p Property, thread int) int64 { return r.Paths[0].Inclusive(p, thread) }

// Total returns the processor time that the run reserved, or the part of it that the result is of.
func (r *Result) Total() int64 {
	if r.reserved > 0 {
		return r.reserved
	}
	return r.Wall * int64(len(r.Threads))
}

// ThreadName returns a thread's name for messages: "thread 3", or "rank 1 thread 0" if there are
// ranks. Of blame, -1 stands for several threads.
func (r *Result) ThreadName(i int) string {
	if i < 0 {
		return "several threads"
	}
	if t := r.Threads[i]; t.Process != "" {
		name, _ := omp.SplitThreadName(t.Name)
		return name
	}
	return "thread " + strconv.Itoa(i)
}

// Waited returns the time that a thread lost at this path, whichever path is to blame: a part of
// its time there. A severity belongs to the path of the cause and can be larger.
func (q *Path) Waited(thread int) int64 {
	return max(0, q.Visits[thread].Excl-q.Severity(Execution, thread)-
		q.Severity(MPICall, thread)-q.Severity(StartEnd, thread))
}

// SeveralProcesses reports whether the threads belong to several processes.
func (r *Result) SeveralProcesses() bool {
	return slices.ContainsFunc(r.Threads,
		func(t Thread) bool { return t.Process != r.Threads[0].Process })
}

// NoCritical says why the result has no critical path; "" if it has one.
func (r *Result) NoCritical() string {
	if r.CriticalThreads != nil || !r.SeveralProcesses() {
		return ""
	}
	return "no critical path: how it goes from one process to another is in traces only"
}

// New returns a result without times.
func New(program string, wall int64, threads []Thread) *Result {
	root := &Path{
		Region: &Region{Word: wordProgram, Name: "program"},
		Visits: make([]Visit, len(threads)),
	}
	return &Result{Program: program, Wall: wall, Threads: threads, Paths: []*Path{root}}
}

// Child returns the path of a region below q and creates it if it is new. A region inside itself
// is the outer path, so recursion does not make paths longer.
func (r *Result) Child(q *Path, region *Region) *Path {
	for _, c := range q.Children {
		if c.Region == region {
			return c
		}
	}
	for _, c := range q.folded {
		if c.Region == region {
			return c
		}
	}
	for p := q; p != nil; p = p.Parent {
		if p.Region == region {
			q.folded = append(q.folded, p)
			return p
		}
	}
	c := &Path{Region: region, ID: len(r.Paths), Parent: q, Visits: make([]Visit, len(r.Threads))}
	q.Children = append(q.Children, c)
	r.Paths = append(r.Paths, c)
	return c
}

// Visit counts one visit of a thread.
func (q *Path) Visit(thread int, time int64) {
	v := &q.Visits[thread]
	if v.Count == 0 || time < v.Min {
		v.Min = time
	}
	v.Count++
	if v.Open == 0 {
		v.Incl += time
	}
	v.Max = max(v.Max, time)
}

// Depth returns the number of regions around q.
func (q *Path) Depth() int {
	depth := -1
	for ; q != nil; q = q.Parent {
		depth++
	}
	return depth
}

// Remedy is how long a run would be, the further the cause of a finding is remedied.
type Remedy struct {
	Property Property
	Region   *Region
	// What would be done: "balance a.c:12 for", "less work in a.c:12 for" or "no lock a.c:12".
	What string
	// Walls are wall times in ns at equal steps, from none of it to all of it.
	Walls []int64
}
