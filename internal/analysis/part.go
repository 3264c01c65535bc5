package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Window is the part of a run that is analysed. Events before it happen at its begin and events
// after it at its end, so threads are in the regions that they are in, and all time is inside.
type Window struct{ From, To Edge }

// Edge is a time since the begin of a run, or a share of it. The zero value is no edge.
type Edge struct {
	text  string
	time  int64   // ns
	share float64 // of the run
}

// ParseEdge reads a time with its unit, such as 1.5s, or a percentage of the run.
func ParseEdge(text string) (Edge, error) {
	if number, is := strings.CutSuffix(text, "%"); is {
		share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(share >= 0 && share <= 100) {
			return Edge{}, fmt.Errorf("%q is no percentage from 0%% to 100%%", text)
		}
		return Edge{text: text, share: share / 100}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || text == "0" {
		return Edge{}, fmt.Errorf("%q is no time since the begin of the run: give it a unit, such "+
			"as 1.5s, 300ms or 25%%", text)
	}
	return Edge{text: text, time: int64(d)}, nil
}

// at returns the edge in a run of that length.
func (e *Edge) at(length int64) int64 { return e.time + int64(e.share*float64(length)) }

// WindowError is the error for a window that a run does not have.
type WindowError struct{ What string }

// Span is a window on the clock of a trace, in ns.
type Span struct{ From, To int64 }

// Span returns the window in a run.
func (w *Window) Span(first, last int64) (Span, error) {
	s := Span{first, last}
	if w.From.text != "" {
		s.From += w.From.at(last - first)
	}
	if w.To.text != "" {
		s.To = min(last, first+w.To.at(last-first))
	}
	switch {
	case s.From >= last:
		return s, &WindowError{fmt.Sprintf("the window begins at %s, and the run ends at %s",
			Duration(s.From-first), Duration(last-first))}
	case s.From >= s.To:
		return s, &WindowError{fmt.Sprintf("the window begins at %s and ends at %s: there is "+
			"nothing in it", Duration(s.From-first), Duration(s.To-first))}
	}
	return s, nil
}

// Within returns a time of an event, or the edge of the window that it is beyond.
func (s *Span) Within(now int64) int64 { return min(max(now, s.From), s.To) }

// Part is the part of a run that a result is of. Times are in ns since the begin of the run.
type Part struct {
	From, To, Length int64
	Cut              int64 // visits of regions that an edge cuts
	// Region is the region that the result is of, and All the processor time without that limit.
	Region string
	All    int64
}

// lines describes the part for people.
func (p *Part) lines(r *Result) []string {
	var all []string
	if p.Length > 0 {
		text := fmt.Sprintf("window: %s to %s of %s", Duration(p.From), Duration(p.To),
			Duration(p.Length))
		if p.Cut > 0 {
			text += fmt.Sprintf("; visits cut by its edges, which count with their part inside: "+
				"%d; where these are many, means are unsure", p.Cut)
		}
		all = append(all, text)
	}
	if p.Region != "" {
		all = append(all, fmt.Sprintf("within %s: %s of %s of processor time", p.Region,
			Duration(r.Total()), Duration(p.All)))
	}
	return all
}

// Within limits the result to a region and what is inside of it. name is a region as in findings
// ("a.c:12 for"), its place or its name. Times that the region is to blame for count, wherever
// threads waited. Paths outside stay, without times.
func (r *Result) Within(name string) error {
	inside := make([]bool, len(r.Paths))
	found := false
	for i, q := range r.Paths {
		inside[i] = q.Is(name) || q.Parent != nil && inside[q.Parent.ID]
		found = found || inside[i]
	}
	if !found {
		return r.noRegion(name)
	}
	part := &Part{}
	if r.Part != nil {
		part = r.Part
	}
	part.Region, part.All = Printable(name), r.Total()
	var time int64
	for i, q := range r.Paths {
		if inside[i] {
			time += q.Severity(Time, -1)
			continue
		}
		*q = Path{
			Region: q.Region, ID: q.ID, Parent: q.Parent, Children: q.Children, Team: q.Team,
			folded: q.folded, Visits: make([]Visit, len(q.Visits)),
		}
	}
	if time == 0 {
		return errors.New("no time was spent within " + part.Region)
	}
	blame := r.Blame[:0]
	for _, b := range r.Blame {
		if inside[b.Waiter.ID] {
			blame = append(blame, b)
		}
	}
	r.Blame, r.Part, r.reserved = blame, part, time
	return nil
}

// noRegion is the error for a region that is not in the result. It names those with most time.
func (r *Result) noRegion(name string) error {
	const shown = 5
	best := slices.Clone(r.Paths[1:])
	slices.SortStableFunc(best, func(a, b *Path) int {
		return cmp.Compare(b.Inclusive(Time, -1), a.Inclusive(Time, -1))
	})
	var names []string
	for _, q := range best {
		if text := q.Region.String(); len(names) < shown && !slices.Contains(names, text) {
			names = append(names, text)
		}
	}
	return fmt.Errorf("no region is called %q or is at that place; those with most time are: %s",
		name, strings.Join(names, ", "))
}

func (e *WindowError) Error() string { return e.What }
