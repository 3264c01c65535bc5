package compare

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
	"opari/internal/efficiency"
)

// These are verdicts of efficiencies, which are good if they are large.
const (
	Better Verdict = "better"
	Worse  Verdict = "worse"
)

// EfficiencyLine compares a factor of the parallel efficiency of the run. Before and After are
// medians of the runs; the rest is as in Line. A factor that a run does not have is 1 there.
type EfficiencyLine struct {
	Name       string   `json:"name"` // a key, as in CSV
	Before     float64  `json:"before"`
	After      float64  `json:"after"`
	Difference float64  `json:"difference"`
	Low        *float64 `json:"low,omitempty"`
	High       *float64 `json:"high,omitempty"`
	Matters    float64  `json:"matters"` // the smallest difference that gets a verdict
	Verdict    Verdict  `json:"verdict"`

	title string
	shown bool
}

// runEfficiency returns the efficiency of a run, and nil for a run of one thread.
func runEfficiency(r *analysis.Result) *efficiency.Efficiency {
	if run := efficiency.Of(r); run.Several() {
		return &run.Efficiency
	}
	return nil
}

// factor returns a factor of a run.
func (r *RunTimes) factor(key string) efficiency.Factor {
	if r.efficiency == nil {
		return efficiency.One()
	}
	return r.efficiency.Find(key)
}

// efficiencies compares the factors that any run has. What communication has lost is divided only
// if it is in all of them.
func (c *Comparison) efficiencies(before, after []RunTimes) {
	runs := slices.Concat(after, before)
	known := map[string]bool{}
	for i := range runs {
		if runs[i].efficiency == nil {
			continue
		}
		for _, p := range runs[i].efficiency.Parts() {
			lacks := func(r RunTimes) bool { return !r.factor(p.Key).Known() }
			if known[p.Key] || slices.ContainsFunc(runs, lacks) {
				continue
			}
			known[p.Key] = true
			at := func(r *RunTimes) float64 { return r.factor(p.Key).Float() }
			l := pair(c, before, after, 0, at, at)
			line := EfficiencyLine{
				Name: p.Key, Before: l.Before, After: l.After, Difference: l.Difference,
				Low: l.Low, High: l.High, Matters: l.Matters, Verdict: l.Verdict,
				title: strings.Repeat("  ", p.Depth) + p.Name,
				shown: slices.ContainsFunc(runs, func(r RunTimes) bool {
					return (&efficiency.Part{Key: p.Key, Factor: r.factor(p.Key)}).Shown()
				}),
			}
			switch l.Verdict {
			case Slower: // it is larger
				line.Verdict = Better
			case Faster:
				line.Verdict = Worse
			}
			c.Efficiency = append(c.Efficiency, line)
		}
	}
}

// efficiencyTable returns the factors for readers.
func (c *Comparison) efficiencyTable() compared {
	t := compared{title: "efficiency"}
	for _, l := range c.Efficiency {
		if !l.shown {
			continue
		}
		row := Line{
			Verdict: l.Verdict, Before: l.Before, Difference: l.Difference, Low: l.Low,
			High: l.High, Name: l.title,
		}.cells()
		row[3] = strconv.FormatFloat(l.Before, 'f', 2, 64)
		row[4] = strconv.FormatFloat(l.After, 'f', 2, 64)
		t.rows = append(t.rows, row)
	}
	return t
}
