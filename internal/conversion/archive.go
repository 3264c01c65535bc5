package conversion

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"opari/otf"
	"opari/otf2"
)

// archive makes an archive of OTF2 from a trace of OTF.
type archive struct {
	source  *source
	survey  *survey
	w       *otf2.Writer
	losses  Losses
	texts   map[string]uint32
	errs    error
	threads map[uint32]*thread
	teams   []team
	team    map[teamKey]int
	comms   map[uint32]*communicator // by group of OTF
	sorted  []*communicator
	forked  []int                // parallel regions so far that are not nested, by location group
	made    map[taskKey][]taskID // tasks that no thread has begun
	locks   map[lockKey]uint32   // how often each was acquired
	held    map[string]uint32    // numbers of critical regions, by name
	meaning map[uint32]string    // of counters, by number
	metrics map[uint32]uint32    // by counter
}

// communicator is a communicator of MPI.
type communicator struct {
	id    uint32
	name  string
	ranks map[uint32]uint32 // by process
	list  []uint32
}

type taskKey struct {
	group  int
	source uint32 // place of the construct
}

// taskID is how OTF2 names a task: by its creator and a number of the creator's. Number 0 is the
// thread's implicit task.
type taskID struct{ creator, number uint32 }

type lockKey struct {
	group int
	lock  uint32
}

// ToOTF2 makes an archive from a trace. It returns what the archive cannot say.
func ToOTF2(trace, stub string) (Losses, error) {
	manager := otf.NewFileManager(64)
	r, err := otf.OpenReader(trace, manager)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s, err := readSource(r)
	if err != nil {
		return nil, err
	}
	v, err := look(r, s)
	if err != nil {
		return nil, err
	}
	a := &archive{
		source: s, survey: v, w: otf2.NewWriter(stub), losses: v.losses,
		texts: map[string]uint32{}, threads: map[uint32]*thread{},
		comms: map[uint32]*communicator{}, forked: make([]int, len(s.owners)),
		made: map[taskKey][]taskID{}, locks: map[lockKey]uint32{}, held: map[string]uint32{},
		meaning: map[uint32]string{}, metrics: map[uint32]uint32{},
	}
	if len(s.processes) > 1000 { // libotf2 keeps a chunk of each location in memory
		a.w.Anchor.EventChunk = 256 << 10
	}
	a.teams, a.team = v.compose()
	a.begin()
	again, err := otf.OpenReader(trace, manager)
	if err != nil {
		return nil, err
	}
	defer again.Close()
	if _, err := again.ReadEvents(a.handlers()); err != nil {
		return nil, errors.Join(err, a.w.Close())
	}
	a.countOthers(again)
	a.finish()
	return a.losses, errors.Join(a.errs, a.w.Close())
}

// countOthers counts the records of snapshots and statistics, which have no place in OTF2.
func (a *archive) countOthers(r *otf.Reader) {
	n, _ := r.ReadSnapshots(&otf.HandlerArray{})
	a.losses.add("records of snapshots: opari trace snapshots makes them again", n)
	n, _ = r.ReadStatistics(&otf.HandlerArray{})
	a.losses.add("records of statistics: OTF2 has none", n)
}

func (a *archive) do(err error) {
	if err != nil && a.errs == nil {
		a.errs = err
	}
}

// text returns the number of a text.
func (a *archive) text(s string) uint32 {
	id, known := a.texts[s]
	if !known {
		id = uint32(len(a.texts))
		a.texts[s] = id
		a.do(a.w.WriteString(id, strings.ReplaceAll(s, "\x00", " ")))
	}
	return id
}

// location returns the number of a process in OTF2.
func location(process uint32) uint64 { return uint64(process) - 1 }

