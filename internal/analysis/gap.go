package analysis

import "opari/internal/omp"

// gap is the time in which the initial thread is outside of parallel regions, and what it did
// until now. The workers wait for that.
type gap struct {
	closed bool // it is in a parallel region
	first  bool // no parallel region was before
	start  int64
	kind   *gapKind
	spent  spent
	cost   int64     // the recording's part of the time outside of all regions
	off    spent     // the part of spent in which it was off the CPU
	lost   offSums   // the part of off outside of all regions
	left   offCounts // how often it left the CPU there
	// samples are those outside of all regions, by stack.
	samples map[int]int64
}

// openGap begins the time between two parallel regions of the initial thread. Workers outside of
// the last team had nothing to do.
func (a *replay) openGap(now int64, m *team) {
	a.phase++
	for _, w := range a.threads {
		if w.worker && w.stack.len() == 0 && w.free < now {
			a.add(IdleSmallTeam, m.path, w, now-w.free)
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
func (a *replay) closeGap(now int64, next *Region) {
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
			a.add(Measurement, e.path, initial, a.gap.cost)
			a.add(Work, e.path, initial, e.time-a.gap.cost-a.gap.lost.total())
			e.path.Add(Preempted, initial.index, a.gap.lost[preempted])
			e.path.Add(Blocked, initial.index, a.gap.lost[blocked])
			for state, n := range a.gap.left {
				e.path.leaveCPU(initial.index, offState(state), n)
			}
			for stack, n := range a.gap.samples {
				e.path.sample(sampleKey{initial.index, stack, false}, n)
			}
			a.moveCounts(e.path)
			a.gap.off.move(root, e.path)
			e.path.visit(0, e.time)
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
				a.add(OffWait, e.path, w, off)
				a.blame[blameKey{OffWait, e.path, int32(e.path.ID), initial.index}] += off
				part -= off
			}
			a.add(e.path.idle(), e.path, w, part)
		}
		if len(a.gap.spent) == 0 {
			a.add(IdleSerial, root, w, idle)
		}
	}
	a.gap.closed = true
}

// idle returns the property of threads without work while the initial thread is at q.
func (q *Path) idle() Property {
	switch {
	case q.Word == wordAbsent:
		return Absent
	case q.SetsUpMPI():
		return SetupMPI
	case q.Kind == omp.KindMPI:
		return IdleMPI
	}
	return IdleSerial
}

// inJob reports whether the thread belongs to one of several ranks, which may start and end at
// other times.
func (a *replay) inJob() bool { return len(a.definitions.threadsOf) > 1 }

// absent assigns time before the start or after the end of a rank's process.
func (a *replay) absent(t *thread, time int64) {
	path := a.absentPath()
	a.add(Absent, path, t, time)
	path.Visits[t.index].Excl += time
	a.gap.spent.add(path, time)
	t.since.add(path, time)
}

func (a *replay) absentPath() *Path {
	return a.result.Child(a.result.Paths[0],
		a.definitions.region(Region{Word: wordAbsent, Name: "before its start or after its end"}))
}

// move moves the time of one path to another.
func (s *spent) move(from, to *Path) {
	for i := range *s {
		if e := &(*s)[i]; e.path == from {
			time := e.time
			e.time = 0
			s.add(to, time)
			return
		}
	}
}

// serial returns the path of the code before next that is outside of regions.
func (a *replay) serial(next *Region) *Path {
	r := Region{Word: wordSerial, Name: "serial code after the last parallel region"}
	if next != nil {
		name := "serial code before " + next.Name
		if a.gap.first {
			name = "serial code before the first " + next.Name
		}
		r = Region{Word: wordSerial, Name: name, File: next.File, Line: next.Line}
	}
	return a.result.Child(a.result.Paths[0], a.definitions.region(r))
}
