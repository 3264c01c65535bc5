package rewrite

import (
	"fmt"
	"strconv"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse/construct"
)

// A function's region lives as long as a variable at the start of its body. When the variable
// goes out of scope, the compiler calls its cleanup function: after a return has computed its
// value, at the closing brace, and for an exception. The variable holds the region's number if
// the region has begun, so each end has a begin.
//
// The functions are not always_inline, because GCC refuses to inline them where the user's
// function has another target.
//
// All of the inserted text stays on the line of the brace. An additional line in a branch of #if
// would shift all lines after a branch that is not compiled.
const functionText = "static " + functionAttributes + " int pomp_enter_function(int r) { " +
	"if (!" + isActive + ") return 0; " +
	"POMP_Begin(pomp_d + (r - 1), (const void *)0); return r; }\n" +
	"static " + functionAttributes + " void pomp_leave_function(const int *r) { " +
	"if (*r) POMP_End(pomp_d + (*r - 1), (const void *)0); }\n"

const functionAttributes = "__inline__ __attribute__((__unused__))"

// In text that is not preprocessed yet, a macro declares the variable.
const (
	functionVariable = "const int " + descriptors.FunctionVar +
		"%s __attribute__((__cleanup__(pomp_leave_function), __unused__)) = " +
		"pomp_enter_function(%s);"
	functionMark = markPrefix + "f" + markSuffix
)

// functionControl is the key in unit.controls that says that the unit has instrumented functions.
const functionControl omp.Control = "Function"

// isFunction reports whether p is a function.
func isFunction(p *descriptors.Placed) bool { return p.Construct.Kind == construct.FunctionBody }

// entry prints, at offset at, the text that begins region id at the start of a function's body.
// It is the first declaration of the body, as C90 requires.
func (u *unit) entry(p *printer, at, id int) {
	p.copyTo(at)
	if u.options.Preprocessed {
		p.out = append(p.out, ' ')
		p.out = fmt.Appendf(p.out, functionVariable, strconv.Itoa(id), strconv.Itoa(id))
		return
	}
	p.out = fmt.Appendf(p.out, " pomp_function(%d) %s", id, functionMark)
}

// appendFunction appends the functions that begin and end a function's region.
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
