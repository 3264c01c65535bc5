package scaling

import (
	"math"

	"opari/internal/noise"
)

// exact is a relative error that only rounding makes.
const exact = 1e-9

// weighed is a set of samples by count. Noise grows with the time, so each sample has the
// inverse square of its count's mean as its weight: errors are relative ones. A mean counts for a
// tenth of the largest at least.
type weighed struct {
	counts []float64
	times  [][]float64 // by count
	weight []float64   // of each sample of a count
	runs   int
}

func weigh(samples []Sample, counts []float64) *weighed {
	d := &weighed{counts: counts, runs: len(samples)}
	largest := 0.0
	means := make([]float64, len(counts))
	for i, p := range counts {
		var times []float64
		for _, s := range samples {
			if s.Processors == p {
				times = append(times, s.Time)
				means[i] += s.Time
			}
		}
		means[i] /= float64(len(times))
		largest = max(largest, means[i])
		d.times = append(d.times, times)
	}
	for _, m := range means {
		// Counts with hardly any time must not outweigh the others.
		m = max(m, largest/10, 1)
		d.weight = append(d.weight, 1/(m*m))
	}
	return d
}

// fit is a line through the samples: level + slope * (x - middle), where x is the term over
// scale, its largest value. Its squares are weighed and so have no unit.
type fit struct {
	term                                 Term
	level, slope, middle, spread, weight float64
	scale                                float64
	squares                              float64 // sum of the errors
	variance                             float64 // of a sample with the weight 1
	quantile                             float64 // of Student's distribution
	missed                               float64 // as Model.CrossError
}

// fit fits a term by least squares; the zero Term gives a constant. It leaves out the counts for
// which without is true; nil: none.
func (d *weighed) fit(t Term, without []bool) *fit {
	f := &fit{term: t, scale: 1}
	if t != (Term{}) {
		f.scale = t.at(d.counts[len(d.counts)-1])
	}
	var sum float64
	d.each(without, func(i int, y float64) {
		f.weight += d.weight[i]
		sum += d.weight[i] * y
		f.middle += d.weight[i] * f.x(d.counts[i])
	})
	f.level, f.middle = sum/f.weight, f.middle/f.weight
	free := 1
	if t != (Term{}) {
		free = 2
		var both float64
		d.each(without, func(i int, y float64) {
			x := f.x(d.counts[i]) - f.middle
			f.spread += d.weight[i] * x * x
			both += d.weight[i] * x * (y - f.level)
		})
		f.slope = both / f.spread
	}
	if without == nil {
		d.judge(f, free)
	}
	return f
}

// judge sets the noise around a fit with so many coefficients. The noise is the larger of two
// estimates: by all samples, and by the means of the counts. The second is larger where the runs
// of each count agree with each other and not with the fit.
func (d *weighed) judge(f *fit, coefficients int) {
	means := 0.0
	for i, p := range d.counts {
		y, mean := f.line(p), 0.0
		for _, time := range d.times[i] {
			f.squares += d.weight[i] * (time - y) * (time - y)
			mean += time / float64(len(d.times[i]))
		}
		means += float64(len(d.times[i])) * d.weight[i] * (mean - y) * (mean - y)
	}
	freedom := d.runs - coefficients
	f.variance = max(f.squares/float64(freedom), means/float64(len(d.counts)-coefficients))
	f.quantile = noise.Student(freedom)
}

// each calls visit with each sample of the counts that are not left out.
func (d *weighed) each(without []bool, visit func(count int, time float64)) {
	for i := range d.counts {
		if without != nil && without[i] {
			continue
		}
		for _, y := range d.times[i] {
			visit(i, y)
		}
	}
}

// cross returns the relative error of the prediction of each count from the others.
func (d *weighed) cross(t Term) float64 {
	var squares float64
	without := make([]bool, len(d.counts))
	for i, p := range d.counts {
		without[i] = true
		y := d.fit(t, without).line(p)
		without[i] = false
		var mean float64
		for _, time := range d.times[i] {
			mean += time / float64(len(d.times[i]))
		}
		squares += d.weight[i] * (mean - y) * (mean - y)
	}
	return math.Sqrt(squares / float64(len(d.counts)))
}

func (f *fit) x(p float64) float64 {
	if f.term == (Term{}) {
		return 0
	}
	return f.term.at(p) / f.scale
}

func (f *fit) line(p float64) float64 { return f.level + f.slope*(f.x(p)-f.middle) }

// at returns the value for p, and half of the width of its interval.
func (f *fit) at(p float64) (value, half float64) {
	part := 1 / f.weight
	if f.spread > 0 {
		x := f.x(p) - f.middle
		part += x * x / f.spread
	}
	return f.line(p), f.quantile * math.Sqrt(f.variance*part)
}

// half returns half of the width of the slope's interval.
func (f *fit) half() float64 { return f.quantile * math.Sqrt(f.variance/f.spread) }

// grows reports whether the slope differs from 0 by more than the noise.
func (f *fit) grows() bool { return math.Abs(f.slope) > f.half() }

// better reports whether f predicts better than a constant does, and its slope is beyond the noise.
func (f *fit) better(level *fit) bool {
	return f.missed < level.missed && level.missed > exact && f.grows()
}

// rivals reports whether f explains the samples as well as the chosen fit does: the test of the
// likelihood ratio does not reject it with 95 %.
func (f *fit) rivals(chosen *fit, samples int) bool {
	const quantile = 3.841 // of the chi-square distribution with one degree of freedom
	least := exact * exact * float64(samples)
	ratio := max(f.squares, least) / max(chosen.squares, least)
	return float64(samples)*math.Log(ratio) < quantile
}
