package analysis

import (
	"slices"

	"opari/internal/graph"
	"opari/internal/omp"
)

// frame is a function that a thread is in.
type frame struct {
	*function
	path    *Path
	enter   int64
	team    *team    // of a fork and of an implicit task
	barrier *barrier // the one at which the thread waits
	waited  int64    // ns, waiting for tasks or a lock
	meets   int32    // barriers that the implicit task has reached
	visit   bool     // it counts as a visit of its path
	gap     bool     // this fork ended the gap, see gap.go
	// The time since the thread's previous event is hardly more than recording takes.
	near bool
	held bool // the thread has entered the critical or ordered region
	// mark is a sum of offTimes: of a task, what the thread had lost when it began; of a wait for
	// tasks or a lock, waits in total when the wait may have been over.
	mark int64
}

// replay follows the threads through a trace.
type replay struct {
	definitions *definitions
	result      *Result
	threads     []*thread
	teams       map[*Region][]*team // forked, not joined, without a number
	numbered    map[uint64]*team    // the same with a number
	mutexes     map[string]*mutex
	locks       map[uint64]*mutex
	waiting     int // threads that wait for a lock
	exclusions  []*Exclusion
	ordered     map[*Region]*Exclusion
	phase       int // parallel regions of the initial thread, and what is between, so far
	written     writing
	blame       map[blameKey]int64
	starved     map[starvedKey]int64
	gap         gap
	graph       *graph.Graph
	causes      []graph.Spent // the work space of goOn
	gaps        []*gapKind
	accesses    accesses
	scale       float64 // ns per tick; 0 means 1
	seen, last  uint64  // ticks: times of the latest event and of the last event in the trace
	cost        int64   // of an event, ns
	options     Options
	rank        uint32
	// mail holds what other MPI ranks noted of their ends of messages. It is nil for a single
	// process, and while log is in use.
	mail     *inbox
	log      *waitLog // notes possible waits until the other ranks are read; nil: they are read
	meetings *meetingTable
	met      map[uint32]uint32 // by group: meetings so far
	links    *links            // of several ranks; nil: the chains end with this rank
	changed  *changed          // nil: the run is as it was
}

type blameKey struct {
	property Property
	waiter   *Path
	cause    int32 // a place of the graph
	thread   int
}

func newReplay(d *definitions, first, last uint64, o Options) *replay {
	a := &replay{
		options:     o,
		definitions: d, teams: map[*Region][]*team{}, numbered: map[uint64]*team{},
		mutexes: map[string]*mutex{}, locks: map[uint64]*mutex{},
		ordered: map[*Region]*Exclusion{},
		blame:   map[blameKey]int64{}, starved: map[starvedKey]int64{},
	}
	if d.resolution != 1e9 {
		a.scale = 1e9 / float64(d.resolution)
	}
	last = max(first, last)
	a.seen, a.last = first, last
	a.result = New(d.program, a.ns(last)-a.ns(first), d.threads)
	r := a.result
	r.EventCost, r.CostSource = EventCost(o.EventCost, d.cost)
	a.cost = r.EventCost
	start := a.ns(first)
	r.Start, r.LeftOut, r.Lost = uint64(start), d.leftOut, slices.Clip(d.notes)
	r.Machines, r.Scheduled, r.Samples = d.machines, d.kernel, d.samples
	for i := range r.Threads {
		a.threads = append(a.threads, &thread{
			index:  i,
			worker: r.Threads[i].Type == omp.ThreadWorker, done: start, free: start, team: -1,
		})
	}
	a.graph = graph.New(len(r.Threads), start)
	if o.change != nil {
		o.change.begin(a)
	}
	a.startCounting(start)
	a.gap.start, a.gap.first, a.gap.kind = start, true, a.gapKind(nil)
	if o.span != nil {
		whole := o.whole
		r.Part = &Part{
			From: start - whole.from, To: start + r.Wall - whole.from,
			Length: whole.to - whole.from,
		}
	}
	return a
}

// now returns the time of an event in ns. It never runs backwards nor past the end, as the times
// of a damaged trace might.
func (a *replay) now(ticks uint64) int64 {
	a.seen = min(max(a.seen, ticks), a.last)
	return a.ns(a.seen)
}

