package report

import (
	"fmt"
	"strings"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
)

// linesShown is the largest number of a construct's lines in a text.
const linesShown = 24

// source returns the source of the findings as text. It marks the lines of each construct, and
// adds one line before and one after.
func (o *Run) source(r *analysis.Result) string {
	var b strings.Builder
	seen := map[*analysis.Region]bool{}
	for i, f := range finding.Of(r, o.Share) {
		g := f.Region
		if o.Top > 0 && i == o.Top {
			break
		}
		if g.File == "" || seen[g] {
			continue
		}
		if seen[g] = true; len(seen) > 1 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "  %s\n", g)
		if o.Source == nil {
			b.WriteString("    no source was looked for\n")
			continue
		}
		text, err := o.Source(g.File)
		if err == nil && g.Line > len(text) {
			err = fmt.Errorf("the file is shorter than the lines that were recorded")
		}
		if err != nil {
			fmt.Fprintf(&b, "    no source: %v\n", err)
			continue
		}
		excerptText(&b, text, g)
	}
	return b.String()
}

func excerptText(b *strings.Builder, text []string, g *analysis.Region) {
	end := min(max(g.End, g.Line), len(text))
	last := min(end, g.Line+linesShown-1)
	lastShown := last
	if last == end {
		lastShown = min(end+1, len(text))
	}
	digits := len(fmt.Sprint(lastShown))
	for n := max(1, g.Line-1); n <= lastShown; n++ {
		mark := " "
		if n >= g.Line && n <= end {
			mark = ">"
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %s %*d  %s", mark, digits, n,
			strings.ReplaceAll(Shown(text[n-1]), "\t", "    ")), " ") + "\n")
	}
	if last < end {
		fmt.Fprintf(b, "  > %*s  to line %d\n", digits, "⋯", end)
	}
}
