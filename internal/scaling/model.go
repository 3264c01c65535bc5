package scaling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Sample is the processor time of one run, in ns, with so many processors.
type Sample struct{ Processors, Time float64 }

// Term is a function of the number of processors: p^Power * log2(p)^Log. The zero Term stands
// for a processor time that does not grow.
type Term struct {
	Power float64 `json:"power"`
	Log   float64 `json:"log"`
}

// amdahl is the term of code that one processor executes while the others wait for it.
var amdahl = Term{Power: 1}

// terms are those that a fit chooses from. All grow, since the processor time that is shared out
// perfectly is constant.
var terms = []Term{
	{0, 1}, {0.5, 0}, {0.5, 1}, amdahl, {1, 1}, {1.5, 0}, {1.5, 1}, {2, 0},
}

func (t Term) at(p float64) float64 {
	return math.Pow(p, t.Power) * math.Pow(math.Log2(p), t.Log)
}

// A fit with two coefficients needs a third count, or it would pass through all values. To tell
// the terms apart takes more.
const (
	fewest   = 3 // counts for Amdahl's term
	fewestOf = 5 // counts for all terms
)

// Model is a function for the processor time of a region or of the run:
//
//	T(p) = Shared + Grows * Term(p)
//
// Its wall time is T(p)/p: the shared part becomes less with each processor. The model holds
// between the smallest and the largest number of processors of its samples.
type Model struct {
	Shared float64 `json:"shared_ns"`
	Grows  float64 `json:"grows_ns"`
	Term   Term    `json:"term"`
	// Low and High bound Grows with a confidence of 95 %.
	Low  float64 `json:"grows_low_ns"`
	High float64 `json:"grows_high_ns"`
	R2   float64 `json:"adjusted_r2"` // 0 if nothing grows
	// CrossError is the relative error by which the model misses a count that it is fitted
	// without, and ConstantError that of a constant.
	CrossError    float64 `json:"cross_error"`
	ConstantError float64 `json:"constant_error"`
	// Rivals are other terms that explain the samples as well.
	Rivals []Term  `json:"rivals,omitempty"`
	Least  float64 `json:"least_processors"`
	Most   float64 `json:"most_processors"`

	fits []*fit // of the term, then of its rivals
}

// Grown reports whether the processor time depends on the number of processors.
func (m *Model) Grown() bool { return m.Term != Term{} }

// At returns the processor time with p processors. The time lies between low and high with a
// confidence of 95 %, whether the model or one of its rivals holds.
func (m *Model) At(p float64) (time, low, high float64) {
	for i, f := range m.fits {
		y, half := f.at(p)
		if i == 0 {
			time, low, high = y, y-half, y+half
			continue
		}
		low, high = min(low, y-half), max(high, y+half)
	}
	return time, low, high
}

// Serial returns the part of the processor time with one processor that is not shared out, by
// Amdahl's law, and its bounds. known is false if the model is of another kind, or no run had one
// processor.
func (m *Model) Serial() (part, low, high float64, known bool) {
	if m.Term != amdahl || m.Least != 1 || m.Shared+m.Grows <= 0 || m.Grows < 0 {
		return 0, 0, 0, false
	}
	f := m.fits[0]
	one := amdahl.at(1) / f.scale
	start := f.level + f.slope*(one-f.middle) // the time with one processor
	slope := f.slope / f.scale
	part = slope / start
	variance := f.variance * (1/(f.spread*f.scale*f.scale)/(slope*slope) +
		(1/f.weight+(one-f.middle)*(one-f.middle)/f.spread)/(start*start) -
		2*(one-f.middle)/(f.spread*f.scale)/(slope*start))
	half := f.quantile * part * math.Sqrt(max(0, variance))
	return part, max(0, part-half), min(1, part+half), true
}

// counts returns the different numbers of processors.
func counts(samples []Sample) []float64 {
	var all []float64
	for _, s := range samples {
		all = append(all, s.Processors)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Fit chooses the term that predicts best each count from the others, or Amdahl's if that explains
// the samples as well. It chooses a constant if that predicts better, or the growth is within the
// noise. With fewer than five counts there is Amdahl's term alone, and with fewer than three no
// model: nil.
func Fit(samples []Sample) *Model {
	ps := counts(samples)
	if len(ps) < fewest {
		return nil
	}
	d := weigh(samples, ps)
	choice := terms
	if len(ps) < fewestOf {
		choice = []Term{amdahl}
	}
	level := d.fit(Term{}, nil)
	fits := make([]*fit, len(choice))
	for i, t := range choice {
		fits[i] = d.fit(t, nil)
		fits[i].missed = d.cross(t)
	}
	level.missed = d.cross(Term{})
	best := slices.MinFunc(fits, func(a, b *fit) int {
		return cmp.Or(cmp.Compare(a.missed, b.missed), cmp.Compare(a.squares, b.squares))
	})
	// Of terms that the samples do not tell apart, Amdahl's is the likeliest: it has a cause.
	for _, f := range fits {
		if f.term == amdahl && f.rivals(best, d.runs) && f.better(level) {
			best = f
		}
	}
	chosen := level
	if best.better(level) {
		chosen = best
	}
	m := &Model{
		CrossError: chosen.missed, ConstantError: level.missed, Shared: chosen.level,
		Least: ps[0], Most: ps[len(ps)-1], Term: chosen.term, fits: []*fit{chosen},
	}
	if chosen != level {
		m.Grows = chosen.slope / chosen.scale
		m.Shared = chosen.level - chosen.slope*chosen.middle
		half := chosen.half() / chosen.scale
		m.Low, m.High = m.Grows-half, m.Grows+half
		m.R2 = 1 - chosen.squares/float64(d.runs-2)/(level.squares/float64(d.runs-1))
	}
	for _, f := range fits {
		if f != chosen && f.rivals(chosen, d.runs) {
			m.Rivals = append(m.Rivals, f.term)
			m.fits = append(m.fits, f)
		}
	}
	return m
}

// String returns the term as a formula.
func (t Term) String() string {
	var factors []string
	switch {
	case t.Power == 1:
		factors = append(factors, "p")
	case t.Power != 0:
		factors = append(factors, fmt.Sprintf("p^%g", t.Power))
	}
	if t.Log != 0 {
		factors = append(factors, "log2(p)")
	}
	if factors == nil {
		return "1"
	}
	return strings.Join(factors, " ")
}
