package scaling

import (
	"slices"
	"strings"

	"opari/internal/efficiency"
)

// Factor is a factor of the efficiency by count, as POP defines them: the global efficiency is
// parallel efficiency times computation scalability, and the first of these is a product, too.
type Factor struct {
	Key    string    `json:"key"`
	Name   string    `json:"name"`
	Depth  int       `json:"depth"` // of the factors whose product a factor is
	Values []float64 `json:"values"`
}

// factors sets the factors that a run has. A factor that runs of a count do not have, such as
// those of OpenMP with one thread, is 1 there.
func (s *Study) factors() {
	useful := median(s.base().values(func(r *Run) float64 { return float64(r.useful.Useful) }))
	scalability := func(r *Run) float64 {
		if r.useful.Useful == 0 {
			return 1
		}
		return useful / float64(r.useful.Useful)
	}
	add := func(key, name string, depth int, value func(*Run) float64) {
		f := Factor{Key: key, Name: name, Depth: depth}
		for i := range s.Points {
			f.Values = append(f.Values, median(s.Points[i].values(value)))
		}
		s.Factors = append(s.Factors, f)
	}
	add("global-efficiency", "global efficiency", 0, func(r *Run) float64 {
		return r.useful.Parallel.Float() * scalability(r)
	})
	add("computation-scalability", "computation scalability", 1, scalability)
	known := map[string]bool{}
	for _, p := range s.parts() {
		at := func(r *Run) efficiency.Factor { return r.useful.Find(p.Key) }
		if known[p.Key] || s.some(func(r *Run) bool { return !at(r).Known() }) {
			continue
		}
		known[p.Key] = true
		name := p.Name
		if p.Depth == 0 {
			name = "parallel " + name
		}
		add(p.Key, name, p.Depth+1, func(r *Run) float64 { return at(r).Float() })
	}
}

// parts returns the factors of the run that has most of them, where they are not all 1.
func (s *Study) parts() []efficiency.Part {
	var most []efficiency.Part
	for i := range s.Points {
		for _, r := range s.Points[i].runs {
			if parts := r.useful.Parts(); len(parts) > len(most) {
				most = parts
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(most), func(p efficiency.Part) bool {
		return !s.some(func(r *Run) bool {
			p.Factor = r.useful.Find(p.Key)
			return p.Shown()
		})
	})
}

// some reports whether a run meets a condition.
func (s *Study) some(is func(*Run) bool) bool {
	return slices.ContainsFunc(s.Points,
		func(p Point) bool { return slices.ContainsFunc(p.runs, is) })
}

// Indented returns the name, indented by the factors around it.
func (f *Factor) Indented() string { return strings.Repeat("  ", f.Depth) + f.Name }
