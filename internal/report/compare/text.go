package compare

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/noise"
	"opari/internal/report/layout"
)

// relative formats a relative difference with its sign, as a percentage or a factor.
func relative(part float64) string {
	switch {
	case math.IsInf(part, 0) || math.IsNaN(part):
		return "-"
	case math.Abs(part) >= 99:
		return fmt.Sprintf("x%.0f", part+1)
	case math.Abs(part) >= 9:
		return fmt.Sprintf("x%.1f", part+1)
	}
	s := fmt.Sprintf("%+.1f %%", 100*part)
	if s == "-0.0 %" || s == "+0.0 %" {
		return "0.0 %"
	}
	return s
}

// cells returns the columns of a line: verdict, change, interval, before, after, name.
func (l Line) cells() []string {
	change, interval := relative(l.Difference/l.Before), "-"
	switch {
	case l.Verdict == New || l.Verdict == Vanished || l.Before == 0:
		change = "-"
	case l.Low != nil:
		interval = relative(*l.Low/l.Before) + " .. " + relative(*l.High/l.Before)
	}
	name := l.Name
	if l.Of == "property" {
		name = strings.Repeat("  ", l.depth) + propertyName(l.Name)
	}
	if l.Was != "" {
		name += " (was " + l.Was + ")"
	}
	if l.Efficiency != nil {
		name += fmt.Sprintf(", efficiency %.2f", *l.Efficiency)
	}
	return []string{
		string(l.Verdict), change, interval, analysis.Duration(int64(l.Before)),
		analysis.Duration(int64(l.After)), name,
	}
}

// Change returns the line as text: its name, its relative change, and the interval of that.
func (l Line) Change() string {
	c := l.cells()
	text := fmt.Sprintf("%s, %s", c[5], c[1])
	if l.Low != nil {
		text += fmt.Sprintf(" (with %.0f %% confidence %s)", 100*noise.Confidence,
			strings.Replace(c[2], " .. ", " to ", 1))
	}
	return text
}

func propertyName(key string) string {
	for p := range analysis.NumProperties {
		if p.Key() == key {
			return p.String()
		}
	}
	return key
}

// shown returns the lines of a kind that readers want to see. These have at least one percent
// of the processor time, or a verdict other than Same and Unclear whose difference matters.
func (c *Comparison) shown(of string, all bool) (lines []Line, hidden int) {
	least := max(c.Lines[1].Before, c.Lines[1].After) / 100
	for _, l := range c.Lines {
		if l.Of != of {
			continue
		}
		large := max(l.Before, l.After) >= least
		judged := l.Verdict == Faster || l.Verdict == Slower || l.Verdict == New ||
			l.Verdict == Vanished
		if all || of == "run" || large || judged && math.Abs(l.Difference) >= l.Matters {
			lines = append(lines, l)
		} else {
			hidden++
		}
	}
	if of == "property" {
		lines = specific(lines)
	}
	return lines, hidden
}

// specific drops each property that equals its only child on the next line. It indents the
// others by the properties that remain around them.
func specific(lines []Line) []Line {
	var kept []Line
	var outer []int // depths of the enclosing properties
	for i, l := range lines {
		if i+1 < len(lines) {
			next := lines[i+1]
			if next.depth > l.depth && next.Before == l.Before && next.After == l.After &&
				next.Difference == l.Difference {
				continue
			}
		}
		for len(outer) > 0 && outer[len(outer)-1] >= l.depth {
			outer = outer[:len(outer)-1]
		}
		outer = append(outer, l.depth)
		l.depth = len(outer) - 1
		kept = append(kept, l)
	}
	return kept
}

// Sentence returns the verdict with the times that support it.
func (c *Comparison) Sentence() string {
	wall := c.Lines[0]
	cells := wall.cells()
	text := fmt.Sprintf("%s: wall time %s before, %s after", c.Verdict, cells[3], cells[4])
	if wall.Before > 0 {
		text += ", " + cells[1]
	}
	if wall.Low != nil && wall.Before > 0 {
		text += fmt.Sprintf(" (with 95 %% confidence %s to %s)", relative(*wall.Low/wall.Before),
			relative(*wall.High/wall.Before))
	}
	return text
}

