package descriptors

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

// KeysFollow is a bit of the hint of a region whose directive is followed, after its terminator, by
// such keys. Hints that users write have lower bits.
const KeysFollow = 1 << 16

// setKeys appends the keys of the clauses that d gives r, in the form that POMP2's strings have:
//
//	*hasDefault=none*hasShared=1*hasSchedule=dynamic,4
//
// innermost is true for the last region of a combined construct, outermost for the first.
func (r *Region) setKeys(d *directive.Directive, outermost, innermost bool) {
	var room [128]byte
	b := room[:0]
	shared, first := false, false // the key is there
	owns := r.Kind == omp.KindParallel || r.Kind == omp.KindTask
	for i := range d.Clauses {
		c := &d.Clauses[i]
		switch {
		case c.Row == omp.ClauseDefault && owns:
			b = appendKey(b, "hasDefault", defaultKey(c.Args))
		case c.Row == omp.ClauseShared && owns && !shared:
			b, shared = appendKey(b, "hasShared", "1"), true
		case c.Row == omp.ClauseFirstprivate && outermost && !first:
			b, first = appendKey(b, "hasFirstPrivate", "1"), true
		case c.Row == omp.ClauseSchedule && innermost:
			b = appendKey(b, "hasSchedule", scheduleKey(c.Items))
		}
	}
	if len(b) > 0 {
		r.Keys = string(b)
		r.Hint |= KeysFollow
	}
}

// appendKey appends a key unless it has no value.
func appendKey(b []byte, key, value string) []byte {
	if value == "" {
		return b
	}
	return append(append(append(append(b, '*'), key...), '='), value...)
}

// defaultKey returns the argument of a default clause, or "" for one that POMP2 does not know.
func defaultKey(argument string) string {
	word := strings.ToLower(strings.TrimSpace(argument))
	switch word {
	case "none", omp.ClauseShared.Name, omp.ClausePrivate.Name, omp.ClauseFirstprivate.Name:
		return word
	}
	return ""
}

// scheduleKey returns the arguments of a schedule clause without blanks and with @ for *, as
// POMP2's parsers expect them. It returns "" for a kind that POMP2 does not know.
func scheduleKey(items []string) string {
	if len(items) == 0 || omp.ScheduleOf(strings.ToLower(strings.TrimSpace(items[0]))) == 0 {
		return ""
	}
	text := strings.ToLower(strings.TrimSpace(items[0]))
	for _, chunk := range items[1:] {
		if strings.ContainsAny(chunk, " \t\n*") {
			chunk = strings.ReplaceAll(strings.Join(strings.Fields(chunk), ""), "*", "@")
		}
		text += "," + chunk
	}
	return text
}

// directiveAndKeys returns the directive of r, followed after its terminator by its keys, if there
// are any.
func (r *Region) directiveAndKeys() string {
	if r.Keys == "" {
		return r.Directive
	}
	return r.Directive + "\x00" + r.Keys
}
