package replay

import (
	"math"
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/graph"
	"opari/internal/omp"
)

// mutex is anything by which threads exclude each other: the critical constructs of a name, the
// ordered region of a team, or a lock.
type mutex struct {
	property analysis.Property
	now      holding             // its thread is nil while nobody is inside
	before   []holding           // of a lock: ended while threads waited for some lock
	queue    []asking            // not of a lock, as a thread that asks does not name it
	left     *thread             // of a lock: the last one that released it; nil: nobody has
	point    graph.Point         // its last release for which a thread may have waited
	use      *analysis.Exclusion // of a lock: nil until a thread has waited for it
	of       *analysis.Region    // the ordered construct that use is of
	// In a changed run: when a thread last entered, and that nobody waits for that one.
	entered  int64
	unlocked bool
}

// holding is the time in which a thread excludes the others.
type holding struct {
	thread *thread
	path   *analysis.Path // where the thread entered
	// of a lock: where the thread was. What it does there is holding the lock.
	around     *analysis.Path
	start, end int64
	spent      spent // what the thread did meanwhile
	lost       int64 // what it lost meanwhile; until the end, what it had lost before
}

// asking is a thread that waits to enter.
type asking struct {
	thread *thread
	path   *analysis.Path
	mark   int64
	off    int64   // the part of its wait in which the threads inside were off the CPU
	over   int64   // what its waits off the CPU were in total when nobody was inside any more
	holder *thread // of an ordered region: the last one inside
}

// lockWait is a wait for a lock. The lock is known only after the wait.
type lockWait struct {
	path       *analysis.Path // nil: unknown, or accounted for
	start, end int64
	waited     int64 // the same without what ran inside the wait
	near       bool  // as in frame
	over       int64 // mark of frame
}

// mutex returns the mutex of a region. All critical constructs of a name exclude each other.
// Ordered regions belong to their loop, and so to the team.
func (a *Replay) mutex(t *thread, r *analysis.Region) *mutex {
	if r.Kind == omp.KindOrdered {
		if task := t.task(); task != nil {
			return &task.team.ordered
		}
		return a.named(r.Name, analysis.OrderedWait)
	}
	return a.named(r.Name, analysis.CriticalWait)
}

func (a *Replay) named(name string, p analysis.Property) *mutex {
	m := a.mutexes[name]
	if m == nil {
		m = &mutex{property: p}
		a.mutexes[name] = m
	}
	return m
}

// add adds what the thread does meanwhile.
func (h *holding) add(path *analysis.Path, time int64) {
	if path == h.around {
		path = h.path
	}
	h.spent.add(path, time)
}

// ask notes that a thread begins to wait to enter.
func (a *Replay) ask(t *thread, m *mutex, path *analysis.Path, now int64) {
	m.queue = append(m.queue, asking{
		thread: t, path: path, mark: now, over: t.offs.Waits.Total(),
	})
	if a.definitions.Kernel {
		a.askedOff(t, now, m)
	}
}

// hold notes that a thread enters.
func (m *mutex) hold(t *thread, path, around *analysis.Path, now int64) {
	m.now = holding{
		thread: t, path: path, around: around, start: now, spent: m.now.spent[:0],
		lost: t.offs.Lost,
	}
	t.holds = append(t.holds, &m.now)
}

// free notes that nobody is inside any more.
func (m *mutex) free(now int64) {
	m.now.end = now
	m.now.lost = m.now.thread.offs.Lost - m.now.lost
	holds := m.now.thread.holds
	for i, h := range holds {
		if h == &m.now {
			m.now.thread.holds = append(holds[:i], holds[i+1:]...)
			break
		}
	}
	if m.use != nil {
		m.now.count(m.use)
	}
}

// acquired notes that a thread enters a critical or ordered region.
func (a *Replay) acquired(t *thread, now int64, f *frame) {
	m := a.mutex(t, f.Region)
	if m.now.thread != nil && m.now.thread != t {
		a.release(m, now)
	}
	for i := range m.queue {
		if m.queue[i].thread == t {
			if a.definitions.Kernel {
				a.acquiredOff(t, m, &m.queue[i], now-f.enter)
			}
			m.queue = append(m.queue[:i], m.queue[i+1:]...)
			break
		}
	}
	if m.now.thread == t {
		m.free(now) // the end of its holding was not recorded
	}
	a.enterMutex(t, now, m, f.path)
	if len(m.queue) == 0 && a.changed == nil {
		a.graph.Replace(&m.point, graph.Point{})
	}
	use := a.excludes(m, f.Region)
	use.Use(a.phase, now)
	use.Wait(f.path, now-f.enter)
	m.hold(t, f.path, nil, now)
	if n := t.stack.len(); n > 1 && t.stack.at(n-2).Region == f.Region {
		t.stack.at(n - 2).held = true
	}
}

// release notes that the thread inside leaves. The threads that asked have waited for it.
func (a *Replay) release(m *mutex, now int64) {
	if m.now.thread == nil {
		return
	}
	m.now.thread.offs.Settle(now)
	m.free(now)
	if len(m.queue) > 0 || a.changed != nil {
		a.spend(m.now.thread, m.now.thread.top(), now)
		a.leftMutex(m.now.thread, m)
	}
	for i := range m.queue {
		q := &m.queue[i]
		off := a.blameHolding(m.property, q.path, q.thread, &m.now, q.mark, now)
		q.mark = now
		if a.definitions.Kernel {
			a.releasedOff(m, q, off, now)
		}
	}
	m.now.thread = nil
}

