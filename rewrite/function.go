package rewrite

import (
	"strconv"

	"opari/descriptors"
	"opari/parse"
)

// A function's region lives as long as a variable at the start of its body: what the compiler calls when the variable goes out of
// scope is called behind the value of a return, at the end, and for an exception. The variable holds the region's number where the region was
// begun, so that an end has always had its begin. The functions are not made to be inlined always: GCC refuses that where the
// user's function has another target.
const functionText = `static __inline__ __attribute__((__unused__)) int pomp_enter_function(int r) { if (!pomp_unit.active) return 0; POMP_Begin(pomp_d + (r - 1), (const void *)0); return r; }
static __inline__ __attribute__((__unused__)) void pomp_leave_function(const int *r) { if (*r) POMP_End(pomp_d + (*r - 1), (const void *)0); }
`

// functionControl is the control under which the unit remembers that it has functions.
const functionControl = "function"

// isFunction reports whether p is a function.
func isFunction(p *descriptors.Placed) bool { return p.Construct.Kind == parse.FunctionBody }

// entry renders what stands at the start of a function's body. A declaration is the first thing there, as C90 has it.
func (u *unit) entry(b []byte, p *descriptors.Placed) []byte {
	id := strconv.Itoa(p.Regions[0].ID)
	u.controls[functionControl] = true
	b = append(b, "const int "+descriptors.FunctionVar+id...)
	return append(b, " __attribute__((__cleanup__(pomp_leave_function), __unused__)) = pomp_enter_function("+id+");\n"...)
}

// inlineEntry puts a function's entry into a preprocessed text whose line goes on behind the brace: the columns before it stay, and the line
// is the same.
func (u *unit) inlineEntry(p *printer, at int, item *descriptors.Placed) {
	p.copyTo(at)
	p.out = append(p.out, ' ')
	p.out = u.entry(p.out, item)
	p.out[len(p.out)-1] = ' '
}

// appendFunction appends the functions that begin and end a function's region.
func (u *unit) appendFunction(b []byte) []byte {
	for _, name := range []string{"begin", "end"} {
		if !u.controls[name] {
			b = appendDeclaration(b, name)
		}
	}
	return append(b, functionText...)
}
