package report

import (
	"fmt"

	"opari/analysis"
)

// barrierProperty is what waiting in a construct's barrier is, by kind.
var barrierProperty = map[string]analysis.Property{
	"barrier": analysis.BarrierExplicit, "for": analysis.ImbalanceLoop, "loop": analysis.ImbalanceLoop, "parallel": analysis.ImbalanceParallel,
	"sections": analysis.ImbalanceSections, "single": analysis.SingleWait,
}

// waitProperty is what waiting to enter is, by kind.
var waitProperty = map[string]analysis.Property{
	"critical": analysis.CriticalWait, "ordered": analysis.OrderedWait, "lock": analysis.LockWait, "nest_lock": analysis.LockWait,
	"atomic": analysis.AtomicWait, "taskwait": analysis.TaskWait, "taskgroup": analysis.TaskWait,
}

// ResultOf is a profile as an analysis: the paths are those of the source, a region in the one around it, for a profile knows no others.
func ResultOf(p *Profile) *analysis.Result {
	threads := make([]analysis.Thread, p.Threads)
	for _, r := range p.Regions {
		for _, s := range r.Samples {
			for len(threads) <= s.Thread {
				threads = append(threads, analysis.Thread{})
			}
		}
	}
	for i := range threads {
		threads[i].Name, threads[i].End = fmt.Sprintf("thread %d", i), uint64(p.Wall)
	}
	out := analysis.New(p.Program, p.Wall, threads)
	if p.Lost > 0 {
		out.Lost = fmt.Sprintf("%d records were lost", p.Lost)
	}
	byID := map[int]*Region{}
	for _, r := range p.Regions {
		byID[r.ID] = r
	}
	paths := map[*Region]*analysis.Path{}
	var path func(r *Region) *analysis.Path
	path = func(r *Region) *analysis.Path {
		if r == nil {
			return out.Paths[0]
		}
		if paths[r] == nil {
			paths[r] = out.Paths[0] // where the regions around it make a circle
			paths[r] = out.Child(path(byID[r.Outer]), &analysis.Region{Kind: r.Kind, Name: r.construct(), File: r.File, Line: r.Begin[0]})
		}
		return paths[r]
	}
	outside := make([]int64, len(threads))
	for i := range outside {
		outside[i] = p.Wall
	}
	for _, r := range p.Regions {
		q := path(r)
		for _, s := range r.Samples {
			q.Visits[s.Thread] = analysis.Visit{Count: s.Count, Incl: s.Incl, Min: s.Min, Max: s.Max}
			barrier := min(s.Barrier, s.Excl)
			wait := min(s.Wait, s.Excl-barrier)
			addTo(q, barrierProperty, r.Kind, analysis.BarrierImplicit, s.Thread, barrier)
			addTo(q, waitProperty, r.Kind, analysis.TaskWait, s.Thread, wait)
			q.Add(analysis.Work, s.Thread, s.Excl-barrier-wait)
			outside[s.Thread] -= s.Excl
		}
	}
	for i, t := range outside {
		p := analysis.IdleSerial
		if i == 0 {
			p = analysis.Work
		}
		out.Paths[0].Add(p, i, max(0, t))
	}
	return out
}

func addTo(q *analysis.Path, by map[string]analysis.Property, kind string, other analysis.Property, thread int, time int64) {
	p, known := by[kind]
	if !known {
		p = other
	}
	q.Add(p, thread, time)
}
