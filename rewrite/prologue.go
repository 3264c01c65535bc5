package rewrite

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
)

// InterfaceVersion is the value of _POMP in an instrumented compilation: the year and month of the interface.
const InterfaceVersion = "202611"

// survey finds out which calls the part at hand uses: the prologue declares just these.
func (u *unit) survey() {
	for _, r := range u.table.Regions {
		switch {
		case r.Call != nil:
			u.locks[r.Call.Name] = true
		case r.Leaf != nil:
			used := &u.used[r.Leaf.ID]
			brackets := hasBrackets(r)
			for at, name := range callNames[r.Leaf.ID] {
				if name != "" && (brackets || callPlace(at) == enterCall || callPlace(at) == exitCall) {
					used[at] = true
				}
			}
			u.barriers = u.barriers || r.Barrier == descriptors.MakeItPlain
		}
	}
	for i := range u.table.Placed {
		if p := &u.table.Placed[i]; isUser(p) {
			u.user(nil, p)
		}
	}
}

// head appends the first of the declarations that stand before the user's first line, those before the rows of the file's
// regions. Nothing is included there, so that the user's own feature macros still come first.
func (u *unit) head(b []byte, regions int) []byte {
	idle := u.idle(regions)
	if idle && u.options.Preprocessed {
		return b
	}
	b = append(b, "/* Instrumented by opari for the POMP interface, ABI 1; `opari strip` gives the original back. */\n"...)
	if !u.options.Preprocessed {
		b = append(b, "#ifndef _POMP\n#define _POMP "+InterfaceVersion+"\n#endif\n"...)
	}
	if idle {
		return b
	}
	if !u.options.Preprocessed { // pomp_lib.h leaves out what is declared here
		b = append(b, "#define POMP_UNIT_1 1\n"...)
	}
	b = append(b, descriptors.StructLines...)
	if regions > 0 {
		b = descriptors.AppendTableHead(b, regions)
	}
	return b
}

// neck appends the declarations behind the rows.
func (u *unit) neck(b []byte, regions int) []byte {
	if u.idle(regions) {
		return b
	}
	cxx := u.options.Lang == omp.CPlusPlus
	array := "0"
	if regions > 0 {
		array = "pomp_d"
	}
	b = append(b, unitName+" = { 1, "...)
	b = append(b, strconv.Itoa(regions)+", "+array+", 0, 0 };\n"...)
	if cxx {
		b = append(b, "extern \"C\" {\n"...)
	}
	b = append(b, registration...)
	n := len(b)
	b = u.wrappers(b)
	if u.options.Preprocessed { // no macros any more
		attributes := inLine
		if u.options.Optimized {
			attributes = outOfLine
		}
		b = append(b[:n], bytes.ReplaceAll(b[n:], []byte("pomp_wrapper"), []byte(attributes))...)
	}
	if cxx {
		b = append(b, "}\n"...)
	}
	return b
}

// idle reports whether the file, of so many regions, calls nothing of the interface.
func (u *unit) idle(regions int) bool { return regions == 0 && len(u.controls) == 0 }

const (
	weak         = " __attribute__((__weak__));\n"
	wrapper      = "static pomp_wrapper "
	outOfLine    = "__attribute__((__noinline__, __unused__))"
	inLine       = "__inline__ __attribute__((__always_inline__, __unused__))"
	registration = `extern void pomp_register_1(struct pomp_unit *) __attribute__((__weak__));
extern void pomp_unregister_1(struct pomp_unit *) __attribute__((__weak__));
static __attribute__((__constructor__, __used__)) void pomp_unit_start(void) { if (pomp_register_1) pomp_register_1(&pomp_unit); }
static __attribute__((__destructor__, __used__)) void pomp_unit_stop(void) { if (pomp_unregister_1) pomp_unregister_1(&pomp_unit); }
`
)

