package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/report"
	"opari/internal/report/layout"
)

// mostStacks is the largest number of stacks of samples on the page, those with most samples.
const mostStacks = 20_000

// longestCode is the largest number of bytes of a source line beside the name of its function.
const longestCode = 120

// pageCode is a place in the code that samples stand in, or callers of theirs.
type pageCode struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Text     string `json:"text,omitempty"` // of the line
}

// pageStack is samples of a thread that worked at a path: the thread, how many, and the numbers of
// the codes from the construct inward.
type pageStack []int64

// addSamples adds the samples of a run, and a note if there are too many stacks.
func (p *pageJSON) addSamples(r *analysis.Result, find report.SourceFinder) {
	if r.Rate == 0 {
		return
	}
	p.Rate, p.Measuring = r.Rate, analysis.Measuring
	type entry struct {
		path  int
		stack pageStack
	}
	var all []entry
	numbers := map[analysis.Code]int64{}
	for _, q := range r.Paths {
		for i := range r.Threads {
			counts := q.Sampled(i)
			for _, stack := range slices.Sorted(maps.Keys(counts)) {
				e := entry{q.ID, pageStack{int64(i), counts[stack]}}
				for _, c := range r.Below(q, stack) {
					n, known := numbers[c]
					if !known {
						n = int64(len(p.Codes))
						numbers[c] = n
						p.Codes = append(p.Codes,
							pageCode{c.Function, c.File, c.Line, codeText(c, find)})
					}
					e.stack = append(e.stack, n)
				}
				all = append(all, e)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(b.stack[1], a.stack[1]) })
	if len(all) > mostStacks {
		var left int64
		for _, e := range all[mostStacks:] {
			left += e.stack[1]
		}
		p.Notes = append(p.Notes, fmt.Sprintf("%s samples are not on this page: those of the "+
			"stacks with fewest", analysis.Count(left)))
		all = all[:mostStacks]
	}
	for _, e := range all {
		p.Paths[e.path].Stacks = append(p.Paths[e.path].Stacks, e.stack)
	}
}

// codeText returns the text of a line, or "" where the source is not at hand.
func codeText(c analysis.Code, find report.SourceFinder) string {
	if c.Line == 0 || find == nil {
		return ""
	}
	text, err := find(c.File)
	if err != nil || c.Line > len(text) {
		return ""
	}
	return layout.ShortenRight(strings.Join(strings.Fields(report.Shown(text[c.Line-1])), " "),
		longestCode)
}
