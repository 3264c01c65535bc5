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
	var b strings.Builder
	owns := r.Kind == omp.KindParallel || r.Kind == omp.KindTask
	for i := range d.Clauses {
		c := &d.Clauses[i]
		key, value := "", "1"
		switch {
		case c.Row == omp.ClauseDefault && owns:
			key, value = "hasDefault", defaultKey(c.Args)
		case c.Row == omp.ClauseShared && owns:
			key = "hasShared"
		case c.Row == omp.ClauseFirstprivate && outermost:
			key = "hasFirstPrivate"
		case c.Row == omp.ClauseSchedule && innermost:
			key, value = "hasSchedule", scheduleKey(c.Items)
		}
		if key != "" && value != "" && !strings.Contains(b.String(), "*"+key+"=") {
			b.WriteString("*" + key + "=" + value)
		}
	}
	if r.Keys = b.String(); r.Keys != "" {
		r.Hint |= KeysFollow
	}
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
		text += "," + strings.Join(strings.Fields(chunk), "")
	}
	return strings.ReplaceAll(text, "*", "@")
}

// directiveAndKeys returns the directive of r, followed after its terminator by its keys, if there
// are any.
func (r *Region) directiveAndKeys() string {
	if r.Keys == "" {
		return r.Directive
	}
	return r.Directive + "\x00" + r.Keys
}
