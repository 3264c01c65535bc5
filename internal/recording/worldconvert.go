package recording

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"opari/internal/omp"
	"opari/internal/spill"
	"opari/otf"
)

// worldTrace is what the streams of a world share.
type worldTrace struct {
	*world
	names      worldNames
	numbers    map[string]uint32 // groups of communicators, by their keys
	operations map[uint64]uint32 // numbers of operations, by routine and pattern
	moved      *spill.Lists      // receives to move, by process; nil: there are none
}

// worldNames gives numbers to the functions of all processes.
type worldNames struct {
	// The streams are written in parallel. They add names only if a recording is damaged.
	lock sync.Mutex
	names
	known map[part]uint32
}

// part is a function of a region. Regions with equal lines in several processes are one.
type part struct {
	region  *Region
	what    what
	waiting bool
}

func (n *worldNames) number(p part) uint32 {
	n.lock.Lock()
	defer n.lock.Unlock()
	id := n.known[p]
	if id == 0 {
		id = n.names.number(describe(p.region, p.what, p.waiting))
		n.known[p] = id
	}
	return id
}

// Groups of processes.
const (
	groupThreads = 1 << 30 // all threads
	groupRanks   = groupThreads + 1
	groupNodes   = groupThreads + 2     // this and the following numbers: a node each
	groupMPI     = groupThreads + 1<<29 // following numbers: a communicator each

	nameThreads = "threads" // name of groupThreads
)

// convert makes one trace of the processes of a world. It writes the streams in parallel. It
// assigns all numbers before, so that the trace does not depend on which stream is first.
func (w *world) convert(stub string, progress func(done, size int64)) (*Trace, error) {
	if err := w.tooManyThreads(); err != nil {
		return nil, err
	}
	clocks := w.clocks()
	all, numbers := w.communicators()
	in := &worldTrace{world: w, numbers: numbers, operations: map[uint64]uint32{}}
	in.names.names, in.names.known = *newNames(nil), map[part]uint32{}
	in.names.kernel = newKernelNames(w.processes)
	scans, err := w.scanAll()
	if err != nil {
		return nil, err
	}
	if in.moved, err = w.findMoved(clocks, scans, numbers); err != nil {
		return nil, err
	}
	if in.moved != nil {
		defer in.moved.Close()
	}
	used, operations := in.unify(scans)
	streams, err := in.writeStreams(clocks, stub, progress)
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
	manager := otf.NewFileManagerOf(8, w.processes[0].open)
	definitions := otf.OpenWStream(stub, 0, manager)
	err = errors.Join(in.write(definitions, out.Process, streams, all, used, operations),
		definitions.Close(), master.Write(stub, manager))
	return out, err
}

// tooManyThreads returns an error if a thread would have the number of a group of processes.
func (w *world) tooManyThreads() error {
	for _, p := range w.processes {
		for _, t := range p.threads {
			if t.number >= groupThreads/w.size {
				const no = "%s: error: a trace of %d ranks has no number for thread %d"
				return fmt.Errorf(no, t.path, w.size, t.number)
			}
		}
	}
	return nil
}

// writeStreams writes the streams of all processes, in parallel.
func (in *worldTrace) writeStreams(clocks map[*Process]clock, stub string,
	progress func(done, size int64),
) ([]*rankStreams, error) {
	var lock sync.Mutex
	var done, size int64
	for _, p := range in.processes {
		for _, t := range p.threads {
			size += int64(len(t.chunks))
		}
	}
	streams := make([]*rankStreams, len(in.processes))
	err := atOnce(len(in.processes), func(i int) error {
		var err error
		streams[i], err = in.streams(i, clocks[in.processes[i]], stub, func() {
			lock.Lock()
			defer lock.Unlock()
			if done++; progress != nil {
				progress(done, size)
			}
		})
		return err
	})
	return streams, err
}

// summary returns a process that stands for all processes of the world.
func (w *world) summary() *Process {
	p := *w.processes[0]
	p.Complete = len(w.processes) == cmp.Or(p.mpi.Recorded, w.size)
	p.Lost, p.threads = 0, nil
	for i, q := range w.processes {
		if left := q.left.until(q.end.ns); i == 0 {
			p.left = leftOut{LeftOut: left}
		} else {
			p.left.Join(&left)
		}
		p.Complete = p.Complete && q.Complete
		p.running = p.running || q.running
		p.Lost += q.Lost
		p.Failure = cmp.Or(p.Failure, q.Failure)
	}
	return &p
}

// eventCost returns the least time that recording an event takes in any process. No greater time
// is known to be overhead, not waiting, in every process.
func (w *world) eventCost() uint64 {
	var least uint64
	for _, p := range w.processes {
		if cost := p.eventCost(); least == 0 || cost > 0 && cost < least {
			least = cost
		}
	}
	return least
}

// communicators lists the communicators of all processes, each once. It numbers them in the order
// of ranks, and within a rank in the order of creation.
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

// unify numbers functions and operations for the trace, in the order of ranks. It returns the
// keys of the communicators that messages or collective operations use.
func (in *worldTrace) unify(scans []*scan) (used map[string]bool, operations []routine) {
	used = map[string]bool{}
	byName := map[string]uint32{}
	for i, s := range scans {
		p := in.processes[i]
		for _, u := range s.uses {
			in.names.number(part{p.region(int(u.region)), u.what, u.waiting})
		}
		for _, number := range s.groups {
			if c := p.mpi.communicators[number]; c != nil {
				used[c.key()] = true
			}
		}
		slices.SortFunc(s.operations, func(a, b doing) int { return cmp.Compare(a.code, b.code) })
		for _, o := range s.operations {
			if byName[o.name] == 0 {
				operations = append(operations, o.routine)
				byName[o.name] = uint32(len(operations))
			}
			if in.operations[o.code] == 0 {
				in.operations[o.code] = byName[o.name]
			}
		}
	}
	return used, operations
}

