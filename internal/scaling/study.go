package scaling

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"opari/internal/analysis"
	"opari/internal/noise"
)

// Share is a part of the processor time. A smaller one is not worth a line.
const Share = 0.005

// matters is the smallest relative change of a time that is a growth. Among many times, the noise
// of some is above their interval.
const matters = 0.05

// unknown is the smallest relative difference that means something where each count has one run,
// so that the noise is unknown.
const unknown = 0.10

// Study says what more processors bring a program. Times are in ns, and medians of runs.
type Study struct {
	Version    int     `json:"opari_scale"`
	Program    string  `json:"program"`
	Processors int     `json:"processors,omitempty"` // of the machine; 0: unknown
	Least      float64 `json:"least_gain"`
	NoiseKnown bool    `json:"noise_known"`
	// Pays is the largest count up to which each step pays, and Why says what is beyond.
	Pays  Count    `json:"pays_up_to"`
	Why   string   `json:"why"`
	Notes []string `json:"notes,omitempty"`
	// Reference is the largest count within the machine's processors: Growth is from the
	// smallest count to this one.
	Reference Count    `json:"reference"`
	Points    []Point  `json:"counts"`
	Factors   []Factor `json:"factors"`
	Growth    []Growth `json:"growth"`
	Regions   []Region `json:"regions"`
	Trend     Trend    `json:"run"`
}

// Estimate is a number with the interval in which it lies with a confidence of 95 %; nil: the
// noise is unknown.
type Estimate struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// Point is a count with its runs.
type Point struct {
	Count      Count    `json:"count"`
	Processors int      `json:"processors"`
	Runs       int      `json:"runs"`
	Wall       float64  `json:"wall_ns"`
	Speedup    Estimate `json:"speedup"`
	Efficiency Estimate `json:"efficiency"`
	// Gain is what the step from the count before brings: the speedup that it adds, over the
	// speedup that as many ideal processors would add. It is nil without a step.
	Gain *Estimate `json:"gain,omitempty"`
	// Over says that there are more threads than processors. What they take says nothing of a
	// machine that has as many.
	Over bool `json:"more_than_processors,omitempty"`

	runs []*Run
}

// Region is a region with its times by count. The time excludes nested regions and includes the
// waiting that the region is to be blamed for.
type Region struct {
	Name   string        `json:"name"` // with its place
	File   string        `json:"file,omitempty"`
	Line   int           `json:"line,omitempty"`
	Points []RegionPoint `json:"counts"`
	Trend
}

// RegionPoint is a region at a count. Efficiency and speedup are nil if it takes no time with the
// smallest count, or with this.
type RegionPoint struct {
	Time       float64   `json:"processor_ns"`
	Wall       float64   `json:"wall_ns"` // Time over the number of processors
	Speedup    *Estimate `json:"speedup,omitempty"`
	Efficiency *Estimate `json:"efficiency,omitempty"`
}

// Options are what the user asks of a study.
type Options struct {
	Processors int     // of the machine; 0: what the runs say
	Least      float64 // a step with less gain does not pay
}

// New studies runs, of which there are two counts at least.
func New(runs []Run, o Options) (*Study, error) {
	s := &Study{Version: 1, Program: runs[0].Program, Processors: o.Processors, Least: o.Least}
	for i := range runs {
		r := &runs[i]
		if r.Wall <= 0 {
			return nil, fmt.Errorf("a run with %s has no time", r.Count.Words())
		}
		if r.Sums != runs[0].Sums {
			return nil, fmt.Errorf("some of these runs are traces and some are profiles, which " +
				"do not have the same properties")
		}
		at := slices.IndexFunc(s.Points, func(p Point) bool { return p.Count == r.Count })
		if at < 0 {
			at = len(s.Points)
			s.Points = append(s.Points, Point{Count: r.Count, Processors: r.Count.Processors()})
		}
		s.Points[at].runs = append(s.Points[at].runs, r)
		if o.Processors == 0 {
			s.Processors = max(s.Processors, r.Processors)
		}
	}
	if len(s.Points) < 2 {
		return nil, fmt.Errorf("all runs have %s: a second number shows how the program scales",
			s.Points[0].Count.Words())
	}
	slices.SortFunc(s.Points, func(a, b Point) int { return a.Count.compare(b.Count) })
	s.measure()
	s.stop()
	s.notes()
	s.factors()
	s.grow()
	s.regions()
	s.Trend = s.trend(func(r *Run) float64 { return r.reserved() })
	return s, nil
}

