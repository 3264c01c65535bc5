package compare

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/efficiency"
	"opari/internal/noise"
	"opari/internal/report/profile"
	"opari/internal/scaling"
)

// RunTimes is the part of a run that a comparison needs. Times are in ns.
type RunTimes struct {
	Program string
	Notes   []string // as in analysis.Result
	LeftOut profile.LeftOut
	Threads int
	Count   scaling.Count // of ranks, and of threads in each
	Wall    int64
	Sums    bool // the run is a profile, which lacks some properties
	times   [analysis.NumProperties]int64
	advice  [analysis.NumProperties]string // of the largest finding, with its place
	regions map[analysis.Region]*regionRun

	counters   []string               // their names
	efficiency *efficiency.Efficiency // nil: a run of one thread
}

// regionRun is a region in a run, summed over all threads and call paths.
type regionRun struct {
	time, lost, visits int64 // times of the region without its nested regions
	outer              string
	counts             regionCounts
}

// TimesOf extracts what a comparison needs from r. The caller may then drop r.
func TimesOf(r *analysis.Result) RunTimes {
	run := RunTimes{
		Program: r.Program, Notes: r.Notes(), LeftOut: r.LeftOut,
		Threads: len(r.Threads), Count: scaling.CountOf(r), Wall: r.Wall, Sums: r.Events == 0,
		regions: map[analysis.Region]*regionRun{},
	}
	for p := range analysis.NumProperties {
		run.times[p] = r.Sum(p, -1)
	}
	for _, f := range finding.Of(r, Share) {
		if run.advice[f.Property] == "" {
			run.advice[f.Property] = f.Region.String() + ": " + f.Advice(r)
		}
	}
	for _, q := range r.Paths {
		region := sameRegion(q)
		g := run.regions[region]
		if g == nil {
			g = &regionRun{}
			run.regions[region] = g
			if q.Parent != nil {
				g.outer = q.Parent.Name
			}
		}
		for _, p := range analysis.Leaves {
			t := q.Severity(p, -1)
			g.time += t
			if p.Loss() {
				g.lost += t
			}
		}
		for _, v := range q.Visits {
			g.visits += v.Count
		}
	}
	run.countersOf(r)
	run.efficiency = runEfficiency(r)
	return run
}

// sameRegion returns the region of a path. It stays the same when its block grows.
func sameRegion(q *analysis.Path) analysis.Region {
	region := *q.Region
	region.End = 0
	return region
}

// Verdict is the judgement of a difference.
type Verdict string

// A difference matters if it is at least the threshold.
const (
	Same     Verdict = "same"     // the interval contains no difference that matters
	Faster   Verdict = "faster"   // less time: the interval excludes 0, and the difference matters
	Slower   Verdict = "slower"   // more time, with the same conditions
	Unclear  Verdict = "unclear"  // the noise is too large or unknown for a verdict
	New      Verdict = "new"      // a region that occurs only in the runs after
	Vanished Verdict = "vanished" // a region that occurs only in the runs before
)

// Line compares one time of the two sides. Before and After are medians of the runs in ns.
// Difference is an estimate. It lies between Low and High with a confidence of 95 %; both are
// nil if each side has one run. The time of a region excludes its nested regions.
type Line struct {
	Of         string   `json:"of"`   // "run", "property", "region"
	Name       string   `json:"name"` // a property's key, or a region with its place after
	Was        string   `json:"was,omitempty"`
	Before     float64  `json:"before_ns"`
	After      float64  `json:"after_ns"`
	LostBefore float64  `json:"lost_before_ns"` // for regions: the lost part of Before
	LostAfter  float64  `json:"lost_after_ns"`
	Difference float64  `json:"difference_ns"`
	Low        *float64 `json:"low_ns,omitempty"`
	High       *float64 `json:"high_ns,omitempty"`
	Matters    float64  `json:"matters_ns"` // the smallest difference that gets a verdict
	Verdict    Verdict  `json:"verdict"`
	// Efficiency is Before over After, for a region of runs with different numbers of threads.
	Efficiency *float64 `json:"efficiency,omitempty"`
	// Advice is what to try against a property that got slower, where the first run after the
	// change lost most by it.
	Advice string `json:"advice,omitempty"`

	depth int // of a property
}