func (a *replay) ns(ticks uint64) int64 {
	now := int64(ticks)
	if a.scale != 0 {
		now = int64(float64(ticks) * a.scale)
	}
	if a.options.span != nil {
		return a.options.span.within(now)
	}
	return now
}

// add adds time to the severity of p.
func (a *replay) add(p Property, path *Path, t *thread, time int64) {
	path.Add(p, t.index, time)
	if a.close(time) && p > OpenMP && p < IdleMPI {
		path.dense[p] += time
	}
}

// account assigns the time until now to what the thread was in.
func (a *replay) account(t *thread, now int64) {
	if t.counting != nil {
		a.countTime(t, now)
	}
	time, from := now-t.done, t.done
	t.done = now
	if time <= 0 {
		return
	}
	top := t.top()
	if a.options.Interval != nil {
		a.interval(t, top, from, now)
	}
	if a.spend(t, top, now); t.off != onCPU && a.offTime(t, top, time) {
		return
	}
	if top == nil {
		a.outside(t, time)
		return
	}
	top.path.Visits[t.index].Excl += time
	for _, h := range t.holds {
		h.add(top.path, time)
	}
	if top.region.Kind == omp.KindMPI {
		if top.setup {
			a.add(SetupMPI, top.path, t, time)
		} else {
			a.add(MPICall, top.path, t, time)
		}
		if a.alone(t) {
			a.gap.spent.add(top.path, time)
		}
		t.since.add(top.path, time)
		return
	}
	switch top.role {
	case atBarrier:
		top.barrier.pass(t, now)
		return
	case working, implicit, tasking:
		a.measure(Work, top.path, t, time, false)
		if a.alone(t) {
			a.gap.spent.add(top.path, time)
		}
	case creating:
		a.measure(TaskCreation, top.path, t, time, false)
	case forMutex:
		a.waitForMutex(t, top, time)
	case forking:
		if t.began < top.enter {
			a.measure(ForkJoin, top.path, t, time, false)
		} else { // the thread waits for the others to join
			a.add(ForkJoin, top.path, t, time)
		}
	case allWaiting:
		a.measure(AtomicWait, top.path, t, time, top.near)
	case forLock:
		top.path.Add(LockWait, t.index, time) // waitedForLock corrects this
		top.waited += time
	case forTasks:
		a.add(TaskWait, top.path, t, time)
		top.waited += time
	}
	if top.role != forking { // join adds the time of the team
		t.since.add(top.path, time)
	}
}

// outside assigns time in which a thread was in no region. The time of workers is assigned when
// teams begin and end (gap.go).
func (a *replay) outside(t *thread, time int64) {
	root := a.result.Paths[0]
	for _, h := range t.holds {
		h.add(root, time)
	}
	if t.absent {
		a.absent(t, time)
		return
	}
	if t.index == 0 {
		a.gap.cost += a.charge(t, time)
		a.gap.spent.add(root, time)
		t.since.add(root, time)
		return
	}
	root.Visits[t.index].Excl += time
	switch {
	case t.worker:
	case t.alive:
		a.measure(Work, root, t, time, false)
	default:
		a.add(IdleSerial, root, t, time)
	}
}

// alone reports whether t is the initial thread outside of parallel regions.
func (a *replay) alone(t *thread) bool { return t.index == 0 && !a.gap.closed }

