package recording

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"opari/internal/omp"
	"opari/otf"
)

// function is a function of the trace: a part of a region.
type function struct {
	name, group string
	file        string
	line, end   int  // first and last line of the construct
	reads       bool // it is an atomic construct that only reads
	depends     bool // it is the creation of tasks with dependences
}

// names assigns the numbers of a trace's definitions, in the order of first use.
type names struct {
	regions   []*Region         // by number; nil: unknown
	byPlace   []*[places]uint32 // by number of the region; then by what or toEnter
	functions map[function]uint32
	counters  [allCounters]bool // counters of points that are in use
	list      []function        // by number, from 1
	world     *worldNames       // source of the numbers; nil: this value
	kernel    *kernelNames      // nil: nothing is noted of the kernel
}

const (
	toEnter = allKinds // wait to enter a critical or ordered region
	places  = toEnter + 1
)

func newNames(regions []*Region) *names {
	return &names{
		regions: regions, byPlace: make([]*[places]uint32, len(regions)),
		functions: map[function]uint32{},
	}
}

// place returns where the number of a function is stored, and its region. All regions without a
// line are number 0, because a damaged recording may have any number of them.
func (n *names) place(w, number int) (id *uint32, r *Region) {
	if number >= len(n.regions) || n.regions[number] == nil {
		number = 0
	}
	if n.byPlace[number] == nil {
		n.byPlace[number] = new([places]uint32)
	}
	return &n.byPlace[number][w], n.regions[number]
}

// function returns the number of a place's function.
func (n *names) function(w what, number int) uint32 {
	id, r := n.place(int(w), number)
	if *id == 0 {
		*id = n.define(w, r, false)
	}
	return *id
}

// waitFunction returns the number of the wait to enter a critical or ordered region.
func (n *names) waitFunction(number int) uint32 {
	id, r := n.place(toEnter, number)
	if *id == 0 {
		*id = n.define(mutex, r, true)
	}
	return *id
}

// define returns a function's number. Code that was loaded twice has one number.
func (n *names) define(w what, r *Region, waiting bool) uint32 {
	if n.world != nil {
		return n.world.number(part{r, w, waiting})
	}
	return n.number(describe(r, w, waiting))
}

func (n *names) number(f function) uint32 {
	id, known := n.functions[f]
	if !known {
		n.list = append(n.list, f)
		id = uint32(len(n.list))
		n.functions[f] = id
	}
	return id
}

// describe names a part of a region as the reports do: directive(name) file:line.
func describe(r *Region, w what, waiting bool) function {
	name, kind, line := r.Name, r.KindName, r.Begin[0]
	if r.Number == 0 {
		name, kind = "region of unknown source", "unknown"
	}
	if r.SubName != "" {
		if name = fmt.Sprintf("%s(%s)", r.Name, r.SubName); w == lock || w == try {
			name = r.SubName
		}
	}
	p := kinds[w]
	switch {
	case waiting:
		p.of, p.group = "wait", "waiting"
	case w == barrier && r.Kind == omp.KindBarrier:
		p.of, p.group, line = "", "", r.Begin[0]
	case w == lock || w == try:
		p.group = "lock"
	}
	if p.of != "" {
		name += ": " + p.of
	}
	f := function{name: name, group: cmp.Or(p.group, kind), file: r.File, line: line, end: r.End[1]}
	f.reads = r.Kind == omp.KindAtomic &&
		r.Facts&(omp.HasRead|omp.HasWrite|omp.HasCapture|omp.HasCompare) == omp.HasRead
	f.depends = w == create && r.Facts&omp.HasDepend != 0
	if r.File != "" {
		f.name += fmt.Sprintf(" %s:%d", filepath.Base(r.File), line)
	}
	return f
}

// These are the counters of a trace. A value of those after the first holds for its moment only;
// package analysis reads them.
const (
	waitingTime  = 1 + iota // ns, since the thread's beginning
	lockAcquired            // the lock's number
	lockReleased
	teamNumber // number of the parallel region or implicit task that the thread enters next
	// What the thread got of the loop that it is in, up to now: chunks and their iterations. Then
	// the time that counting the chunks took, and the time in which the runtime handed them out.
	loopChunks
	loopIterations
	chunkMeasuring
	chunkDispatch
	beforeLast // iterations of the loop before the last chunk that the thread got
	inLast     // iterations in that
	taskNumber // of the task that is created or begins next
	// Numbers of requests: that of the message that comes next, and those of receives that have
	// begun, of sends that are complete, and of messages that were cancelled.
	requestNumber
	requestBegun
	requestComplete
	requestCancelled
	allCounters
)

