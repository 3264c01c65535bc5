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

// functionOffText is the same for functions that the library may switch off by data[2] of the
// descriptor. It does so between an entry and its exit too, so only the entry tests that. The
// variable is negative where the exit is POMP_Function_end, which times calls.
const functionOffText = "static " + functionAttributes + " int pomp_enter_function(int r) { " +
	"int a = " + isActive + "; if (!a || __atomic_load_n(&pomp_d[r - 1].data[2], 0)) return 0; " +
	"if (a & 128) { POMP_Function_begin(pomp_d + (r - 1)); return -r; } " +
	"POMP_Begin(pomp_d + (r - 1), (const void *)0); return r; }\n" +
	"static " + functionAttributes + " void pomp_leave_function(const int *r) { " +
	"if (*r < 0) POMP_Function_end(pomp_d + (-*r - 1)); " +
	"else if (*r) POMP_End(pomp_d + (*r - 1), (const void *)0); }\n"

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
	if u.options.SwitchOff {
		for _, api := range []string{"POMP_Function_begin", "POMP_Function_end"} {
			b = u.declare(b, "void ", api, "struct ompregdescr *")
		}
		b = append(b, functionOffText...)
	} else {
		b = append(b, functionText...)
	}
	if !u.options.Preprocessed {
		b = fmt.Appendf(b, "#define pomp_function(r) "+functionVariable+"\n", "##r", "r")
	}
	return b
}
