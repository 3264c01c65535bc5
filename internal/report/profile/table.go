package profile

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/omp"
	"opari/internal/report/layout"
	"opari/internal/report/summary"
)

// Layout is the size of a printed table.
type Layout struct {
	Width int // columns of the terminal; Table uses at least MinWidth
	Top   int // largest number of rows; 0: all
}

// column is a column of numbers. Table omits it if no row has a number there.
type column struct {
	title string
	cell  func(*Row) string
}

var columns = []column{
	{"lost", func(r *Row) string { return analysis.Duration(r.Lost) }},
	{"time", func(r *Row) string { return analysis.Duration(r.Time) }},
	{"body", func(r *Row) string { return analysis.Duration(r.Body) }},
	{"barrier", func(r *Row) string { return analysis.Duration(r.Barrier) }},
	{"wait", func(r *Row) string { return analysis.Duration(r.Wait) }},
	{"hold", func(r *Row) string { return analysis.Duration(r.Hold) }},
	{"imbal", func(r *Row) string {
		if r.Imbalance == 0 {
			return "-"
		}
		return strconv.FormatFloat(r.Imbalance, 'f', 2, 64)
	}},
	{"ranks", func(r *Row) string {
		if r.RankImbalance == 0 {
			return "-"
		}
		return strconv.FormatFloat(r.RankImbalance, 'f', 2, 64)
	}},
	{"count", func(r *Row) string { return analysis.Count(r.Count) }},
}

// Table prints p as a table, with its efficiency and notes above and upper bounds below.
func (p *Profile) Table(w io.Writer, l Layout) error {
	var b strings.Builder
	lost := p.LostTime()
	head := fmt.Sprintf(": %s wall time, %d threads", analysis.Duration(p.Wall), p.Threads)
	if p.Ranks > 0 {
		head = fmt.Sprintf(": %s wall time, %d ranks, %d threads", analysis.Duration(p.Wall),
			p.Ranks, p.Threads)
	}
	if total := p.Wall * int64(p.Threads); total > 0 {
		head += fmt.Sprintf(", lost %s (%.1f %%)", analysis.Duration(lost),
			100*float64(lost)/float64(total))
	}
	b.WriteString(layout.ShortenLeft(summary.ProgramName(p.Program), max(12, l.Width-len(head))) +
		head + "\n")
	r := p.Result()
	if line := summary.EfficiencyLine(r); line != "" {
		b.WriteString(layout.Wrapped(line, 0, max(l.Width, layout.MinWidth)) + "\n")
	}
	for _, note := range p.notes() {
		b.WriteString(layout.Wrapped(note, 0, max(l.Width, layout.MinWidth)) + "\n")
	}
	rows := p.Rows()
	more := 0
	if l.Top > 0 && len(rows) > l.Top {
		more = len(rows) - l.Top
		rows = rows[:l.Top]
	}
	if len(rows) == 0 {
		b.WriteString("no instrumented region was executed\n")
	} else {
		b.WriteString("\n")
		grid(&b, rows, max(l.Width, layout.MinWidth))
	}
	if more > 0 {
		fmt.Fprintf(&b, "... and %d more regions (--top=0 shows all)\n", more)
	}
	b.WriteString(bounds(r, max(l.Width, layout.MinWidth)))
	targets(&b, rows, max(l.Width, layout.MinWidth))
	_, err := io.WriteString(w, b.String())
	return err
}

