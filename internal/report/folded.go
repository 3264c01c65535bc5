package report

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// Folded writes a run as folded stacks, a line for each that has time of the weight: frames from
// the thread inwards, separated by semicolons, a space, ns. Flame graph tools draw them.
//
//	thread 0 (initial);parallel heat.c:25;for heat.c:41 123
//	thread 1 (worker);parallel heat.c:25;for heat.c:41;[loop imbalance] 45
//
// Time that is not work has a last frame that names its property. All lines together are the
// Result's sum of the weight.
func Folded(w io.Writer, r *analysis.Result, weight Weight) error {
	b := bufio.NewWriterSize(w, 1<<16)
	names := frames(r)
	for g, name := range names {
		names[g] = frame(name)
	}
	stacks := make([]string, len(r.Paths)) // without the thread; "" of the root
	for _, q := range r.Paths {
		if q.Parent != nil {
			stacks[q.ID] = stacks[q.Parent.ID] + ";" + names[q.Region]
		}
	}
	var line []byte
	for i := range r.Threads {
		thread := frame(r.Threads[i].Name)
		for _, q := range r.Paths {
			for _, p := range leaves {
				if !weight.of(p) {
					continue
				}
				t := q.Severity(p, i)
				if t <= 0 {
					continue
				}
				line = append(append(line[:0], thread...), stacks[q.ID]...)
				if p != analysis.Work {
					line = append(append(append(line, ";["...), p.String()...), ']')
				}
				line = append(strconv.AppendInt(append(line, ' '), t, 10), '\n')
				if _, err := b.Write(line); err != nil {
					return err
				}
			}
		}
	}
	return b.Flush()
}

// frame is a name without what has a meaning in folded stacks.
func frame(name string) string {
	return strings.NewReplacer(";", ",", "\n", " ", "\r", " ").Replace(name)
}