// enter pushes a frame for f onto the thread's stack.
func (a *replay) enter(t *thread, now int64, f *function) {
	f0 := frame{function: f, enter: now, near: a.close(now - t.done)}
	a.account(t, now)
	if len(t.poll.looks) > 0 || f.polls || f.writes {
		a.look(t, now, f)
	}
	if a.definitions.kernel && f.region.Kind == omp.KindMPI {
		t.offs.mpi.enter(now)
	}
	t.owed = a.cost
	outer := a.result.Paths[0]
	if top := t.top(); top != nil {
		outer = top.path
		if f.role == forMutex && top.enter == now { // one record holds both events
			f0.near = top.near
		}
		switch top.role {
		case atBarrier:
			top.barrier.interrupt(t)
			t.task().idles(now, -1)
			outer = a.teamPath(t)
		case forTasks:
			t.resumes(now)
			outer = a.teamPath(t)
		}
	}
	if t.worker && t.stack.len() == 0 && f.role != implicit {
		a.add(IdleSerial, a.result.Paths[0], t, now-t.free) // its team is unknown
	}
	switch f.role {
	case forking:
		a.fork(t, now, &f0, outer)
	case implicit:
		a.beginTask(t, now, &f0)
	case tasking:
		f0.path, f0.visit = a.result.Child(a.teamPath(t), f.region), true
		if top := t.top(); top != nil && top.waits() {
			a.execute(t, now, f.region, top.path)
		} else {
			a.execute(t, now, f.region, nil)
		}
	default:
		f0.path, f0.visit = outer, !f.isPart()
		if outer.Region != f.region {
			f0.path = a.result.Child(outer, f.region)
		}
		if f.region.Kind == omp.KindSection {
			t.sections++
		}
	}
	switch f.role {
	case working:
		if a.links != nil && f.region.Kind == omp.KindMPI {
			a.enterMPI(t, f)
		}
	case atBarrier:
		a.arrive(t, now, &f0)
	case forMutex:
		a.ask(t, a.mutex(t, f.region), f0.path, now)
	case forLock:
		a.waiting++
		f0.mark = t.offs.waits.total()
	case forTasks:
		f0.mark = t.offs.waits.total()
		t.waitsForTasks(now, f.region)
		t.pauses(now, f0.path)
	case tasking:
		f0.mark = t.offs.lost
	}
	if f0.visit {
		f0.path.Visits[t.index].open++
	}
	t.stack.push(f0)
}

// leave ends the innermost function.
func (a *replay) leave(t *thread, now int64) {
	top := t.top()
	if top == nil {
		return
	}
	a.account(t, now)
	switch top.role {
	case forking:
		a.join(t, now, top)
	case implicit:
		a.endTask(t, top)
	case atBarrier:
		a.depart(t, now, top)
	case forMutex:
		a.acquired(t, now, top)
	case tasking:
		a.executed(t, now, top)
	case creating:
		a.created(t, now, top.region)
	case forTasks:
		t.waitedForTasks(now)
		t.resumes(now)
		a.awaited(t, now, top)
	case forLock:
		a.waiting--
		t.wait = lockWait{
			path: top.path, start: top.enter, end: now, waited: top.waited,
			near: top.near, over: top.mark,
		}
	default:
		if top.held {
			a.release(a.mutex(t, top.region), now)
		}
	}
	t.owed = a.cost
	if top.region.Kind == omp.KindMPI {
		a.leaveMPI(t, now, top)
	}
	if top.visit {
		top.path.Visits[t.index].open--
		a.visit(top.path, t.index, top.enter, now)
	}
	if len(t.poll.looks) > 0 || top.polls || top.writes {
		a.looked(t, now, top)
	}
	t.stack.pop()
	if top := t.top(); top == nil {
		t.free = now
	} else if top.role == atBarrier {
		top.barrier.resume(t, now)
		t.task().idles(now, 1)
	} else if top.role == forTasks {
		t.pauses(now, top.path)
	}
}

// finish ends all open frames and returns the result.
func (a *replay) finish() *Result {
	r := a.result
	now := int64(r.Start) + r.Wall
	for _, t := range a.threads {
		for t.stack.len() > 0 {
			a.leave(t, now)
		}
		a.account(t, now)
		if r.Threads[t.index].End == 0 {
			r.Threads[t.index].End = uint64(now)
		}
	}
	a.closeGap(now, nil)
	for i := range a.threads {
		v := &r.Paths[0].Visits[i]
		v.Count, v.Incl, v.Min, v.Max = 1, r.Wall, r.Wall, r.Wall
	}
	a.endGraph()
	a.noteSerials()
	r.Blame = a.causesOf()
	sortBlame(r.Blame)
	r.Exclusions = a.endExclusions()
	r.Starved = a.starvedOf()
	a.findSharing()
	r.AttributeGranularity()
	return r
}
