package conversion

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
	"opari/otf"
)

// function is a function of a trace of OTF.
type function struct {
	id     uint32
	name   string
	group  string
	file   string
	source uint32
	line   uint32
	kind   part
}

// part is what a conversion does at a function.
type part uint8

const (
	ordinary part = iota
	forks         // a parallel region on the thread that encounters it
	teamWork      // an implicit task
	creates       // the creation of a task
	taskRun       // a task
	excludes      // a critical region
	wantsIn       // the wait to enter it
)

// process is a process of a trace of OTF.
type process struct {
	id, parent uint32
	name       string
	group      int // index of its location group
}

// counter is a counter of a trace of OTF.
type counter struct {
	id, properties uint32
	name, group    string
	unit           string
}

// processGroup is a group of processes.
type processGroup struct {
	id      uint32
	name    string
	members []uint32
}

// source is what a trace of OTF defines.
type source struct {
	resolution uint64
	creator    string
	comments   []string
	processes  []*process
	byID       map[uint32]*process
	groups     []processGroup
	members    map[uint32][]uint32
	functions  []*function
	byNumber   map[uint32]*function
	counters   []counter
	operations map[uint32]operation
	ends       map[string]uint32 // last lines of constructs, by "LINE FILE"
	owners     []*process        // the first process of each location group
	threads    map[threadKey]uint32
}

// threadKey is a thread by its number in its location group.
type threadKey struct {
	group  int
	number uint64
}

type operation struct {
	name string
	kind uint32
}

// readSource reads the definitions of a trace.
func readSource(r *otf.Reader) (*source, error) {
	s := &source{
		resolution: otf.DefaultTimerResolution, byID: map[uint32]*process{},
		members: map[uint32][]uint32{}, byNumber: map[uint32]*function{},
		operations: map[uint32]operation{}, ends: map[string]uint32{},
	}
	functionGroups, counterGroups := map[uint32]string{}, map[uint32]string{}
	files, places := map[uint32]string{}, map[uint32][2]uint32{}
	inGroups := map[*function]uint32{}
	var counterIn []uint32
	h := &otf.HandlerArray{
		DefCreator: func(_ uint32, name string) error { s.creator = name; return nil },
		DefTimerResolution: func(_ uint32, ticks uint64) error {
			s.resolution = max(ticks, 1)
			return nil
		},
		DefinitionComment: func(_ uint32, text string) error {
			s.comments = append(s.comments, text)
			return nil
		},
		DefProcess: func(_, id uint32, name string, parent uint32) error {
			if s.byID[id] == nil {
				if name == otf.Null {
					name = ""
				}
				p := &process{id: id, name: name, parent: parent}
				s.byID[id] = p
				s.processes = append(s.processes, p)
			}
			return nil
		},
		DefProcessGroup: func(_, id uint32, name string, members []uint32) error {
			g := processGroup{id, name, slices.Clone(members)}
			s.groups = append(s.groups, g)
			s.members[id] = g.members
			return nil
		},
		DefFunctionGroup: func(_, id uint32, name string) error {
			functionGroups[id] = name
			return nil
		},
		DefSclFile: func(_, id uint32, name string) error { files[id] = name; return nil },
		DefScl: func(_, id, file, line uint32) error {
			places[id] = [2]uint32{file, line}
			return nil
		},
		DefFunction: func(_, id uint32, name string, group, source uint32) error {
			if s.byNumber[id] != nil {
				return nil
			}
			f := &function{id: id, name: name, source: source}
			s.byNumber[id], inGroups[f] = f, group
			s.functions = append(s.functions, f)
			return nil
		},
		DefCounterGroup: func(_, id uint32, name string) error {
			counterGroups[id] = name
			return nil
		},
		DefCounter: func(_, id uint32, name string, properties, group uint32, unit string) error {
			s.counters = append(s.counters, counter{
				id: id, name: name, properties: properties, unit: unit,
			})
			counterIn = append(counterIn, group)
			return nil
		},
		DefCollectiveOperation: func(_, id uint32, name string, kind uint32) error {
			s.operations[id] = operation{name, kind}
			return nil
		},
	}
	if _, err := r.ReadDefinitions(h); err != nil {
		return nil, err
	}
	for i, group := range counterIn {
		s.counters[i].group = counterGroups[group]
	}
	for _, f := range s.functions {
		at := places[f.source]
		f.group, f.file, f.line = functionGroups[inGroups[f]], files[at[0]], at[1]
		f.kind = partOf(f)
	}
	for _, text := range s.comments {
		s.extent(text)
	}
	s.arrange(r)
	s.threads = map[threadKey]uint32{}
	for _, p := range s.processes {
		name, _ := omp.SplitThreadName(p.name)
		if _, number, is := strings.Cut(name, "thread "); is {
			if n, err := strconv.ParseUint(number, 10, 32); err == nil {
				s.threads[threadKey{p.group, n}] = p.id
			}
		}
	}
	return s, nil
}

// partOf says what a conversion does at a function.
func partOf(f *function) part {
	switch f.group {
	case implicitTask:
		return teamWork
	case taskCreation:
		return creates
	case waiting:
		word, _, _ := strings.Cut(f.name, "(")
		word, _, _ = strings.Cut(word, ":")
		if omp.KindNamed(word) == omp.KindCritical {
			return wantsIn
		}
		return ordinary
	}
	switch omp.KindNamed(f.group) {
	case omp.KindParallel:
		return forks
	case omp.KindTask:
		return taskRun
	case omp.KindCritical:
		return excludes
	}
	return ordinary
}

// extent reads the comment "lines FIRST-LAST FILE".
func (s *source) extent(text string) {
	text, is := strings.CutPrefix(text, "lines ")
	lines, file, _ := strings.Cut(text, " ")
	first, last, _ := strings.Cut(lines, "-")
	if end, err := strconv.ParseUint(last, 10, 31); is && err == nil {
		s.ends[first+" "+file] = uint32(end)
	}
}

// end returns the last line of a function's construct.
func (s *source) end(f *function) uint32 {
	return max(s.ends[strconv.Itoa(int(f.line))+" "+f.file], f.line)
}

// arrange finds the location group of each process: the rank or process that it is a thread of.
// The processes of a trace of opari without ranks are threads of one process. A process that the
// trace does not define is one of its own.
func (s *source) arrange(r *otf.Reader) {
	for _, e := range r.MasterControl().Entries() {
		for _, id := range e.Processes {
			if s.byID[id] == nil {
				p := &process{id: id, name: "process " + strconv.Itoa(int(id))}
				s.byID[id] = p
				s.processes = append(s.processes, p)
			}
		}
	}
	alone := s.creator == "opari" && !slices.ContainsFunc(s.groups,
		func(g processGroup) bool { return g.name == "ranks" })
	if alone && len(s.processes) > 0 {
		s.owners = []*process{s.processes[0]}
		return
	}
	for _, p := range s.processes {
		if s.byID[p.parent] == nil {
			p.group = len(s.owners)
			s.owners = append(s.owners, p)
		}
	}
	for _, p := range s.processes {
		up := p
		for range s.processes { // parents of parents, but no circles
			if s.byID[up.parent] == nil {
				break
			}
			up = s.byID[up.parent]
		}
		p.group = up.group
	}
	if len(s.owners) == 0 && len(s.processes) > 0 { // a circle
		s.owners = []*process{s.processes[0]}
	}
}

// program returns the name of the program from the comments.
func (s *source) program() string {
	for _, c := range s.comments {
		if name, is := strings.CutPrefix(c, "program: "); is {
			return filepath.Base(name)
		}
	}
	return ""
}