// begin writes the definitions that events refer to, and prepares their numbers.
func (a *archive) begin() {
	s, w := a.source, a.w
	w.Anchor.Creator = s.creator
	if w.Anchor.Creator == "" {
		w.Anchor.Creator = "opari"
	}
	w.Anchor.Description = s.program()
	a.do(w.WriteClockProperties(s.resolution, a.survey.first, a.survey.last-a.survey.first,
		otf2.Undefined))
	a.text("")
	a.do(w.WriteParadigm(otf2.ParadigmOpenmp, a.text("OpenMP"),
		otf2.ParadigmClassThreadForkJoin))
	a.do(w.WriteParadigm(otf2.ParadigmMpi, a.text("MPI"), otf2.ParadigmClassProcess))
	a.tree()
	for i, f := range s.functions {
		a.region(uint32(i), f)
	}
	for i, c := range s.counters {
		a.metric(uint32(i), c)
	}
	a.communicators()
}

// tree writes the machine with its nodes, the processes, and the threads.
func (a *archive) tree() {
	s, w := a.source, a.w
	a.do(w.WriteSystemTreeNode(0, a.text("machine"), a.text("machine"), otf2.Undefined32))
	for i, c := range s.comments { // Python's reader wants a name only once
		name := a.text(fmt.Sprintf("%s%d", comment, i+1))
		a.do(w.WriteSystemTreeNodeProperty(0, name, otf2.TypeString, uint64(a.text(c))))
	}
	node, next := map[uint32]uint32{}, uint32(1)
	for _, g := range s.groups {
		if strings.HasPrefix(g.name, "node ") {
			a.do(w.WriteSystemTreeNode(next, a.text(strings.TrimPrefix(g.name, "node ")),
				a.text("node"), 0))
			for _, m := range g.members {
				node[m] = next
			}
			next++
		}
	}
	for i, p := range s.owners {
		name := "Process"
		if len(s.owners) > 1 {
			name = fmt.Sprintf("MPI Rank %d", i)
		}
		a.do(w.WriteLocationGroup(uint32(i), a.text(name), otf2.LocationGroupTypeProcess,
			node[p.id], otf2.Undefined32))
	}
	for _, p := range s.processes {
		a.threads[p.id] = &thread{process: p, w: w.Location(location(p.id)), archive: a}
	}
}

func (a *archive) region(id uint32, f *function) {
	name := f.name
	if i := strings.LastIndexByte(name, ' '); i > 0 && f.file != "" {
		name = name[:i]
	}
	r := roleOf(f.group, name, strings.HasSuffix(name, ": block"))
	file := otf2.Undefined32
	if f.file != "" {
		file = int(a.text(f.file))
	}
	a.do(a.w.WriteRegion(id, a.text(f.name), a.text(f.name), a.text(f.group), r.role, r.paradigm, 0,
		uint32(file), f.line, a.source.end(f)))
	f.id = id
}

// modes are the properties of counters in both formats.
var modes = map[uint32]otf2.MetricMode{
	otf.CounterTypeAcc | otf.CounterScopeStart: otf2.MetricModeAccumulatedStart,
	otf.CounterTypeAcc | otf.CounterScopePoint: otf2.MetricModeAccumulatedPoint,
	otf.CounterTypeAcc | otf.CounterScopeLast:  otf2.MetricModeAccumulatedLast,
	otf.CounterTypeAcc | otf.CounterScopeNext:  otf2.MetricModeAccumulatedNext,
	otf.CounterTypeAbs | otf.CounterScopePoint: otf2.MetricModeAbsolutePoint,
	otf.CounterTypeAbs | otf.CounterScopeLast:  otf2.MetricModeAbsoluteLast,
	otf.CounterTypeAbs | otf.CounterScopeNext:  otf2.MetricModeAbsoluteNext,
}

func (a *archive) metric(id uint32, c counter) {
	mode, is := modes[c.properties]
	if !is {
		mode = otf2.MetricModeAbsolutePoint
		a.losses.add("counters whose values hold since the start of their process: the metric "+
			"says a moment", 1)
	}
	exponent, unit := int64(0), c.unit
	if unit == "ns" {
		exponent, unit = -9, "s"
	}
	a.do(a.w.WriteMetricMember(id, a.text(c.name), a.text(c.group), otf2.MetricTypeOther, mode,
		otf2.TypeUint64, otf2.BaseDecimal, exponent, a.text(unit)))
	a.do(a.w.WriteMetricClass(id, []uint64{uint64(id)}, otf2.MetricOccurrenceSynchronous,
		otf2.RecorderKindCpu))
	a.metrics[c.id], a.meaning[c.id] = id, c.name
}

