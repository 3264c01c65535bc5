package polling

import (
	"math"
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

// A thread polls if it visits so few constructs so many times in a row, and does hardly anything in
// between. The mean time between two visits is in ns.
const (
	mostLooks   = 4
	fewestLooks = 100
	mostBetween = 1000
)

// young is how many visits a row has at most while constructs join it. What comes later begins
// another row.
const young = 16

// poll is a row of visits of a few constructs by a thread, with nothing else between them.
type poll struct {
	outer  *analysis.Path // what encloses them, where the time between the visits is
	looks  []look
	at     int   // index of the construct of the last visit
	visits int64 // all of them, also those of constructs that are no longer in looks
	work   int64 // severity of Work at outer when the last visit ended
	off    offPoll
}

// Rows are the rows of visits of the threads of a process.
type Rows struct {
	threads []poll
	written writing
	process Process
	kernel  bool // times has what threads lose by being off the CPU
	times   []*offcpu.Times
}

// Process is what Rows needs to know of a process.
type Process interface {
	// Child returns the path of a region below another one.
	Child(q *analysis.Path, g *analysis.Region) *analysis.Path
	// At returns the path that a thread is in; nil: it is in no region.
	At(thread int) *analysis.Path
	// Blame notes that a thread waited at a path for another one, which was off the CPU at cause.
	Blame(waiter, cause *analysis.Path, thread int, time int64)
}

// New returns the rows of so many threads without visits. times says what threads lose by being off
// the CPU; nil: that is unknown.
func New(process Process, threads int, times []*offcpu.Times) *Rows {
	return &Rows{
		threads: make([]poll, threads), process: process, kernel: times != nil, times: times,
		written: writing{by: map[int]*wrote{}},
	}
}

// Follows reports whether a thread has a row, which anything that it enters or leaves continues or
// ends.
func (a *Rows) Follows(thread int) bool { return len(a.threads[thread].looks) > 0 }

// look is a construct that a thread visits in a row.
type look struct {
	path     *analysis.Path
	property analysis.Property // of the time of a visit
	alone    bool              // visits in vain are waiting, whatever ends them
	count    int64
	visit    int64 // number of the last visit in the row
	// began is when the last visit began, and before when the one before it did: that one has not
	// seen yet what the thread waits for.
	began, before int64
	// in and between are the times of the visits, and before each, that belong to no other cause.
	in, between int64
	inside      int64 // severity of property at path when the last visit began
	written     int64 // what all threads but this one had written when the first one began
	off         offLook
}

// writing notes visits of constructs that may be what a thread waits for that polls.
type writing struct {
	count int64          // all of them
	by    map[int]*wrote // the threads that had one
}

type wrote struct {
	count int64
	open  bool // the thread is in one
	// last is when it ended its last one, and earlier when it ended the one before.
	last, earlier int64
}

func (w *writing) begin(thread int) {
	own := w.by[thread]
	if own == nil {
		own = &wrote{}
		w.by[thread] = own
	}
	w.count++
	own.count++
	own.open, own.earlier = true, own.last
}

func (w *writing) end(thread int, now int64) {
	if own := w.by[thread]; own != nil && own.open {
		own.open, own.last = false, now
	}
}

// undo takes back the last visit of a thread, which has ended.
func (w *writing) undo(thread int) {
	if own := w.by[thread]; own != nil && own.count > 0 {
		w.count--
		own.count--
		own.last = own.earlier
	}
}

// others returns how often others than a thread have written.
func (w *writing) others(thread int) int64 {
	if own := w.by[thread]; own != nil {
		return w.count - own.count
	}
	return w.count
}

// since returns a thread other than one that has written after a time, the one with the least
// number; nobody: there is none.
func (w *writing) since(thread int, time int64) int {
	found := nobody
	for who, own := range w.by {
		if who != thread && (own.open || own.last >= time) && (found == nobody || who < found) {
			found = who
		}
	}
	return found
}

// nobody stands for a thread that is not known.
const nobody = -1

// timeOf returns the time of a leaf at a path alone.
func timeOf(q *analysis.Path, p analysis.Property, thread int) int64 {
	times := q.Times(p)
	if times == nil {
		return 0
	}
	return times[thread]
}

// Enter notes that a thread enters f at a path, and that its time until now is accounted for. at is
// nil for a thread in no region. counts says that the time is inside the window.
func (a *Rows) Enter(thread int, now int64, f *trace.Function, at *analysis.Path, counts bool) {
	p := &a.threads[thread]
	inRow := f.Polls && at != nil && len(p.looks) > 0 && at == p.outer && counts
	var between int64
	if inRow {
		between = timeOf(at, analysis.Work, thread) - p.work
		p.forget()
	}
	l := p.of(f.Region)
	if inRow = inRow && (l != nil || p.visits < young && len(p.looks) < mostLooks); !inRow {
		a.End(thread, now, nobody)
		l, between = nil, 0
	}
	if f.Writes {
		a.writes(p, thread, f, l, between)
	}
	if !f.Polls || at == nil || !counts {
		return
	}
	p.outer = at
	if l == nil {
		l = p.add(look{
			path: a.process.Child(at, f.Region), property: looksIn(f), alone: f.Alone,
			written: a.written.others(thread),
		})
	}
	l.between += between
	l.began, l.before = now, l.began
	l.inside = timeOf(l.path, l.property, thread)
	if a.kernel {
		a.lookOff(thread, p, l)
	}
}

// looksIn returns the property of the time in a visit by which a thread may poll.
func looksIn(f *trace.Function) analysis.Property {
	switch {
	case f.Role == trace.AllWaiting:
		return analysis.AtomicWait
	case f.Region.Kind == omp.KindMPI:
		return analysis.MPICall
	}
	return analysis.Work
}

// writes notes that a thread enters a construct that others may wait for. A flush by which the
// thread polls itself is none. l is its construct in the thread's row, and between the time since
// the last visit.
func (a *Rows) writes(p *poll, thread int, f *trace.Function, l *look, between int64) {
	if f.Polls && l != nil && p.dense(between) {
		if l.count == 1 {
			a.written.undo(thread)
		}
		return
	}
	a.written.begin(thread)
}

// add appends a construct to the row.
func (p *poll) add(l look) *look {
	p.looks = append(p.looks, l)
	p.at = len(p.looks) - 1
	return &p.looks[p.at]
}

// of returns the row's construct of a region, which is visited now; nil: it has none.
func (p *poll) of(r *analysis.Region) *look {
	for i := range p.looks {
		if p.looks[i].path.Region == r {
			p.at = i
			return &p.looks[i]
		}
	}
	return nil
}

// forget drops the constructs that the thread has not visited for a long time.
func (p *poll) forget() {
	p.looks = slices.DeleteFunc(p.looks, func(l look) bool {
		return p.visits-l.visit >= fewestLooks
	})
}

// sums returns how many visits the row has, how many of them need no answer, and the time between
// them.
func (p *poll) sums() (count, alone, between int64) {
	for i := range p.looks {
		l := &p.looks[i]
		count, between = count+l.count, between+l.between
		if l.alone {
			alone += l.count
		}
	}
	return count, alone, between
}

// dense reports whether a thread does hardly anything between its visits, with the time since the
// last one.
func (p *poll) dense(since int64) bool {
	count, _, between := p.sums()
	return between+since <= count*mostBetween
}

// Leave notes that a thread leaves f at a path, and that its time until now is accounted for.
func (a *Rows) Leave(thread int, now int64, f *trace.Function, at *analysis.Path) {
	if f.Writes {
		a.written.end(thread, now)
	}
	p := &a.threads[thread]
	if len(p.looks) == 0 || at != p.looks[p.at].path {
		a.End(thread, now, nobody)
		return
	}
	l := &p.looks[p.at]
	p.visits++
	l.count++
	l.visit = p.visits
	l.in += timeOf(l.path, l.property, thread) - l.inside
	p.work = timeOf(p.outer, analysis.Work, thread)
	if a.kernel {
		a.lookedOff(thread, now, p, l)
	}
}

// End ends a row of visits. If the thread polled in it, its time belongs to that. who is the thread
// that it waited for; negative: one that has written something.
func (a *Rows) End(thread int, now int64, who int) {
	p := &a.threads[thread]
	if len(p.looks) == 0 {
		return
	}
	if a.polled(thread, p) {
		if a.kernel {
			a.polledOff(thread, now, p, who)
		}
		for i := range p.looks {
			l := &p.looks[i]
			l.path.Add(l.property, thread, -l.in)
			p.outer.Add(analysis.Work, thread, -l.between)
			l.path.Add(analysis.Polling, thread, l.in+l.between)
			l.path.Dense[l.property] -= min(l.path.Dense[l.property], l.in)
		}
	}
	*p = poll{looks: p.looks[:0], off: offPoll{lost: p.off.lost[:0]}}
}

// polled reports whether a thread polled in a row of visits. If it tested a lock or a request of
// MPI at least once a round, it waited for that: a lock that it gets ends the row.
func (a *Rows) polled(thread int, p *poll) bool {
	count, alone, between := p.sums()
	if count < fewestLooks || between > count*mostBetween {
		return false
	}
	return alone > 0 && (alone+1)*int64(len(p.looks)) >= count || a.answered(thread, p, count)
}

// answered reports whether a row of visits ended because another thread wrote something: that
// thread did so after the last visit but one of a construct had begun, and threads wrote seldom
// meanwhile. Many visits of constructs that read or write data, as in a loop over a graph, are no
// polling.
func (a *Rows) answered(thread int, p *poll, count int64) bool {
	written := p.looks[0].written
	for i := range p.looks {
		written = min(written, p.looks[i].written)
	}
	writes := a.written.others(thread) - written
	return writes*fewestLooks <= count && a.written.since(thread, p.unseen()) != nobody
}

// unseen returns the time from which on an answer can be that was not seen by the last visit but
// one of a construct.
func (p *poll) unseen() int64 {
	before := int64(math.MaxInt64)
	for i := range p.looks {
		if l := &p.looks[i]; l.count > 1 {
			before = min(before, l.before)
		}
	}
	return before
}