// Side describes one side of a comparison.
type Side struct {
	Program string   `json:"program"`
	Runs    int      `json:"runs"`
	Threads int      `json:"threads"` // of the first run
	Notes   []string `json:"notes,omitempty"`
}

// Comparison holds the differences between the runs before and after a change.
type Comparison struct {
	Verdict    Verdict  `json:"verdict"` // of the wall time
	Threshold  float64  `json:"threshold"`
	NoiseKnown bool     `json:"noise_known"`
	Warnings   []string `json:"warnings,omitempty"`
	// Scaling is nil if all runs have the same number of threads.
	Scaling *ScalingChange `json:"scaling,omitempty"`
	Before  Side           `json:"before"`
	After   Side           `json:"after"`
	// Wall time comes first, then processor time, properties, and regions by size of
	// difference.
	Lines []Line `json:"lines"`
	// Efficiency has the factors that the runs have, each followed by those whose product it is.
	Efficiency []EfficiencyLine `json:"efficiency,omitempty"`
	// Counters are in the order of the runs', regions by size of difference.
	Counters []CounterLine `json:"counters,omitempty"`
}

// Share is a part of the processor time. A smaller difference of a property or a region does
// not matter, however large it is relative to its line.
const Share = 0.005

// These are the default thresholds, relative to the time before: for several runs, and for one
// run on each side, whose noise is unknown.
const (
	Threshold        = 0.05
	UnknownThreshold = 0.10
)

// Compare compares runs; each side has at least one. threshold is the smallest relative
// difference that matters; 0 selects a default.
func Compare(before, after []RunTimes, threshold float64) *Comparison {
	c := &Comparison{
		Threshold: threshold, NoiseKnown: len(before)+len(after) > 2,
		Before: side(before), After: side(after),
	}
	if threshold == 0 {
		if c.Threshold = Threshold; !c.NoiseKnown {
			c.Threshold = UnknownThreshold
		}
	}
	c.Warnings = warnings(before, after)
	wall := c.line(before, after, 0, func(r *RunTimes) int64 { return r.Wall })
	wall.Of, wall.Name = "run", "wall time"
	c.Verdict = wall.Verdict
	total := func(r *RunTimes) int64 { return r.Wall * int64(r.Threads) }
	processors := c.line(before, after, 0, total)
	processors.Of, processors.Name = "run", "processor time"
	least := Share * processors.Before
	c.Lines = append(c.Lines, wall, processors)
	for p := analysis.Execution; p < analysis.NumProperties; p++ {
		l := c.line(before, after, least, func(r *RunTimes) int64 { return r.times[p] })
		if l.Before != 0 || l.After != 0 || l.Verdict != Same {
			l.Of, l.Name, l.depth = "property", p.Key(), p.Depth()
			if l.Verdict == Slower {
				l.Advice = after[0].advice[p]
			}
			c.Lines = append(c.Lines, l)
		}
	}
	c.Lines = append(c.Lines, c.regions(before, after, least)...)
	c.scaled(before, after)
	c.efficiencies(before, after)
	c.counters(before, after)
	return c
}

// Slower accepts these names: the run, any region, or else a pattern of filepath.Match for
// regions, such as "for a.c:19", "for *" or "* a.c:*".
const (
	OnRun     = "run"
	OnRegions = "regions"
)

// Slower returns the lines among those that "on" selects whose verdict is Slower. It returns an
// error for a malformed pattern, and for a pattern that matches no region.
func (c *Comparison) Slower(on ...string) ([]Line, error) {
	var slower []Line
	judged := map[int]bool{}
	for _, what := range on {
		some := false
		for i, l := range c.Lines {
			is := what == OnRun && i == 0 || what == OnRegions && l.Of == "region"
			if what != OnRun && what != OnRegions && l.Of == "region" {
				matched, err := filepath.Match(what, l.Name)
				if err != nil {
					return nil, fmt.Errorf("%q is no pattern: %w", what, err)
				}
				is = matched
			}
			if some = some || is; is && l.Verdict == Slower && !judged[i] {
				judged[i] = true
				slower = append(slower, l)
			}
		}
		if !some && what != OnRegions {
			return nil, fmt.Errorf("no region is called %q", what)
		}
	}
	return slower, nil
}

