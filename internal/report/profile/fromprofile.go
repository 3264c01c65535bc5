package profile

import (
	"fmt"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// Result converts the profile to a result of the analysis. A profile does not record when
// something happened, so there is no blame and no critical path. Imbalance depends on the kind
// of construct alone. diagnose finds the defects that sums reveal.
func (p *Profile) Result() *analysis.Result { return p.ResultAt(0) }

// ResultAt is Result with the cost of an event as in analysis.Options.
func (p *Profile) ResultAt(eventCost int64) *analysis.Result {
	threads, outside := p.located()
	r := analysis.New(p.Program, p.Wall, threads)
	r.EventCost, r.CostSource = analysis.EventCost(eventCost, p.Cost)
	p.addNotes(r)
	regions, paths := map[*Region]*analysis.Region{}, map[*Path]*analysis.Path{nil: r.Paths[0]}
	for _, g := range p.Regions {
		regions[g] = g.analysed()
	}
	used := make([]int64, len(threads))
	for _, path := range p.Paths {
		q := r.Child(paths[path.Parent], regions[path.Region])
		paths[path] = q
		for _, s := range path.Samples {
			q.Visits[s.Thread] = analysis.Visit{
				Count: s.Count, Incl: s.Incl, Excl: s.Excl,
				Min: s.Min, Max: s.Max,
			}
			used[s.Thread] += s.Excl
			addSample(q, path.Region, s, outside[s.Thread] == analysis.Work, r.EventCost)
			s.addTo(q, s.Thread)
		}
	}
	for i, t := range threads {
		life := int64(t.End)
		rest := max(0, life-used[i])
		r.Paths[0].Add(outside[i], i, rest)
		r.Paths[0].Visits[i] = analysis.Visit{
			Count: 1, Incl: life, Excl: rest,
			Min: life, Max: life,
		}
	}
	idleInSetup(r)
	r.MarkDense()
	diagnose(r)
	return r
}

// idleInSetup gives the idling of a rank's threads while MPI is set up to that routine. Outside of
// regions they idle there all the time, and the initial thread is in no parallel region.
func idleInSetup(r *analysis.Result) {
	for _, q := range r.Paths {
		if !q.SetsUpMPI() {
			continue
		}
		var time int64
		for i, t := range r.Threads {
			if t.Type != omp.ThreadWorker {
				time = q.Visits[i].Incl
				continue
			}
			part := min(time, r.Paths[0].Severity(analysis.IdleSerial, i))
			r.Paths[0].Add(analysis.IdleSerial, i, -part)
			q.Add(analysis.SetupMPI, i, part)
		}
	}
}

// located returns the threads, with their ranks if there are any, and each thread's property
// outside all regions. The first thread of a process is the initial thread.
func (p *Profile) located() (threads []analysis.Thread, outside []analysis.Property) {
	members := p.members
	if members == nil {
		members = []member{{rank: p.rank, threads: p.threads(), wall: p.Wall}}
	}
	for _, m := range members {
		for i := range m.threads {
			t := analysis.Thread{Type: omp.ThreadWorker, End: uint64(m.wall)}
			what := analysis.IdleSerial
			if i == 0 {
				t.Type, what = omp.ThreadInitial, analysis.Work
			}
			t.Name = omp.ThreadName(i, t.Type)
			if p.members != nil || p.world > 0 {
				t.Process = fmt.Sprintf("rank %d", m.rank)
				t.Name = t.Process + " " + t.Name
			}
			threads, outside = append(threads, t), append(outside, what)
		}
	}
	return threads, outside
}

// analysed converts the region to a region of the analysis.
func (r *Region) analysed() *analysis.Region {
	name := r.Name
	if r.SubName != "" {
		if name = r.Name + "(" + r.SubName + ")"; r.Kind == omp.KindLock {
			name = r.SubName
		}
	}
	g := &analysis.Region{Name: name, File: r.File, Line: r.Begin[0], End: r.End[1]}
	g.SetKind(r.KindName)
	return g
}

// threads returns the number of threads. The header counts those that took part, but their
// numbers may be higher.
func (p *Profile) threads() int {
	n := max(1, p.Threads)
	for _, g := range p.Regions {
		for _, s := range g.Samples {
			n = max(n, s.Thread+1)
		}
	}
	return n
}

// addSample adds a thread's time in a path. initial marks the first thread of a process. Only
// the wait of an atomic construct surely ends with an action of the thread itself. So each
// visit of an atomic contains the recording of one event.
func addSample(q *analysis.Path, g *Region, s Sample, initial bool, eventCost int64) {
	if g.Kind == omp.KindAtomic {
		cost := min(s.Wait, eventCost*s.Count)
		q.Add(analysis.Measurement, s.Thread, cost)
		q.Add(analysis.AtomicWait, s.Thread, s.Wait-cost)
		q.Add(analysis.Work, s.Thread, max(0, s.Excl-s.Wait))
		return
	}
	work := s.Excl - s.Barrier - s.Wait
	if g.Kind == omp.KindMPI {
		if q.SetsUpMPI() {
			q.Add(analysis.SetupMPI, s.Thread, s.Excl)
		} else {
			q.Add(analysis.MPICall, s.Thread, s.Excl)
		}
		return
	}
	if g.Kind == omp.KindParallel && initial {
		fork := max(0, min(work, s.Incl-s.Body-s.Barrier))
		q.Add(analysis.ForkJoin, s.Thread, fork)
		work -= fork
	}
	q.Add(analysis.WaitAtEnd(g.Kind), s.Thread, s.Barrier)
	q.Add(analysis.WaitToEnter(g.Kind), s.Thread, s.Wait)
	q.Add(analysis.Work, s.Thread, max(0, work))
}
