package analysis

import "opari/internal/omp"

// DefaultEventCost is the assumed cost of recording an event, in ns, for a recording that does
// not state it. docs/explanation/measurements.md has the measurement.
const DefaultEventCost = 14

// The sources of the cost of an event.
const (
	CostMeasured = "measured" // by the library at the start of the recording
	CostAssumed  = "assumed"  // DefaultEventCost
	CostGiven    = "given"    // by the caller
)

// few is how many event costs a time may last and still be mostly recording. It begins and ends
// with an event, and both make it longer.
const few = 4

// EventCost returns the cost of an event and its source. given is 0 if the caller gives no cost,
// and negative for no cost at all. recorded is 0 if the recording does not state the cost.
func EventCost(given, recorded int64) (cost int64, source string) {
	switch {
	case given != 0:
		return max(0, given), CostGiven
	case recorded > 0:
		return recorded, CostMeasured
	}
	return DefaultEventCost, CostAssumed
}

// close reports whether a time is hardly more than the cost of recording its ends.
func (a *replay) close(time int64) bool { return a.cost > 0 && time <= few*a.cost }

// charge returns the part of a thread's time that went into its last record, and charges it only
// once. It applies to times that end with an act of the thread itself. A time that another thread
// ends would be as long without the record.
func (a *replay) charge(t *thread, time int64) int64 {
	cost := min(t.owed, time)
	t.owed -= cost
	return cost
}

// measure adds the recording part of a time to Measurement and the rest to the severity of p.
func (a *replay) measure(p Property, path *Path, t *thread, time int64, dense bool) {
	cost := a.charge(t, time)
	a.add(Measurement, path, t, cost)
	a.addDense(p, path, t, time-cost, dense)
}

// addDense adds time to the severity of p. If dense is set, the time would be much shorter
// without recording, though it is long.
func (a *replay) addDense(p Property, path *Path, t *thread, time int64, dense bool) {
	a.add(p, path, t, time)
	if dense && !a.close(time) {
		path.dense[p] += time
	}
}

// waitForMutex assigns a wait to enter a critical or ordered region. If nobody was inside a
// critical region, the time is the thread's own and includes recording. An ordered region also
// waits for its turn, so its time is all waiting.
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

// isFree reports whether nobody was inside since t asked.
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

// held returns how long the last holder held the mutex, until now if it still does.
func (m *mutex) held(now int64) int64 {
	if m.now.thread != nil {
		return now - m.now.start
	}
	return m.now.end - m.now.start
}

// waitedForLock corrects the wait for a lock once the lock is known. free says that nobody held
// the lock meanwhile; held is how long the last holder held it.
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

// give moves all time of a property at q to another property at the path to, which may be q.
func (q *Path) give(p Property, to *Path, as Property) {
	for thread, time := range q.severity[p] {
		to.Add(as, thread, time)
	}
	to.dense[as] += q.dense[p]
	q.severity[p], q.dense[p] = nil, 0
}

// MarkDense marks the waits that are mostly recording cost, in a result that has only sums. These
// are waits in visits that are hardly longer than their recording. For an atomic construct they
// are also the waits of threads that do nothing else.
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

// exclusive returns the exclusive time of all threads.
func (q *Path) exclusive() int64 {
	var sum int64
	for i := range q.Visits {
		sum += q.Visits[i].Excl
	}
	return sum
}
