package trace

import (
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// note takes a comment of a trace. A comment that says what is left out goes to LeftOut. Any
// other unknown comment becomes a note for the reader.
func (d *Definitions) note(comment string) {
	if !d.sampleComment(comment) && !isOtherComment(comment) && !d.LeftOut.Comment(comment) &&
		!d.kernelComment(comment) {
		d.Notes = append(d.Notes, analysis.Printable(lostNote(comment)))
	}
}

// isOtherComment reports whether a comment is about something other than missing records.
func isOtherComment(comment string) bool {
	for _, prefix := range []string{
		"process: ", "ranks: ", "program: ", "lines ", "reads ", "event cost: ", "stack ",
		"samples: ",
	} {
		if strings.HasPrefix(comment, prefix) {
			return true
		}
	}
	return false
}

// Notes returns what the comments of a trace say that a reader must know before its numbers, a
// line each.
func Notes(comments []string) []string {
	d := New()
	for _, c := range comments {
		d.note(c)
	}
	return append(d.LeftOut.Lines(), d.Notes...)
}

// lostNote returns LostNote of a comment "lost: 5 events" or "lost: 5 events (why)", and any
// other comment unchanged.
func lostNote(comment string) string {
	number, rest, _ := strings.Cut(strings.TrimPrefix(comment, "lost: "), " ")
	n, err := strconv.ParseUint(number, 10, 64)
	if !strings.HasPrefix(comment, "lost: ") || err != nil {
		return comment
	}
	why, _ := strings.CutPrefix(rest, "events")
	return analysis.LostNote(n, strings.Trim(why, " ()"))
}
