package replay

import (
	"opari/internal/analysis"
	"opari/internal/omp"
)

// close reports whether a time is hardly more than the cost of recording its ends.
func (a *Replay) close(time int64) bool { return analysis.MostlyRecording(time, a.cost) }

// charge returns the part of a thread's time that went into its last record, and charges it only
// once. It applies to times that end with an act of the thread itself. A time that another thread
// ends would be as long without the record.
func (a *Replay) charge(t *thread, time int64) int64 {
	cost := min(t.owed, time)
	t.owed -= cost
	return cost
}

// measure adds the recording part of a time to Measurement and the rest to the severity of p.
func (a *Replay) measure(p analysis.Property, path *analysis.Path, t *thread, time int64,
	dense bool,
) {
	cost := a.charge(t, time)
	a.add(analysis.Measurement, path, t, cost)
	a.addDense(p, path, t, time-cost, dense)
}

// addDense adds time to the severity of p. If dense is set, the time would be much shorter
// without recording, though it is long.
func (a *Replay) addDense(p analysis.Property, path *analysis.Path, t *thread, time int64,
	dense bool,
) {
	a.add(p, path, t, time)
	if dense && !a.close(time) {
		path.Dense[p] += time
	}
}

// waitForMutex assigns a wait to enter a critical or ordered region. If nobody was inside a
// critical region, the time is the thread's own and includes recording. An ordered region also
// waits for its turn, so its time is all waiting.
func (a *Replay) waitForMutex(t *thread, top *frame, time int64) {
	if top.Region.Kind == omp.KindOrdered {
		a.add(analysis.OrderedWait, top.path, t, time)
		return
	}
	m := a.mutex(t, top.Region)
	if m.isFree(t, top.enter) {
		a.measure(analysis.CriticalWait, top.path, t, time, false)
		return
	}
	a.addDense(analysis.CriticalWait, top.path, t, time, top.near && a.close(m.held(t.done)))
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
func (a *Replay) waitedForLock(t *thread, w *lockWait, free bool, held int64) {
	time := w.waited
	if free {
		cost := min(a.cost, time)
		a.add(analysis.Measurement, w.path, t, cost)
		w.path.Add(analysis.LockWait, t.index, -cost)
		time -= cost
	}
	if a.close(time) || !free && w.near && a.close(held) {
		w.path.Dense[analysis.LockWait] += time
	}
}
