package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/omp"
)

// gap is the time in which the initial thread is outside of parallel regions, and what it did
// until now. The workers wait for that.
type gap struct {
	closed bool // it is in a parallel region
	first  bool // no parallel region was before
	start  int64
	kind   *GapKind
	spent  spent
	cost   int64                   // the recording's part of the time outside of all regions
	off    spent                   // the part of spent in which it was off the CPU
	lost   offcpu.Sums             // the part of off outside of all regions
	left   [offcpu.NumStates]int64 // how often it left the CPU there
	// samples are those outside of all regions, by stack.
	samples map[int]int64
}

// openGap begins the time between two parallel regions of the initial thread. Workers outside of
// the last team had nothing to do.
func (a *Replay) openGap(now int64, m *team) {
	a.phase++
	for _, w := range a.threads {
		if w.worker && w.stack.len() == 0 && w.free < now {
			a.add(analysis.IdleSmallTeam, m.path, w, now-w.free)
			w.free = now
		}
	}
	a.gap = gap{
		start: now, kind: a.gapKind(m.path), spent: a.gap.spent[:0], off: a.gap.off[:0],
	}
}

// closeGap ends the gap at the fork of next, or at the end of the run if next is nil. Each worker
// was idle while it was free; its idle time goes to what the initial thread did meanwhile. What
// the initial thread did outside of every region is named after the region that follows.
func (a *Replay) closeGap(now int64, next *analysis.Region) {
	if a.gap.closed || len(a.threads) == 0 {
		return
	}
	a.phase++
	root := a.result.Paths[0]
	initial := a.threads[0]
	total := a.gap.spent.total()
	for i := range a.gap.spent {
		e := &a.gap.spent[i]
		if e.path == root {
			e.path = a.serial(next)
			a.add(analysis.Measurement, e.path, initial, a.gap.cost)
			a.add(analysis.Work, e.path, initial, e.time-a.gap.cost-a.gap.lost.Total())
			e.path.Add(analysis.Preempted, initial.index, a.gap.lost[offcpu.Preempted])
			e.path.Add(analysis.Blocked, initial.index, a.gap.lost[offcpu.Blocked])
			for state, n := range a.gap.left {
				e.path.LeaveCPU(initial.index, offcpu.State(state), n)
			}
			for stack, n := range a.gap.samples {
				e.path.Sample(initial.index, stack, false, n)
			}
			if initial.counting != nil {
				initial.counting.Move(root, e.path)
			}
			a.gap.off.move(root, e.path)
			e.path.Visit(0, e.time)
			e.path.Visits[0].Excl += e.time
			initial.since.move(root, e.path)
			a.gap.kind.add(e.path, e.time)
		}
	}
	for _, w := range a.threads {
		if !w.worker || w.stack.len() > 0 || w.free >= now {
			continue
		}
		idle := now - w.free
		w.free = now
		left := idle
		for i, e := range a.gap.spent {
			part := left
			if i < len(a.gap.spent)-1 {
				part = int64(float64(idle) * float64(e.time) / float64(total))
			}
			left -= part
			if off := within(part, a.gap.off.of(e.path), e.time); off > 0 {
				a.add(analysis.OffWait, e.path, w, off)
				a.blame[blameKey{analysis.OffWait, e.path, int32(e.path.ID), initial.index}] += off
				part -= off
			}
			a.add(idleAt(e.path), e.path, w, part)
		}
		if len(a.gap.spent) == 0 {
			a.add(analysis.IdleSerial, root, w, idle)
		}
	}
	a.gap.closed = true
}

// idleAt returns the property of threads without work while the initial thread is at q.
func idleAt(q *analysis.Path) analysis.Property {
	switch {
	case q.Word == analysis.WordAbsent:
		return analysis.Absent
	case q.SetsUpMPI():
		return analysis.SetupMPI
	case q.Kind == omp.KindMPI:
		return analysis.IdleMPI
	}
	return analysis.IdleSerial
}

// inJob reports whether the thread belongs to one of several ranks, which may start and end at
// other times.
func (a *Replay) inJob() bool { return len(a.definitions.ThreadsOf) > 1 }

// absent assigns time before the start or after the end of a rank's process.
func (a *Replay) absent(t *thread, time int64) {
	path := a.absentPath()
	a.add(analysis.Absent, path, t, time)
	path.Visits[t.index].Excl += time
	a.gap.spent.add(path, time)
	t.since.add(path, time)
}

func (a *Replay) absentPath() *analysis.Path {
	return a.result.Child(a.result.Paths[0],
		a.definitions.TheRegion(analysis.Region{
			Word: analysis.WordAbsent,
			Name: "before its start or after its end",
		}))
}

// move moves the time of one path to another.
func (s *spent) move(from, to *analysis.Path) {
	for i := range *s {
		if e := &(*s)[i]; e.path == from {
			time := e.time
			e.time = 0
			s.add(to, time)
			return
		}
	}
}

// serialKey names code outside of regions: what follows, and whether nothing was before.
type serialKey struct {
	next  *analysis.Region
	first bool
}

// serial returns the path of the code before next that is outside of regions.
func (a *Replay) serial(next *analysis.Region) *analysis.Path {
	key := serialKey{next, a.gap.first}
	if q := a.serials[key]; q != nil {
		return q
	}
	r := analysis.Region{
		Word: analysis.WordSerial, Name: "serial code after the last parallel region",
	}
	if next != nil {
		name := "serial code before " + next.Name
		if a.gap.first {
			name = "serial code before the first " + next.Name
		}
		r = analysis.Region{Word: analysis.WordSerial, Name: name, File: next.File, Line: next.Line}
	}
	a.serials[key] = a.result.Child(a.result.Paths[0], a.definitions.TheRegion(r))
	return a.serials[key]
}

// GapKind are the gaps after one parallel region. What the initial thread does in a gap outside of
// all regions belongs to the code before the parallel region that follows, which is not known yet.
// So it gets a place of its own in the graph. In the end its time goes to what followed, in
// proportion. Mostly that is one and the same.
type GapKind struct {
	after *analysis.Path // nil: the start of the run
	place int32          // negative
	spent spent          // by what followed
}

// GapKind returns the gaps after a parallel region.
func (a *Replay) gapKind(after *analysis.Path) *GapKind {
	for _, k := range a.gaps {
		if k.after == after {
			return k
		}
	}
	k := &GapKind{after: after, place: int32(-1 - len(a.gaps))}
	a.gaps = append(a.gaps, k)
	return k
}

// Each calls do for each path that followed, with the time of it.
func (k *GapKind) Each(do func(path *analysis.Path, time int64)) {
	for _, e := range k.spent {
		do(e.path, e.time)
	}
}

func (k *GapKind) add(path *analysis.Path, time int64) { k.spent.add(path, time) }

// at calls do with the paths that a place of the graph stands for, and the part of a time that
// belongs to each. It is right once the replay has ended.
func (a *Replay) at(place int32, time int64, do func(path *analysis.Path, time int64)) {
	if place >= 0 {
		do(a.result.Paths[place], time)
		return
	}
	k := a.gaps[-1-place]
	total, left := k.spent.total(), time
	for i, e := range k.spent {
		part := left
		if i < len(k.spent)-1 {
			part = int64(float64(time) * float64(e.time) / float64(total))
		}
		left -= part
		do(e.path, part)
	}
	if len(k.spent) == 0 {
		do(a.result.Paths[0], time)
	}
}
