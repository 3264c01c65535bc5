package analysis

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"opari/internal/omp"
	"opari/otf"
)

// point is the meaning of a counter whose value belongs to one moment.
type point uint8

const (
	lockAcquired point = iota
	lockReleased
	teamNumber
	offTheCPU
	loopChunks
	loopIterations
	chunkMeasuring
	chunkDispatch
	beforeLast
	inLast
	stackSample
	readAccess
	writeAccess
)

// points maps the counters of package recording to their meanings.
var points = map[string]point{
	"lock acquired": lockAcquired, "lock released": lockReleased,
	"team": teamNumber, "off the CPU": offTheCPU,
	"chunks": loopChunks, "iterations of chunks": loopIterations,
	"measuring chunks": chunkMeasuring, "dispatch time": chunkDispatch,
	"iterations before the last chunk": beforeLast, "iterations of the last chunk": inLast,
	"sample": stackSample, "data read": readAccess, "data written": writeAccess,
}

// definitions holds what a trace defines about its threads and functions.
type definitions struct {
	resolution uint64
	cost       int64 // of an event, ns; 0: not recorded
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
	dense      []*function // by number, for small numbers
	regions    map[Region]*Region
	points     map[uint32]point
	ends       map[line]int      // last lines of constructs
	reads      map[line]bool     // atomic constructs that only read
	ordered    map[line]bool     // tasks with dependences
	operations map[uint32]uint32 // kinds of collective operations
	rankOf     map[uint32]int    // of MPI, by process; nil: a single process
	threadsOf  map[int][]uint32  // processes, by rank
	denseRanks []int32           // by process, for small numbers; -1: no rank
	members    map[uint32]int    // of groups
	alone      map[uint32]bool   // groups of one process
	nodes      map[uint32]string // by process
	everywhere map[uint32]int    // byProcess for the trace of all ranks
	kernel     bool              // the trace says when threads were off the CPU
	samples    Samples
	rawStacks  map[uint32]rawStack
	counters   []string       // names, see Counts
	counterOf  map[uint32]int // index in counters
	machines   []Machine
	ended      int               // so many of the machines have a second line
	facts      map[uint32]string // by process: what the kernel knew of the thread
	lock       *sync.Mutex       // guards regions: several ranks are replayed at a time
}

// line is a line of a source file.
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
		byProcess:  map[uint32]int{}, groups: map[uint32]string{}, files: map[uint32]string{},
		places: map[uint32]struct{ file, line uint32 }{},
		raw:    map[uint32]rawFunction{}, functions: map[uint32]*function{},
		regions: map[Region]*Region{}, points: map[uint32]point{}, ends: map[line]int{},
		reads: map[line]bool{}, ordered: map[line]bool{},
		operations: map[uint32]uint32{}, alone: map[uint32]bool{}, nodes: map[uint32]string{},
		members: map[uint32]int{},
		facts:   map[uint32]string{}, rawStacks: map[uint32]rawStack{}, counterOf: map[uint32]int{},
		lock: new(sync.Mutex),
	}
}

// handlers returns the handlers that read the definitions.
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
			} else if text, is := strings.CutPrefix(comment, "reads "); is {
				d.fact(text, d.reads)
			} else if text, is := strings.CutPrefix(comment, "depends "); is {
				d.fact(text, d.ordered)
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
				t := Thread{Name: Printable(name)}
				_, t.Type = omp.SplitThreadName(t.Name)
				d.threads = append(d.threads, t)
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
			if d.members[group] = len(members); len(members) == 1 {
				d.alone[group] = true
			}
			return nil
		},
		DefCollectiveOperation: func(_, operation uint32, _ string, kind uint32) error {
			d.operations[operation] = kind
			return nil
		},
		DefFunctionGroup: func(_, group uint32, name string) error {
			d.groups[group] = Printable(name)
			return nil
		},
		DefSclFile: func(_, file uint32, name string) error {
			d.files[file] = Printable(name)
			return nil
		},
		DefScl: func(_, source, file, line uint32) error {
			d.places[source] = struct{ file, line uint32 }{file, line}
			return nil
		},
		DefCounter: func(_, counter uint32, name string, properties, _ uint32, _ string) error {
			p, is := points[name]
			scope := properties & otf.CounterScopeNext // the scopes are two bits
			switch {
			case is && p == offTheCPU && scope == otf.CounterScopeNext:
				d.points[counter], d.kernel = p, true
			case is && p != offTheCPU && scope == otf.CounterScopePoint:
				d.points[counter] = p
			default:
				d.counterDefinition(counter, name, properties)
			}
			return nil
		},
		DefFunction: func(_, number uint32, name string, group, source uint32) error {
			d.raw[number] = rawFunction{Printable(name), group, source}
			return nil
		},
	}
}

// extent reads the lines of a construct: "FIRST-LAST FILE". Any other text is another writer's
// comment.
func (d *definitions) extent(text string) {
	lines, file, _ := strings.Cut(text, " ")
	first, last, _ := strings.Cut(lines, "-")
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err == nil && err2 == nil && from > 0 && to > from {
		d.ends[line{Printable(file), from}] = to
	}
}

// fact reads the place of a construct of which a comment says something: "LINE FILE".
func (d *definitions) fact(text string, of map[line]bool) {
	number, file, _ := strings.Cut(text, " ")
	if n, err := strconv.ParseUint(number, 10, 31); err == nil {
		of[line{Printable(file), int(n)}] = true
	}
}

// eventCost reads the cost of an event: "N ns".
func (d *definitions) eventCost(text string) {
	number, _ := strings.CutSuffix(text, " ns")
	if cost, err := strconv.ParseUint(number, 10, 30); err == nil {
		d.cost = int64(cost)
	}
}

// resolve finds out what each function is. Parts of regions come last, because a region takes its
// kind from its first function.
func (d *definitions) resolve() {
	d.resolveThreads()
	d.resolveStacks()
	for _, ofParts := range []bool{false, true} {
		for number, f := range d.raw {
			if (groupNamed(d.groups[f.group]).ending != "") == ofParts {
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

func (d *definitions) find(number uint32) *function {
	if number < uint32(len(d.dense)) && d.dense[number] != nil {
		return d.dense[number]
	}
	if f := d.functions[number]; f != nil {
		return f
	}
	return unknown
}

// Options are the callbacks and settings of FromTrace.
type Options struct {
	// Progress gets how many bytes are read, and how many there are. For several ranks it gets
	// steps instead of bytes.
	Progress func(done, size int64)
	// EventCost is the cost of recording an event, in ns. 0 takes the cost that the recording
	// states; a negative number means no cost.
	EventCost int64
	// Interval gets what each thread did: without gaps, and in the order of time for each thread.
	// Paths stay valid after the call.
	Interval func(Interval)
	// Message gets each message of which both ends are known.
	Message func(Message)
	// Counter gets the values of counters, in the order of time for each thread.
	Counter func(Reading)
	// Window is the part of the run to analyse; nil: all.
	Window *Window

	span   *span // Window on the clock of the trace
	whole  span  // the run
	change *change
}

// errNoEvents returns the error for a trace without events.
func errNoEvents(trace string) error {
	return &otf.Error{
		Path: strings.TrimSuffix(trace, ".otf") + ".otf",
		What: "the trace has no events",
	}
}

// FromTrace analyses a trace that opari recorded. It also reads other traces in the Open Trace
// Format, but they hold no OpenMP regions.
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
	if err := o.limit(d, first, last); err != nil {
		return nil, err
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
