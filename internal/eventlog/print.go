package eventlog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Text prints a head, which begins with #, and one line per event: seconds since the start of the
// tool, thread, event, endpoint, kind, other fields, place.
func (l *Log) Text(w io.Writer) error {
	if err := l.head(w); err != nil {
		return err
	}
	var line []byte
	return l.records(func(r *record) error {
		e := l.describe(r)
		line = fmt.Appendf(line[:0], "%11.6f %2d %s", l.seconds(r), r.thread, e.name)
		for _, s := range []string{e.endpoint, e.kind} {
			if s != "" {
				line = append(append(line, ' '), s...)
			}
		}
		for _, f := range e.fields {
			line = append(line, ' ')
			if f.name != fieldParallel && f.name != fieldTask && f.name != fieldTarget {
				line = append(append(line, f.name...), '=')
			}
			if s, ok := f.value.(string); ok && (strings.ContainsAny(s, " \n\"") || s == "") {
				line = fmt.Appendf(line, "%q", s)
			} else {
				line = fmt.Append(line, f.value)
			}
		}
		if e.place != "" {
			line = append(append(line, ' '), e.place...)
		}
		_, err := w.Write(append(line, '\n'))
		return err
	})
}

// seconds returns the time of a record since the start of the tool. A record from before the
// start is at 0.
func (l *Log) seconds(r *record) float64 {
	return float64(max(int64(r.time-l.start), 0)) / 1e9
}

func (l *Log) head(w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %s, process %d: %d threads, OpenMP %d, %s%s\n",
		filepath.Base(l.Program), l.PID, l.Threads, l.OpenMP, l.Runtime, l.flaws())
	return err
}

// flaws says what the log lacks.
func (l *Log) flaws() string {
	s := ""
	if !l.Finalized {
		s += "; the runtime did not finalize the tool"
	}
	if l.Lost > 0 {
		s += fmt.Sprintf("; %d events lost: no room on the disk", l.Lost)
	}
	return s
}

// JSON prints one object per line: first the process, then each event.
func (l *Log) JSON(w io.Writer) error {
	head, err := json.Marshal(struct {
		PID       int    `json:"pid"`
		Program   string `json:"program"`
		Runtime   string `json:"runtime"`
		OpenMP    int    `json:"openmp"`
		Threads   int    `json:"threads"`
		Finalized bool   `json:"finalized"`
		Lost      uint64 `json:"lost"`
	}{l.PID, l.Program, l.Runtime, l.OpenMP, l.Threads, l.Finalized, l.Lost})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\n", head); err != nil {
		return err
	}
	return l.records(func(r *record) error {
		e := l.describe(r)
		fields := []field{
			{"pid", l.PID},
			{"time_ns", max(int64(r.time-l.start), 0)},
			{"thread", r.thread},
			{"event", e.name},
		}
		if e.endpoint != "" {
			fields = append(fields, field{"endpoint", e.endpoint})
		}
		if e.kind != "" {
			fields = append(fields, field{"kind", e.kind})
		}
		fields = append(fields, e.fields...)
		if e.place != "" {
			fields = append(fields, field{"place", e.place},
				field{"code", fmt.Sprintf("%#x", r.code)})
		}
		return writeObject(w, fields)
	})
}

// writeObject writes fields in their order.
func writeObject(w io.Writer, fields []field) error {
	var b bytes.Buffer
	separator := byte('{')
	for _, f := range fields {
		value, err := json.Marshal(f.value)
		if err != nil {
			return err
		}
		b.WriteByte(separator)
		separator = ','
		fmt.Fprintf(&b, "%q:%s", f.name, value)
	}
	b.WriteString("}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// class is what a summary counts.
type class struct{ event, endpoint, kind string }

// Summary counts the events by event, endpoint and kind. It prints a table, or one object per
// line.
func (l *Log) Summary(w io.Writer, asJSON bool) error {
	counts := map[class]int{}
	err := l.records(func(r *record) error {
		c := class{event: rowOf(r.event).name}
		if r.endpoint != 0 {
			c.endpoint = word(endpoints, r.endpoint)
		}
		if r.kind != 0 {
			c.kind = word(rowOf(r.event).kinds, r.kind)
		}
		counts[c]++
		return nil
	})
	if err != nil {
		return err
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b class) int {
		return cmp.Or(cmp.Compare(a.event, b.event), cmp.Compare(a.kind, b.kind),
			cmp.Compare(a.endpoint, b.endpoint))
	})
	if !asJSON {
		if err := l.head(w); err != nil {
			return err
		}
	}
	for _, c := range all {
		if asJSON {
			err = writeObject(w, []field{
				{"pid", l.PID},
				{"event", c.event},
				{"endpoint", c.endpoint},
				{"kind", c.kind},
				{"count", counts[c]},
			})
		} else {
			_, err = fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%9d  %-18s %-8s %s", counts[c],
				c.event, c.endpoint, c.kind), " "))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
