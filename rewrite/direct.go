package rewrite

import (
	"bytes"
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
)

// In preprocessed text, which nobody reads, the calls that show a tool a place in the program
// stand directly in the user's function, on the directive's line. Code inlined from another
// function would have the line of that function, and debuggers and tools would show it.
//
// A region with default(none) may name no further variable. A text that may have one calls two
// functions to get the unit's active word and the descriptors. These are inlined and make no call
// themselves, but the compiler takes longer for them, without optimization most of all.

const (
	activeCall = "pomp_active()"
	regionCall = "pomp_r("
)

// plainActive reads the active word where no sanitizer looks on. It is the same instruction as
// isActive. GCC takes longer for that.
const plainActive = "pomp_unit.active"

// mayNameVariables reports whether calls may name the unit's variables anywhere in a preprocessed
// text: no directive there has a default clause.
func mayNameVariables(text []byte) bool {
	const word = "default"
	for {
		i := bytes.Index(text, []byte(word))
		if i < 0 {
			return true
		}
		text = bytes.TrimLeft(text[i+len(word):], " \t\\\r\n")
		if len(text) > 0 && text[0] == '(' {
			return false
		}
	}
}

// activeWord returns the expression for the unit's active word in the functions of the user.
func (u *unit) activeWord() string {
	switch {
	case !u.namesVariables:
		return activeCall
	case u.options.Sanitized:
		return isActive
	}
	return plainActive
}

// A directCall holds the parts of one call: api is the library's function, region the descriptor,
// active the active word, and variable the one that the construct's calls share.
type directCall struct{ api, region, active, variable string }

// write appends form with its placeholders API, REGION, ACTIVE and VAR replaced by the parts of
// the call.
func (c directCall) write(b []byte, form string) []byte {
	parts := strings.NewReplacer("API", c.api, "REGION", c.region, "ACTIVE", c.active, "VAR",
		c.variable)
	return append(b, parts.Replace(form)...)
}

const (
	// noTailCall calls the library where the user's function may end. The call returns to that
	// function. A jump in its place would return to the caller of the user's function.
	noTailCall        = "{ API(REGION); __asm__ __volatile__(\"\"); }\n"
	directUnmerged    = "if ((ACTIVE & 33) == 1) " + noTailCall
	directSingleBegin = "VAR = ACTIVE; if (VAR) { if (VAR & 32) " + mergedBegin +
		"(REGION); else API(REGION); }\n"
)

// directSingle holds the calls of a single with nowait, directBarrierMerged those of a construct
// whose barrier has calls. merged.go explains both.
var (
	directSingle = [callPlaces]string{
		directUnmerged, directSingleBegin,
		"if (VAR) { if (VAR & 32) POMP_Single_only_end(REGION); else API(REGION); }\n",
		"if (ACTIVE) { if (!(ACTIVE & 32)) API(REGION); " +
			"else if (VAR < 0) POMP_Single_other(REGION); " +
			"__asm__ __volatile__(\"\"); }\n",
	}
	directBarrierMerged = [callPlaces]string{
		directUnmerged, directSingleBegin,
		"if (!(VAR & 32) && ACTIVE) API(REGION);\n", directUnmerged,
	}
)

// isDirect reports whether a call of this form stands directly in the text. The other forms give
// tools no place.
func (u *unit) isDirect(f *form) bool {
	switch f {
	case &plainForm, &blockForm, &flushForm, &unmergedForm, &forkForm, &createForm:
		return u.options.Preprocessed
	}
	return false
}

// newDirectCall returns the parts of d's call at a place for a region.
func (u *unit) newDirectCall(d *omp.Directive, at callPlace, region int) directCall {
	id := strconv.Itoa(region)
	place := regionCall + id + ")"
	if u.namesVariables {
		place = "pomp_d + " + strconv.Itoa(region-1)
	}
	return directCall{apiName(d, at), place, u.activeWord(), descriptors.ExecutorVar + id}
}

// appendDirect appends a call whose only argument is the region. The text is that of f.
func (u *unit) appendDirect(b []byte, f *form, d *omp.Directive, at callPlace, region int) []byte {
	call := "API(REGION);\n"
	if at == endCall || at == exitCall {
		call = noTailCall
	}
	return u.newDirectCall(d, at, region).write(b,
		strings.ReplaceAll(f.body, isActive, "ACTIVE")+call)
}

// appendDirectCount appends the call that enters a loop construct with the number of its
// iterations.
func (u *unit) appendDirectCount(b []byte, d *omp.Directive, region int, count string) []byte {
	return u.newDirectCall(d, enterCall, region).write(b, "if (ACTIVE) { if (ACTIVE & 4) "+
		"POMP_Counted_enter(REGION, "+count+"); else API(REGION); }\n")
}

// appendDirectFork appends the expression for a fork's handle.
func (u *unit) appendDirectFork(b []byte, d *omp.Directive, region int,
	ifValue, threads string,
) []byte {
	return u.newDirectCall(d, enterCall, region).write(b, "ACTIVE ? API(REGION, "+ifValue+
		" | (ACTIVE & 96), "+threads+") : 0;\n")
}

// appendDirectTask appends the variables of a task and the call that creates it. final is the
// variable that holds the value of the final clause, or "" without one.
func (u *unit) appendDirectTask(b []byte, d *omp.Directive, region int,
	ifValue, final string,
) []byte {
	id := strconv.Itoa(region)
	handle, entered, made := descriptors.HandleVar+id, descriptors.EnteredVar+id, "pomp_m"+id
	create := handle + " = API(REGION, " + ifValue + ");"
	form := "void **" + entered + " = 0, *" + handle + " = 0; "
	if final != "" {
		form += "if (ACTIVE) { if (ACTIVE & 2) POMP_Final(REGION, " +
			final + "); " + create + " }\n"
	} else {
		form += "if (ACTIVE) { if (ACTIVE & 32) { struct pomp_made " +
			made + " = " + mergedCreate + "(REGION, " + ifValue + "); " + handle + " = " + made +
			".task; " +
			entered + " = " + made + ".entered; } else " + create + " }\n"
	}
	return u.newDirectCall(d, enterCall, region).write(b, form)
}

// appendDirectQueries appends the two functions that return the active word and a descriptor.
func (u *unit) appendDirectQueries(b []byte) []byte {
	if u.namesVariables {
		return b
	}
	b = append(b, "static "+inLine+"int "+activeCall[:len(activeCall)-1]+"void) { return "+isActive+
		"; }\n"...)
	return append(b, "static "+inLine+"struct ompregdescr *"+regionCall+"int r) { return "+regionOf+
		"; }\n"...)
}

// attributeToLine puts markers between the lines of b from offset n on, so that all of them have
// the number of the directive's line.
func (u *unit) attributeToLine(b []byte, n, line int) []byte {
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
