package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/report"
)

// These are verdicts of counts, which are no times.
const (
	More  Verdict = "more"
	Fewer Verdict = "fewer"
)

// CounterLine compares what all threads counted while they worked in a region, without regions in
// it. Counts are medians of the runs; the rest is as in Line.
type CounterLine struct {
	Counter    string   `json:"counter"`
	Region     string   `json:"region"`
	Was        string   `json:"was,omitempty"`
	Before     float64  `json:"before"`
	After      float64  `json:"after"`
	Difference float64  `json:"difference"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Matters    float64  `json:"matters"` // the smallest difference that gets a verdict
	Verdict    Verdict  `json:"verdict"`
	// Trustworthy is whether each run has enough samples of the region. Else there is no verdict.
	Trustworthy bool `json:"trustworthy"`

	share float64 // the larger part of a side's counts of all regions
}

// regionCounts is what a run counted in a region.
type regionCounts struct {
	sum         *analysis.Counts
	trustworthy bool
}

// countersOf adds what a run counted by region.
func (r *RunTimes) countersOf(result *analysis.Result) {
	r.counters = result.Counters
	for _, q := range result.Paths {
		c := q.Counted(-1)
		if c == nil {
			continue
		}
		g := r.regions[sameRegion(q)]
		if g.counts.sum == nil {
			g.counts.sum = &analysis.Counts{Values: make([]float64, len(r.counters))}
		}
		g.counts.sum.Add(c)
	}
	for _, g := range r.regions {
		if c := g.counts.sum; c != nil {
			g.counts.trustworthy = result.Trustworthy(c)
		}
	}
}

// count returns a counter's value of a region in a run, or of all regions.
func (r *RunTimes) count(counter string, g *analysis.Region) float64 {
	at := slices.Index(r.counters, counter)
	if g != nil {
		if one := r.regions[*g]; one != nil && one.counts.sum != nil {
			return one.counts.sum.Values[at]
		}
		return 0
	}
	sum := 0.0
	for _, one := range r.regions {
		if one.counts.sum != nil {
			sum += one.counts.sum.Values[at]
		}
	}
	return sum
}

// commonCounters returns the counters that all runs have, and a warning of the others.
func commonCounters(runs []RunTimes) (common []string, warning string) {
	var others []string
	for _, r := range runs {
		for _, name := range r.counters {
			if slices.Contains(common, name) || slices.Contains(others, name) {
				continue
			}
			if slices.ContainsFunc(runs,
				func(r RunTimes) bool { return !slices.Contains(r.counters, name) }) {
				others = append(others, name)
			} else {
				common = append(common, name)
			}
		}
	}
	if len(others) > 0 {
		warning = "not all runs have counted " + strings.Join(others, ", ") +
			": these counters are not compared"
	}
	return common, warning
}

// counters compares the counters that all runs have, of the regions that both sides have.
func (c *Comparison) counters(before, after []RunTimes) {
	common, warning := commonCounters(slices.Concat(before, after))
	if warning != "" {
		c.Warnings = append(c.Warnings, warning)
	}
	if len(common) == 0 {
		return
	}
	regions := match(placed(before), placed(after))
	for _, name := range common {
		all := func(r *RunTimes) float64 { return r.count(name, nil) }
		_, wasAll := values(before, all)
		_, isAll := values(after, all)
		var lines []CounterLine
		for _, m := range regions {
			if m.before == nil || m.after == nil {
				continue
			}
			l := pair(c, before, after, Share*wasAll,
				func(r *RunTimes) float64 { return r.count(name, m.before) },
				func(r *RunTimes) float64 { return r.count(name, m.after) })
			if l.Before == 0 && l.After == 0 {
				continue
			}
			line := CounterLine{
				Counter: name, Region: regionName(m.after), Before: l.Before, After: l.After,
				Difference: l.Difference, Low: l.Low, High: l.High, Matters: l.Matters,
				Verdict:     map[Verdict]Verdict{Slower: More, Faster: Fewer}[l.Verdict],
				Trustworthy: trustworthy(before, m.before) && trustworthy(after, m.after),
				share:       max(l.Before/max(1, wasAll), l.After/max(1, isAll)),
			}
			if was := regionName(m.before); was != line.Region {
				line.Was = was
			}
			if line.Verdict == "" {
				line.Verdict = l.Verdict
			}
			if !line.Trustworthy {
				line.Verdict = Unclear
			}
			lines = append(lines, line)
		}
		slices.SortStableFunc(lines, func(a, b CounterLine) int {
			return cmp.Or(cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)),
				cmp.Compare(a.Region, b.Region))
		})
		c.Counters = append(c.Counters, lines...)
	}
}

func trustworthy(runs []RunTimes, g *analysis.Region) bool {
	return !slices.ContainsFunc(runs, func(r RunTimes) bool {
		one := r.regions[*g]
		return one == nil || !one.counts.trustworthy
	})
}

// cells returns the columns of a line, as Line.cells does.
func (l CounterLine) cells() []string {
	row := Line{
		Verdict: l.Verdict, Before: l.Before, Difference: l.Difference, Low: l.Low, High: l.High,
		Name: l.Counter + ", " + l.Region, Was: l.Was,
	}.cells()
	row[3] = analysis.Count(int64(math.Round(l.Before)))
	row[4] = analysis.Count(int64(math.Round(l.After)))
	if !l.Trustworthy {
		row[5] += report.FewCounts
	}
	return row
}

// counterTable returns the counters for readers: those of regions with at least one percent of the
// counts, or with a verdict.
func (c *Comparison) counterTable(all bool) compared {
	t := compared{title: "counter, region (of all threads while they worked)"}
	for _, l := range c.Counters {
		if all || l.share >= 0.01 || l.Verdict == More || l.Verdict == Fewer {
			t.rows = append(t.rows, l.cells())
		} else {
			t.hidden++
		}
	}
	return t
}
