package replay

import (
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/mpiwait"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/polling"
	"opari/internal/analysis/sharing"
	"opari/internal/analysis/starvation"
	"opari/internal/analysis/trace"
	"opari/internal/graph"
	"opari/internal/omp"
)

// frame is a function that a thread is in.
type frame struct {
	*trace.Function
	path    *analysis.Path
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
	// mark is a sum of Times: of a task, what the thread had lost when it began; of a wait for
	// tasks or a lock, waits in total when the wait may have been over.
	mark int64
}

// Replay follows the threads through a trace.
type Replay struct {
	definitions *trace.Definitions
	result      *analysis.Result
	threads     []*thread
	teams       map[*analysis.Region][]*team // forked, not joined, without a number
	numbered    map[uint64]*team             // the same with a number
	mutexes     map[string]*mutex
	locks       map[uint64]*mutex
	waiting     int // threads that wait for a lock
	exclusions  []*analysis.Exclusion
	ordered     map[*analysis.Region]*analysis.Exclusion
	phase       int // parallel regions of the initial thread, and what is between, so far
	polls       *polling.Rows
	unused      []*barrier // that were dropped
	serials     map[serialKey]*analysis.Path
	blame       map[blameKey]int64
	starved     starvation.Sums
	gap         gap
	graph       *graph.Graph
	causes      []graph.Spent // the work space of goOn
	gaps        []*GapKind
	accesses    sharing.Accesses
	scale       float64 // ns per tick; 0 means 1
	seen, last  uint64  // ticks: times of the latest event and of the last event in the trace
	cost        int64   // of an event, ns
	options     Options
	Rank        uint32 // of MPI
	// Mail holds what other MPI ranks noted of their ends of messages. It is nil for a single
	// process, and while Log is in use.
	Mail     *mpiwait.Inbox
	Log      *mpiwait.Log // notes possible waits until the other ranks are read; nil: they are read
	Meetings *mpiwait.Meetings
	met      map[uint32]uint32 // by group: meetings so far
	links    *links            // of several ranks; nil: the chains end with this rank
	changed  *changed          // nil: the run is as it was
}

type blameKey struct {
	property analysis.Property
	waiter   *analysis.Path
	cause    int32 // a place of the graph
	thread   int
}

func New(d *trace.Definitions, first, last uint64, o Options) *Replay {
	a := &Replay{
		options:     o,
		definitions: d, teams: map[*analysis.Region][]*team{}, numbered: map[uint64]*team{},
		mutexes: map[string]*mutex{}, locks: map[uint64]*mutex{},
		ordered: map[*analysis.Region]*analysis.Exclusion{}, met: map[uint32]uint32{},
		serials: map[serialKey]*analysis.Path{},
		blame:   map[blameKey]int64{}, starved: starvation.Sums{},
	}
	a.setScale()
	last = max(first, last)
	a.seen, a.last = first, last
	a.result = analysis.New(d.Program, a.ns(last)-a.ns(first), d.Threads)
	r := a.result
	r.EventCost, r.CostSource = analysis.EventCost(o.EventCost, d.Cost)
	a.cost = r.EventCost
	start := a.ns(first)
	r.Start, r.LeftOut, r.Lost = uint64(start), d.LeftOut, slices.Clip(d.Notes)
	r.Machines, r.Scheduled, r.Samples = d.Machines, d.Kernel, d.Samples
	for i := range r.Threads {
		t := &thread{
			index:  i,
			worker: r.Threads[i].Type == omp.ThreadWorker, done: start, free: start, team: -1,
		}
		t.offs.Account = func(now int64) { a.account(t, now) }
		a.threads = append(a.threads, t)
	}
	a.graph = graph.New(len(r.Threads), start)
	a.polls = polling.New(watched{a}, len(a.threads), a.times())
	if o.change != nil {
		o.change.begin(a)
	}
	a.startCounting(start)
	a.gap.start, a.gap.first, a.gap.kind = start, true, a.gapKind(nil)
	if o.span != nil {
		whole := o.whole
		r.Part = &analysis.Part{
			From: start - whole.From, To: start + r.Wall - whole.From,
			Length: whole.To - whole.From,
		}
	}
	return a
}

