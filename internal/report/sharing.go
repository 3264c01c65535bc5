package report

import (
	"encoding/csv"
	"strconv"

	"opari/internal/analysis"
)

// EachSharing calls do for each path in which threads seem to disturb each other's caches. Their
// time is that of work at such data, which is no loss as a whole.
func (o *Run) EachSharing(r *analysis.Result, do func(*analysis.Path, *analysis.Sharing)) {
	for _, q := range r.Paths {
		if s := r.Sharing(q); s != nil && float64(s.Time(r)) >= o.Share*float64(r.Total()) {
			do(q, s)
		}
	}
}

// falseSharing returns the rows of findings about false sharing. They follow the losses.
func (o *Run) falseSharing(r *analysis.Result) [][]string {
	var rows [][]string
	o.EachSharing(r, func(q *analysis.Path, s *analysis.Sharing) {
		rows = append(rows, []string{
			analysis.Duration(s.Time(r)), percent(s.Time(r), r.Total()),
			q.Region.String() + ": work seems slowed by " + s.Describe(r),
		}, []string{"", "", "  advice: " + analysis.SharingAdvice})
	})
	return rows
}

// sharingCSV writes a row for each path with false sharing.
func (o *Run) sharingCSV(c *csv.Writer, r *analysis.Result) {
	o.EachSharing(r, func(q *analysis.Path, s *analysis.Sharing) {
		_ = c.Write([]string{
			"hint", "false-sharing", s.Describe(r), q.File, strconv.Itoa(q.Line), "all",
			strconv.FormatInt(s.Samples, 10), strconv.FormatInt(s.Time(r), 10),
			"", "", "", "", "", "",
		})
	})
}

// sharingJSON is what samples say of false sharing in a path, a heuristic.
type sharingJSON struct {
	Text    string     `json:"text"`
	Advice  string     `json:"advice"`
	Time    int64      `json:"time_ns"` // of work at such data
	Samples int64      `json:"samples"`
	Threads []int      `json:"threads"`
	Lines   int        `json:"cache_lines"`
	Apart   int        `json:"bytes_apart"` // the least between two threads
	Codes   []codeJSON `json:"code"`
}

// codeJSON is a place in the code at which the data is used, and how many samples stand there.
type codeJSON struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Samples  int64  `json:"samples"`
}

func sharingToJSON(r *analysis.Result, q *analysis.Path) *sharingJSON {
	s := r.Sharing(q)
	if s == nil {
		return nil
	}
	j := &sharingJSON{
		Text: s.Describe(r), Advice: analysis.SharingAdvice, Time: s.Time(r), Samples: s.Samples,
		Threads: s.Threads, Lines: s.Lines, Apart: s.Apart, Codes: []codeJSON{},
	}
	for _, c := range s.Codes {
		j.Codes = append(j.Codes, codeJSON{c.Function, c.File, c.Line, c.Self})
	}
	return j
}