// blameHolding blames the part of a wait that overlaps a holding. It blames all that the holder
// did meanwhile, in proportion. It returns the part in which the holder was off the CPU.
func (a *Replay) blameHolding(p analysis.Property, waiter *analysis.Path, t *thread, h *holding,
	from, to int64,
) int64 {
	time := min(to, h.end) - max(from, h.start)
	if time <= 0 || h.thread == nil || h.thread == t {
		return 0
	}
	off := within(time, h.lost, h.end-h.start)
	a.blameHolder(analysis.OffWait, waiter, t, h, off)
	a.blameHolder(p, waiter, t, h, time-off)
	return off
}

func (a *Replay) blameHolder(p analysis.Property, waiter *analysis.Path, t *thread, h *holding,
	time int64,
) {
	if time == 0 {
		return
	}
	if h.spent.total() == 0 {
		a.blame[blameKey{p, waiter, int32(h.path.ID), h.thread.index}] += time
		return
	}
	a.blameFor(p, waiter, time, h.spent, h.thread, t)
}

// These limit the ended holdings of a lock, which stay while any thread may be waiting for them.
// There are at most maxHoldings. From sweepAt on, keep removes those that no thread can wait for.
const (
	sweepAt     = 64
	maxHoldings = 4096
)

// locked notes that a thread acquired a lock. If the thread waited, it waited for those who held
// the lock meanwhile. The release of a lock is recorded after the call that releases it, so the
// record may follow the next thread's acquisition.
func (a *Replay) locked(t *thread, now int64, number uint64) {
	m := a.locks[number]
	if m == nil {
		m = &mutex{property: analysis.LockWait}
		a.locks[number] = m
	}
	last := m.now.thread
	if last != nil {
		last.offs.Settle(now)
		m.free(now)
	}
	path := a.result.Paths[0]
	if top := t.top(); top != nil {
		path = top.path
	}
	around := path
	if w := &t.wait; w.path != nil && w.end == now {
		path = w.path
		if last != nil {
			a.spend(last, last.top(), now)
			a.leftMutex(last, m)
		}
		a.enterMutex(t, now, m, w.path)
		free := last == nil || last == t
		for i := range m.before {
			free = free && m.before[i].end <= w.start
		}
		a.waitedForLock(t, w, free, m.now.end-m.now.start)
		if !free && w.waited > 0 {
			a.contended(m, w, number)
			m.use.Wait(w.path, w.waited)
		}
		var off int64
		for i := range m.before {
			off += a.blameHolding(analysis.LockWait, w.path, t, &m.before[i], w.start, w.end)
		}
		if last != nil {
			off += a.blameHolding(analysis.LockWait, w.path, t, &m.now, w.start, w.end)
		}
		if a.definitions.Kernel {
			a.lockedOff(t, w, off, last == nil || last == t)
		}
		w.path = nil
	}
	if a.changed == nil {
		a.graph.Replace(&m.point, graph.Point{})
	}
	if last != nil {
		a.keep(m)
	}
	if m.use != nil {
		m.use.Use(a.phase, now)
	}
	m.hold(t, path, around, now)
}

// lastHolder returns the thread that has a lock, or had it last; -1: nobody had.
func (a *Replay) lastHolder(number uint64) int {
	m := a.locks[number]
	switch {
	case m != nil && m.now.thread != nil:
		return m.now.thread.index
	case m != nil && m.left != nil:
		return m.left.index
	}
	return -1
}

// unlocked notes that a thread released a lock.
func (a *Replay) unlocked(t *thread, now int64, number uint64) {
	if m := a.locks[number]; m != nil && m.now.thread == t {
		m.free(now)
		a.keep(m)
		m.now.thread, m.left = nil, t
		if a.waiting > 0 || a.changed != nil {
			a.leftMutex(t, m)
		}
		if a.definitions.Kernel && a.waiting > 0 {
			a.waitOver(a.threads, trace.ForLock, now)
		}
	}
}

// keep stores the ended holding for the threads that wait, because the lock that they wait for is
// known only when they acquire it.
func (a *Replay) keep(m *mutex) {
	if a.waiting == 0 {
		m.before = m.before[:0]
		return
	}
	if n := len(m.before); n >= sweepAt && n&(n-1) == 0 {
		oldest := m.now.end
		for _, t := range a.threads {
			if top := t.top(); top != nil && top.Role == trace.ForLock {
				oldest = min(oldest, top.enter)
			}
		}
		m.before = slices.DeleteFunc(m.before, func(h holding) bool { return h.end <= oldest })
	}
	if len(m.before) >= maxHoldings {
		m.before = slices.Delete(m.before, 0, maxHoldings/2)
	}
	h := m.now
	h.spent = slices.Clone(h.spent)
	m.before = append(m.before, h)
}

// point handles the value of a counter at a moment.
func (a *Replay) point(t *thread, now int64, p trace.Point, value uint64) {
	switch p {
	case trace.LockAcquired:
		a.account(t, now)
		a.polls.End(t.index, now, a.lastHolder(value))
		t.owed = a.cost
		a.locked(t, now, value)
	case trace.LockReleased:
		a.account(t, now)
		a.polls.End(t.index, now, -1)
		t.owed = a.cost
		a.unlocked(t, now, value)
	case trace.TeamNumber:
		t.team = int64(value)
	case trace.OffTheCPU:
		a.switched(t, now, value)
	case trace.StackSample:
		if a.counts(now) {
			a.sampled(t, value)
		}
	case trace.ReadAccess, trace.WriteAccess:
		if a.counts(now) {
			a.accessed(t, value, p == trace.WriteAccess)
		}
	default:
		if !a.counts(now) {
			return
		}
		a.dealt(t, now, p, int64(min(value, math.MaxInt64)))
	}
}
