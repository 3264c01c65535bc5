package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/report/layout"
	"opari/internal/report/summary"
)

// table is a table of a report in text and Markdown. Its last column is left-aligned.
type table struct {
	title  string
	head   []string
	rows   [][]string
	hidden int  // number of omitted rows
	prose  bool // wrap the last column at the terminal's width
}

// tables returns the requested tables of a report.
func (o *Run) tables(r *analysis.Result) []table {
	all := o.whatIfs()
	if o.wants("findings") {
		all = append(all, o.findings(r))
	}
	if o.wants("properties") {
		all = append(all, o.properties(r))
	}
	if list := o.balances(r); o.wants("balance") && list != nil {
		all = append(all, o.balanceTable(r, list))
	}
	if o.wants("efficiency") {
		all = append(all, o.efficiencies(r))
	}
	if o.wants("constructs") {
		all = append(all, o.profile(r, "Constructs", o.grouped(r, byConstruct),
			func(e *entry) string { return e.region.Name }))
	}
	if o.wants("regions") {
		all = append(all, o.profile(r, "Regions", o.grouped(r, byRegion),
			func(e *entry) string { return e.region.String() }))
	}
	if o.wants("paths") {
		all = append(all, o.profile(r, "Call paths", o.paths(r),
			func(e *entry) string { return strings.Repeat("  ", e.depth) + e.region.String() }))
	}
	if o.wants("threads") {
		all = append(all, o.threads(r))
	}
	if o.wants("lines") && (r.Rate > 0 || o.AllLines || len(o.Tables) == 1) {
		all = append(all, o.lines(r))
	}
	if o.wants("counters") && (len(r.Counters) > 0 || len(o.Tables) == 1) {
		all = append(all, o.counters(r))
	}
	return all
}

func percent(part, total int64) string {
	if total == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(part)/float64(total), 'f', 1, 64) + " %"
}

func (o *Run) findings(r *analysis.Result) table {
	t := table{title: "Findings", prose: true, head: []string{"time", "share", "what"}}
	all := finding.Groups(r, o.Share)
	row := func(time int64, text string) {
		t.rows = append(t.rows, []string{analysis.Duration(time), percent(time, r.Total()), text})
	}
	for i := range all {
		if o.Top > 0 && i == o.Top {
			t.hidden = len(all) - i
			break
		}
		g := &all[i]
		row(g.Time, g.String(r))
		t.rows = append(t.rows, []string{"", "", "  advice: " + g.Advice(r)})
		if len(g.Findings) == 1 {
			continue
		}
		for k, f := range g.Findings {
			if k >= shownOfGroup && f.Share < largeOfGroup && !o.Details {
				t.rows = append(t.rows, []string{"", "", fmt.Sprintf(
					"  ... and %d more (--details shows all)", len(g.Findings)-k)})
				break
			}
			row(f.Time, "  "+f.Where())
		}
	}
	t.rows = append(append(t.rows, o.memoryBound(r)...), o.falseSharing(r)...)
	return t
}

// The first findings of a group are shown, and those that are large; with Details all are.
const (
	shownOfGroup = 3
	largeOfGroup = 0.02 // of the processor time
)

func (o *Run) properties(r *analysis.Result) table {
	t := table{title: "Where the processor time went", head: []string{"time", "share"}}
	if o.Threads {
		for i := range r.Threads {
			t.head = append(t.head, r.ThreadName(i))
		}
	}
	t.head = append(t.head, "property")
	for p := range analysis.NumProperties {
		time := r.Sum(p, -1)
		if time == 0 || float64(time) < o.Share*float64(r.Total()) {
			continue
		}
		row := []string{analysis.Duration(time), percent(time, r.Total())}
		if o.Threads {
			for i := range r.Threads {
				row = append(row, analysis.Duration(r.Sum(p, i)))
			}
		}
		t.rows = append(t.rows, append(row, strings.Repeat("  ", p.Depth())+r.PropertyName(p)))
	}
	return t
}

