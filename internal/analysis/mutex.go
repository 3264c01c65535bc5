package analysis

import (
	"slices"

	"opari/internal/omp"
)

// mutex is what keeps threads apart: criticals of a name, an ordered region of a team, a lock.
type mutex struct {
	property Property
	now      holding   // its thread is nil while nobody is in
	before   []holding // of a lock: those that ended while threads waited for some lock
	queue    []asking  // of what is known when a thread asks: not of a lock
}

// holding is the time in which a thread keeps the others out.
type holding struct {
	thread     *thread
	path       *Path // where it was let in
	start, end int64
	spent      spent // what it did meanwhile
}

// asking is a thread that waits to be let in.
type asking struct {
	thread *thread
	path   *Path
	mark   int64
}

// lockWait is a wait for a lock. Which one it was for is told when it is over.
type lockWait struct {
	path       *Path // nil: it is not known, or accounted for
	start, end int64
	waited     int64 // the same without what is inside of it
	near       bool  // as of the frame
}

// mutex is that of a region. All critical constructs of a name exclude each other; ordered ones are
// of their loop, which is the team's.
func (a *replay) mutex(t *thread, r *Region) *mutex {
	if r.Kind == omp.KindOrdered {
		if task := t.task(); task != nil {
			return &task.team.ordered
		}
		return a.named(r.Name, OrderedWait)
	}
	return a.named(r.Name, CriticalWait)
}

func (a *replay) named(name string, p Property) *mutex {
	m := a.mutexes[name]
	if m == nil {
		m = &mutex{property: p}
		a.mutexes[name] = m
	}
	return m
}

func (m *mutex) ask(t *thread, path *Path, now int64) {
	m.queue = append(m.queue, asking{t, path, now})
}

// hold is that a thread is let in.
func (m *mutex) hold(t *thread, path *Path, now int64) {
	m.now = holding{thread: t, path: path, start: now, spent: m.now.spent[:0]}
	t.holds = append(t.holds, &m.now)
}

// free is that nobody is in any more.
func (m *mutex) free(now int64) {
	m.now.end = now
	holds := m.now.thread.holds
	for i, h := range holds {
		if h == &m.now {
			m.now.thread.holds = append(holds[:i], holds[i+1:]...)
			break
		}
	}
}

// acquired is that a thread is let into a critical or ordered region.
func (a *replay) acquired(t *thread, now int64, f *frame) {
	m := a.mutex(t, f.region)
	if m.now.thread != nil && m.now.thread != t {
		a.release(m, now)
	}
	for i := range m.queue {
		if m.queue[i].thread == t {
			m.queue = append(m.queue[:i], m.queue[i+1:]...)
			break
		}
	}
	if m.now.thread == t {
		m.free(now) // its end was not recorded
	}
	m.hold(t, f.path, now)
	if n := t.stack.len(); n > 1 && t.stack.at(n-2).region == f.region {
		t.stack.at(n - 2).held = true
	}
}

// release is that the one that is in leaves: those who asked have waited for it.
func (a *replay) release(m *mutex, now int64) {
	if m.now.thread == nil {
		return
	}
	m.free(now)
	for i := range m.queue {
		q := &m.queue[i]
		a.blameHolding(m.property, q.path, q.thread, &m.now, q.mark, now)
		q.mark = now
	}
	m.now.thread = nil
}

// blameHolding gives the part of a wait that lies in a holding to what the holder did in all of
// that, each in its share.
func (a *replay) blameHolding(p Property, waiter *Path, t *thread, h *holding, from, to int64) {
	time := min(to, h.end) - max(from, h.start)
	if time <= 0 || h.thread == nil || h.thread == t {
		return
	}
	if h.spent.total() == 0 {
		a.blame[blameKey{p, waiter, h.path, h.thread.index}] += time
		return
	}
	a.blameFor(p, waiter, time, h.spent, h.thread, t)
}

// The holdings of a lock are kept while somebody may still be waiting for them, but at most
// maxHoldings. From sweepAt on, those that nobody can wait for are removed.
const (
	sweepAt     = 64
	maxHoldings = 4096
)

// locked is that a thread has got a lock: what it waited, if it did, was for those who had it
// meanwhile. A lock is told to be released behind the call that does it, which may be behind the
// next one's having got it.
func (a *replay) locked(t *thread, now int64, number uint64) {
	m := a.locks[number]
	if m == nil {
		m = &mutex{property: LockWait}
		a.locks[number] = m
	}
	last := m.now.thread
	if last != nil {
		m.free(now)
	}
	if w := &t.wait; w.path != nil && w.end == now {
		free := last == nil || last == t
		for i := range m.before {
			free = free && m.before[i].end <= w.start
		}
		a.waitedForLock(t, w, free, m.now.end-m.now.start)
		for i := range m.before {
			a.blameHolding(LockWait, w.path, t, &m.before[i], w.start, w.end)
		}
		if last != nil {
			a.blameHolding(LockWait, w.path, t, &m.now, w.start, w.end)
		}
		w.path = nil
	}
	if last != nil {
		a.keep(m)
	}
	path := a.result.Paths[0]
	if top := t.top(); top != nil {
		path = top.path
	}
	m.hold(t, path, now)
}

// unlocked is that a thread has released a lock.
func (a *replay) unlocked(t *thread, now int64, number uint64) {
	if m := a.locks[number]; m != nil && m.now.thread == t {
		m.free(now)
		a.keep(m)
		m.now.thread = nil
	}
}

// keep keeps the holding that has ended for those who wait: which lock they wait for shows when
// they get it.
func (a *replay) keep(m *mutex) {
	if a.waiting == 0 {
		m.before = m.before[:0]
		return
	}
	if n := len(m.before); n >= sweepAt && n&(n-1) == 0 {
		oldest := m.now.end
		for _, t := range a.threads {
			if top := t.top(); top != nil && top.role == forLock {
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

// point is what a counter tells of a moment.
func (a *replay) point(t *thread, now int64, p point, value uint64) {
	switch p {
	case lockAcquired:
		a.account(t, now)
		t.owed = a.cost
		a.locked(t, now, value)
	case lockReleased:
		a.account(t, now)
		t.owed = a.cost
		a.unlocked(t, now, value)
	case teamNumber:
		t.team = int64(value)
	}
}