// rankStreams describes the streams that were written for a process.
type rankStreams struct {
	process *Process
	threads []uint32
	types   []omp.ThreadType
	events  uint64
	points  [allCounters]bool // counters in use
	notes   []string
}

// streams writes the streams of a process.
func (in *worldTrace) streams(i int, k clock, stub string, done func()) (*rankStreams, error) {
	p := in.processes[i]
	moved, err := movedReceives(in.moved, i)
	if err != nil {
		return nil, err
	}
	manager := otf.NewFileManagerOf(8, p.open)
	s := &rankStreams{process: p}
	n := newNames(p.regions)
	n.world, n.kernel = &in.names, in.names.kernel
	c := &converter{process: p, clock: k, names: n, world: in, groups: p.groups(in.numbers)}
	for _, t := range p.threads {
		id := in.id(p.mpi.Rank, t.number)
		out := otf.OpenWStream(stub, id, manager)
		out.SetBufferSize(writeBuffer)
		c.begin(t, out)
		c.id, c.moved = id, moved[t.number]
		if err := errors.Join(c.run(done), c.out.Close()); err != nil {
			return nil, err
		}
		s.threads, s.types = append(s.threads, id), append(s.types, c.threadType)
	}
	s.events, s.points, s.notes = c.events, n.counters, c.notes
	return s, nil
}

// writeBuffer is the size of a stream's buffer. It is small, as there may be many streams.
const writeBuffer = 64 << 10

// write writes the definitions of the trace.
func (in *worldTrace) write(w *otf.WStream, p *Process, streams []*rankStreams, all []*communicator,
	used map[string]bool, operations []routine,
) error {
	err := errors.Join(
		w.WriteOtfVersion(),
		w.WriteDefCreator("opari"),
		w.WriteDefTimerResolution(1e9),
		w.WriteDefinitionComment("program: "+p.Program),
		w.WriteDefinitionComment(fmt.Sprintf("process: %d", p.PID)),
		w.WriteDefinitionComment(fmt.Sprintf("ranks: %d", in.size)),
		costComment(w, in.eventCost()),
	)
	if len(in.processes) < in.size {
		err = errors.Join(err, w.WriteDefinitionComment(fmt.Sprintf("%d ranks have left nothing",
			in.size-len(in.processes))))
	}
	for _, q := range in.processes {
		if !q.Complete {
			err = errors.Join(err,
				w.WriteDefinitionComment(
					fmt.Sprintf("rank %d was killed, or replaced by another program", q.mpi.Rank)))
		}
	}
	for _, note := range p.notes() {
		err = errors.Join(err, w.WriteDefinitionComment(note))
	}
	for _, s := range streams {
		for counter, is := range s.points {
			in.names.counters[counter] = in.names.counters[counter] || is
		}
		if k := in.names.kernel; k != nil {
			k.notes = append(k.notes, s.notes...)
		}
	}
	stacks := in.names.kernel.functions(&in.names.names)
	return errors.Join(err, in.writeProcesses(w, streams), in.writeCommunicators(w, all, used),
		in.names.writeExtents(w), in.names.writeFunctions(w),
		writeOperations(w, operations), in.names.writeCounters(w), in.names.kernel.write(w, stacks))
}

// writeProcesses defines a process for each thread, whose parent is the first thread of its rank,
// and a group of processes for each node.
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
			err = errors.Join(err, w.WriteDefProcess(id,
				fmt.Sprintf("rank %d %s", m.Rank, omp.ThreadName(number, s.types[i])), parent))
		}
		threads = append(threads, s.threads...)
		if byNode[m.Node] == nil {
			nodes = append(nodes, m.Node)
			hosts[m.Node] = m.Host
		}
		byNode[m.Node] = append(byNode[m.Node], s.threads...)
	}
	for rank := range in.size {
		id := in.id(rank, 0)
		if _, is := slices.BinarySearch(firsts, id); is {
			continue
		}
		name := fmt.Sprintf("rank %d (%s)", rank, omp.ThreadUnrecorded)
		if in.there[rank] {
			name = fmt.Sprintf("rank %d %s", rank, omp.ThreadName(0, omp.ThreadUnrecorded))
		}
		err = errors.Join(err, w.WriteDefProcess(id, name, 0))
	}
	err = errors.Join(err, w.WriteDefProcessGroup(groupThreads, nameThreads, threads),
		w.WriteDefProcessGroup(groupRanks, "ranks", firsts))
	for i, n := range nodes {
		err = errors.Join(err,
			w.WriteDefProcessGroup(uint32(groupNodes+i), "node "+hosts[n], byNode[n]))
	}
	return err
}

// writeCommunicators defines the used communicators as groups of the processes of their ranks.
func (in *worldTrace) writeCommunicators(w *otf.WStream, all []*communicator,
	used map[string]bool,
) error {
	var err error
	for _, c := range all {
		if !used[c.key()] {
			continue
		}
		group := in.numbers[c.key()]
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
