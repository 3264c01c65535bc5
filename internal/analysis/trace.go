package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"opari/otf"
)

// role is what a function of a trace is to the thread in it.
type role uint8

const (
	working    role = iota // a region with the program's code in it
	forking                // fork to join of a parallel region, on the encountering thread
	implicit               // an implicit task
	tasking                // an explicit task
	atBarrier              // waiting at a barrier, implicit or explicit
	forMutex               // waiting to enter a critical or ordered region
	forLock                // waiting for a lock
	forTasks               // in taskwait, at the end of taskgroup
	allWaiting             // atomic: there is nothing else to it
	creating               // a task is being created
)

// point is what a counter tells of a moment: its value is a number.
type point uint8

const (
	lockAcquired point = iota
	lockReleased
	teamNumber
)

// points are the counters of package recording with such values.
var points = map[string]point{"lock acquired": lockAcquired, "lock released": lockReleased, "team": teamNumber}

// function is a function of the trace: a region, or a part of one.
type function struct {
	role   role
	region *Region
	block  bool // the executed block of a single: no region of its own

	receives, sends bool // a routine of MPI that waits for a message, or may wait until its own is taken
}

// isPart says whether f is a part of its region, not a visit of it.
func (f *function) isPart() bool {
	switch f.role {
	case atBarrier:
		return f.region.Kind != "barrier"
	case forTasks:
		return f.region.Kind == "taskgroup"
	case forMutex:
		return true
	}
	return f.block
}

// definitions gathers what a trace says of its threads and functions.
type definitions struct {
	resolution uint64
	cost       int64 // of an event, ns; 0: the recording does not say
	program    string
	notes      []string
	leftOut    LeftOut
	threads    []Thread
	byProcess  map[uint32]int
	groups     map[uint32]string
	files      map[uint32]string
	places     map[uint32]struct{ file, line uint32 }
	raw        map[uint32]rawFunction
	functions  map[uint32]*function
	dense      []*function // by number, where that is small
	regions    map[Region]*Region
	points     map[uint32]point
	ends       map[line]int      // last lines of constructs
	operations map[uint32]uint32 // kinds of collective operations
	rankOf     map[uint32]int    // of MPI, by process; nil: it is one process
	threadsOf  map[int][]uint32  // processes, by rank
	denseRanks []int32           // by process, where that is a small number; -1: of none
	alone      map[uint32]bool   // groups of one process
	nodes      map[uint32]string // by process
	everywhere map[uint32]int    // byProcess, of the whole trace
	lock       *sync.Mutex       // of regions, where several ranks are replayed at the same time
}

// line is one of a file.
type line struct {
	file   string
	number int
}

type rawFunction struct {
	name          string
	group, source uint32
}

func newDefinitions() *definitions {
	return &definitions{
		resolution: otf.DefaultTimerResolution,
		byProcess:  map[uint32]int{}, groups: map[uint32]string{}, files: map[uint32]string{}, places: map[uint32]struct{ file, line uint32 }{},
		raw: map[uint32]rawFunction{}, functions: map[uint32]*function{}, regions: map[Region]*Region{}, points: map[uint32]point{}, ends: map[line]int{},
		operations: map[uint32]uint32{}, alone: map[uint32]bool{}, nodes: map[uint32]string{}, lock: new(sync.Mutex),
	}
}

// handlers read the definitions.
func (d *definitions) handlers() *otf.HandlerArray {
	return &otf.HandlerArray{
		DefTimerResolution: func(_ uint32, ticks uint64) error {
			if ticks == 0 {
				return fmt.Errorf("a timer resolution of 0")
			}
			d.resolution = ticks
			return nil
		},
		DefinitionComment: func(_ uint32, comment string) error {
			if name, is := strings.CutPrefix(comment, "program: "); is {
				d.program = Printable(name)
			} else if text, is := strings.CutPrefix(comment, "lines "); is {
				d.extent(text)
			} else if text, is := strings.CutPrefix(comment, "event cost: "); is {
				d.eventCost(text)
			} else {
				d.note(comment)
			}
			return nil
		},
		DefProcess: func(_, process uint32, name string, _ uint32) error {
			if _, known := d.byProcess[process]; !known {
				d.byProcess[process] = len(d.threads)
				d.threads = append(d.threads, Thread{Name: Printable(name)})
				d.rank(process, name)
			}
			return nil
		},
		DefProcessGroup: func(_, group uint32, name string, members []uint32) error {
			if strings.HasPrefix(name, "node ") {
				for _, process := range members {
					d.nodes[process] = Printable(name)
				}
			}
			if len(members) == 1 {
				d.alone[group] = true
			}
			return nil
		},
		DefCollectiveOperation: func(_, operation uint32, _ string, kind uint32) error { d.operations[operation] = kind; return nil },
		DefFunctionGroup:       func(_, group uint32, name string) error { d.groups[group] = Printable(name); return nil },
		DefSclFile:             func(_, file uint32, name string) error { d.files[file] = Printable(name); return nil },
		DefScl: func(_, source, file, line uint32) error {
			d.places[source] = struct{ file, line uint32 }{file, line}
			return nil
		},
		DefCounter: func(_, counter uint32, name string, properties, _ uint32, _ string) error {
			if p, is := points[name]; is && properties&otf.CounterScopeLast == 0 && properties&otf.CounterScopePoint != 0 {
				d.points[counter] = p
			}
			return nil
		},
		DefFunction: func(_, number uint32, name string, group, source uint32) error {
			d.raw[number] = rawFunction{Printable(name), group, source}
			return nil
		},
	}
}

