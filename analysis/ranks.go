package analysis

import (
	"fmt"
	"maps"
	"slices"

	"opari/otf"
)

// meeting is a collective operation of all members of a group.
type meeting struct {
	kind       uint32
	root       uint32 // process; 0: none
	last       int64  // when the last one came
	rootBegins int64
}

// messages is when what the threads of all ranks waited for in MPI came, in the order in which each process tells of it.
type messages struct {
	a        *definitions
	ns       func(uint64) int64
	sent     map[channel][]int64
	arrivals map[uint32][]int64    // by process: when each message that it received was sent; 0: not known
	meetings map[uint32][]*meeting // by process
	numbered map[uint32]map[uint32]int
	groups   map[uint32][]*meeting
}

// channel is what messages overtake each other in never. Threads of a rank share it.
type channel struct {
	from, to   int // ranks
	group, tag uint32
}

func (m *messages) handlers() *otf.HandlerArray {
	return &otf.HandlerArray{
		SendMsg: func(time uint64, sender, receiver, group, tag, _, _ uint32) error {
			c := channel{m.a.rankOf[sender], m.a.rankOf[receiver], group, tag}
			m.sent[c] = append(m.sent[c], m.ns(time))
			return nil
		},
		RecvMsg: func(_ uint64, receiver, sender, group, tag, _, _ uint32) error {
			c := channel{m.a.rankOf[sender], m.a.rankOf[receiver], group, tag}
			var at int64
			if queue := m.sent[c]; len(queue) > 0 {
				if at, m.sent[c] = queue[0], queue[1:]; len(queue) == 1 {
					delete(m.sent, c)
				}
			}
			m.arrivals[receiver] = append(m.arrivals[receiver], at)
			return nil
		},
		CollectiveOperation: func(time uint64, process, operation, group, root, _, _ uint32, _ uint64, _ uint32) error {
			if m.numbered[group] == nil {
				m.numbered[group] = map[uint32]int{}
			}
			n := m.numbered[group][process]
			m.numbered[group][process]++
			if n == len(m.groups[group]) {
				m.groups[group] = append(m.groups[group], &meeting{kind: m.a.operations[operation], root: root})
			}
			k := m.groups[group][n]
			k.last = max(k.last, m.ns(time))
			if process == root {
				k.rootBegins = m.ns(time)
			}
			m.meetings[process] = append(m.meetings[process], k)
			return nil
		},
	}
}

// mpiWait is what a thread in a routine of MPI has waited for.
type mpiWait struct {
	received, met int // messages and collective operations so far
	property      Property
	until         int64 // 0: nothing
}

// receive is that a message has come: the thread has waited until it was sent.
func (a *replay) receive(t *thread, process uint32) {
	if a.messages == nil || t.mpi.received >= len(a.messages.arrivals[process]) {
		return
	}
	if at := a.messages.arrivals[process][t.mpi.received]; at > t.mpi.until {
		t.mpi.property, t.mpi.until = LateSender, at
	}
	t.mpi.received++
}

// meet is that a collective operation has begun: where all need something of all they wait for the last one, else for the root, or the root for them.
func (a *replay) meet(t *thread, process uint32) {
	if a.messages == nil || t.mpi.met >= len(a.messages.meetings[process]) {
		return
	}
	k := a.messages.meetings[process][t.mpi.met]
	t.mpi.met++
	switch {
	case k.kind == otf.CollectiveTypeBarrier || k.kind == otf.CollectiveTypeAll2All:
		t.mpi.property, t.mpi.until = CollectiveWait, k.last
	case k.kind == otf.CollectiveTypeOne2All && k.root != process:
		t.mpi.property, t.mpi.until = LateBroadcast, k.rootBegins
	case k.kind == otf.CollectiveTypeAll2One && k.root == process:
		t.mpi.property, t.mpi.until = EarlyReduce, k.last
	}
}

// leaveMPI tells waiting apart from the rest of the time in a routine of MPI.
func (a *replay) leaveMPI(t *thread, now int64, top *frame) {
	if waited := min(now, t.mpi.until) - top.enter; t.mpi.until > 0 && waited > 0 {
		a.add(t.mpi.property, top.path, t, waited)
		a.add(MPICall, top.path, t, -waited)
	}
	t.mpi.until = 0
}

