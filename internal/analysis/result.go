package analysis

import (
	"cmp"
	"slices"
	"strconv"

	"opari/internal/omp"
)

// Result is what is known of a run. All times are in nanoseconds. A severity is the time of one
// property, at one call path, of one thread; all severities together are the processor time that
// the run reserved, Wall times the number of threads.
type Result struct {
	Program string
	Start   uint64 // on the clock of the trace
	Wall    int64
	Events  uint64 // records that were read; 0 of a profile

	EventCost  int64  // what recording an event takes, ns
	CostSource string // where that is known from

	LeftOut LeftOut
	// what the recording says of records that were lost, or of a process that was killed, a line
	// each
	Lost    []string
	Threads []Thread
	Paths   []*Path // the root first, parents before children
	Blame   []Blame // by time, descending
}

// Thread is a thread of the run.
type Thread struct {
	Name       string
	Type       omp.ThreadType
	Node       string // "node HOST"; "" where that is not known
	Process    string // "rank 3"; "" where there is one process
	Begin, End uint64 // on the clock of the trace
}

// Region is a place in the source that a thread can be in.
type Region struct {
	Kind omp.Kind
	Word string // instead of Kind's name, where it has another or is none; see KindName
	Name string // for people: "critical(gate)"
	File string // as the compiler was told it; "" for none
	Line int
	End  int // last line of the construct; 0 where it is not known, or not beyond Line

	Creation bool // the creation of a task
}

// What regions that are no constructs are called instead of a kind.
const (
	wordProgram  = "program" // the root
	wordSerial   = "serial"  // code outside of parallel regions
	wordCreation = "task creation"
	wordUnknown  = "unknown"
)

// KindName is the name of the region's kind, for people and in files.
func (g *Region) KindName() string {
	if g.Word != "" || g.Kind == omp.KindNone {
		return g.Word
	}
	return g.Kind.String()
}

// SetKind sets the kind by its name in a profile or a trace. What is no name of a kind stays, as
// another's word.
func (g *Region) SetKind(name string) {
	g.Kind, g.Word = omp.KindNamed(name), ""
	if g.Kind == omp.KindNone || g.Kind.String() != name {
		g.Word = name
	}
}

// OnlyWaits says whether a thread in the region does nothing but wait for others, or for what the
// construct costs.
func (g *Region) OnlyWaits() bool { return g.Creation || g.Kind.OnlyWaits() }

// Path is a region with those around it. Its severities are what it is to be blamed for: a loop
// without a barrier has the waiting at the end of the parallel region, if it is why threads wait
// there.
type Path struct {
	*Region
	ID       int
	Parent   *Path // nil of the root
	Children []*Path
	Visits   []Visit // by thread
	Critical int64   // time on the critical path
	Team     int     // threads of the largest team of a parallel region
	Meetings int64   // arrivals of threads at barriers here
	Between  int64   // what they did since the meeting before, together

	folded   []*Path                // those around it that are called again in it
	severity [NumProperties][]int64 // of leaves, by thread; nil for none
	// how much of them would be much shorter without recording, all threads together
	dense [NumProperties]int64
}

// Visit is how often and how long a thread was in a path.
type Visit struct {
	Count int64
	Incl  int64
	// without regions inside; of a barrier at its end what was waited there, whatever for
	Excl     int64
	Min, Max int64
	// how often it is being visited; only the outermost visit of a recursion counts as inclusive
	// time
	open int
}

// Blame is time that threads waited, and what they waited for.
type Blame struct {
	Property Property
	Waiter   *Path // where threads waited
	Cause    *Path // where the one was for which they waited
	Thread   int   // that one
	Time     int64
}

// Severity is the time of p, or of what is part of it, at this path alone; thread < 0 is all
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

// Inclusive is the time of p at this path and below it.
func (q *Path) Inclusive(p Property, thread int) int64 {
	sum := q.Severity(p, thread)
	for _, c := range q.Children {
		sum += c.Inclusive(p, thread)
	}
	return sum
}

// Add adds to the severity of a leaf of the properties.
func (q *Path) Add(p Property, thread int, time int64) {
	if time == 0 {
		return
	}
	if q.severity[p] == nil {
		q.severity[p] = make([]int64, len(q.Visits))
	}
	q.severity[p][thread] += time
}

// Sum is the time of a property over all paths; thread < 0 is all threads.
func (r *Result) Sum(p Property, thread int) int64 { return r.Paths[0].Inclusive(p, thread) }

// Total is the processor time that the run reserved.
func (r *Result) Total() int64 { return r.Wall * int64(len(r.Threads)) }

// ThreadName is how texts name a thread: "thread 3", or of a program with ranks "rank 1 thread 0".
func (r *Result) ThreadName(i int) string {
	if t := r.Threads[i]; t.Process != "" {
		name, _ := omp.SplitThreadName(t.Name)
		return name
	}
	return "thread " + strconv.Itoa(i)
}

// Waited is the time that a thread lost at this path alone, whatever is to be blamed for it: it is
// part of the time that it was there. A severity is where the cause is, and can be more than that.
func (q *Path) Waited(thread int) int64 {
	return max(0, q.Visits[thread].Excl-q.Severity(Execution, thread)-q.Severity(MPICall, thread))
}

// SeveralProcesses says whether the threads are those of several processes.
func (r *Result) SeveralProcesses() bool {
	return slices.ContainsFunc(r.Threads,
		func(t Thread) bool { return t.Process != r.Threads[0].Process })
}

// NoCritical says why the result of a trace has no critical path; "" where it has one. A way of one
// rank alone leaves out whom it waits for: added over ranks it is longer than the run.
func (r *Result) NoCritical() string {
	if !r.SeveralProcesses() {
		return ""
	}
	return "no critical path: how it goes from one process to another is not analysed"
}

// New is a result without times.
func New(program string, wall int64, threads []Thread) *Result {
	root := &Path{
		Region: &Region{Word: wordProgram, Name: "program"},
		Visits: make([]Visit, len(threads)),
	}
	return &Result{Program: program, Wall: wall, Threads: threads, Paths: []*Path{root}}
}

// Child is the path of a region below q; it is made where it is new. A region that is inside of
// itself is the outer one: paths are as long as the text is deep.
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

// visit counts a visit of a thread.
func (q *Path) visit(thread int, time int64) {
	v := &q.Visits[thread]
	if v.Count == 0 || time < v.Min {
		v.Min = time
	}
	v.Count++
	if v.open == 0 {
		v.Incl += time
	}
	v.Max = max(v.Max, time)
}

// Depth is the number of regions around q.
func (q *Path) Depth() int {
	depth := -1
	for ; q != nil; q = q.Parent {
		depth++
	}
	return depth
}

// sortBlame orders blame by time.
func sortBlame(b []Blame) {
	slices.SortFunc(b, func(x, y Blame) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), cmp.Compare(x.Property, y.Property),
			cmp.Compare(x.Waiter.ID, y.Waiter.ID),
			cmp.Compare(x.Cause.ID, y.Cause.ID), cmp.Compare(x.Thread, y.Thread))
	})
}
