package profile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"opari/internal/analysis"
	"opari/internal/report/layout"
)

// targetColumns are the columns of the table of target regions, beside the place. Rest is the
// time of the construct that is neither kernels nor copying. It includes waiting for the device
// and for predecessors, and the runtime's own time.
var targetColumns = []column{
	{"time", func(r *Row) string { return analysis.Duration(r.Time) }},
	{"kernels", func(r *Row) string { return analysis.Count(r.Target.Kernels) }},
	{"kernel", func(r *Row) string { return analysis.Duration(r.Target.Kernel) }},
	{"moving", func(r *Row) string { return analysis.Duration(r.Target.Moving) }},
	{"rest", func(r *Row) string {
		return analysis.Duration(max(0, r.Time-r.Target.Kernel-r.Target.Moving))
	}},
	{"to", func(r *Row) string { return quantity(float64(r.Target.To)) }},
	{"from", func(r *Row) string { return quantity(float64(r.Target.From)) }},
	{"in place", func(r *Row) string { return quantity(float64(r.Target.InPlace)) }},
	{"rate", func(r *Row) string {
		moved := r.Target.To + r.Target.From - r.Target.InPlace
		if r.Target.Moving == 0 || moved <= 0 {
			return "-"
		}
		return quantity(float64(moved)/float64(r.Target.Moving)*1e9) + "/s"
	}},
}

// quantity prints a number of bytes with three digits.
func quantity(n float64) string {
	for i, unit := range []string{"B", "kB", "MB", "GB", "TB"} {
		if n < 999.5 || i == 4 {
			if i == 0 {
				return strconv.FormatFloat(n, 'f', 0, 64)
			}
			return strconv.FormatFloat(n, 'g', 3, 64) + unit
		}
		n /= 1000
	}
	return ""
}

// targets prints what the target regions among rows executed and moved, if there are any.
func targets(b *strings.Builder, rows []Row, width int) {
	var cells [][]string
	wide := make([]int, len(targetColumns))
	for i, c := range targetColumns {
		wide[i] = len(c.title)
	}
	var shown []Row
	for _, r := range rows {
		if r.Target == nil {
			continue
		}
		line := make([]string, len(targetColumns))
		for i, c := range targetColumns {
			line[i] = c.cell(&r)
			wide[i] = max(wide[i], utf8.RuneCountInString(line[i]))
		}
		cells, shown = append(cells, line), append(shown, r)
	}
	if len(shown) == 0 {
		return
	}
	b.WriteString("\ntarget regions: kernels and transfers\n")
	used := 0
	for i, c := range targetColumns {
		fmt.Fprintf(b, "%*s ", wide[i], c.title)
		used += wide[i] + 1
	}
	b.WriteString("place\n")
	for r := range shown {
		for i, w := range wide {
			fmt.Fprintf(b, "%*s ", w, cells[r][i])
		}
		b.WriteString(layout.ShortenLeft(shown[r].place(), max(8, width-used)) + "\n")
	}
}
