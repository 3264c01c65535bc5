package scaling

import (
	"errors"
	"fmt"
	"path/filepath"
)

// These select what Below judges, as report.OnRun and report.OnRegions do for a comparison. Any
// other text is a pattern of filepath.Match for regions, such as "for a.c:19" or "for *".
const (
	onRun     = "run"
	onRegions = "regions"
)

// Below returns a line for each efficiency that is below a limit by more than the noise, at a
// count within the machine's processors. It judges no region that has less than Share of the wall
// time. A pattern that no region matches is an error, and so are runs without such a count.
func (s *Study) Below(limit float64, on ...string) ([]string, error) {
	var below []string
	judged := map[string]bool{}
	judge := func(name string, p *Point, e Estimate) {
		value := e.Value
		if e.High != nil {
			value = *e.High
		}
		if key := name + " " + p.Count.String(); value < limit && !judged[key] {
			judged[key] = true
			text := fmt.Sprintf("%s with %s: efficiency %s", name, p.Count.Words(), e)
			if e.High != nil {
				text += " (" + e.Interval() + ")"
			}
			below = append(below, text)
		}
	}
	some := false
	for i := range s.Points[1:] {
		some = some || !s.Points[i+1].Over
	}
	if !some {
		return nil, errors.New("all counts but the smallest have more threads than there are " +
			"processors: there is nothing to judge")
	}
	for _, what := range on {
		if what == onRun {
			for i := range s.Points[1:] {
				if p := &s.Points[i+1]; !p.Over {
					judge("the run", p, p.Efficiency)
				}
			}
			continue
		}
		if err := s.eachMatch(what, judge); err != nil {
			return nil, err
		}
	}
	return below, nil
}

// eachMatch judges the regions that a pattern selects.
func (s *Study) eachMatch(what string, judge func(string, *Point, Estimate)) error {
	some := what == onRegions
	for _, g := range s.Regions {
		if what != onRegions {
			matched, err := filepath.Match(what, g.Name)
			if err != nil {
				return fmt.Errorf("%q is no pattern: %w", what, err)
			}
			if !matched {
				continue
			}
		}
		some = true
		for i := range s.Points[1:] {
			p, q := &s.Points[i+1], g.Points[i+1]
			if !p.Over && q.Efficiency != nil && q.Wall >= Share*p.Wall {
				judge(g.Name, p, *q.Efficiency)
			}
		}
	}
	if !some {
		return fmt.Errorf("no region is called %q", what)
	}
	return nil
}
