package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"opari/internal/analysis"
	"opari/internal/omp"
	"opari/otf"
)

// Point is the meaning of a counter whose value belongs to one moment.
type Point uint8

const (
	LockAcquired Point = iota
	LockReleased
	TeamNumber
	OffTheCPU
	LoopChunks
	LoopIterations
	ChunkMeasuring
	ChunkDispatch
	BeforeLast
	InLast
	StackSample
	ReadAccess
	WriteAccess
)

// points maps the counters of package recording to their meanings.
var points = map[string]Point{
	"lock acquired": LockAcquired, "lock released": LockReleased,
	"team": TeamNumber, "off the CPU": OffTheCPU,
	"chunks": LoopChunks, "iterations of chunks": LoopIterations,
	"measuring chunks": ChunkMeasuring, "dispatch time": ChunkDispatch,
	"iterations before the last chunk": BeforeLast, "iterations of the last chunk": InLast,
	"sample": StackSample, "data read": ReadAccess, "data written": WriteAccess,
}

// Definitions holds what a trace defines about its threads and functions.
type Definitions struct {
	Resolution uint64
	Cost       int64 // of an event, ns; 0: not recorded
	Program    string
	Notes      []string
	LeftOut    analysis.LeftOut
	Threads    []analysis.Thread
	ByProcess  map[uint32]int
	groups     map[uint32]string
	files      map[uint32]string
	places     map[uint32]struct{ file, line uint32 }
	raw        map[uint32]rawFunction
	functions  map[uint32]*Function
	dense      []*Function // by number, for small numbers
	regions    map[analysis.Region]*analysis.Region
	Points     map[uint32]Point
	ends       map[line]int      // last lines of constructs
	reads      map[line]bool     // atomic constructs that only read
	ordered    map[line]bool     // tasks with dependences
	Operations map[uint32]uint32 // kinds of collective operations
	RankOf     map[uint32]int    // of MPI, by process; nil: a single process
	ThreadsOf  map[int][]uint32  // processes, by rank
	denseRanks []int32           // by process, for small numbers; -1: no rank
	Members    map[uint32]int    // of groups
	Alone      map[uint32]bool   // groups of one process
	nodes      map[uint32]string // by process
	Everywhere map[uint32]int    // ByProcess for the trace of all ranks
	Kernel     bool              // the trace says when threads were off the CPU
	Samples    analysis.Samples
	rawStacks  map[uint32]rawStack
	Counters   []string       // names, see Counts
	CounterOf  map[uint32]int // index in counters
	Machines   []analysis.Machine
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

func New() *Definitions {
	return &Definitions{
		Resolution: otf.DefaultTimerResolution,
		ByProcess:  map[uint32]int{}, groups: map[uint32]string{}, files: map[uint32]string{},
		places: map[uint32]struct{ file, line uint32 }{},
		raw:    map[uint32]rawFunction{}, functions: map[uint32]*Function{},
		regions: map[analysis.Region]*analysis.Region{}, Points: map[uint32]Point{},
		ends:  map[line]int{},
		reads: map[line]bool{}, ordered: map[line]bool{},
		Operations: map[uint32]uint32{}, Alone: map[uint32]bool{}, nodes: map[uint32]string{},
		Members: map[uint32]int{},
		facts:   map[uint32]string{}, rawStacks: map[uint32]rawStack{}, CounterOf: map[uint32]int{},
		lock: new(sync.Mutex),
	}
}

// Handlers returns the handlers that read the definitions.
func (d *Definitions) Handlers() *otf.HandlerArray {
	return &otf.HandlerArray{
		DefTimerResolution: func(_ uint32, ticks uint64) error {
			if ticks == 0 {
				return fmt.Errorf("a timer resolution of 0")
			}
			d.Resolution = ticks
			return nil
		},
		DefinitionComment: func(_ uint32, comment string) error {
			if name, is := strings.CutPrefix(comment, "program: "); is {
				d.Program = analysis.Printable(name)
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
			if _, known := d.ByProcess[process]; !known {
				d.ByProcess[process] = len(d.Threads)
				t := analysis.Thread{Name: analysis.Printable(name)}
				_, t.Type = omp.SplitThreadName(t.Name)
				d.Threads = append(d.Threads, t)
				d.rank(process, name)
			}
			return nil
		},
		DefProcessGroup: func(_, group uint32, name string, members []uint32) error {
			if strings.HasPrefix(name, "node ") {
				for _, process := range members {
					d.nodes[process] = analysis.Printable(name)
				}
			}
			if d.Members[group] = len(members); len(members) == 1 {
				d.Alone[group] = true
			}
			return nil
		},
		DefCollectiveOperation: func(_, operation uint32, _ string, kind uint32) error {
			d.Operations[operation] = kind
			return nil
		},
		DefFunctionGroup: func(_, group uint32, name string) error {
			d.groups[group] = analysis.Printable(name)
			return nil
		},
		DefSclFile: func(_, file uint32, name string) error {
			d.files[file] = analysis.Printable(name)
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
			case is && p == OffTheCPU && scope == otf.CounterScopeNext:
				d.Points[counter], d.Kernel = p, true
			case is && p != OffTheCPU && scope == otf.CounterScopePoint:
				d.Points[counter] = p
			default:
				d.counterDefinition(counter, name, properties)
			}
			return nil
		},
		DefFunction: func(_, number uint32, name string, group, source uint32) error {
			d.raw[number] = rawFunction{analysis.Printable(name), group, source}
			return nil
		},
	}
}

// extent reads the lines of a construct: "FIRST-LAST FILE". Any other text is another writer's
// comment.
func (d *Definitions) extent(text string) {
	lines, file, _ := strings.Cut(text, " ")
	first, last, _ := strings.Cut(lines, "-")
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err == nil && err2 == nil && from > 0 && to > from {
		d.ends[line{analysis.Printable(file), from}] = to
	}
}

// fact reads the place of a construct of which a comment says something: "LINE FILE".
func (d *Definitions) fact(text string, of map[line]bool) {
	number, file, _ := strings.Cut(text, " ")
	if n, err := strconv.ParseUint(number, 10, 31); err == nil {
		of[line{analysis.Printable(file), int(n)}] = true
	}
}

// eventCost reads the cost of an event: "N ns".
func (d *Definitions) eventCost(text string) {
	number, _ := strings.CutSuffix(text, " ns")
	if cost, err := strconv.ParseUint(number, 10, 30); err == nil {
		d.Cost = int64(cost)
	}
}

// Resolve finds out what each function is. Parts of regions come last, because a region takes its
// kind from its first function.
func (d *Definitions) Resolve() {
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
	d.raw, d.Everywhere = nil, d.ByProcess
	for process, i := range d.ByProcess {
		if rank, known := d.RankOf[process]; known {
			d.Threads[i].Node, d.Threads[i].Process = d.nodes[process], fmt.Sprintf("rank %d", rank)
		}
	}
}

func (d *Definitions) Find(number uint32) *Function {
	if number < uint32(len(d.dense)) && d.dense[number] != nil {
		return d.dense[number]
	}
	if f := d.functions[number]; f != nil {
		return f
	}
	return unknown
}

// counterDefinition notes a counter of the group counters.
func (d *Definitions) counterDefinition(number uint32, name string, properties uint32) {
	name, is := strings.CutPrefix(name, "counter ")
	if !is ||
		properties&(otf.CounterTypeAbs|otf.CounterScopeNext) !=
			otf.CounterTypeAcc|otf.CounterScopeStart {
		return
	}
	name = analysis.Printable(name)
	i := slices.Index(d.Counters, name)
	if i < 0 {
		i, d.Counters = len(d.Counters), append(d.Counters, name)
	}
	d.CounterOf[number] = i
}

// Depends reports whether tasks created in a region have dependences.
func (d *Definitions) Depends(g *analysis.Region) bool { return d.ordered[line{g.File, g.Line}] }
