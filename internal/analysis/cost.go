package analysis

import "opari/internal/omp"

// DefaultEventCost is what recording an event took where it was measured
// (docs/explanation/measurements.md), in
// ns: an assumption about a recording that does not say.
const DefaultEventCost = 14

// Where the cost of an event is known from.
const (
	CostMeasured = "measured" // by the library, when the recording began
	CostAssumed  = "assumed"  // DefaultEventCost
	CostGiven    = "given"    // by who asks
)

// few costs of an event are a time most of which is recording: it begins and ends with an event,
// and both make it longer.
const few = 4

// EventCost is what an event costs, and where that is known from. given: 0 for nothing, negative
// for no cost. recorded: 0 for not known.
func EventCost(given, recorded int64) (cost int64, source string) {
	switch {
	case given != 0:
		return max(0, given), CostGiven
	case recorded > 0:
		return recorded, CostMeasured
	}
	return DefaultEventCost, CostAssumed
}

// close says whether a time is hardly more than what recording its ends takes.
func (a *replay) close(time int64) bool { return a.cost > 0 && time <= few*a.cost }

// charge is the part of a thread's time that was spent on its last record: between two records of a
// thread one is being made. The rest of that time is not charged again. It is for times that end
// when the thread has done something, not for those that another thread ends: these would be as
// long without the record.
func (a *replay) charge(t *thread, time int64) int64 {
	cost := min(t.owed, time)
	t.owed -= cost
	return cost
}

// measure adds to a severity the part of a time that is no recording, and the rest to Measurement.
func (a *replay) measure(p Property, path *Path, t *thread, time int64, dense bool) {
	cost := a.charge(t, time)
	a.add(Measurement, path, t, cost)
	a.addDense(p, path, t, time-cost, dense)
}

// addDense is add; dense: the time would be much shorter without recording, though it is long.
func (a *replay) addDense(p Property, path *Path, t *thread, time int64, dense bool) {
	a.add(p, path, t, time)
	if dense && !a.close(time) {
		path.dense[p] += time
	}
}

// waitForMutex is a wait to be let into a critical or ordered region. Where nobody was in it is the
// thread's own time; not so of an ordered region, which waits for its turn as well.
func (a *replay) waitForMutex(t *thread, top *frame, time int64) {
	if top.region.Kind == omp.KindOrdered {
		a.add(OrderedWait, top.path, t, time)
		return
	}
	m := a.mutex(t, top.region)
	if m.isFree(t, top.enter) {
		a.measure(CriticalWait, top.path, t, time, false)
		return
	}
	a.addDense(CriticalWait, top.path, t, time, top.near && a.close(m.held(t.done)))
}

// isFree says whether nobody was in since t has asked.
func (m *mutex) isFree(t *thread, asked int64) bool {
	if m.now.thread != nil && m.now.thread != t {
		return false
	}
	for i := range m.queue {
		if q := &m.queue[i]; q.thread == t {
			return q.mark <= asked
		}
	}
	return true
}

// held is how long the last one was in, or has been until now.
func (m *mutex) held(now int64) int64 {
	if m.now.thread != nil {
		return now - m.now.start
	}
	return m.now.end - m.now.start
}

// waitedForLock corrects the wait for a lock when it is known which one it was for: free says that
// nobody has had it meanwhile, held how long the last one had it.
func (a *replay) waitedForLock(t *thread, w *lockWait, free bool, held int64) {
	time := w.waited
	if free {
		cost := min(a.cost, time)
		a.add(Measurement, w.path, t, cost)
		w.path.Add(LockWait, t.index, -cost)
		time -= cost
	}
	if a.close(time) || !free && w.near && a.close(held) {
		w.path.dense[LockWait] += time
	}
}

// give moves all of a property at a path to another property, at the same path or elsewhere.
func (q *Path) give(p Property, to *Path, as Property) {
	for thread, time := range q.severity[p] {
		to.Add(as, thread, time)
	}
	to.dense[as] += q.dense[p]
	q.severity[p], q.dense[p] = nil, 0
}

// MarkDense finds out of a result that knows sums alone where visits are so short that what was
// waited is mostly the cost of recording them; of an atomic construct also where threads do nothing
// else.
func (r *Result) MarkDense() {
	for _, q := range r.Paths {
		brief := few * r.EventCost * q.count()
		alone := q.Kind == omp.KindAtomic && q.Parent.exclusive() <= brief
		for p := range NumProperties {
			if q.severity[p] == nil || !p.Of(OpenMP) {
				continue
			}
			if time := q.Severity(p, -1); time <= brief || alone {
				q.dense[p] = time
			}
		}
	}
}

// exclusive is the exclusive time of all threads.
func (q *Path) exclusive() int64 {
	var sum int64
	for i := range q.Visits {
		sum += q.Visits[i].Excl
	}
	return sum
}