// wrappers declares the API functions that the file calls and defines the functions through which it calls them. A call that
// tests and calls in line costs the compiler a tenth of its time more than one instruction out of line, which costs the program
// one nanosecond; there the optimizer makes the API call a jump, so that its return address is still in the user's code.
// Without the optimizer it would not be, so there they are in line.
func (u *unit) wrappers(b []byte) []byte {
	if !u.options.Preprocessed {
		b = append(b, "#ifdef __OPTIMIZE__\n#define pomp_wrapper "+outOfLine+"\n#else\n#define pomp_wrapper "+inLine+"\n#endif\n"...)
	}
	if u.barriers {
		used := &u.used[omp.OfKind(omp.KindBarrier).ID]
		used[enterCall], used[exitCall] = true, true
	}
	for id, used := range u.used {
		for at, yes := range used {
			if yes && callNames[id][at] != "" {
				b = appendWrapper(b, &omp.Directives[id], callPlace(at))
			}
		}
	}
	for i := range omp.LockRoutines {
		if l := &omp.LockRoutines[i]; u.locks[l.Name] {
			b = appendLock(b, l)
		}
	}
	controls := make([]string, 0, len(u.controls))
	for c := range u.controls {
		controls = append(controls, c)
	}
	slices.Sort(controls)
	for _, c := range controls {
		b = appendControl(b, c)
	}
	return b
}

// appendWrapper appends the declaration and the wrapper of one call of directive d.
func appendWrapper(b []byte, d *omp.Directive, at callPlace) []byte {
	name := strings.TrimSuffix(callNames[d.ID][at], "(")
	api := "POMP_" + d.Event + strings.TrimPrefix(name, "pomp_"+strings.ToLower(d.Event))
	fork, task := d.Rule == omp.Fork, d.Rule == omp.Task
	switch {
	case (fork || task) && at == enterCall:
		types, params, args := "int", "int i", "i"
		if fork {
			types, params, args = "int, int", "int i, int n", "i, n"
		}
		b = append(b, "extern void *"+api+"(struct ompregdescr *, "+types+")"+weak...)
		b = append(b, wrapper+"void *"+name+"(int r, "+params+") { return pomp_unit.active ? "+api+"(pomp_d + (r - 1), "+args+") : (void *)0; }\n"...)
	case fork || task:
		b = append(b, "extern void "+api+"(struct ompregdescr *, void *)"+weak...)
		b = append(b, wrapper+"void "+name+"(int r, void *h) { if (h) "+api+"(pomp_d + (r - 1), h); }\n"...)
	default:
		b = append(b, "extern void "+api+"(struct ompregdescr *)"+weak...)
		b = append(b, wrapper+"void "+name+"(int r) { if (pomp_unit.active) "+api+"(pomp_d + (r - 1)); }\n"...)
	}
	return b
}

// appendLock appends the wrapper of a lock routine. The routine itself is reached under another name by its assembler name:
// its prototype names types of omp.h, which is not included yet.
func appendLock(b []byte, l *omp.LockRoutine) []byte {
	result, give, types, params, args := "void", "", "void *", "void *l", "l"
	if l.Test {
		result, give = "int", "return "
	}
	if l.Hint {
		types, params, args = "void *, int", "void *l, int h", "l, h"
	}
	name := strings.TrimPrefix(l.Name, "omp_")
	b = append(b, "extern "+result+" pomp_"+l.Name+"("+types+") __asm__(\""+l.Name+"\");\n"...)
	b = append(b, "extern "+result+" POMP_"+l.Event+"(struct ompregdescr *, "+types+")"+weak...)
	b = append(b, wrapper+result+" pomp_"+name+"(int r, "+params+") { if (pomp_unit.active) "+give+"POMP_"+l.Event+"(pomp_d + (r - 1), "+args+"); else "...)
	return append(b, give+"pomp_"+l.Name+"("+args+"); }\n"...)
}

// appendControl appends the wrapper of a control call. It does not ask whether measuring is on: it is what turns it on.
func appendControl(b []byte, name string) []byte {
	api := "POMP_" + strings.ToUpper(name[:1]) + name[1:]
	if name == "begin" || name == "end" {
		b = append(b, "extern void "+api+"(struct ompregdescr *, const void *)"+weak...)
		return append(b, wrapper+"void pomp_"+name+"(int r, const void *u) { if (pomp_unit.active) "+api+"(pomp_d + (r - 1), u); }\n"...)
	}
	b = append(b, "extern void "+api+"(void)"+weak...)
	return append(b, wrapper+"void pomp_"+name+"(void) { if ("+api+") "+api+"(); }\n"...)
}