// bounds names the waits of the table that are mostly the cost of measuring them. It returns ""
// if there are none.
func bounds(r *analysis.Result, width int) string {
	const shown, share = 3, 0.005
	var places []string
	for _, f := range finding.Of(r, share) {
		if place := f.Region.String(); f.UpperBound && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	if len(places) == 0 {
		return ""
	}
	text := strings.Join(places[:min(shown, len(places))], ", ")
	if more := len(places) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	text = fmt.Sprintf("Upper bound, most of it is the cost of measuring (%s): the waiting in %s",
		r.Recording(), text)
	return "\n" + layout.Wrapped(text, 2, width) + "\n"
}

// grid prints rows in width columns: numbers right-aligned, then construct and place, which
// share the remaining width.
func grid(b *strings.Builder, rows []Row, width int) {
	var cells [][]string
	var titles []string
	var widths []int
	used := 0
	for _, c := range columns {
		cell, wide, any := make([]string, len(rows)), len(c.title), false
		for i := range rows {
			cell[i] = c.cell(&rows[i])
			wide = max(wide, len(cell[i]))
			any = any || cell[i] != "0" && cell[i] != "-"
		}
		if any || c.title == "lost" {
			cells, titles, widths = append(cells, cell), append(titles, c.title),
				append(widths, wide)
			used += wide + 1
		}
	}
	construct, place := "construct", "place"
	constructs, places := make([]string, len(rows)), make([]string, len(rows))
	cw, pw := len(construct), len(place)
	for i := range rows {
		constructs[i], places[i] = rows[i].construct(), rows[i].place()
		cw, pw = max(cw, utf8.RuneCountInString(constructs[i])),
			max(pw, utf8.RuneCountInString(places[i]))
	}
	if rest := width - used - 1; cw+pw > rest {
		pw = min(pw, max(8, rest-10)) // the place matters more than the end of a long construct
		cw = max(9, rest-pw)
	}
	line := func(get func(int) string, construct, place string) {
		for i, w := range widths {
			fmt.Fprintf(b, "%*s ", w, get(i))
		}
		c := layout.ShortenRight(construct, cw)
		b.WriteString(c + strings.Repeat(" ", cw-utf8.RuneCountInString(c)) + " " +
			layout.ShortenLeft(place, pw) + "\n")
	}
	line(func(i int) string { return titles[i] }, construct, place)
	for r := range rows {
		line(func(i int) string { return cells[i][r] }, constructs[r], places[r])
	}
}

// construct returns the region's name with the user's name, or the routine for a lock call. The
// parts of a combined directive have the same place, and each has its own name.
func (r *Region) construct() string {
	switch {
	case r.SubName == "":
		return r.Name
	case r.Kind == omp.KindLock || r.Kind == omp.KindNestLock:
		return strings.TrimPrefix(r.SubName, "omp_")
	}
	return r.Name + "(" + r.SubName + ")"
}

// place returns the region's file and line. They are unknown for lock routines that Fortran
// calls.
func (r *Region) place() string {
	if r.File == "" {
		return "-"
	}
	return filepath.Clean(r.File) + ":" + strconv.Itoa(r.Begin[0])
}

// jsonProfile is a profile with rows in place of regions.
type jsonProfile struct {
	*Profile
	LostTime   int64                   `json:"lost_ns"`
	Efficiency *summary.EfficiencyJSON `json:"efficiency,omitempty"` // nil: a run of one thread
	Regions    []jsonRow               `json:"regions"`
}

// jsonRow is a row with its threads. For several processes, each thread has its rank and its
// number within the rank.
type jsonRow struct {
	Row
	Threads any `json:"threads"`
}

type rankSample struct {
	Rank int `json:"rank"`
	Sample
}

// JSON prints all of p, with regions in the order of the table.
func (p *Profile) JSON(w io.Writer) error {
	out := jsonProfile{Profile: p, LostTime: p.LostTime(), Regions: []jsonRow{}}
	if r := p.Result(); summary.EfficiencyLine(r) != "" {
		e := summary.EfficiencyToJSON(r)
		out.Efficiency = &e
	}
	for _, r := range p.Rows() {
		row := jsonRow{r, r.Samples}
		if p.members != nil {
			row.Threads = p.byRank(r.Samples)
		}
		out.Regions = append(out.Regions, row)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

// byRank renumbers the threads of samples within their ranks.
func (p *Profile) byRank(samples []Sample) []rankSample {
	all := make([]rankSample, 0, len(samples))
	m := 0
	for _, s := range samples {
		for s.Thread >= p.members[m].first+p.members[m].threads {
			m++
		}
		s.Thread -= p.members[m].first
		all = append(all, rankSample{p.members[m].rank, s})
	}
	return all
}
