package scaling

import (
	"fmt"
	"math"
	"strings"

	"opari/internal/analysis"
)

// Trend is a model of the processor time of a region or of the run. It is fitted to the counts
// within the machine's processors.
type Trend struct {
	Model *Model `json:"model,omitempty"`
	// None says why there is no model.
	None string `json:"no_model,omitempty"`
	// Formula is the wall time that the model gives.
	Formula string `json:"formula,omitempty"`
	// Serial is the part of the time with one processor that is not shared out, by Amdahl's law.
	Serial *Estimate `json:"serial,omitempty"`
	// Curve is the model between the smallest and the largest count that it is fitted to.
	Curve []Curve `json:"curve,omitempty"`
}

// Curve is a value of a model, in ns of wall time.
type Curve struct {
	Processors float64 `json:"processors"`
	Wall       float64 `json:"wall_ns"`
	Low        float64 `json:"low_ns"`
	High       float64 `json:"high_ns"`
}

// uneven is the relative error from which on a constant describes nothing.
const uneven = 0.2

// trend fits a model to a time.
func (s *Study) trend(time func(*Run) float64) Trend {
	var samples []Sample
	var within []Count
	for i := range s.Points {
		p := &s.Points[i]
		if p.Over {
			continue
		}
		if i > 0 && s.Points[i-1].Processors == p.Processors {
			return Trend{None: fmt.Sprintf("%s and %s are as many processors: a model of their "+
				"number cannot tell them apart", s.Points[i-1].Count, p.Count)}
		}
		within = append(within, p.Count)
		for _, t := range p.values(time) {
			samples = append(samples, Sample{float64(p.Processors), t})
		}
	}
	m := Fit(samples)
	if m == nil {
		return Trend{None: fmt.Sprintf("a model needs %d counts within the machine's processors; "+
			"there are %d", fewest, len(within))}
	}
	if !m.Grown() && m.ConstantError > uneven {
		return Trend{None: fmt.Sprintf("processor times differ by %.0f %% from each other, but "+
			"not as one of the functions does", 100*m.ConstantError)}
	}
	t := Trend{Model: m, Formula: m.Formula()}
	if part, low, high, known := m.Serial(); known {
		t.Serial = &Estimate{part, &low, &high}
	}
	const points = 32
	for i := range points + 1 {
		p := m.Least * math.Pow(m.Most/m.Least, float64(i)/points)
		y, low, high := m.At(p)
		t.Curve = append(t.Curve, Curve{p, y / p, low / p, high / p})
	}
	return t
}

// Formula returns the model as wall time, with p for the number of processors:
// "590ms/p + 12.0ms".
func (m *Model) Formula() string {
	shared := signed(m.Shared) + "/p"
	if !m.Grown() {
		return shared
	}
	sign := " + "
	if m.Grows < 0 {
		sign = " - "
	}
	text := sign + signed(math.Abs(m.Grows)) + strings.Repeat(" log2(p)", int(m.Term.Log))
	switch m.Term.Power - 1 {
	case -1:
		text += "/p"
	case -0.5:
		text += "/sqrt(p)"
	case 0.5:
		text += " sqrt(p)"
	case 1:
		text += " p"
	}
	if math.Abs(m.Shared) < 0.5 { // nothing is shared out
		return strings.TrimPrefix(text, " + ")
	}
	return shared + text
}

// signed formats a time that may be negative.
func signed(ns float64) string {
	if ns < 0 {
		return "-" + analysis.Duration(int64(math.Round(-ns)))
	}
	return analysis.Duration(int64(math.Round(ns)))
}
