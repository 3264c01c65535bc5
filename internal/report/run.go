package report

import (
	"cmp"
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/whatif"
)

// Tables lists the tables of a report.
var Tables = []string{
	"findings", "properties", "balance", "efficiency", "constructs", "regions", "paths",
	"threads", "lines", "counters", "source",
}

// Run holds the options of a report.
type Run struct {
	Tables  []string // of Tables, in any order
	Threads bool     // adds a row for each thread below the row of all threads
	Details bool     // shows all findings of a group
	// AllLines shows all lines of a region that have samples.
	AllLines bool
	Top      int     // largest number of rows of constructs, regions and paths; 0: all
	Share    float64 // of the processor time; smaller findings and properties are left out
	Width    int     // columns of the terminal
	WhatIf   []*whatif.Prediction
	Source   SourceFinder // for the table source
}

func (o *Run) wants(table string) bool { return slices.Contains(o.Tables, table) }

// entry is a row of a profile: a kind of construct, a region or a path, for one thread or for
// all.
type entry struct {
	region *analysis.Region // for a kind of construct, only its name
	path   *analysis.Path   // nil: several
	depth  int              // of a path
	thread int              // -1: all
	analysis.Visit
	lost   int64 // lost here, whatever the cause
	blamed int64 // lost anywhere because of this entry
}

func (e *entry) mean() int64 {
	if e.Count == 0 {
		return 0
	}
	return e.Incl / e.Count
}

// entries returns the rows of a group of paths: one for all threads and, with Threads, one for
// each thread that was there. Where a path contains another one of the group, only the outer
// one adds inclusive time.
func (o *Run) entries(r *analysis.Result, region *analysis.Region, group []*analysis.Path) []entry {
	all := entry{region: region, thread: -1}
	rows := make([]entry, 1, 1+len(r.Threads))
	for i := range r.Threads {
		e := entry{region: region, thread: i}
		for _, q := range group {
			e.lost += q.Waited(i)
			e.blamed += blamedAt(q, i)
			e.visit(q.Visits[i], !inside(q, group))
		}
		if e.Excl == 0 && e.Count == 0 && e.blamed == 0 {
			continue
		}
		all.lost += e.lost
		all.blamed += e.blamed
		all.visit(e.Visit, true)
		if o.Threads {
			rows = append(rows, e)
		}
	}
	rows[0] = all
	return rows
}

// blamedAt returns the time in which a thread could have worked, blamed on a path. The thread
// was idle, waited for others or was off the CPU. Communication itself does not count.
func blamedAt(q *analysis.Path, thread int) int64 {
	return q.Severity(analysis.Idle, thread) + q.Severity(analysis.OpenMP, thread) +
		q.Severity(analysis.MPI, thread) - q.Severity(analysis.MPICall, thread) +
		q.Severity(analysis.OffCPU, thread)
}

func (e *entry) visit(v analysis.Visit, outermost bool) {
	e.Excl += v.Excl
	if v.Count == 0 {
		return
	}
	if e.Count == 0 || v.Min < e.Min {
		e.Min = v.Min
	}
	e.Max = max(e.Max, v.Max)
	e.Count += v.Count
	if outermost {
		e.Incl += v.Incl
	}
}

// inside reports whether q is inside another path of the group.
func inside(q *analysis.Path, group []*analysis.Path) bool {
	for p := q.Parent; p != nil; p = p.Parent {
		if slices.Contains(group, p) {
			return true
		}
	}
	return false
}

// grouped returns the rows of all paths, grouped by key, with the most exclusive time first.
func (o *Run) grouped(r *analysis.Result, key func(*analysis.Path) analysis.Region) [][]entry {
	groups := map[analysis.Region][]*analysis.Path{}
	var order []analysis.Region
	for _, q := range r.Paths {
		k := key(q)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], q)
	}
	var all [][]entry
	for _, k := range order {
		if rows := o.entries(r, &k, groups[k]); rows[0].Excl > 0 || rows[0].Count > 0 {
			all = append(all, rows)
		}
	}
	slices.SortStableFunc(all, func(a, b []entry) int { return cmp.Compare(b[0].Excl, a[0].Excl) })
	return all
}

// byConstruct groups all constructs of a kind.
func byConstruct(q *analysis.Path) analysis.Region {
	return analysis.Region{Kind: q.Kind, Word: q.Word, Name: q.KindName()}
}

// byRegion groups all call paths of one region.
func byRegion(q *analysis.Path) analysis.Region { return *q.Region }

// paths returns the rows of all paths. Each follows its parent, and siblings with more
// inclusive time come first.
func (o *Run) paths(r *analysis.Result) [][]entry {
	var all [][]entry
	var walk func(*analysis.Path, int)
	walk = func(q *analysis.Path, depth int) {
		if r.Part != nil && q.Inclusive(analysis.Time, -1) == 0 {
			return // outside of the part of the run
		}
		rows := o.entries(r, q.Region, []*analysis.Path{q})
		for i := range rows {
			rows[i].depth, rows[i].path = depth, q
		}
		all = append(all, rows)
		children := slices.Clone(q.Children)
		slices.SortStableFunc(children, func(a, b *analysis.Path) int {
			return cmp.Compare(b.Inclusive(analysis.Time, -1), a.Inclusive(analysis.Time, -1))
		})
		for _, c := range children {
			walk(c, depth+1)
		}
	}
	walk(r.Paths[0], 0)
	return all
}
