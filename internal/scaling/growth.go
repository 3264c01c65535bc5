package scaling

import (
	"cmp"
	"math"
	"slices"

	"opari/internal/analysis"
	"opari/internal/noise"
)

// Growth is a property at a region whose processor time changes with the number of processors.
// All changes together are what the run's processor time has more.
type Growth struct {
	Property string    `json:"property"` // its key
	Name     string    `json:"name"`     // for people
	Region   string    `json:"region"`   // with its place
	File     string    `json:"file,omitempty"`
	Line     int       `json:"line,omitempty"`
	Times    []float64 `json:"processor_ns"` // by count
	Growth   Estimate  `json:"growth_ns"`    // from the smallest count to the reference
	// Share is the growth over that of the run's processor time; 0 if that does not grow.
	Share   float64 `json:"share"`
	Verdict Verdict `json:"verdict"`
	// Like is the term of a model of the times that grow; "" if there is none.
	Like   string `json:"like,omitempty"`
	Advice string `json:"advice,omitempty"`
}

// Verdict says whether a time grows.
type Verdict string

// A change is a growth or a fall if the noise does not explain it.
const (
	Grows   Verdict = "grows"
	Falls   Verdict = "falls"
	Unclear Verdict = "unclear"
)

// grow finds what takes more processor time, the largest growth first. It leaves out changes
// below Share of the processor time at the reference.
func (s *Study) grow() {
	from, to := s.base(), s.reference()
	reserved := func(r *Run) float64 { return r.reserved() }
	total := median(to.values(reserved))
	more := total - median(from.values(reserved))
	for _, c := range s.cells() {
		time := func(r *Run) float64 { return r.times[c] }
		before, after := from.values(time), to.values(time)
		value, low, high, known := noise.Shift(before, after)
		if math.Abs(value) < Share*total {
			continue
		}
		g := Growth{
			Property: c.property.Key(), Name: c.property.String(), Region: nameOf(c.region),
			File: c.region.File, Line: c.region.Line, Growth: Estimate{Value: value},
		}
		most := max(slices.Max(before), slices.Max(after))
		if known {
			g.Growth.Low, g.Growth.High = &low, &high
			g.Verdict = verdict(value, low, high, matters*most)
		} else {
			g.Verdict = verdict(value, value, value, unknown*most)
		}
		if more > 0 {
			g.Share = value / more
		}
		for i := range s.Points {
			g.Times = append(g.Times, median(s.Points[i].values(time)))
		}
		if g.Verdict == Grows {
			g.Advice = s.advice(to, c)
			if m := s.trend(time).Model; m != nil && m.Grown() && m.Grows > 0 {
				g.Like = m.Term.String()
			}
		}
		s.Growth = append(s.Growth, g)
	}
	slices.SortFunc(s.Growth, func(a, b Growth) int {
		return cmp.Or(cmp.Compare(b.Growth.Value, a.Growth.Value), cmp.Compare(a.Region, b.Region),
			cmp.Compare(a.Property, b.Property), cmp.Compare(a.File, b.File))
	})
}

// verdict judges a change with its bounds, of which one below least does not matter.
func verdict(value, low, high, least float64) Verdict {
	switch {
	case low > 0 && value >= least:
		return Grows
	case high < 0 && -value >= least:
		return Falls
	}
	return Unclear
}

// cells returns the cells of all runs at the points that are compared.
func (s *Study) cells() []cell {
	seen := map[cell]bool{}
	var all []cell
	for _, p := range []*Point{s.base(), s.reference()} {
		for _, r := range p.runs {
			for c := range r.times {
				if !seen[c] {
					seen[c] = true
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// advice returns what to try against a growth: the advice of the finding, or what makes the same
// work take longer.
func (s *Study) advice(at *Point, c cell) string {
	for _, r := range at.runs {
		if text := r.advice[c]; text != "" {
			return text
		}
	}
	if c.property == analysis.Work {
		return "the program's own code takes longer, though nobody waits: threads repeat work, " +
			"or share caches, bandwidth or processors"
	}
	return ""
}
