package conversion

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
	"opari/otf"
	"opari/otf2"
)

// trace makes a trace of OTF from an archive of OTF2.
type trace struct {
	archive    *contents
	w          *otf.Writer
	losses     Losses
	errs       error
	streams    map[uint64]*stream // by location
	foreign    bool               // opari did not write it
	counters   map[counterKey]uint32
	operations map[otf2.CollectiveOp]bool
	locks      bool              // the trace has counters for locks
	requests   map[string]uint32 // counters, by name; 0: not defined yet
}

// counterKey is a metric of a class.
type counterKey struct {
	class  uint32
	member int
}

// Numbers of what ToOTF adds to what the archive defines.
const (
	groupThreads = 1 << 30
	groupRanks   = groupThreads + 1
	groupComms   = groupThreads + 1<<29
	ownCounters  = 1 << 30
	requestsOwn  = ownCounters + 16
)

// ToOTF makes a trace from an archive. It returns what the trace cannot say. A damaged location is
// an error; with damaged, it ends before the damage, and damaged is told.
func ToOTF(path, stub string, damaged func(*otf2.Error)) (Losses, error) {
	r, err := otf2.OpenReader(path, 64)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	r.Sort()
	r.Tolerate(damaged)
	c, err := readContents(r)
	if err != nil {
		return nil, err
	}
	t := &trace{
		archive: c, w: otf.NewWriter(stub, 0, otf.NewFileManager(64)), losses: c.losses,
		streams: map[uint64]*stream{}, foreign: r.Anchor.Creator != "opari",
		counters: map[counterKey]uint32{}, operations: map[otf2.CollectiveOp]bool{},
		requests: map[string]uint32{},
	}
	t.define(r.Anchor)
	if _, err := r.ReadEvents(t.handlers()); err != nil {
		return nil, errors.Join(err, t.w.Close())
	}
	for _, id := range c.order {
		if s := t.streams[id]; s != nil {
			s.close()
		}
	}
	t.defineUsed()
	n, _ := r.ReadSnapshots(&otf2.HandlerArray{})
	t.losses.add("records of snapshots: opari trace snapshots makes them again", n)
	n, _ = r.ReadMarkers(&otf2.HandlerArray{})
	t.losses.add("markers: OTF 1.1 has none", n)
	t.losses.add("times before that of the event before: the trace has the latter", r.Moved())
	t.w.SetComplete(true)
	return t.losses, errors.Join(t.errs, t.w.Close())
}

func (t *trace) do(err error) {
	if err != nil && t.errs == nil {
		t.errs = err
	}
}

// stream returns the stream of a location.
func (t *trace) stream(location uint64) *stream {
	s := t.streams[location]
	if s == nil {
		s = &stream{trace: t, process: t.archive.process[location]}
		t.streams[location] = s
	}
	return s
}

// define writes all definitions but those that depend on the events.
func (t *trace) define(anchor *otf2.Anchor) {
	c, w := t.archive, t.w
	t.do(w.WriteDefCreator(0, cmp.Or(anchor.Creator, "libotf2")))
	t.do(w.WriteDefTimerResolution(0, max(c.resolution, 1)))
	for _, text := range c.comments {
		t.do(w.WriteDefinitionComment(0, text))
	}
	t.processes()
	groups, files := map[string]uint32{}, map[string]uint32{}
	places := map[string]uint32{}
	var names []string
	for _, r := range c.regions {
		names = append(names, t.group(r))
	}
	slices.Sort(names)
	for i, g := range slices.Compact(names) {
		groups[g] = uint32(i + 1)
		t.do(w.WriteDefFunctionGroup(0, groups[g], g))
	}
	for _, r := range c.regions {
		source := uint32(0)
		if r.file != "" && r.begin > 0 {
			if files[r.file] == 0 {
				files[r.file] = uint32(len(files) + 1)
				t.do(w.WriteDefSclFile(0, files[r.file], r.file))
			}
			key := fmt.Sprintf("%d %s", r.begin, r.file)
			if places[key] == 0 {
				places[key] = uint32(len(places) + 1)
				t.do(w.WriteDefScl(0, places[key], files[r.file], r.begin))
				if t.foreign && r.end > r.begin {
					t.do(w.WriteDefinitionComment(0,
						fmt.Sprintf("lines %d-%d %s", r.begin, r.end, r.file)))
				}
			}
			source = places[key]
		}
		t.do(w.WriteDefFunction(0, functionOf(r.id), r.name, groups[t.group(r)], source))
	}
	t.metrics()
	for _, m := range c.comms {
		if m.paradigm == otf2.ParadigmMpi {
			t.do(w.WriteDefProcessGroup(0, commOf(m.id), m.name, m.members))
		}
	}
}

// functionOf and commOf are the numbers of a region and of a communicator in the trace.
func functionOf(region uint32) uint32 { return region + 1 }

func commOf(comm uint32) uint32 { return groupComms + comm }

// group returns the group of a region's function: what opari noted there, or what its role says.
func (t *trace) group(r *region) string {
	if !t.foreign {
		return r.description
	}
	return groupOf(role{r.role, r.paradigm})
}

