package scale

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
	"opari/internal/noise"
	"opari/internal/report/layout"
	"opari/internal/scaling"
)

// Scale prints a study of runs with several numbers of threads.
type Scale struct {
	*scaling.Study
	All   bool // prints regions and changes with little time, too
	Width int  // columns of the terminal
}

// Text prints the study for a terminal.
func (s *Scale) Text(w io.Writer) error {
	var b strings.Builder
	b.WriteString(s.Head() + "\n")
	fmt.Fprintf(&b, "%s\n", layout.Wrapped(s.Sentence(), 0, max(s.Width, layout.MinWidth)))
	for _, note := range s.Notes {
		b.WriteString(layout.Wrapped("note: "+note, 2, max(s.Width, layout.MinWidth)) + "\n")
	}
	b.WriteByte('\n')
	s.points(&b)
	s.factors(&b)
	s.growth(&b)
	s.regions(&b)
	for _, r := range s.Remarks() {
		b.WriteString("\n" + layout.Wrapped(r, 0, max(s.Width, layout.MinWidth)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON prints a study with all that it has.
func (s *Scale) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(s.Study)
}

// Head says what was measured.
func (s *Scale) Head() string {
	var counts []string
	least, most := s.Points[0].Runs, 0
	for _, p := range s.Points {
		counts = append(counts, p.Count.String())
		least, most = min(least, p.Runs), max(most, p.Runs)
	}
	runs := fmt.Sprintf("%d runs", most)
	switch {
	case least < most:
		runs = fmt.Sprintf("%d to %d runs", least, most)
	case most == 1:
		runs = "1 run"
	}
	text := fmt.Sprintf("scaling of %s: %s, %s each", filepath.Base(s.Program),
		strings.Join(counts, " ")+" "+s.Unit(), runs)
	if s.Processors > 0 {
		text += fmt.Sprintf(", %d processors", s.Processors)
	}
	return text
}

// Unit returns what the counts are numbers of.
func (s *Scale) Unit() string {
	if s.Points[0].Count.Ranks > 0 {
		return "ranks x threads"
	}
	return "threads"
}

// Sentence says how fast the program becomes, and where more stops paying.
func (s *Scale) Sentence() string {
	i := s.reference()
	p, one := s.Points[i], s.Points[0].Count.Words()
	text := fmt.Sprintf("%s: %s times as fast as %s, efficiency %s; ", p.Count.Words(),
		p.Speedup.String(), one, p.Efficiency.String())
	if s.Pays == s.Points[0].Count {
		return text + "more than " + one + " does not pay: " + s.Why
	}
	return text + "it pays up to " + s.Pays.Words() + ": " + s.Why
}

// reference returns the index of the study's reference.
func (s *Scale) reference() int {
	return slices.IndexFunc(s.Points,
		func(p scaling.Point) bool { return p.Count == s.Reference })
}

func (s *Scale) points(b *strings.Builder) {
	head := []string{
		s.Unit(), "runs", "wall", "speedup", "95 % confidence", "efficiency", "gain of the step",
	}
	over := slices.ContainsFunc(s.Points, func(p scaling.Point) bool { return p.Over })
	if over {
		head = append(head, "note")
	}
	rows := [][]string{head}
	for _, p := range s.Points {
		gain, mark := "-", "-"
		if p.Gain != nil {
			gain = p.Gain.String()
		}
		row := []string{
			p.Count.String(), strconv.Itoa(p.Runs), analysis.Duration(int64(p.Wall)),
			p.Speedup.String(), p.Speedup.Interval(), p.Efficiency.String(),
		}
		if !over {
			rows = append(rows, append(row, fmt.Sprintf("%*s", len(head[6]), gain)))
			continue
		}
		if p.Over {
			mark = fmt.Sprintf("more threads than %d processors", s.Processors)
		}
		rows = append(rows, append(row, gain, mark))
	}
	layout.Aligned(b, rows)
}

// factors prints the factors of the efficiency.
func (s *Scale) factors(b *strings.Builder) {
	var head []string
	for _, p := range s.Points {
		head = append(head, "at "+p.Count.String())
	}
	rows := [][]string{append(head, "efficiency, and the factors whose product it is")}
	for _, f := range s.Factors {
		var row []string
		for _, v := range f.Values {
			row = append(row, fmt.Sprintf("%.2f", v))
		}
		rows = append(rows, append(row, f.Indented()))
	}
	b.WriteByte('\n')
	layout.Aligned(b, rows)
}

// growth prints what takes more processor time.
func (s *Scale) growth(b *strings.Builder) {
	from, to := s.Points[0], s.Points[s.reference()]
	fmt.Fprintf(b, "\nProcessor time that changes from %s to %s: %s to %s in all\n",
		from.Count.Words(), to.Count.Words(),
		analysis.Duration(int64(from.Wall*float64(from.Processors))),
		analysis.Duration(int64(to.Wall*float64(to.Processors))))
	head := []string{"verdict", "change", "share"}
	for _, p := range s.Points {
		head = append(head, "at "+p.Count.String())
	}
	modelled := s.Trend.Model != nil
	if modelled {
		head = append(head, "grows like")
	}
	rows := [][]string{append(head, "property, region")}
	var advice []string
	hidden := 0
	for _, g := range s.Growth {
		if g.Verdict == scaling.Unclear && !s.All {
			hidden++
			continue
		}
		share := "-"
		if g.Share > 0 {
			share = fmt.Sprintf("%.0f %%", 100*g.Share)
		}
		row := []string{string(g.Verdict), signedDuration(g.Growth.Value), share}
		for _, t := range g.Times {
			row = append(row, analysis.Duration(int64(t)))
		}
		if modelled {
			row = append(row, cmp.Or(g.Like, "-"))
		}
		rows = append(rows, append(row, g.Name+", "+g.Region))
		if g.Advice != "" {
			advice = append(advice, fmt.Sprintf("%s, %s: %s", g.Name, g.Region, g.Advice))
		}
	}
	if len(rows) == 1 {
		b.WriteString("none beyond the noise\n")
	} else {
		layout.Aligned(b, rows)
	}
	if hidden > 0 {
		fmt.Fprintf(b, "... and %d more, unclear (--all)\n", hidden)
	}
	const most = 3
	for _, a := range advice[:min(most, len(advice))] {
		b.WriteString(layout.Wrapped(a, 2, max(s.Width, layout.MinWidth)) + "\n")
	}
}

// signedDuration formats a change of a time.
func signedDuration(ns float64) string {
	if ns < 0 {
		return "-" + analysis.Duration(int64(-ns))
	}
	return "+" + analysis.Duration(int64(ns))
}

// shownRegions returns the regions with at least one percent of the wall time at some count.
func (s *Scale) shownRegions() (shown []scaling.Region, hidden int) {
	for _, g := range s.Regions {
		large := s.All
		for i, p := range g.Points {
			large = large || p.Wall >= s.Points[i].Wall/100
		}
		if large {
			shown = append(shown, g)
		} else {
			hidden++
		}
	}
	return shown, hidden
}

func (s *Scale) regions(b *strings.Builder) {
	to := s.reference()
	head := []string{"wall at " + s.Points[to].Count.String()}
	for _, p := range s.Points[1:] {
		head = append(head, "at "+p.Count.String())
	}
	modelled := s.Trend.Model != nil
	if modelled {
		head = append(head, "model of the wall time", "R2")
	}
	b.WriteString("\nEfficiency of regions: processor time with " + s.Points[0].Count.Words() +
		" over that with more\n")
	rows := [][]string{append(head, "region (without regions in it)")}
	shown, hidden := s.shownRegions()
	for _, g := range shown {
		row := []string{analysis.Duration(int64(g.Points[to].Wall))}
		for _, p := range g.Points[1:] {
			cell := "-"
			if p.Efficiency != nil {
				cell = p.Efficiency.String()
			}
			row = append(row, cell)
		}
		if modelled {
			row = append(row, modelCells(&g.Trend)...)
		}
		rows = append(rows, append(row, g.Name))
	}
	layout.Aligned(b, rows)
	if hidden > 0 {
		fmt.Fprintf(b, "... and %d more (--all)\n", hidden)
	}
}

// modelCells returns the formula of a model, and how much of the change it explains.
func modelCells(t *scaling.Trend) []string {
	switch {
	case t.Model == nil:
		return []string{"-", "-"}
	case !t.Model.Grown():
		return []string{t.Formula, "-"}
	}
	formula := t.Formula
	if n := len(t.Model.Rivals); n > 0 {
		formula += fmt.Sprintf(" (or %d more)", n)
	}
	return []string{formula, fmt.Sprintf("%.3f", t.Model.R2)}
}

// Remarks returns what the models say, and how to read the numbers.
func (s *Scale) Remarks() []string {
	var all []string
	if t := &s.Trend; t.Model == nil {
		all = append(all, "No model: "+t.None+".")
	} else {
		all = append(all, s.modelRemark(t))
	}
	text := fmt.Sprintf("The gain of a step is the speedup that it adds over what ideal "+
		"processors would add; from %.2f on, and beyond the noise, it pays.", s.Least)
	if s.NoiseKnown {
		text += fmt.Sprintf(" Intervals hold the value with %.0f %% confidence.",
			100*noise.Confidence)
	}
	return append(all, text)
}

func (s *Scale) modelRemark(t *scaling.Trend) string {
	m := t.Model
	text := fmt.Sprintf("Model of the run, from %.0f to %.0f processors: wall time = %s", m.Least,
		m.Most, t.Formula)
	if m.Grown() {
		text += fmt.Sprintf(" (adjusted R2 %.3f)", m.R2)
	}
	if t.Serial != nil {
		text += fmt.Sprintf("; %.1f %% of the time with 1 thread is not shared out (%.1f to %.1f "+
			"%%), so the limit, extrapolated by Amdahl's law, is %.1f times as fast",
			100*t.Serial.Value, 100**t.Serial.Low, 100**t.Serial.High, 1/t.Serial.Value)
	}
	if len(m.Rivals) > 0 {
		text += "; the runs do not tell it from " + rivals(m.Rivals)
	}
	return text + ". p is the number of processors."
}

// rivals lists terms for a sentence.
func rivals(terms []scaling.Term) string {
	var names []string
	for _, t := range terms {
		names = append(names, t.String())
	}
	return "one whose processor time grows like " + strings.Join(names, ", or ")
}