func (o *Run) profile(r *analysis.Result, title string, groups [][]entry,
	name func(*entry) string,
) table {
	t := table{title: title, head: []string{
		"count", "exclusive", "inclusive", "min", "mean", "max",
		"lost", "blamed", "name",
	}}
	for i, rows := range groups {
		if o.Top > 0 && i == o.Top {
			t.hidden = len(groups) - i
			break
		}
		for j := range rows {
			e := &rows[j]
			title := name(e)
			if e.thread >= 0 {
				title = strings.Repeat(" ", len(title)-len(strings.TrimLeft(title, " "))) + "  " +
					r.ThreadName(e.thread)
			}
			t.rows = append(t.rows, []string{
				analysis.Count(e.Count), analysis.Duration(e.Excl), analysis.Duration(e.Incl),
				analysis.Duration(e.Min),
				analysis.Duration(e.mean()), analysis.Duration(e.Max), analysis.Duration(e.lost),
				analysis.Duration(e.blamed), title,
			})
		}
	}
	return t
}

// threads lists the locations. With several processes it also has rows for the machine, its
// nodes and its processes, each with the sums of its threads.
func (o *Run) threads(r *analysis.Result) table {
	t := table{title: "Threads", head: []string{"lifetime", "work", "OpenMP", "idle", "thread"}}
	mpi := r.Sum(analysis.MPI, -1) > 0
	if mpi {
		t.head = slices.Insert(t.head, 3, "MPI", "waiting in MPI")
	}
	off := r.Sum(analysis.OffCPU, -1) > 0
	if off {
		t.head = slices.Insert(t.head, len(t.head)-2, analysis.OffCPU.String())
	}
	all := r.Locations()
	for i := range all {
		l := &all[i]
		several := len(all) > len(r.Threads)+1
		if l.Parent < 0 && !several {
			continue
		}
		var life int64
		for _, n := range l.Threads {
			life += int64(r.Threads[n].End - r.Threads[n].Begin)
		}
		row := []string{
			analysis.Duration(life), analysis.Duration(r.SumAt(analysis.Execution, l)),
			analysis.Duration(r.SumAt(analysis.OpenMP, l)),
		}
		if mpi {
			in := r.SumAt(analysis.MPI, l)
			row = append(row, analysis.Duration(in),
				analysis.Duration(in-r.SumAt(analysis.MPICall, l)))
		}
		if off {
			row = append(row, analysis.Duration(r.SumAt(analysis.OffCPU, l)))
		}
		name := l.Name
		if several {
			name = strings.Repeat("  ", l.Depth) + name
		}
		t.rows = append(t.rows, append(row, analysis.Duration(r.SumAt(analysis.Idle, l)), name))
	}
	return t
}

