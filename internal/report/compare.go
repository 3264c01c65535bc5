package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"opari/internal/analysis"
)

// RunTimes is what a comparison needs of a run. Times are in ns.
type RunTimes struct {
	Program string
	Notes   []string // as in analysis.Result
	LeftOut LeftOut
	Threads int
	Wall    int64
	Sums    bool // of a profile, which does not tell all properties
	times   [analysis.NumProperties]int64
	regions map[analysis.Region]*regionRun
}

// regionRun is a region in a run, with all threads and call paths together.
type regionRun struct {
	time, lost, visits int64 // the region alone, without those in it
	outer              string
}

// TimesOf is what a comparison needs of r, which need not be kept.
func TimesOf(r *analysis.Result) RunTimes {
	run := RunTimes{
		Program: r.Program, Notes: r.Notes(), LeftOut: r.LeftOut,
		Threads: len(r.Threads), Wall: r.Wall, Sums: r.Events == 0,
		regions: map[analysis.Region]*regionRun{},
	}
	for p := range analysis.NumProperties {
		run.times[p] = r.Sum(p, -1)
	}
	for _, q := range r.Paths {
		region := *q.Region
		region.End = 0 // it is the same region if its block has grown
		g := run.regions[region]
		if g == nil {
			g = &regionRun{}
			run.regions[region] = g
			if q.Parent != nil {
				g.outer = q.Parent.Name
			}
		}
		for _, p := range leaves {
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
	return run
}

// Verdict is what is said of a difference.
type Verdict string

// The verdicts. A difference matters when it is at least the threshold.
const (
	Same     Verdict = "same"     // the interval holds no difference that matters
	Faster   Verdict = "faster"   // less time: the interval holds no 0, and the difference matters
	Slower   Verdict = "slower"   // more time, likewise
	Unclear  Verdict = "unclear"  // the noise is too large, or unknown, to say
	New      Verdict = "new"      // a region that only runs after have
	Vanished Verdict = "vanished" // a region that only runs before have
)

// Line compares one time of the two sides. Before and After are medians of the runs in ns. The
// difference is estimated, and lies with a confidence of 95 % from Low to High; those are nil where
// there is one run on each side. Times of regions are those of the region alone, without regions in
// it.
type Line struct {
	Of         string   `json:"of"`   // "run", "property", "region"
	Name       string   `json:"name"` // of a property its key; of a region with its place after
	Was        string   `json:"was,omitempty"`
	Before     float64  `json:"before_ns"`
	After      float64  `json:"after_ns"`
	LostBefore float64  `json:"lost_before_ns"` // part of it, of regions
	LostAfter  float64  `json:"lost_after_ns"`
	Difference float64  `json:"difference_ns"`
	Low        *float64 `json:"low_ns,omitempty"`
	High       *float64 `json:"high_ns,omitempty"`
	Matters    float64  `json:"matters_ns"` // differences of at least this size are judged
	Verdict    Verdict  `json:"verdict"`

	depth int // of a property
}

// Side is one side of a comparison.
type Side struct {
	Program string   `json:"program"`
	Runs    int      `json:"runs"`
	Threads int      `json:"threads"` // of the first run
	Notes   []string `json:"notes,omitempty"`
}

// Comparison is what is different between runs before and after a change.
type Comparison struct {
	Verdict    Verdict  `json:"verdict"` // that of the wall time
	Threshold  float64  `json:"threshold"`
	NoiseKnown bool     `json:"noise_known"`
	Warnings   []string `json:"warnings,omitempty"`
	Before     Side     `json:"before"`
	After      Side     `json:"after"`
	// wall time first, processor time, properties, regions by the size of the difference
	Lines []Line `json:"lines"`
}

// Share is the part of the processor time below which a difference of a property or a region does
// not matter, whatever it is of the line.
const Share = 0.005

// The thresholds where none is given: parts of the time before, with several runs and where the
// noise is unknown.
const (
	Threshold        = 0.05
	UnknownThreshold = 0.10
)

// Compare compares runs; both sides have one at least. threshold is the relative difference that
// matters; 0 takes one of the above.
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
			c.Lines = append(c.Lines, l)
		}
	}
	c.Lines = append(c.Lines, c.regions(before, after, least)...)
	return c
}

// What a comparison is judged by: the run, any region, or else a pattern of filepath.Match for
// regions, as "for a.c:19", "for *" or "* a.c:*".
const (
	OnRun     = "run"
	OnRegions = "regions"
)

// Slower are the lines by which c is slower, judged by the given things. An error says what is no
// pattern, or of which there is no region.
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

// warnings say why times of the runs cannot be compared as they are.
func warnings(before, after []RunTimes) []string {
	var all []string
	for _, r := range slices.Concat(before, after)[1:] {
		what := before[0].LeftOut.Differs(&r.LeftOut)
		if text := "the runs were recorded " + what + ": what one leaves out is in what " +
			"surrounds it there"; what != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// side describes runs. What all of them leave out is said once.
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

// values are the times of runs, and their median.
func values(runs []RunTimes, time func(*RunTimes) int64) ([]float64, float64) {
	all := make([]float64, len(runs))
	for i := range runs {
		all[i] = float64(time(&runs[i]))
	}
	sorted := slices.Sorted(slices.Values(all))
	return all, median(sorted)
}

// line compares a time. least is what a difference must be to matter, in ns, if that is more than
// the threshold.
func (c *Comparison) line(before, after []RunTimes, least float64,
	time func(*RunTimes) int64,
) Line {
	return c.pair(before, after, least, time, time)
}

// pair is line for a time that is found differently on the two sides.
func (c *Comparison) pair(before, after []RunTimes, least float64, timeBefore,
	timeAfter func(*RunTimes) int64,
) Line {
	a, was := values(before, timeBefore)
	b, is := values(after, timeAfter)
	difference, low, high, known := shift(a, b)
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
			l = c.pair(before, after, least, at(m.before, time), at(m.after, time))
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
