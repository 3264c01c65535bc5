package scaling

import (
	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/efficiency"
)

// Run is what a study needs of a run. Times are in ns.
type Run struct {
	Program    string
	Count      Count // what the run was asked for
	Had        Count // what it had
	Processors int   // of the machines that it ran on; 0: unknown
	Wall       int64
	Sums       bool // the run is a profile, which lacks some properties
	Notes      []string
	times      map[cell]float64 // processor time
	advice     map[cell]string
	useful     efficiency.Efficiency
}

// cell is a property at a region, summed over all threads and call paths.
type cell struct {
	region   analysis.Region
	property analysis.Property
}

// leaves are the properties with times of their own.
var leaves = func() (all []analysis.Property) {
	for p := range analysis.NumProperties {
		if p.Leaf() {
			all = append(all, p)
		}
	}
	return all
}()

// RunOf extracts what a study needs of r. The caller may then drop r. The run was asked for a
// count; the zero Count stands for what it had.
func RunOf(r *analysis.Result, asked Count) Run {
	run := Run{
		Program: r.Program, Count: asked, Had: CountOf(r), Wall: r.Wall, Sums: r.Events == 0,
		Notes: r.Notes(), times: map[cell]float64{}, advice: map[cell]string{},
		useful: efficiency.Of(r).Efficiency,
	}
	if asked == (Count{}) {
		run.Count = run.Had
	}
	for _, m := range r.Machines {
		n := len(m.Allowed)
		if n == 0 {
			n = m.Cores
		}
		if m.Quota > 0 {
			n = min(n, max(1, int(m.Quota)))
		}
		run.Processors += n
	}
	// The count reserves processors, whether the program has a thread for each or not. So a
	// region's part of the wall time is the same part of what the count reserves.
	scale := float64(run.Count.Processors()) / float64(max(1, len(r.Threads)))
	for _, q := range r.Paths {
		for _, p := range leaves {
			if t := q.Severity(p, -1); t != 0 {
				run.times[cell{placed(q.Region), p}] += scale * float64(t)
			}
		}
	}
	for _, f := range finding.Of(r, Share) {
		run.advice[cell{placed(f.Region), f.Property}] = f.Advice(r)
	}
	return run
}

// placed returns the region as the key of its times.
func placed(g *analysis.Region) analysis.Region {
	key := *g
	key.End = 0
	return key
}

// CountOf returns the ranks and threads of a result. Threads are those of the largest rank.
func CountOf(r *analysis.Result) Count {
	each := map[string]int{}
	most := 1
	for _, t := range r.Threads {
		each[t.Process]++
		most = max(most, each[t.Process])
	}
	c := Count{Threads: most}
	if _, alone := each[""]; !alone {
		c.Ranks = len(each)
	}
	return c
}

// at returns the processor time of a region in a run.
func (r *Run) at(g analysis.Region) float64 {
	var sum float64
	for _, p := range leaves {
		sum += r.times[cell{g, p}]
	}
	return sum
}

// reserved returns the processor time of all.
func (r *Run) reserved() float64 { return float64(r.Wall) * float64(r.Count.Processors()) }