// warnings returns the reasons why the times of these runs are not comparable.
func warnings(before, after []RunTimes) []string {
	var all []string
	for _, r := range slices.Concat(before, after)[1:] {
		what := before[0].LeftOut.Differs(&r.LeftOut)
		if text := "the runs were recorded " + what + ": what one leaves out counts for " +
			"its enclosing regions"; what != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// side describes the runs of one side. It lists a note of all runs once.
func side(runs []RunTimes) Side {
	s := Side{Program: runs[0].Program, Runs: len(runs), Threads: runs[0].Threads}
	common := func(note string) bool {
		return len(runs) > 1 && !slices.ContainsFunc(runs,
			func(r RunTimes) bool { return !slices.Contains(r.Notes, note) })
	}
	for _, note := range runs[0].Notes {
		if common(note) {
			s.Notes = append(s.Notes, "all runs: "+note)
		}
	}
	for i, r := range runs {
		for _, note := range r.Notes {
			if !common(note) {
				s.Notes = append(s.Notes, fmt.Sprintf("run %d: %s", i+1, note))
			}
		}
		if r.Threads != s.Threads {
			s.Notes = append(s.Notes, fmt.Sprintf("run %d has %d threads", i+1, r.Threads))
		}
		if filepath.Base(r.Program) != filepath.Base(s.Program) {
			s.Notes = append(s.Notes, fmt.Sprintf("run %d is of %s", i+1, filepath.Base(r.Program)))
		}
	}
	return s
}

// values returns the times of runs, and their median.
func values[T int64 | float64](runs []RunTimes, time func(*RunTimes) T) ([]float64, float64) {
	all := make([]float64, len(runs))
	for i := range runs {
		all[i] = float64(time(&runs[i]))
	}
	sorted := slices.Sorted(slices.Values(all))
	return all, noise.Median(sorted)
}

// line compares one time. A difference must reach the threshold and least, in ns, to matter.
func (c *Comparison) line(before, after []RunTimes, least float64,
	time func(*RunTimes) int64,
) Line {
	return pair(c, before, after, least, time, time)
}

// pair compares like line, with a separate way to find the time on each side.
func pair[T int64 | float64](c *Comparison, before, after []RunTimes, least float64,
	timeBefore, timeAfter func(*RunTimes) T,
) Line {
	a, was := values(before, timeBefore)
	b, is := values(after, timeAfter)
	difference, low, high, known := noise.Shift(a, b)
	l := Line{Before: was, After: is, Difference: difference, Matters: max(least, c.Threshold*was)}
	if known {
		l.Low, l.High = &low, &high
	} else {
		low, high = difference, difference
	}
	switch {
	case low > 0 && difference >= l.Matters:
		l.Verdict = Slower
	case high < 0 && -difference >= l.Matters:
		l.Verdict = Faster
	case known && max(math.Abs(low), math.Abs(high)) < l.Matters, was == 0 && is == 0:
		l.Verdict = Same
	default:
		l.Verdict = Unclear
	}
	return l
}

// regions compares the regions that both sides have, and lists the others.
func (c *Comparison) regions(before, after []RunTimes, least float64) []Line {
	at := func(g *analysis.Region, get func(*regionRun) int64) func(*RunTimes) int64 {
		return func(r *RunTimes) int64 {
			if g == nil || r.regions[*g] == nil {
				return 0
			}
			return get(r.regions[*g])
		}
	}
	time := func(g *regionRun) int64 { return g.time }
	lost := func(g *regionRun) int64 { return g.lost }
	var lines []Line
	for _, m := range match(placed(before), placed(after)) {
		var l Line
		switch {
		case m.after == nil:
			l = Line{Name: regionName(m.before), Verdict: Vanished, Matters: least}
			_, l.Before = values(before, at(m.before, time))
			l.Difference = -l.Before
		case m.before == nil:
			l = Line{Name: regionName(m.after), Verdict: New, Matters: least}
			_, l.After = values(after, at(m.after, time))
			l.Difference = l.After
		default:
			l = pair(c, before, after, least, at(m.before, time), at(m.after, time))
			l.Name = regionName(m.after)
			if was := regionName(m.before); was != l.Name {
				l.Was = was
			}
		}
		l.Of = "region"
		_, l.LostBefore = values(before, at(m.before, lost))
		_, l.LostAfter = values(after, at(m.after, lost))
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)),
			cmp.Compare(a.Name, b.Name))
	})
	return lines
}

func regionName(g *analysis.Region) string {
	if place := g.Place(); place != "" {
		return g.Name + " " + place
	}
	return g.Name
}