// add adds time to the severity of p.
func (a *Replay) add(p analysis.Property, path *analysis.Path, t *thread, time int64) {
	path.Add(p, t.index, time)
	if a.close(time) && p > analysis.OpenMP && p < analysis.IdleMPI {
		path.Dense[p] += time
	}
}

// account assigns the time until now to what the thread was in.
func (a *Replay) account(t *thread, now int64) {
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
	if a.spend(t, top, now); t.offs.State != offcpu.OnCPU && a.offTime(t, top, time) {
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
	if top.Region.Kind == omp.KindMPI {
		if top.Setup {
			a.add(analysis.SetupMPI, top.path, t, time)
		} else {
			a.add(analysis.MPICall, top.path, t, time)
		}
		if a.alone(t) {
			a.gap.spent.add(top.path, time)
		}
		t.since.add(top.path, time)
		return
	}
	switch top.Role {
	case trace.AtBarrier:
		top.barrier.pass(t, now)
		return
	case trace.Working, trace.Implicit, trace.Tasking:
		a.measure(analysis.Work, top.path, t, time, false)
		if a.alone(t) {
			a.gap.spent.add(top.path, time)
		}
	case trace.Creating:
		a.measure(analysis.TaskCreation, top.path, t, time, false)
	case trace.ForMutex:
		a.waitForMutex(t, top, time)
	case trace.Forking:
		if t.began < top.enter {
			a.measure(analysis.ForkJoin, top.path, t, time, false)
		} else { // the thread waits for the others to join
			a.add(analysis.ForkJoin, top.path, t, time)
		}
	case trace.AllWaiting:
		a.measure(analysis.AtomicWait, top.path, t, time, top.near)
	case trace.ForLock:
		top.path.Add(analysis.LockWait, t.index, time) // waitedForLock corrects this
		top.waited += time
	case trace.ForTasks:
		a.add(analysis.TaskWait, top.path, t, time)
		top.waited += time
	}
	if top.Role != trace.Forking { // join adds the time of the team
		t.since.add(top.path, time)
	}
}

// outside assigns time in which a thread was in no region. The time of workers is assigned when
// teams begin and end (gap.go).
func (a *Replay) outside(t *thread, time int64) {
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
		a.measure(analysis.Work, root, t, time, false)
	default:
		a.add(analysis.IdleSerial, root, t, time)
	}
}

// alone reports whether t is the initial thread outside of parallel regions.
func (a *Replay) alone(t *thread) bool { return t.index == 0 && !a.gap.closed }