// base returns the point with the smallest count.
func (s *Study) base() *Point { return &s.Points[0] }

// reference returns the point of the largest count that has a processor for each thread. Where
// none but the smallest has, it is the largest count.
func (s *Study) reference() *Point {
	for i := len(s.Points) - 1; i > 0; i-- {
		if !s.Points[i].Over {
			return &s.Points[i]
		}
	}
	return &s.Points[len(s.Points)-1]
}

// values returns a time of all runs of a point.
func (p *Point) values(time func(*Run) float64) []float64 {
	all := make([]float64, len(p.runs))
	for i, r := range p.runs {
		all[i] = time(r)
	}
	return all
}

func median(values []float64) float64 {
	return noise.Median(slices.Sorted(slices.Values(values)))
}

// Ratio estimates a/b of the times of two counts; nil if some are not positive. It compares
// logarithms, since noise is a part of the time.
func Ratio(a, b []float64) *Estimate {
	logs := func(values []float64) []float64 {
		all := make([]float64, len(values))
		for i, v := range values {
			all[i] = math.Log(v)
		}
		return all
	}
	if slices.Min(a) <= 0 || slices.Min(b) <= 0 {
		return nil
	}
	value, low, high, known := noise.Shift(logs(b), logs(a))
	e := &Estimate{Value: math.Exp(value)}
	if known {
		low, high = math.Exp(low), math.Exp(high)
		e.Low, e.High = &low, &high
	}
	return e
}

// Times returns the estimate times a positive factor.
func (e Estimate) Times(factor float64) Estimate {
	return e.mapped(func(x float64) float64 { return x * factor })
}

func (e Estimate) mapped(f func(float64) float64) Estimate {
	out := Estimate{Value: f(e.Value)}
	if e.Low != nil {
		low, high := f(*e.Low), f(*e.High)
		out.Low, out.High = &low, &high
	}
	return out
}

// measure sets speedups, efficiencies and gains.
func (s *Study) measure() {
	wall := func(r *Run) float64 { return float64(r.Wall) }
	first := s.base()
	one := first.values(wall)
	for i := range s.Points {
		p := &s.Points[i]
		walls := p.values(wall)
		p.Runs, p.Wall = len(p.runs), median(walls)
		s.NoiseKnown = s.NoiseKnown || p.Runs > 1
		p.Over = s.Processors > 0 && p.Processors > s.Processors
		if i == 0 {
			p.Speedup, p.Efficiency = Estimate{Value: 1}, Estimate{Value: 1}
			continue
		}
		p.Speedup = *Ratio(one, walls)
		p.Efficiency = p.Speedup.Times(float64(first.Processors) / float64(p.Processors))
		before := &s.Points[i-1]
		if more := p.Processors - before.Processors; more > 0 {
			step := Ratio(before.values(wall), walls)
			gain := step.mapped(func(r float64) float64 {
				return before.Speedup.Value * (r - 1) * float64(first.Processors) / float64(more)
			})
			p.Gain = &gain
		}
	}
	s.Reference = s.reference().Count
}

// stop finds the count beyond which a step does not pay.
func (s *Study) stop() {
	s.Pays = s.base().Count
	for i := range s.Points[1:] {
		p := &s.Points[i+1]
		switch {
		case p.Over:
			s.Why = fmt.Sprintf("that is all of this machine's %s", s.machine())
			return
		case p.Gain == nil:
			continue // as many processors as before: nothing is added
		case p.Gain.Value < s.Least:
			s.Why = fmt.Sprintf("the step to %s gains %.2f of what ideal processors would, less "+
				"than %.2f", p.Count.Words(), p.Gain.Value, s.Least)
			return
		case p.Gain.Low != nil && *p.Gain.Low <= 0:
			s.Why = fmt.Sprintf("what the step to %s gains is within the noise", p.Count.Words())
			return
		case p.Gain.Low == nil && s.Points[i].Wall < p.Wall*(1+unknown):
			s.Why = fmt.Sprintf("the step to %s gains less than %.0f %%, and with one run the "+
				"noise is unknown", p.Count.Words(), 100*unknown)
			return
		}
		s.Pays = p.Count
	}
	s.Why = "more has not been measured"
}

