package recording

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"opari/otf"
)

// worldTrace is what the streams of a world have in common.
type worldTrace struct {
	*world
	names      worldNames
	groups     map[string]uint32 // of processes, by the communicator's key
	operations map[uint64]uint32 // by routine and pattern
	floor      map[*Process]map[[2]int]uint64
}

// worldNames numbers the functions of all processes.
type worldNames struct {
	lock sync.Mutex // for what is met only while the streams are written, where the recording was damaged
	names
}

func (n *worldNames) number(f function) uint32 {
	n.lock.Lock()
	defer n.lock.Unlock()
	return n.names.number(f)
}

// Groups of processes.
const (
	groupThreads = 1 << 30 // all
	groupRanks   = groupThreads + 1
	groupNodes   = groupThreads + 2     // and those behind it: a node each
	groupMPI     = groupThreads + 1<<29 // and those behind it: a communicator each
)

// convert makes one trace of the processes of a world. The streams are written in parallel; what they are to call each thing is found out before, so that
// the trace does not depend on who comes first.
func (w *world) convert(stub string, progress func(done, size int64)) (*Trace, error) {
	clocks := w.clocks()
	all, numbers := w.communicators()
	in := &worldTrace{world: w, groups: map[string]uint32{}, operations: map[uint64]uint32{}, floor: map[*Process]map[[2]int]uint64{}}
	in.names.names = *newNames(nil)
	scans, err := w.scanAll(clocks, func(c *communicator) uint32 { return numbers[c.key()] })
	if err != nil {
		return nil, err
	}
	events := make([][]crossing, len(scans))
	for i, s := range scans {
		events[i] = s.crossings
	}
	for i, f := range floors(events) {
		in.floor[w.processes[i]] = f
	}
	operations := in.unify(scans, all, numbers)

	var lock sync.Mutex
	var done, size int64
	for _, p := range w.processes {
		for _, t := range p.threads {
			size += int64(len(t.chunks))
		}
	}
	streams := make([]*rankStreams, len(w.processes))
	err = atOnce(len(w.processes), func(i int) error {
		var err error
		streams[i], err = in.streams(w.processes[i], scans[i].names, clocks[w.processes[i]], stub, func() {
			lock.Lock()
			defer lock.Unlock()
			if done++; progress != nil {
				progress(done, size)
			}
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &Trace{Process: w.summary(), Path: stub + ".otf", Ranks: w.size}
	master := otf.NewMasterControl()
	for _, s := range streams {
		out.Threads += len(s.threads)
		out.Events += s.events
		for _, t := range s.threads {
			master.Append(t, t)
		}
	}
	if out.Threads == 0 {
		return nil, nil
	}
	definitions := otf.OpenWStream(stub, 0, otf.NewFileManager(8))
	err = errors.Join(in.write(definitions, out.Process, streams, all, operations), definitions.Close(), master.Write(stub))
	return out, err
}

// summary stands for all processes of the world where one is asked for.
func (w *world) summary() *Process {
	p := *w.processes[0]
	p.Complete = len(w.processes) == cmp.Or(p.mpi.Recorded, w.size)
	p.Lost, p.threads = 0, nil
	for _, q := range w.processes {
		p.Complete = p.Complete && q.Complete
		p.Lost += q.Lost
		p.Failure = cmp.Or(p.Failure, q.Failure)
	}
	return &p
}

// communicators lists those of all processes, each once, and numbers them: in the order of ranks, and in the order in which a rank made them.
func (w *world) communicators() (all []*communicator, numbers map[string]uint32) {
	numbers = map[string]uint32{}
	byKey := map[string]*communicator{}
	for _, p := range w.processes {
		for _, number := range slices.Sorted(maps.Keys(p.mpi.communicators)) {
			c := p.mpi.communicators[number]
			if first := byKey[c.key()]; first != nil {
				first.Name = cmp.Or(first.Name, c.Name)
				continue
			}
			own := *c
			byKey[c.key()] = &own
			all = append(all, &own)
			numbers[c.key()] = groupMPI + uint32(len(all))
		}
	}
	return all, numbers
}

// unify gives functions, groups and operations their numbers in the trace.
func (in *worldTrace) unify(scans []*scan, all []*communicator, numbers map[string]uint32) (operations []routine) {
	used := map[string]bool{}
	byName := map[string]uint32{}
	for i, s := range scans {
		s.names.join(&in.names)
		for number := range s.groups {
			if c := in.processes[i].mpi.communicators[number]; c != nil {
				used[c.key()] = true
			}
		}
		for _, code := range slices.Sorted(maps.Keys(s.operations)) {
			o := s.operations[code]
			if byName[o.name] == 0 {
				operations = append(operations, o)
				byName[o.name] = uint32(len(operations))
			}
			if in.operations[code] == 0 {
				in.operations[code] = byName[o.name]
			}
		}
	}
	for _, c := range all {
		if used[c.key()] {
			in.groups[c.key()] = numbers[c.key()]
		}
	}
	return operations
}

// rankStreams is what was written of a process.
type rankStreams struct {
	process *Process
	threads []uint32
	kinds   []string
	events  uint64
}

// streams writes the streams of a process.
func (in *worldTrace) streams(p *Process, n *names, k clock, stub string, done func()) (*rankStreams, error) {
	manager := otf.NewFileManager(8)
	s := &rankStreams{process: p}
	c := &converter{process: p, clock: k, names: n, world: in}
	for _, t := range p.threads {
		id := in.id(p.mpi.Rank, t.number)
		c.begin(t, otf.OpenWStream(stub, id, manager))
		c.id = id
		if err := errors.Join(c.run(done), c.out.Close()); err != nil {
			return nil, err
		}
		s.threads, s.kinds = append(s.threads, id), append(s.kinds, c.kind)
	}
	s.events = c.events
	return s, nil
}

// write writes the definitions of the trace.
func (in *worldTrace) write(w *otf.WStream, p *Process, streams []*rankStreams, all []*communicator, operations []routine) error {
	err := errors.Join(
		w.WriteOtfVersion(),
		w.WriteDefCreator("opari"),
		w.WriteDefTimerResolution(1e9),
		w.WriteDefinitionComment("program: "+p.Program),
		w.WriteDefinitionComment(fmt.Sprintf("process: %d", p.PID)),
		w.WriteDefinitionComment(fmt.Sprintf("ranks: %d", in.size)),
	)
	if len(in.processes) < in.size {
		err = errors.Join(err, w.WriteDefinitionComment(fmt.Sprintf("%d ranks have left nothing", in.size-len(in.processes))))
	}
	for _, q := range in.processes {
		if !q.Complete {
			err = errors.Join(err, w.WriteDefinitionComment(fmt.Sprintf("rank %d was killed, or replaced by another program", q.mpi.Rank)))
		}
	}
	if p.Lost > 0 {
		err = errors.Join(err, w.WriteDefinitionComment(fmt.Sprintf("lost: %d events", p.Lost)))
	}
	return errors.Join(err, in.writeProcesses(w, streams), in.writeCommunicators(w, all), in.names.writeFunctions(w), writeOperations(w, operations),
		w.WriteDefCounterGroup(1, "OpenMP"), w.WriteDefCounter(waitingTime, "waiting time", otf.CounterTypeAcc|otf.CounterScopeStart, 1, "ns"))
}

// writeProcesses writes a process for each thread, below that of its rank's first thread, and groups of those of a node.
func (in *worldTrace) writeProcesses(w *otf.WStream, streams []*rankStreams) error {
	var err error
	var threads, firsts []uint32
	var nodes []int
	byNode, hosts := map[int][]uint32{}, map[int]string{}
	for _, s := range streams {
		m := s.process.mpi
		for i, id := range s.threads {
			parent := in.id(m.Rank, 0)
			if id == parent {
				parent = 0
				firsts = append(firsts, id)
			}
			number := (int(id) - 1) / in.size
			err = errors.Join(err, w.WriteDefProcess(id, fmt.Sprintf("rank %d thread %d (%s)", m.Rank, number, s.kinds[i]), parent))
		}
		threads = append(threads, s.threads...)
		if byNode[m.Node] == nil {
			nodes = append(nodes, m.Node)
			hosts[m.Node] = m.Host
		}
		byNode[m.Node] = append(byNode[m.Node], s.threads...)
	}
	for rank := range in.size {
		if !in.there[rank] {
			err = errors.Join(err, w.WriteDefProcess(in.id(rank, 0), fmt.Sprintf("rank %d (nothing is recorded)", rank), 0))
		}
	}
	err = errors.Join(err, w.WriteDefProcessGroup(groupThreads, "threads", threads), w.WriteDefProcessGroup(groupRanks, "ranks", firsts))
	for i, n := range nodes {
		err = errors.Join(err, w.WriteDefProcessGroup(uint32(groupNodes+i), "node "+hosts[n], byNode[n]))
	}
	return err
}

// writeCommunicators writes the communicators with messages or collective operations in them as groups of the processes of their ranks.
func (in *worldTrace) writeCommunicators(w *otf.WStream, all []*communicator) error {
	var err error
	for _, c := range all {
		group := in.groups[c.key()]
		if group == 0 {
			continue
		}
		var members []uint32
		for _, list := range []string{c.Members, c.Remote} {
			for _, r := range ranks(list, in.size) {
				if r >= 0 {
					members = append(members, in.id(r, 0))
				}
			}
		}
		name := cmp.Or(c.Name, fmt.Sprintf("communicator %d", group-groupMPI))
		err = errors.Join(err, w.WriteDefProcessGroup(group, name, members))
	}
	return err
}

func writeOperations(w *otf.WStream, operations []routine) error {
	var err error
	for i, o := range operations {
		err = errors.Join(err, w.WriteDefCollectiveOperation(uint32(i+1), o.name, o.pattern))
	}
	return err
}