// remarks returns sentences that explain how to read the lines.
func (c *Comparison) remarks() []string {
	var all []string
	for _, l := range c.Lines {
		if l.Advice != "" {
			all = append(all, fmt.Sprintf("More %s, most at %s.", propertyName(l.Name), l.Advice))
		}
	}
	threshold := fmt.Sprintf("Differences of %.3g %% and more matter", 100*c.Threshold)
	if c.NoiseKnown {
		all = append(all, fmt.Sprintf("%s, of properties and regions if they are %.3g %% of the "+
			"processor time or more.", threshold, 100*Share))
	} else {
		all = append(all, "One run on each side: the noise is unknown, and smaller differences "+
			"than the threshold have no verdict. "+
			threshold+", of properties and regions if they are "+
			fmt.Sprintf("%.3g %% of the processor time or more.", 100*Share))
	}
	if c.Verdict == Unclear && c.NoiseKnown {
		all = append(all,
			"The runs differ too much to say more: more runs on each side narrow the interval.")
	}
	for _, side := range []struct {
		name string
		Side
	}{{"Before", c.Before}, {"After", c.After}} {
		for _, n := range side.Notes {
			all = append(all, side.name+", "+n+".")
		}
	}
	return all
}

func (s Side) String() string {
	runs := "1 run"
	if s.Runs != 1 {
		runs = fmt.Sprintf("%d runs", s.Runs)
	}
	return fmt.Sprintf("%s of %s, %d threads", runs, filepath.Base(s.Program), s.Threads)
}

// groups lists the kinds of line with the titles of their columns.
var groups = []struct{ of, title string }{
	{"run", "run"},
	{"property", "property (time of all threads)"},
	{"region", "region (time of all threads, without regions in it)"},
}

// compared is a table of a comparison without its head. Its last column has a title of its own.
type compared struct {
	title  string
	rows   [][]string
	hidden int // rows of little interest that it lacks
}

func (c *Comparison) tables(all bool) []compared {
	var tables []compared
	for _, g := range groups {
		lines, hidden := c.shown(g.of, all)
		t := compared{title: g.title, hidden: hidden}
		for _, l := range lines {
			t.rows = append(t.rows, l.cells())
		}
		tables = append(tables, t)
		if g.of == "run" {
			tables = append(tables, c.efficiencyTable())
		}
	}
	tables = append(tables, c.counterTable(all))
	return slices.DeleteFunc(tables, func(t compared) bool { return len(t.rows) == 0 })
}

// Text prints a comparison for a terminal; all includes the lines that matter little.
func (c *Comparison) Text(w io.Writer, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "before: %s; after: %s\n", c.Before, c.After)
	if c.Scaling != nil {
		fmt.Fprintf(&b, "note: %s\n", c.Scaling)
	}
	b.WriteString(c.Sentence() + "\n")
	for _, warning := range c.Warnings {
		b.WriteString("warning: " + warning + "\n")
	}
	for _, t := range c.tables(all) {
		b.WriteByte('\n')
		head := []string{"verdict", "change", "95 % confidence", "before", "after", t.title}
		layout.Aligned(&b, append([][]string{head}, t.rows...))
		if t.hidden > 0 {
			fmt.Fprintf(&b, "... and %d more (--all)\n", t.hidden)
		}
	}
	b.WriteByte('\n')
	for _, r := range c.remarks() {
		b.WriteString(r + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Markdown prints a comparison as a comment for a merge request.
func (c *Comparison) Markdown(w io.Writer, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\nBefore: %s. After: %s.\n", layout.Markdown.Replace(c.Sentence()),
		layout.Markdown.Replace(c.Before.String()), layout.Markdown.Replace(c.After.String()))
	if c.Scaling != nil {
		b.WriteString("\n**Note**: " + layout.Markdown.Replace(c.Scaling.String()) + ".\n")
	}
	for _, warning := range c.Warnings {
		b.WriteString("\n**Warning**: " + layout.Markdown.Replace(warning) + ".\n")
	}
	for _, t := range c.tables(all) {
		fmt.Fprintf(&b, "\n| verdict | change | 95 %% confidence | before | after | %s "+
			"|\n|---|--:|--:|--:|--:|---|\n", t.title)
		for _, cells := range t.rows {
			if v := Verdict(cells[0]); v == Slower || v == Faster {
				cells[0] = "**" + cells[0] + "**"
			}
			indent := len(cells[5]) - len(strings.TrimLeft(cells[5], " "))
			cells[5] = strings.Repeat("&nbsp;", indent) +
				layout.Markdown.Replace(strings.TrimLeft(cells[5], " "))
			b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		}
		if t.hidden > 0 {
			fmt.Fprintf(&b, "\n%d more with little time.\n", t.hidden)
		}
	}
	b.WriteByte('\n')
	for _, r := range c.remarks() {
		b.WriteString(layout.Markdown.Replace(r) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON prints a comparison with all lines.
func (c *Comparison) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(c)
}