// machine returns the number of the machine's processors for a sentence.
func (s *Study) machine() string {
	if s.Processors == 1 {
		return "1 processor"
	}
	return strconv.Itoa(s.Processors) + " processors"
}

// notes says what a reader must know to trust the numbers.
func (s *Study) notes() {
	note := func(format string, a ...any) {
		if text := fmt.Sprintf(format, a...); !slices.Contains(s.Notes, text) {
			s.Notes = append(s.Notes, text)
		}
	}
	if s.Processors == 0 {
		note("the runs do not say how many processors there were (--processors=N does)")
	}
	for _, p := range s.Points {
		if p.Over {
			note("%s: more threads than this machine's %s: measured, not scaling",
				p.Count.Words(), s.machine())
		}
		slowest := p.runs[0]
		for _, r := range p.runs {
			if filepath.Base(r.Program) != filepath.Base(s.Program) {
				note("a run with %s is of %s", p.Count.Words(), filepath.Base(r.Program))
			}
			if r.Had != r.Count {
				note("asked for %s, the program had %s", p.Count.Words(), r.Had.Words())
			}
			if r.Wall > slowest.Wall {
				slowest = r
			}
		}
		for _, text := range slowest.Notes {
			switch {
			case s.ofAll(text):
				note("all runs: %s", text)
			case !p.Over: // that such threads wait for processors is no news
				which := "the slowest run"
				if len(p.runs) == 1 {
					which = "the run"
				}
				note("%s with %s: %s", which, p.Count.Words(), text)
			}
		}
	}
	if !s.NoiseKnown {
		note("one run of each count: the noise is unknown (--repeat=5 shows it)")
	}
}

// ofAll reports whether all runs have a note.
func (s *Study) ofAll(text string) bool {
	for _, p := range s.Points {
		for _, r := range p.runs {
			if !slices.Contains(r.Notes, text) {
				return false
			}
		}
	}
	return true
}

// regions compares the regions, those with most wall time at the reference first.
func (s *Study) regions() {
	seen := map[analysis.Region]bool{}
	var keys []analysis.Region
	for _, p := range s.Points {
		for _, r := range p.runs {
			for c := range r.times {
				if !seen[c.region] {
					seen[c.region] = true
					keys = append(keys, c.region)
				}
			}
		}
	}
	at := slices.IndexFunc(s.Points, func(p Point) bool { return p.Count == s.Reference })
	for _, key := range keys {
		s.Regions = append(s.Regions, s.region(key))
	}
	slices.SortFunc(s.Regions, func(a, b Region) int {
		return cmp.Or(cmp.Compare(b.Points[at].Wall, a.Points[at].Wall),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File))
	})
}

func (s *Study) region(key analysis.Region) Region {
	g := Region{Name: nameOf(key), File: key.File, Line: key.Line}
	time := func(r *Run) float64 { return r.at(key) }
	one := s.base().values(time)
	for i := range s.Points {
		p := &s.Points[i]
		values := p.values(time)
		q := RegionPoint{Time: median(values)}
		q.Wall = q.Time / float64(p.Processors)
		if i == 0 && q.Time > 0 {
			q.Speedup, q.Efficiency = &Estimate{Value: 1}, &Estimate{Value: 1}
		} else if e := Ratio(one, values); e != nil && i > 0 {
			faster := e.Times(float64(p.Processors) / float64(s.base().Processors))
			q.Speedup, q.Efficiency = &faster, e
		}
		g.Points = append(g.Points, q)
	}
	g.Trend = s.trend(time)
	return g
}

// nameOf returns the name of a region with its place.
func nameOf(g analysis.Region) string {
	if place := g.Place(); place != "" {
		return g.Name + " " + place
	}
	return g.Name
}

// String returns the value with two digits behind the point.
func (e Estimate) String() string { return fmt.Sprintf("%.2f", e.Value) }

// Interval returns the bounds; "-" if the noise is unknown.
func (e Estimate) Interval() string {
	if e.Low == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f .. %.2f", *e.Low, *e.High)
}
