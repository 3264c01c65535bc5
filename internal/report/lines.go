package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
	"opari/internal/report/layout"
)

// The table of lines shows the lines of a region with most samples, if they have so large a share
// of them. With AllLines it shows every line.
const (
	shownOfLines = 5
	largeLine    = 0.02
)

// fewSamples is the number of samples below which shares are no more than a hint.
const fewSamples = 20

// sampledRegion is a region with the lines at which threads worked in it.
type sampledRegion struct {
	region analysis.Region
	lines  []analysis.LineSamples
	count  int64
}

// sampledRegions returns the regions with samples, those with most first.
func sampledRegions(r *analysis.Result) []sampledRegion {
	groups := map[analysis.Region][]*analysis.Path{}
	for _, q := range r.Paths {
		groups[*q.Region] = append(groups[*q.Region], q)
	}
	var all []sampledRegion
	for g, paths := range groups {
		if lines, count := r.Lines(paths, -1); count > 0 {
			all = append(all, sampledRegion{g, lines, count})
		}
	}
	slices.SortFunc(all, func(a, b sampledRegion) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.region.File, b.region.File),
			cmp.Compare(a.region.Line, b.region.Line), cmp.Compare(a.region.Name, b.region.Name))
	})
	return all
}

// lines is the table of the lines with samples. Its times are the number of samples over their
// rate.
func (o *Run) lines(r *analysis.Result) table {
	t := table{
		title: "Lines, by samples",
		head:  []string{"time", "samples", "share", "with calls", "line"},
	}
	all := sampledRegions(r)
	var sum int64
	for _, g := range all {
		sum += g.count
	}
	for i, g := range all {
		if o.Top > 0 && i == o.Top {
			t.hidden = len(all) - i
			break
		}
		name := g.region.String()
		if g.count < fewSamples {
			name += " (few samples)"
		}
		t.rows = append(t.rows, []string{
			analysis.Duration(r.Samples.Time(g.count)), analysis.Count(g.count),
			percent(g.count, sum), "", name,
		})
		for k, l := range g.lines {
			large := k < shownOfLines && float64(l.Self) >= largeLine*float64(g.count)
			if !o.AllLines && !large {
				t.rows = append(t.rows, []string{
					"", "", "", "",
					fmt.Sprintf("  ... and %d more (--lines shows all)", len(g.lines)-k),
				})
				break
			}
			t.rows = append(t.rows, []string{
				analysis.Duration(r.Samples.Time(l.Self)), analysis.Count(l.Self),
				percent(l.Self, g.count), percent(l.All, g.count), "  " + o.lineName(l),
			})
		}
	}
	return t
}

// lineName names a line with its function, and with its text where the source is at hand.
func (o *Run) lineName(l analysis.LineSamples) string {
	if l.Line == 0 {
		return l.Function
	}
	name := l.File + ":" + strconv.Itoa(l.Line) + " " + l.Function
	if o.Source == nil {
		return name
	}
	text, err := o.Source(l.File)
	if err != nil || l.Line > len(text) {
		return name
	}
	source := strings.Join(strings.Fields(Shown(text[l.Line-1])), " ")
	if source == "" {
		return name
	}
	room := max(minSource, cmp.Or(o.Width, widest)-len(name)-linesBeside)
	return name + ": " + layout.ShortenRight(source, room)
}

const (
	linesBeside = 46 // columns of the table of lines beside its last one, and what separates them
	widest      = 132
	minSource   = 20 // columns of the text of a source line, at least
)
