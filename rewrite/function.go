package rewrite

import (
	"fmt"
	"strconv"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse/construct"
)

// A function's region lives as long as a variable at the start of its body: what the compiler calls when the variable goes out of
// scope is called behind the value of a return, at the end, and for an exception. The variable holds the region's number where the region was
// begun, so that an end has always had its begin. The functions are not made to be inlined always: GCC refuses that where the
// user's function has another target.
//
// All of it stands in the line of the brace: a line more in a branch of #if would move all lines behind a branch that is not compiled.
const functionText = `static __inline__ __attribute__((__unused__)) int pomp_enter_function(int r) { if (!` + isActive + `) return 0; POMP_Begin(pomp_d + (r - 1), (const void *)0); return r; }
static __inline__ __attribute__((__unused__)) void pomp_leave_function(const int *r) { if (*r) POMP_End(pomp_d + (*r - 1), (const void *)0); }
`

// In a text that is still to be preprocessed the variable comes from a macro.
const (
	functionVariable = "const int " + descriptors.FunctionVar + "%s __attribute__((__cleanup__(pomp_leave_function), __unused__)) = pomp_enter_function(%s);"
	functionMark     = markPrefix + "f" + markSuffix
)

// functionControl is the control under which the unit remembers that it has functions.
const functionControl omp.Control = "Function"

// isFunction reports whether p is a function.
func isFunction(p *descriptors.Placed) bool { return p.Construct.Kind == construct.FunctionBody }

// entry prints what begins region id at the start of a function's body, at offset at. It is a declaration, the first one there, as C90 has it.
func (u *unit) entry(p *printer, at, id int) {
	p.copyTo(at)
	if u.options.Preprocessed {
		p.out = append(p.out, ' ')
		p.out = fmt.Appendf(p.out, functionVariable, strconv.Itoa(id), strconv.Itoa(id))
		return
	}
	p.out = fmt.Appendf(p.out, " pomp_function(%d) %s", id, functionMark)
}

// appendFunction appends what begins and ends a function's region.
func (u *unit) appendFunction(b []byte) []byte {
	for _, c := range []omp.Control{omp.ControlBegin, omp.ControlEnd} {
		if !u.controls[c] {
			b = u.appendDeclaration(b, c)
		}
	}
	b = append(b, functionText...)
	if !u.options.Preprocessed {
		b = fmt.Appendf(b, "#define pomp_function(r) "+functionVariable+"\n", "##r", "r")
	}
	return b
}
