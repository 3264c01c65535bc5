package report

import (
	"fmt"

	"opari/analysis"
)

// Result is the profile in the terms of the analysis: the paths are those of the source text, one for each region in the regions around it. A
// profile does not know when something happened, so there is no blame and no critical path, and imbalance is told by kind of construct.
func (p *Profile) Result() *analysis.Result {
	threads := make([]analysis.Thread, p.threads())
	for i := range threads {
		kind := "worker"
		if i == 0 {
			kind = "initial"
		}
		threads[i] = analysis.Thread{Name: fmt.Sprintf("thread %d (%s)", i, kind), End: uint64(p.Wall)}
	}
	r := analysis.New(p.Program, p.Wall, threads)
	if p.Lost > 0 {
		r.Lost = fmt.Sprintf("%d records were lost", p.Lost)
	}
	c := profilePaths{result: r, regions: map[int]*Region{}, paths: map[int]*analysis.Path{}}
	for _, g := range p.Regions {
		c.regions[g.ID] = g
	}
	used := make([]int64, len(threads))
	for _, g := range p.Regions {
		q := c.path(g, 0)
		for _, s := range g.Samples {
			q.Visits[s.Thread] = analysis.Visit{Count: s.Count, Incl: s.Incl, Excl: s.Excl, Min: s.Min, Max: s.Max}
			used[s.Thread] += s.Excl
			addSample(q, g, s)
		}
	}
	for i := range threads {
		outside := analysis.IdleSerial
		if i == 0 {
			outside = analysis.Work
		}
		rest := max(0, p.Wall-used[i])
		r.Paths[0].Add(outside, i, rest)
		r.Paths[0].Visits[i] = analysis.Visit{Count: 1, Incl: p.Wall, Excl: rest, Min: p.Wall, Max: p.Wall}
	}
	return r
}

// threads is the number of threads; the header says how many took part, their numbers may go further.
func (p *Profile) threads() int {
	n := max(1, p.Threads)
	for _, g := range p.Regions {
		for _, s := range g.Samples {
			n = max(n, s.Thread+1)
		}
	}
	return n
}

// profilePaths makes the paths of regions.
type profilePaths struct {
	result  *analysis.Result
	regions map[int]*Region
	paths   map[int]*analysis.Path
}

// path is the path of a region; depth bounds a chain of regions that is a ring.
func (c *profilePaths) path(g *Region, depth int) *analysis.Path {
	if q := c.paths[g.ID]; q != nil {
		return q
	}
	outer := c.result.Paths[0]
	if o := c.regions[g.Outer]; o != nil && depth < len(c.regions) {
		outer = c.path(o, depth+1)
	}
	name := g.Name
	if g.SubName != "" {
		if name = g.Name + "(" + g.SubName + ")"; g.Kind == "lock" {
			name = g.SubName
		}
	}
	q := c.result.Child(outer, &analysis.Region{Kind: g.Kind, Name: name, File: g.File, Line: g.Begin[0]})
	c.paths[g.ID] = q
	return q
}

// barriers says what waiting in the barrier of a kind of construct is.
var barriers = map[string]analysis.Property{
	"barrier": analysis.BarrierExplicit, "for": analysis.ImbalanceLoop, "loop": analysis.ImbalanceLoop, "distribute": analysis.ImbalanceLoop,
	"sections": analysis.ImbalanceSections, "single": analysis.SingleWait,
}

// waits says what waiting to enter a kind of construct is.
var waits = map[string]analysis.Property{
	"critical": analysis.CriticalWait, "ordered": analysis.OrderedWait, "lock": analysis.LockWait, "atomic": analysis.AtomicWait,
}

func addSample(q *analysis.Path, g *Region, s Sample) {
	barrier, known := barriers[g.Kind]
	if !known {
		barrier = analysis.ImbalanceParallel
	}
	wait, known := waits[g.Kind]
	if !known {
		wait = analysis.TaskWait
	}
	work := s.Excl - s.Barrier - s.Wait
	if g.Kind == "parallel" && s.Thread == 0 {
		fork := max(0, min(work, s.Incl-s.Body-s.Barrier))
		q.Add(analysis.ForkJoin, s.Thread, fork)
		work -= fork
	}
	q.Add(barrier, s.Thread, s.Barrier)
	q.Add(wait, s.Thread, s.Wait)
	q.Add(analysis.Work, s.Thread, max(0, work))
}