// points has the names of the counters that hold for a moment only.
var points = map[uint32]string{
	lockAcquired: "lock acquired", lockReleased: "lock released",
	teamNumber: "team",
	loopChunks: "chunks", loopIterations: "iterations of chunks",
	chunkMeasuring: "measuring chunks", chunkDispatch: "dispatch time",
	beforeLast: "iterations before the last chunk", inLast: "iterations of the last chunk",
	taskNumber: "task number", requestNumber: "request", requestBegun: "receive request",
	requestComplete: "send complete", requestCancelled: "request cancelled",
}

// write writes the definitions of a trace into stream 0.
func (n *names) write(w *otf.WStream, p *Process, threads []uint32,
	types map[uint32]omp.ThreadType,
) error {
	err := errors.Join(
		w.WriteOtfVersion(),
		w.WriteDefCreator("opari"),
		w.WriteDefTimerResolution(1e9),
		w.WriteDefinitionComment("program: "+p.Program),
		w.WriteDefinitionComment(fmt.Sprintf("process: %d", p.PID)),
		costComment(w, p.eventCost()),
	)
	if !p.Complete {
		err = errors.Join(err,
			w.WriteDefinitionComment("the process was killed, or replaced by another program"))
	}
	for _, note := range p.notes() {
		err = errors.Join(err, w.WriteDefinitionComment(note))
	}
	for _, t := range threads {
		err = errors.Join(err, w.WriteDefProcess(t, omp.ThreadName(int(t-1), types[t]), 0))
	}
	err = errors.Join(err, w.WriteDefProcessGroup(groupThreads, nameThreads, threads))
	stacks := n.kernel.functions(n)
	err = errors.Join(err, n.writeExtents(w), n.writeFunctions(w))
	return errors.Join(err, n.writeCounters(w), n.kernel.write(w, stacks))
}

func (n *names) writeCounters(w *otf.WStream) error {
	err := w.WriteDefCounterGroup(groupOpenMP, "OpenMP")
	err = errors.Join(err, w.WriteDefCounter(waitingTime, "waiting time",
		otf.CounterTypeAcc|otf.CounterScopeStart, groupOpenMP, "ns"))
	for counter, used := range n.counters {
		if used {
			err = errors.Join(err, w.WriteDefCounter(uint32(counter), points[uint32(counter)],
				otf.CounterTypeAbs|otf.CounterScopePoint, groupOpenMP, "number"))
		}
	}
	return err
}

// writeExtents writes comments with the last lines of constructs, for which a Scl has no room:
// "lines FIRST-LAST FILE". If several constructs begin in a line, the longest counts. Comments
// "reads LINE FILE" say that an atomic construct only reads, "depends LINE FILE" that tasks have
// dependences.
func (n *names) writeExtents(w *otf.WStream) error {
	var err error
	ends := map[function]int{}
	for _, f := range n.list {
		key := function{file: f.file, line: f.line}
		ends[key] = max(ends[key], f.end)
	}
	for _, f := range n.list {
		key := function{file: f.file, line: f.line}
		if f.file != "" && f.line > 0 && ends[key] > f.line {
			err = errors.Join(err,
				w.WriteDefinitionComment(fmt.Sprintf("lines %d-%d %s", f.line, ends[key], f.file)))
			delete(ends, key)
		}
		if f.reads && f.file != "" {
			err = errors.Join(err,
				w.WriteDefinitionComment(fmt.Sprintf("reads %d %s", f.line, f.file)))
		}
		if f.depends && f.file != "" {
			err = errors.Join(err,
				w.WriteDefinitionComment(fmt.Sprintf("depends %d %s", f.line, f.file)))
		}
	}
	return err
}

// writeFunctions defines groups, files and places before the functions that refer to them.
func (n *names) writeFunctions(w *otf.WStream) error {
	var err error
	groups, files, places := map[string]uint32{}, map[string]uint32{}, map[function]uint32{}
	var sorted []string
	for _, f := range n.list {
		sorted = append(sorted, f.group)
	}
	slices.Sort(sorted)
	for i, g := range slices.Compact(sorted) {
		groups[g] = uint32(i + 1)
		err = errors.Join(err, w.WriteDefFunctionGroup(groups[g], g))
	}
	for i, f := range n.list {
		var at uint32
		if key := (function{file: f.file, line: f.line}); f.file != "" && f.line > 0 {
			if files[f.file] == 0 {
				files[f.file] = uint32(len(files) + 1)
				err = errors.Join(err, w.WriteDefSclFile(files[f.file], f.file))
			}
			if places[key] == 0 {
				places[key] = uint32(len(places) + 1)
				err = errors.Join(err, w.WriteDefScl(places[key], files[f.file], uint32(f.line)))
			}
			at = places[key]
		}
		err = errors.Join(err, w.WriteDefFunction(uint32(i+1), f.name, groups[f.group], at))
	}
	return err
}