// enter pushes a frame for f onto the thread's stack.
func (a *Replay) enter(t *thread, now int64, f *trace.Function) {
	f0 := frame{Function: f, enter: now, near: a.close(now - t.done)}
	a.account(t, now)
	if f.Polls || f.Writes || a.polls.Follows(t.index) {
		a.polls.Enter(t.index, now, f, t.at(), a.counts(now))
	}
	if a.definitions.Kernel && f.Region.Kind == omp.KindMPI {
		t.delay.Enter(now)
	}
	t.owed = a.cost
	outer := a.result.Paths[0]
	if top := t.top(); top != nil {
		outer = top.path
		if f.Role == trace.ForMutex && top.enter == now { // one record holds both events
			f0.near = top.near
		}
		switch top.Role {
		case trace.AtBarrier:
			top.barrier.interrupt(t)
			t.task().idles(now, -1)
			outer = a.teamPath(t)
		case trace.ForTasks:
			t.resumes(now)
			outer = a.teamPath(t)
		}
	}
	if t.worker && t.stack.len() == 0 && f.Role != trace.Implicit {
		a.add(analysis.IdleSerial, a.result.Paths[0], t, now-t.free) // its team is unknown
	}
	switch f.Role {
	case trace.Forking:
		a.fork(t, now, &f0, outer)
	case trace.Implicit:
		a.beginTask(t, now, &f0)
	case trace.Tasking:
		f0.path, f0.visit = a.result.Child(a.teamPath(t), f.Region), true
		if top := t.top(); top != nil && top.waits() {
			a.execute(t, now, f.Region, top.path)
		} else {
			a.execute(t, now, f.Region, nil)
		}
	default:
		f0.path, f0.visit = outer, !f.IsPart()
		if outer.Region != f.Region {
			f0.path = a.result.Child(outer, f.Region)
		}
		if f.Region.Kind == omp.KindSection {
			t.sections++
		}
	}
	switch f.Role {
	case trace.Working:
		if a.links != nil && f.Region.Kind == omp.KindMPI {
			a.enterMPI(t, f)
		}
	case trace.AtBarrier:
		a.arrive(t, now, &f0)
	case trace.ForMutex:
		a.ask(t, a.mutex(t, f.Region), f0.path, now)
	case trace.ForLock:
		a.waiting++
		f0.mark = t.offs.Waits.Total()
	case trace.ForTasks:
		f0.mark = t.offs.Waits.Total()
		t.waitsForTasks(now, f.Region)
		t.pauses(now, f0.path)
	case trace.Tasking:
		f0.mark = t.offs.Lost
	}
	if f0.visit {
		f0.path.Visits[t.index].Open++
	}
	t.stack.push(f0)
}

// leave ends the innermost function.
func (a *Replay) leave(t *thread, now int64) {
	top := t.top()
	if top == nil {
		return
	}
	a.account(t, now)
	switch top.Role {
	case trace.Forking:
		a.join(t, now, top)
	case trace.Implicit:
		a.endTask(t, top)
	case trace.AtBarrier:
		a.depart(t, now, top)
	case trace.ForMutex:
		a.acquired(t, now, top)
	case trace.Tasking:
		a.executed(t, now, top)
	case trace.Creating:
		a.created(t, now, top.Region)
	case trace.ForTasks:
		t.waitedForTasks(now)
		t.resumes(now)
		a.awaited(t, now, top)
	case trace.ForLock:
		a.waiting--
		t.wait = lockWait{
			path: top.path, start: top.enter, end: now, waited: top.waited,
			near: top.near, over: top.mark,
		}
	default:
		if top.held {
			a.release(a.mutex(t, top.Region), now)
		}
	}
	t.owed = a.cost
	if top.Region.Kind == omp.KindMPI {
		a.leaveMPI(t, now, top)
	}
	if top.visit {
		top.path.Visits[t.index].Open--
		a.visit(top.path, t.index, top.enter, now)
	}
	if top.Polls || top.Writes || a.polls.Follows(t.index) {
		a.polls.Leave(t.index, now, top.Function, top.path)
	}
	t.stack.pop()
	if top := t.top(); top == nil {
		t.free = now
	} else if top.Role == trace.AtBarrier {
		top.barrier.resume(t, now)
		t.task().idles(now, 1)
	} else if top.Role == trace.ForTasks {
		t.pauses(now, top.path)
	}
}

// Result returns the result so far.
func (a *Replay) Result() *analysis.Result { return a.result }

// Gaps returns the kinds of gaps, by their places in the graph from -1 down.
func (a *Replay) Gaps() []*GapKind { return a.gaps }

// Finish ends all open frames and returns the result.
func (a *Replay) Finish() *analysis.Result {
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
	analysis.SortBlame(r.Blame)
	r.Exclusions = a.endExclusions()
	r.Starved = a.starved.List()
	a.accesses.Find()
	r.AttributeGranularity()
	return r
}