// Text writes the report for a terminal.
func (o *Run) Text(w io.Writer, r *analysis.Result) error {
	var b strings.Builder
	for _, line := range summary.Heading(r) {
		b.WriteString(layout.Wrapped(line, 0, o.Width) + "\n")
	}
	for _, t := range o.tables(r) {
		b.WriteString("\n" + t.title + "\n")
		if len(t.rows) == 0 {
			b.WriteString("  none\n")
			continue
		}
		t.text(&b, o.Width)
		if t.hidden > 0 {
			fmt.Fprintf(&b, "  ... and %d more (--top=0 shows all)\n", t.hidden)
		}
	}
	if o.wants("source") {
		b.WriteString("\nSource\n" + cmp.Or(o.source(r), "  none\n"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *table) text(b *strings.Builder, width int) {
	widths := make([]int, len(t.head)-1)
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range append([][]string{t.head}, t.rows...) {
		used := 0
		for i, cell := range row[:len(widths)] {
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2) + cell)
			used += widths[i] + 2
		}
		last := row[len(widths)]
		if t.prose {
			last = layout.Wrapped(last, used+2, width)
		}
		b.WriteString("  " + last + "\n")
	}
}

// Markdown writes the report as Markdown.
func (o *Run) Markdown(w io.Writer, r *analysis.Result) error {
	var b strings.Builder
	for i, line := range summary.Heading(r) {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(layout.Markdown.Replace(line) + "\n")
	}
	for _, t := range o.tables(r) {
		b.WriteString("\n### " + t.title + "\n\n")
		if len(t.rows) == 0 {
			b.WriteString("None.\n")
			continue
		}
		b.WriteString("| " + strings.Join(t.head, " | ") + " |\n|" +
			strings.Repeat("---:|", len(t.head)-1) + ":---|\n")
		for _, row := range t.rows {
			last := len(row) - 1
			name := strings.TrimLeft(row[last], " ")
			indent := strings.Repeat("&nbsp;", len(row[last])-len(name))
			b.WriteString("| " + strings.Join(row[:last], " | ") + " | " + indent +
				layout.Markdown.Replace(name) + " |\n")
		}
		if t.hidden > 0 {
			fmt.Fprintf(&b, "\n%d more are not shown.\n", t.hidden)
		}
	}
	if o.wants("source") {
		b.WriteString("\n### Source\n\n~~~~\n" + cmp.Or(o.source(r), "  none\n") + "~~~~\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// CSV writes all tables as one, whose first column names the table of a row. Notes are rows
// that state what is missing. Times are in ns.
func (o *Run) CSV(w io.Writer, r *analysis.Result) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{
		"table", "kind", "name", "file", "line", "thread", "count", "exclusive_ns",
		"inclusive_ns", "min_ns", "mean_ns", "max_ns", "lost_ns", "blamed_ns",
	})
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	thread := func(i int) string {
		if i < 0 {
			return "all"
		}
		if r.Threads[i].Process != "" {
			return r.ThreadName(i)
		}
		return strconv.Itoa(i)
	}
	for _, note := range r.Notes() {
		_ = c.Write([]string{"note", "", note, "", "", "all", "", "", "", "", "", "", "", ""})
	}
	o.whatIfsCSV(c)
	if o.wants("findings") {
		for _, f := range finding.Of(r, o.Share) {
			_ = c.Write([]string{
				"finding", f.Property.Key(), f.Region.Name, f.Region.File,
				strconv.Itoa(f.Region.Line), "all", "", "", "", "", "", "", "", n(f.Time),
			})
			_ = c.Write([]string{
				"advice", f.Property.Key(), f.Advice(r), f.Region.File,
				strconv.Itoa(f.Region.Line), "all", "", "", "", "", "", "", "", "",
			})
		}
		o.sharingCSV(c, r)
	}
	if o.wants("properties") {
		for p := range analysis.NumProperties {
			for i := -1; i < len(r.Threads) && (i < 0 || o.Threads); i++ {
				_ = c.Write([]string{
					"property", p.Key(), r.PropertyName(p), "", "", thread(i), "",
					"", n(r.Sum(p, i)), "", "", "", "", "",
				})
			}
		}
	}
	if o.wants("efficiency") {
		efficienciesCSV(c, r)
	}
	if o.wants("lines") {
		for _, g := range sampledRegions(r) {
			for _, l := range g.lines {
				_ = c.Write([]string{
					"line", g.region.String(), l.Function, l.File, strconv.Itoa(l.Line), "all",
					n(l.Self), n(r.Samples.Time(l.Self)), n(r.Samples.Time(l.All)),
					"", "", "", "", "",
				})
			}
		}
	}
	if o.wants("counters") {
		for _, q := range r.Paths {
			for i := -1; i < len(r.Threads) && (i < 0 || o.Threads); i++ {
				counts := q.Counted(i)
				for k := 0; counts != nil && k < len(r.Counters); k++ {
					_ = c.Write([]string{
						"counter", r.Counters[k], q.Name, q.File, strconv.Itoa(q.Line), thread(i),
						n(int64(math.Round(counts.Values[k]))), n(counts.Time),
						"", "", "", "", "", "",
					})
				}
			}
		}
	}
	for _, t := range []struct {
		table string
		rows  func() [][]entry
	}{
		{"constructs", func() [][]entry { return o.grouped(r, byConstruct) }},
		{"regions", func() [][]entry { return o.grouped(r, byRegion) }},
		{"paths", func() [][]entry { return o.paths(r) }},
	} {
		if !o.wants(t.table) {
			continue
		}
		for _, rows := range t.rows() {
			for i := range rows {
				e := &rows[i]
				name := e.region.Name
				if t.table == "paths" {
					name = strings.Repeat("  ", e.depth) + name
				}
				_ = c.Write([]string{
					strings.TrimSuffix(t.table, "s"), e.region.KindName(), name,
					e.region.File, strconv.Itoa(e.region.Line), thread(e.thread), n(e.Count),
					n(e.Excl), n(e.Incl), n(e.Min), n(e.mean()), n(e.Max), n(e.lost), n(e.blamed),
				})
			}
		}
	}
	c.Flush()
	return c.Error()
}