// fromRanks analyses the ranks of an MPI program one after the other, as what they are: processes with threads of their own; what they waited for
// each other is found out before. It takes memory for each message, 8 bytes.
func fromRanks(trace string, d *definitions, first, last uint64, o Options) (*Result, error) {
	found := &messages{
		a: d, sent: map[channel][]int64{}, arrivals: map[uint32][]int64{}, meetings: map[uint32][]*meeting{},
		numbered: map[uint32]map[uint32]int{}, groups: map[uint32][]*meeting{},
	}
	found.ns = newReplay(d, first, last, o).ns
	if _, err := d.readEvents(trace, -1, found.handlers()); err != nil {
		return nil, err
	}
	all := newReplay(d, first, last, o).result
	paths := map[*Path]*Path{}
	for n, rank := range slices.Sorted(maps.Keys(d.threadsOf)) {
		own := *d
		own.threads, own.byProcess = nil, map[uint32]int{}
		var numbers []int // in the whole trace
		for _, process := range d.threadsOf[rank] {
			own.byProcess[process] = len(own.threads)
			own.threads = append(own.threads, d.threads[d.byProcess[process]])
			numbers = append(numbers, d.byProcess[process])
		}
		options := o
		options.Interval = nil
		a := newReplay(&own, first, last, options)
		a.messages = found
		if o.Interval != nil {
			a.options.Interval = func(i Interval) {
				i.Thread, i.Path = numbers[i.Thread], all.twin(i.Path, paths)
				o.Interval(i)
			}
		}
		events, err := d.readEvents(trace, rank, a.handlers())
		if err != nil {
			return nil, err
		}
		r := a.finish()
		all.Events += events
		all.join(r, numbers, paths)
		if o.Progress != nil {
			o.Progress(int64(n+1), int64(len(d.threadsOf)))
		}
	}
	sortBlame(all.Blame)
	all.grain()
	return all, nil
}

// readEvents reads the events of a rank's threads; of all with -1.
func (d *definitions) readEvents(trace string, rank int, h *otf.HandlerArray) (uint64, error) {
	r, err := otf.OpenReader(trace, otf.NewFileManager(64))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for process, of := range d.rankOf {
		if rank >= 0 && of != rank {
			r.SetProcessStatus(process, false)
		}
	}
	return r.ReadEvents(h)
}

// join adds what one rank's result has; numbers are its threads in r.
func (r *Result) join(one *Result, numbers []int, paths map[*Path]*Path) {
	for i, n := range numbers {
		r.Threads[n] = one.Threads[i]
	}
	for _, q := range one.Paths {
		to := r.twin(q, paths)
		to.Critical += q.Critical
		to.Team = max(to.Team, q.Team)
		to.Meetings += q.Meetings
		to.Between += q.Between
		for i, n := range numbers {
			v := q.Visits[i]
			to.Visits[n] = v
			for leaf := range q.severity {
				if q.severity[leaf] != nil {
					to.Add(Property(leaf), n, q.severity[leaf][i])
				}
			}
		}
	}
	for _, b := range one.Blame {
		b.Waiter, b.Cause = r.twin(b.Waiter, paths), r.twin(b.Cause, paths)
		if b.Thread >= 0 {
			b.Thread = numbers[b.Thread]
		}
		r.Blame = append(r.Blame, b)
	}
}

// twin is the path of r that a path of a rank's result is one with.
func (r *Result) twin(q *Path, paths map[*Path]*Path) *Path {
	if q == nil {
		return nil
	}
	if paths[q] == nil {
		if q.Parent == nil {
			paths[q] = r.Paths[0]
		} else {
			paths[q] = r.Child(r.twin(q.Parent, paths), q.Region)
		}
	}
	return paths[q]
}

// rank notes a process that is a thread of a rank, by its name.
func (d *definitions) rank(process uint32, name string) {
	var rank, thread int
	if n, _ := fmt.Sscanf(name, "rank %d thread %d", &rank, &thread); n != 2 {
		return
	}
	if d.rankOf == nil {
		d.rankOf, d.threadsOf = map[uint32]int{}, map[int][]uint32{}
	}
	d.rankOf[process] = rank
	d.threadsOf[rank] = append(d.threadsOf[rank], process)
}
