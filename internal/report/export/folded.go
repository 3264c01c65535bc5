package export

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// Folded writes a run as folded stacks, for flame graph tools. Each stack with time of the
// weight is a line: frames from the thread inwards, separated by semicolons, then a space and
// ns.
//
//	thread 0 (initial);parallel heat.c:25;for heat.c:41 123
//	thread 1 (worker);parallel heat.c:25;for heat.c:41;[loop imbalance] 45
//
// If the run has samples, the functions that did the work follow the construct. For time other than
// work, the last frame names the property. The lines add up to the Result's
// sum of the weight.
func Folded(w io.Writer, r *analysis.Result, weight Weight) error {
	b := bufio.NewWriterSize(w, 1<<16)
	names := frames(r)
	for g, name := range names {
		names[g] = frame(name)
	}
	stacks := make([]string, len(r.Paths)) // without the thread; "" for the root
	for _, q := range r.Paths {
		if q.Parent != nil {
			stacks[q.ID] = stacks[q.Parent.ID] + ";" + names[q.Region]
		}
	}
	var line []byte
	for i := range r.Threads {
		thread := frame(r.Threads[i].Name)
		for _, q := range r.Paths {
			for _, p := range analysis.Leaves {
				if !weight.of(p) {
					continue
				}
				t := q.Severity(p, i)
				if t <= 0 {
					continue
				}
				parts := []workPart{{nil, t}}
				if p == analysis.Work {
					parts = workParts(r, q, i, t)
				}
				for _, part := range parts {
					line = append(append(line[:0], thread...), stacks[q.ID]...)
					for _, c := range part.code {
						line = append(append(line, ';'), frame(codeName(c))...)
					}
					if p != analysis.Work {
						line = append(append(append(line, ";["...), p.String()...), ']')
					}
					line = append(strconv.AppendInt(append(line, ' '), part.time, 10), '\n')
					if _, err := b.Write(line); err != nil {
						return err
					}
				}
			}
		}
	}
	return b.Flush()
}

// codeName names a place in the code: "relax plate.c:31".
func codeName(c analysis.Code) string {
	if c.Line == 0 {
		return c.Function
	}
	return c.Function + " " + c.File + ":" + strconv.Itoa(c.Line)
}

// frame replaces the characters of a name that separate parts of folded stacks.
func frame(name string) string {
	return strings.NewReplacer(";", ",", "\n", " ", "\r", " ").Replace(name)
}
