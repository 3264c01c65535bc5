package analysis

// polling are the routines of MPI by which a program looks whether something has arrived.
var polling = []string{
	"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Iprobe", "MPI_Improbe",
}

// A thread polls if it visits one construct so many times in a row, and does hardly anything in
// between. The mean time between two visits is in ns.
const (
	fewestLooks = 100
	mostBetween = 1000
)

// poll is a row of visits of one construct by a thread, with nothing else between them.
type poll struct {
	path  *Path // nil: none
	outer *Path // what encloses it, where the time between the visits is
	count int64
	// began is when the last visit began, and before when the one before it did: that one has not
	// seen yet what the thread waits for.
	began, before int64
	// in and between are the times of the visits, and between them, that belong to no other cause.
	in, between int64
	property    Property // of the time of a visit
	inside      int64    // severity of property at path when a visit began
	work        int64    // severity of Work at outer when the last visit ended
	written     int64    // what all threads but this one had written when it began
}

// writing notes visits of constructs that may be what a thread waits for that polls.
type writing struct {
	count int64              // all of them
	by    map[*thread]*wrote // the threads that had one
}

type wrote struct {
	count int64
	open  bool  // the thread is in one
	last  int64 // when it ended its last one
}

func (w *writing) begin(t *thread) {
	if w.by == nil {
		w.by = map[*thread]*wrote{}
	}
	if w.by[t] == nil {
		w.by[t] = &wrote{}
	}
	w.count++
	w.by[t].count++
	w.by[t].open = true
}

func (w *writing) end(t *thread, now int64) {
	if own := w.by[t]; own != nil {
		own.open, own.last = false, now
	}
}

// others returns how often others than t have written.
func (w *writing) others(t *thread) int64 {
	if own := w.by[t]; own != nil {
		return w.count - own.count
	}
	return w.count
}

// since reports whether another thread than t has written after a time.
func (w *writing) since(t *thread, time int64) bool {
	for who, own := range w.by {
		if who != t && (own.open || own.last >= time) {
			return true
		}
	}
	return false
}

func (q *Path) time(p Property, thread int) int64 {
	if q.severity[p] == nil {
		return 0
	}
	return q.severity[p][thread]
}

// look notes that a thread enters f, and that its time until now is accounted for.
func (a *replay) look(t *thread, now int64, f *function) {
	p := &t.poll
	if f.writes {
		a.written.begin(t)
	}
	top := t.top()
	if p.path != nil && (!f.polls || top == nil || top.path != p.outer ||
		f.region != p.path.Region) {
		a.endPoll(t)
	}
	if !f.polls || top == nil || !a.counts(now) {
		return
	}
	if p.path == nil {
		*p = poll{
			path: a.result.Child(top.path, f.region), outer: top.path, began: now,
			property: AtomicWait, written: a.written.others(t),
		}
		switch {
		case f.role == working && f.writes: // flush
			p.property = Work
		case f.role == working:
			p.property = MPICall
		}
	} else {
		p.between += top.path.time(Work, t.index) - p.work
	}
	p.began, p.before = now, p.began
	p.inside = p.path.time(p.property, t.index)
}

// looked notes that a thread leaves top, and that its time until now is accounted for.
func (a *replay) looked(t *thread, now int64, top *frame) {
	if top.writes {
		a.written.end(t, now)
	}
	p := &t.poll
	if p.path == nil || top.path != p.path {
		a.endPoll(t)
		return
	}
	p.count++
	p.in += p.path.time(p.property, t.index) - p.inside
	p.work = p.outer.time(Work, t.index)
}

// endPoll ends a row of visits. If the thread polled in it, its time belongs to that.
func (a *replay) endPoll(t *thread) {
	p := t.poll
	t.poll = poll{}
	if p.path == nil || p.count < fewestLooks || p.between > p.count*mostBetween ||
		p.property != MPICall && !a.answered(t, &p) {
		return
	}
	p.path.Add(p.property, t.index, -p.in)
	p.outer.Add(Work, t.index, -p.between)
	p.path.Add(Polling, t.index, p.in+p.between)
	p.path.dense[p.property] -= min(p.path.dense[p.property], p.in)
}

// answered reports whether a row of visits ended because another thread wrote something: that
// thread did so after the last visit but one had begun, and threads wrote seldom meanwhile. Many
// visits of constructs that read or write data, as in a loop over a graph, are no polling.
func (a *replay) answered(t *thread, p *poll) bool {
	writes := a.written.others(t) - p.written
	return writes > 0 && writes*fewestLooks <= p.count && a.written.since(t, p.before)
}
