package analysis

import "opari/internal/omp"

// gap is the time in which the initial thread is in no parallel region: what it did until now, for
// which the workers waited.
type gap struct {
	closed bool // it is in one
	start  int64
	spent  spent
	cost   int64 // the part of it outside of all regions that went to recording
}

// openGap begins the time between two parallel regions of the initial thread. Workers that were not
// in the team had nothing to do.
func (a *replay) openGap(now int64, m *team) {
	for _, w := range a.threads {
		if w.worker && w.stack.len() == 0 && w.free < now {
			a.add(IdleSmallTeam, m.path, w, now-w.free)
			w.free = now
		}
	}
	a.gap = gap{start: now, spent: a.gap.spent[:0]}
}

// closeGap ends it, at the fork of next or, with nil, at the end of the run. Workers were idle,
// each for as long as it was free, and for what the initial thread did meanwhile; what it did
// outside of every region is called after the region that follows.
func (a *replay) closeGap(now int64, next *Region) {
	if a.gap.closed || len(a.threads) == 0 {
		return
	}
	root := a.result.Paths[0]
	initial := a.threads[0]
	total := a.gap.spent.total()
	for i := range a.gap.spent {
		e := &a.gap.spent[i]
		if e.path == root {
			e.path = a.serial(next)
			a.add(Measurement, e.path, initial, a.gap.cost)
			a.add(Work, e.path, initial, e.time-a.gap.cost)
			e.path.visit(0, e.time)
			e.path.Visits[0].Excl += e.time
			initial.since.move(root, e.path)
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
			a.add(e.path.idle(), e.path, w, part)
		}
		if len(a.gap.spent) == 0 {
			a.add(IdleSerial, root, w, idle)
		}
	}
	a.gap.closed = true
}

// idle is the property of threads that have nothing to do while the initial thread is at q.
func (q *Path) idle() Property {
	if q.Kind == omp.KindMPI {
		return IdleMPI
	}
	return IdleSerial
}

// move gives the time of a path to another.
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

// serial is the path of the code outside of regions before next.
func (a *replay) serial(next *Region) *Path {
	r := Region{Word: wordSerial, Name: "serial code after the last parallel region"}
	if next != nil {
		r = Region{
			Word: wordSerial, Name: "serial code before " + next.Name, File: next.File,
			Line: next.Line,
		}
	}
	return a.result.Child(a.result.Paths[0], a.definitions.region(r))
}
