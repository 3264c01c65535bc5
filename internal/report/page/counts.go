package page

import (
	"math"

	"opari/internal/analysis"
	"opari/internal/report"
)

// pageCounts are the counters of a run.
type pageCounts struct {
	Names   []string   `json:"names"`
	Figures []string   `json:"figures"`
	Rows    []countRow `json:"rows"`
}

// countRow is what threads counted while they worked at a path. A figure is null where it would be
// a division by 0.
type countRow struct {
	Path    int        `json:"path"`
	Thread  int        `json:"thread"` // -1: all
	Time    int64      `json:"time"`
	Samples int64      `json:"samples"`
	Few     bool       `json:"few,omitempty"` // not trustworthy
	Hint    string     `json:"hint,omitempty"`
	Values  []float64  `json:"values"`
	Figures []*float64 `json:"figures"`
}

// pageHint is what may slow down work at a path. Its time is no loss as a whole.
type pageHint struct {
	Path   int        `json:"path"`
	Time   int64      `json:"time"`
	Share  float64    `json:"share"`
	Place  string     `json:"place"`
	Region string     `json:"region"`
	What   string     `json:"what"`
	Text   string     `json:"text"`
	Advice string     `json:"advice"`
	Codes  []hintCode `json:"codes,omitempty"`
}

// hintCode is a line of code at which samples stand.
type hintCode struct {
	pageCode
	Samples int64 `json:"samples"`
}

// addCounts adds the counters of a run: of each path the sum, and its threads if they are several.
func (p *pageJSON) addCounts(r *analysis.Result) {
	if len(r.Counters) == 0 {
		return
	}
	p.Counts = &pageCounts{Names: r.Counters, Figures: []string{}, Rows: []countRow{}}
	for _, f := range r.Figures(&analysis.Counts{Values: make([]float64, len(r.Counters))}) {
		p.Counts.Figures = append(p.Counts.Figures, f.Name)
	}
	most := r.MostBandwidth()
	for _, q := range r.Paths {
		for thread := -1; thread < len(r.Threads); thread++ {
			c := q.Counted(thread)
			if c == nil {
				continue
			}
			row := countRow{
				Path: q.ID, Thread: thread, Time: c.Time, Samples: c.Samples,
				Few: !r.Trustworthy(c), Figures: []*float64{},
			}
			if thread < 0 {
				row.Hint = r.MemoryBound(c, most)
			}
			for _, v := range c.Values {
				row.Values = append(row.Values, math.Round(v))
			}
			for _, f := range r.Figures(c) {
				var value *float64
				if !math.IsNaN(f.Value) {
					value = &f.Value
				}
				row.Figures = append(row.Figures, value)
			}
			p.Counts.Rows = append(p.Counts.Rows, row)
		}
	}
}

// addHints adds work that seems bound by memory or slowed by false sharing, as the findings of the
// other formats have it.
func (p *pageJSON) addHints(r *analysis.Result, find report.SourceFinder) {
	o := &report.Run{Share: PageShare}
	add := func(q *analysis.Path, time int64, what, advice string) *pageHint {
		p.Hints = append(p.Hints, pageHint{
			Path: q.ID, Time: time, Share: float64(time) / float64(r.Total()),
			Place: q.Region.Place(), Region: q.Region.Name, What: what,
			Text: q.Region.String() + ": " + what, Advice: advice,
		})
		return &p.Hints[len(p.Hints)-1]
	}
	o.EachMemoryBound(r, func(q *analysis.Path, c *analysis.Counts, hint string) {
		add(q, c.Time, "work seems "+hint, analysis.MemoryAdvice)
	})
	o.EachSharing(r, func(q *analysis.Path, s *analysis.Sharing) {
		h := add(q, s.Time(r), "work seems slowed by "+s.Describe(r), analysis.SharingAdvice)
		for _, c := range s.Codes {
			h.Codes = append(h.Codes, hintCode{
				pageCode{c.Function, c.File, c.Line, codeText(c.Code, find)}, c.Self,
			})
		}
	})
}
