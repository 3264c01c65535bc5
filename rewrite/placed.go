package rewrite

import (
	"bytes"
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
)

// In preprocessed text, which nobody reads, the calls that tell a tool where the program is stand in the user's function itself, on the directive's line.
// The code of an inlined function would have the line of that function, and debuggers and tools would show it. No variable may be named in a region with
// default(none), so the text asks two functions for the unit's active word and for descriptors; these are inlined and make no call.

const (
	activeCall = "pomp_active()"
	regionCall = "pomp_r("
)

// A placedCall is how one call stands in the text: api is the function of the library, region the descriptor, variable the one that the construct's calls share.
type placedCall struct{ api, region, variable string }

// write fills in what in form stands for the parts of a call.
func (c placedCall) write(b []byte, form string) []byte {
	return append(b, strings.NewReplacer("API", c.api, "REGION", c.region, "VAR", c.variable).Replace(form)...)
}

const (
	// last is a call behind which a function may end: it returns to the function, where a jump in its place would return to that one's caller.
	last              = "{ API(REGION); __asm__ __volatile__(\"\"); }\n"
	placedApart       = "if ((" + activeCall + " & 33) == 1) " + last
	placedSingleBegin = "VAR = " + activeCall + "; if (VAR) { if (VAR & 32) " + joinedBegin + "(REGION); else API(REGION); }\n"
)

// placedSingle are the calls of a single with nowait, placedMet those of one whose barrier has calls; see joined.go for both.
var (
	placedSingle = [callPlaces]string{
		placedApart, placedSingleBegin,
		"if (VAR) { if (VAR & 32) POMP_Single_only_end(REGION); else API(REGION); }\n",
		"if (" + activeCall + ") { if (!(" + activeCall + " & 32)) API(REGION); else if (VAR < 0) POMP_Single_other(REGION); __asm__ __volatile__(\"\"); }\n",
	}
	placedMet = [callPlaces]string{placedApart, placedSingleBegin, "if (!(VAR & 32) && " + activeCall + ") API(REGION);\n", placedApart}
)

// places reports whether a call of this form stands in the text itself. The others tell tools no place.
func (u *unit) places(f *form) bool {
	switch f {
	case &plainForm, &blockForm, &flushForm, &apartForm, &forkForm, &createForm:
		return u.options.Preprocessed
	}
	return false
}

// placed is d's call at a place for a region.
func placed(d *omp.Directive, at callPlace, region int) placedCall {
	id := strconv.Itoa(region)
	return placedCall{apiName(d, at), regionCall + id + ")", descriptors.ExecutorVar + id}
}

// appendPlaced appends a call that has no arguments but the region: f's text, which asks for the active word by name.
func appendPlaced(b []byte, f *form, d *omp.Directive, at callPlace, region int) []byte {
	call := "API(REGION);\n"
	if at == endCall || at == exitCall {
		call = last
	}
	return placed(d, at, region).write(b, strings.ReplaceAll(f.body, isActive, activeCall)+call)
}

// appendPlacedCount appends the call that enters a loop construct with the number of its iterations.
func appendPlacedCount(b []byte, d *omp.Directive, region int, count string) []byte {
	return placed(d, enterCall, region).write(b, "if ("+activeCall+") { if ("+activeCall+" & 4) POMP_Counted_enter(REGION, "+count+"); else API(REGION); }\n")
}

// appendPlacedFork appends the value of a fork's handle.
func appendPlacedFork(b []byte, d *omp.Directive, region int, ifValue, threads string) []byte {
	return placed(d, enterCall, region).write(b, activeCall+" ? API(REGION, "+ifValue+" | ("+activeCall+" & 96), "+threads+") : 0;\n")
}

// appendPlacedTask appends the variables of a task, and the call that creates it. final is the value of that clause, "" without.
func appendPlacedTask(b []byte, d *omp.Directive, region int, ifValue, final string) []byte {
	id := strconv.Itoa(region)
	handle, entered, made := descriptors.HandleVar+id, descriptors.EnteredVar+id, "pomp_m"+id
	create := handle + " = API(REGION, " + ifValue + ");"
	form := "void **" + entered + " = 0, *" + handle + " = 0; "
	if final != "" {
		form += "if (" + activeCall + ") { if (" + activeCall + " & 2) POMP_Final(REGION, " + final + "); " + create + " }\n"
	} else {
		form += "if (" + activeCall + ") { if (" + activeCall + " & 32) { struct pomp_made " + made + " = " + joinedCreate + "(REGION, " + ifValue + "); " + handle + " = " + made + ".task; " +
			entered + " = " + made + ".entered; } else " + create + " }\n"
	}
	return placed(d, enterCall, region).write(b, form)
}

// appendAsked appends the two functions that such calls ask.
func appendAsked(b []byte) []byte {
	b = append(b, "static "+inLine+"int "+activeCall[:len(activeCall)-1]+"void) { return "+isActive+"; }\n"...)
	return append(b, "static "+inLine+"struct ompregdescr *"+regionCall+"int r) { return "+regionOf+"; }\n"...)
}

// onLine has all lines of b from n on be of the line of a directive.
func (u *unit) onLine(b []byte, n, line int) []byte {
	if !u.options.Preprocessed || u.options.NoLine || len(b) == n {
		return b
	}
	added, marked := bytes.Clone(b[n:]), false
	b = b[:n]
	for l := range bytes.Lines(added) {
		marker := bytes.HasPrefix(l, []byte("# "))
		if !marker && !marked {
			b = u.lineMarker(b, line)
		}
		b, marked = append(b, l...), marker
	}
	return b
}