// processes defines the processes. Names of another writer's threads become those that reports
// understand: "rank 0 thread 1 (worker)".
func (t *trace) processes() {
	c, w := t.archive, t.w
	var all, firsts []uint32
	seen := map[uint32]int{}
	for _, id := range c.order {
		l := c.locations[id]
		name, parent, number := l.name, uint32(0), seen[l.group]
		seen[l.group]++
		if number == 0 {
			firsts = append(firsts, c.process[id])
		} else if len(c.owners) > 1 {
			parent = c.process[c.owners[l.group]]
		}
		if _, kind := omp.SplitThreadName(name); kind == omp.ThreadUnknown && l.cpu {
			kind = omp.ThreadWorker
			if number == 0 {
				kind = omp.ThreadInitial
			}
			name = omp.ThreadName(number, kind)
			if len(c.owners) > 1 {
				name = fmt.Sprintf("rank %d %s", c.ranks[l.group], name)
			}
		}
		all = append(all, c.process[id])
		t.do(w.WriteDefProcess(0, c.process[id], name, parent))
	}
	if len(c.groups) == 0 {
		t.do(w.WriteDefProcessGroup(0, groupThreads, "threads", all))
		if len(c.owners) > 1 {
			t.do(w.WriteDefProcessGroup(0, groupRanks, "ranks", firsts))
		}
	}
	for i, g := range c.groups {
		id, name, is := strings.Cut(g.name, " ")
		number, err := strconv.ParseUint(id, 10, 32)
		if !is || err != nil || t.foreign {
			number, name = uint64(groupThreads+10+i), g.name
		}
		if !t.foreign && number >= groupComms {
			continue // the communicators below stand for these
		}
		t.do(w.WriteDefProcessGroup(0, uint32(number), name, g.members))
	}
}

// metrics defines a counter for each metric of each class.
func (t *trace) metrics() {
	c, w := t.archive, t.w
	groups := map[string]uint32{}
	next := uint32(1)
	for _, class := range c.classes {
		for i, member := range class.members {
			m := c.members[uint32(member)]
			if m == nil {
				continue
			}
			name := "metrics"
			if !t.foreign {
				name = m.description
			}
			if groups[name] == 0 {
				groups[name] = uint32(len(groups) + 1)
				t.do(w.WriteDefCounterGroup(0, groups[name], name))
			}
			unit := m.unit
			if m.exponent == -9 && unit == "s" {
				unit = "ns"
			}
			t.counters[counterKey{class.id, i}] = next
			t.do(w.WriteDefCounter(0, next, m.name, m.properties(), groups[name], unit))
			t.locks = t.locks || m.name == lockAcquired
			if !t.foreign && slices.Contains(requestCounters, m.name) {
				t.requests[m.name] = next
			}
			next++
		}
	}
}

// properties returns what a metric's mode is in OTF.
func (m *metric) properties() uint32 {
	for p, mode := range modes {
		if mode == m.mode {
			return p
		}
	}
	return otf.CounterTypeAbs | otf.CounterScopePoint // relative: OTF has no such type
}

// defineUsed writes the definitions of what the events have used.
func (t *trace) defineUsed() {
	for _, op := range slices.Sorted(func(yield func(otf2.CollectiveOp) bool) {
		for op := range t.operations {
			if !yield(op) {
				return
			}
		}
	}) {
		name := strings.ToLower(op.String())
		t.do(t.w.WriteDefCollectiveOperation(0, uint32(op)+1,
			"MPI_"+strings.ToUpper(name[:1])+name[1:], kindOf(op)))
	}
	t.defineRequests()
	if t.foreign && !t.locks {
		t.do(t.w.WriteDefCounterGroup(0, ownCounters, "OpenMP"))
		for i, name := range []string{lockAcquired, lockReleased} {
			t.do(t.w.WriteDefCounter(0, ownCounters+uint32(i), name,
				otf.CounterTypeAbs|otf.CounterScopePoint, ownCounters, "number"))
		}
	}
}

// request returns the counter of one of requestCounters.
func (t *trace) request(name string) uint32 {
	if t.requests[name] == 0 {
		t.requests[name] = requestsOwn + uint32(slices.Index(requestCounters, name))
	}
	return t.requests[name]
}

// defineRequests defines the counters of requests that the archive does not define.
func (t *trace) defineRequests() {
	group := false
	for _, name := range requestCounters {
		if id := t.requests[name]; id >= requestsOwn {
			if !group {
				group = true
				t.do(t.w.WriteDefCounterGroup(0, requestsOwn, "MPI"))
			}
			t.do(t.w.WriteDefCounter(0, id, name, otf.CounterTypeAbs|otf.CounterScopePoint,
				requestsOwn, "number"))
		}
	}
}

// number returns the value of a metric as OTF has it.
func (t *trace) number(kind otf2.Type, v uint64) uint64 {
	switch kind {
	case otf2.TypeDouble:
		f := math.Float64frombits(v)
		if f != math.Trunc(f) || f < 0 || f >= 1<<63 {
			t.losses.add("values of metrics that are no natural numbers: OTF has the nearest", 1)
		}
		return uint64(max(f, 0) + 0.5)
	case otf2.TypeInt64:
		if int64(v) < 0 {
			t.losses.add("values of metrics below 0: OTF has 0", 1)
			return 0
		}
	}
	return v
}