// communicators numbers the teams and the communicators of MPI.
func (a *archive) communicators() {
	var groups []uint32
	for id := range a.survey.used {
		groups = append(groups, id)
	}
	slices.Sort(groups)
	for _, id := range groups {
		c := &communicator{id: uint32(len(a.teams) + len(a.sorted)), ranks: map[uint32]uint32{}}
		c.list, c.name = a.source.members[id], "world"
		for _, g := range a.source.groups {
			if g.id == id {
				c.name = g.name
			}
		}
		if id == 0 {
			for p := range a.survey.ends {
				c.list = append(c.list, p)
			}
			slices.Sort(c.list)
		}
		for i, p := range c.list {
			if _, twice := c.ranks[p]; !twice {
				c.ranks[p] = uint32(i)
			}
		}
		a.comms[id] = c
		a.sorted = append(a.sorted, c)
	}
}

// finish writes the definitions that depend on the events, or that refer to locations.
func (a *archive) finish() {
	s, w := a.source, a.w
	var all []uint64
	index := map[uint32]uint64{}
	for _, p := range s.processes {
		t := a.threads[p.id]
		t.complete(^uint64(0))
		t.w.Define()
		a.do(w.WriteLocation(location(p.id), a.text(p.name), otf2.LocationTypeCpuThread,
			t.w.Events(), uint32(p.group)))
		index[p.id] = uint64(len(all))
		all = append(all, location(p.id))
	}
	group := uint32(0)
	write := func(name string, kind otf2.GroupType, paradigm otf2.Paradigm, members []uint64) {
		a.do(w.WriteGroup(group, a.text(name), kind, paradigm, 0, members))
		group++
	}
	comm := func(id uint32, name string) {
		a.do(w.WriteComm(id, a.text(name), group-1, otf2.Undefined32, 0))
	}
	write("", otf2.GroupTypeCommLocations, otf2.ParadigmOpenmp, all)
	for i, t := range a.teams {
		var members []uint64
		for _, p := range t.members {
			members = append(members, index[p])
		}
		write("", otf2.GroupTypeCommGroup, otf2.ParadigmOpenmp, members)
		comm(uint32(i), fmt.Sprintf("OpenMP thread team %d", i))
	}
	a.ranks(write, comm)
	for _, g := range s.groups {
		var members []uint64
		for _, p := range g.members {
			if a.threads[p] != nil {
				members = append(members, location(p))
			} else {
				a.losses.add("members of groups that no definition has", 1)
			}
		}
		write(fmt.Sprintf("%d %s", g.id, g.name), otf2.GroupTypeLocations, otf2.ParadigmUnknown,
			members)
	}
}

// ranks writes the communicators of MPI. Their groups refer to one list of all processes of MPI.
func (a *archive) ranks(write func(string, otf2.GroupType, otf2.Paradigm, []uint64),
	comm func(uint32, string),
) {
	var world []uint64
	index := map[uint32]uint64{}
	for _, p := range a.source.processes {
		for _, c := range a.sorted {
			if _, is := c.ranks[p.id]; is {
				index[p.id] = uint64(len(world))
				world = append(world, location(p.id))
				break
			}
		}
	}
	if len(a.sorted) > 0 {
		write("", otf2.GroupTypeCommLocations, otf2.ParadigmMpi, world)
	}
	for _, c := range a.sorted {
		var members []uint64
		for _, p := range c.list {
			members = append(members, index[p])
		}
		write("", otf2.GroupTypeCommGroup, otf2.ParadigmMpi, members)
		comm(c.id, c.name)
	}
}