// extent reads how far a construct goes: "FIRST-LAST FILE". Anything else is another's comment.
func (d *definitions) extent(text string) {
	lines, file, _ := strings.Cut(text, " ")
	first, last, _ := strings.Cut(lines, "-")
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err == nil && err2 == nil && from > 0 && to > from {
		d.ends[line{Printable(file), from}] = to
	}
}

// eventCost reads what an event costs: "N ns".
func (d *definitions) eventCost(text string) {
	number, _ := strings.CutSuffix(text, " ns")
	if cost, err := strconv.ParseUint(number, 10, 30); err == nil {
		d.cost = int64(cost)
	}
}

// parts are the groups of functions that are parts of a region, and what their names add to the region's.
var parts = map[string]string{"implicit task": ": implicit task", "implicit barrier": ": implicit barrier", "waiting": ": wait"}

// resolve finds out what each function is.
func (d *definitions) resolve() {
	for _, ofParts := range []bool{false, true} {
		for number, f := range d.raw {
			if _, part := parts[d.groups[f.group]]; part == ofParts {
				d.functions[number] = d.function(f)
			}
		}
	}
	for number, f := range d.functions {
		if number < 1<<16 {
			for int(number) >= len(d.dense) {
				d.dense = append(d.dense, nil)
			}
			d.dense[number] = f
		}
	}
	d.raw, d.everywhere = nil, d.byProcess
	for process, i := range d.byProcess {
		if rank, known := d.rankOf[process]; known {
			d.threads[i].Node, d.threads[i].Process = d.nodes[process], fmt.Sprintf("rank %d", rank)
		}
	}
}

func (d *definitions) function(f rawFunction) *function {
	group := d.groups[f.group]
	place := d.places[f.source]
	r := Region{Kind: group, Name: f.name, File: d.files[place.file], Line: int(place.line)}
	r.End = d.ends[line{r.File, r.Line}]
	if r.File != "" {
		if i := strings.LastIndexByte(r.Name, ' '); i > 0 {
			r.Name = r.Name[:i]
		}
	}
	if i := strings.LastIndex(r.Name, parts[group]); parts[group] != "" && i >= 0 {
		r.Name = r.Name[:i]
		r.Kind = kindOf(r.Name)
	}
	out := &function{}
	if name, block := strings.CutSuffix(r.Name, ": block"); block {
		r.Name, out.block = name, true
	}
	switch group {
	case "parallel":
		out.role = forking
	case "implicit task":
		out.role = implicit
	case "implicit barrier", "barrier":
		out.role = atBarrier
	case "lock":
		out.role = forLock
	case "waiting":
		if out.role = forMutex; r.Kind == "taskgroup" {
			out.role = forTasks
		}
	case "taskwait":
		out.role = forTasks
	case "atomic":
		out.role = allWaiting
	case "task":
		out.role = tasking
	case creations:
		out.role = creating
		r.Name = creationOf + strings.TrimSuffix(r.Name, ": creation")
	case "mpi":
		out.receives, out.sends = slices.Contains(blocking.receives, r.Name), slices.Contains(blocking.sends, r.Name)
	}
	out.region = d.region(r)
	return out
}

// region is the one region of its name and place. Its kind is what the first function says, which is not a part.
func (d *definitions) region(r Region) *Region {
	d.lock.Lock()
	defer d.lock.Unlock()
	key := r
	key.Kind, key.End = "", 0
	if d.regions[key] == nil {
		d.regions[key] = &r
	}
	return d.regions[key]
}

// kindOf is the kind of a region by its name: the directive without the name that the user gave it.
func kindOf(name string) string {
	kind, _, _ := strings.Cut(name, "(")
	return kind
}

// unknown is what a function without a definition is.
var unknown = &function{region: &Region{Kind: "unknown", Name: "unknown function"}}

func (d *definitions) find(number uint32) *function {
	if number < uint32(len(d.dense)) && d.dense[number] != nil {
		return d.dense[number]
	}
	if f := d.functions[number]; f != nil {
		return f
	}
	return unknown
}

// Options are what else FromTrace tells.
type Options struct {
	// Progress is told how many bytes of how many are read.
	Progress func(done, size int64)
	// EventCost is what recording an event takes, in ns; 0 for what the recording says, negative for nothing.
	EventCost int64
	// Interval is told what each thread did, without gaps: of a thread in the order of time. Paths stay valid.
	Interval func(Interval)
	// Message is told of each message of which both ends are known.
	Message func(Message)
}

// errNoEvents says of a trace that there is nothing in it to analyse.
func errNoEvents(trace string) error {
	return &otf.Error{Path: strings.TrimSuffix(trace, ".otf") + ".otf", What: "the trace has no events"}
}

// FromTrace analyses a trace that opari has recorded. Other traces in the Open Trace Format can be read; they have no OpenMP in them.
func FromTrace(trace string, o Options) (*Result, error) {
	r, err := otf.OpenReader(trace, otf.NewFileManager(64))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	d := newDefinitions()
	if _, err := r.ReadDefinitions(d.handlers()); err != nil {
		return nil, err
	}
	d.resolve()
	if d.rankOf != nil {
		return fromRanks(trace, r.MasterControl(), d, o)
	}
	first, last, found, err := r.TimeRange(otf.Events)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoEvents(trace)
	}
	a := newReplay(d, first, last, o)
	if o.Progress != nil {
		r.SetRecordLimit(1 << 20)
	}
	for {
		n, err := r.ReadEvents(a.handlers())
		if err != nil {
			return nil, err
		}
		a.result.Events += n
		if o.Progress == nil || n == 0 {
			break
		}
		o.Progress(r.Bytes(otf.Events))
	}
	return a.finish(), nil
}
