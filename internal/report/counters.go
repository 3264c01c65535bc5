package report

import (
	"math"
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// FewCounts marks rows of counters that are hints.
const FewCounts = " (not trustworthy: too short)"

// counters is the table of what threads counted while they worked in each path.
func (o *Run) counters(r *analysis.Result) table {
	t := table{title: "Counters, of work", head: []string{"time", "samples"}}
	t.head = append(t.head, r.Counters...)
	for _, f := range r.Figures(&analysis.Counts{Values: make([]float64, len(r.Counters))}) {
		t.head = append(t.head, f.Name)
	}
	t.head = append(t.head, "path")
	most := r.MostBandwidth()
	rows := 0
	for _, group := range o.paths(r) {
		q := group[0].path
		all := q.Counted(-1)
		if all == nil {
			continue
		}
		if rows++; o.Top > 0 && rows > o.Top {
			t.hidden++
			continue
		}
		name := strings.Repeat("  ", group[0].depth) + q.Region.String()
		if hint := r.MemoryBound(all, most); hint != "" {
			name += " (" + hint + ")"
		}
		t.rows = append(t.rows, countsRow(r, all, name))
		for i := range r.Threads {
			if c := q.Counted(i); o.Threads && c != nil {
				t.rows = append(t.rows, countsRow(r, c,
					strings.Repeat("  ", group[0].depth+1)+r.ThreadName(i)))
			}
		}
	}
	return t
}

func countsRow(r *analysis.Result, c *analysis.Counts, name string) []string {
	row := []string{analysis.Duration(c.Time), analysis.Count(c.Samples)}
	for _, v := range c.Values {
		row = append(row, analysis.Count(int64(math.Round(v))))
	}
	for _, f := range r.Figures(c) {
		text := "-"
		if !math.IsNaN(f.Value) {
			text = strconv.FormatFloat(f.Value, 'f', 2, 64)
		}
		row = append(row, text)
	}
	if !r.Trustworthy(c) {
		name += FewCounts
	}
	return append(row, name)
}

// countsJSON are the counts of a path, of one thread that worked there.
type countsJSON struct {
	Thread      int                `json:"thread"`
	Time        int64              `json:"time_ns"`
	Samples     int64              `json:"samples"`
	Trustworthy bool               `json:"trustworthy"`
	Values      map[string]float64 `json:"values"`
	Figures     map[string]float64 `json:"figures,omitempty"`
}

// countsToJSON returns the counts of a path by thread.
func countsToJSON(r *analysis.Result, q *analysis.Path) []countsJSON {
	var all []countsJSON
	for i := range r.Threads {
		c := q.Counted(i)
		if c == nil {
			continue
		}
		j := countsJSON{
			Thread: i, Time: c.Time, Samples: c.Samples, Trustworthy: r.Trustworthy(c),
			Values: map[string]float64{}, Figures: map[string]float64{},
		}
		for k, v := range c.Values {
			j.Values[r.Counters[k]] = v
		}
		for _, f := range r.Figures(c) {
			if !math.IsNaN(f.Value) {
				j.Figures[f.Name] = f.Value
			}
		}
		all = append(all, j)
	}
	return all
}

// EachMemoryBound calls do for each path whose work seems bound by memory, with the reason.
func (o *Run) EachMemoryBound(r *analysis.Result,
	do func(q *analysis.Path, c *analysis.Counts, hint string),
) {
	most := r.MostBandwidth()
	for _, q := range r.Paths {
		c := q.Counted(-1)
		if c == nil || float64(c.Time) < o.Share*float64(r.Total()) {
			continue
		}
		if hint := r.MemoryBound(c, most); hint != "" {
			do(q, c, hint)
		}
	}
}

// memoryBound returns the rows of findings about work that seems bound by memory. Its time is no
// loss, so these rows follow the losses.
func (o *Run) memoryBound(r *analysis.Result) [][]string {
	var rows [][]string
	o.EachMemoryBound(r, func(q *analysis.Path, c *analysis.Counts, hint string) {
		rows = append(rows, []string{
			analysis.Duration(c.Time), percent(c.Time, r.Total()),
			q.Region.String() + ": work seems " + hint,
		}, []string{"", "", "  advice: " + analysis.MemoryAdvice})
	})
	return rows
}
