package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// The text calls the API through functions of its own unit, which ask whether measuring is on. Most are inlined: off, an event costs
// one test. But each test and call also costs the compiler about half a millisecond, and each function that it compiles on its own three;
// so what forks, creates a task or waits at a barrier, which takes a hundred nanoseconds and more by itself, goes out of line,
// through one function for all calls of one type. There the optimizer makes the API call a jump, so that its return address is
// still in the user's code. Without the optimizer it would not be, so there all are inlined.

// A sharedWrapper is a function that is shared by all calls of one type.
type sharedWrapper uint8

const (
	forkWrapper     sharedWrapper = iota // handle (d, if, num_threads)
	createWrapper                        // handle (d, if)
	instanceWrapper                      // void (d, handle)
	eventWrapper                         // void (d)
	sharedWrappers
	notShared
)

// sharedForms are the parts of the functions' texts: table names the array of the API functions, call the function itself; body is
// what stands before the call of an element of table.
var sharedForms = [sharedWrappers]struct{ table, call, result, types, params, body, args string }{
	forkWrapper:     {"pomp_forks", "pomp_fork", "void *", ", int, int", ", int i, int n", "return !pomp_unit.active ? (void *)0 : ", ", i, n"},
	createWrapper:   {"pomp_creates", "pomp_create", "void *", ", int", ", int i", "return !pomp_unit.active ? (void *)0 : ", ", i"},
	instanceWrapper: {"pomp_instances", "pomp_instance", "void ", ", void *", ", void *h", "if (h) ", ", h"},
	eventWrapper:    {"pomp_events", "pomp_event", "void ", "", "", "if (pomp_unit.active) ", ""},
}

// A sharedCall is one of the calls that go through a shared wrapper; its index there is its number.
type sharedCall struct {
	row *omp.Directive
	at  callPlace
}

var barrier = omp.OfKind(omp.KindBarrier)

// sharedBy is the wrapper that a call goes through, notShared when it has one of its own.
func sharedBy(d *omp.Directive, at callPlace) sharedWrapper {
	switch {
	case d.Rule == omp.Fork && at == enterCall:
		return forkWrapper
	case d.Rule == omp.Task && at == enterCall:
		return createWrapper
	case d.Rule == omp.Fork, d.Rule == omp.Task:
		return instanceWrapper
	case d == barrier:
		return eventWrapper
	}
	return notShared
}

// use notes that the text calls d's call at a place.
func (u *unit) use(d *omp.Directive, at callPlace) {
	call := &u.used[d.ID][at]
	if *call != "" {
		return
	}
	*call = callNames[d.ID][at]
	w := sharedBy(d, at)
	if w == notShared {
		return
	}
	if u.options.Preprocessed { // no macros any more
		*call = sharedForms[w].call + "(" + strconv.Itoa(len(u.shared[w])) + ", "
	}
	u.shared[w] = append(u.shared[w], sharedCall{d, at})
}

const (
	weak      = " __attribute__((__weak__));\n"
	outOfLine = "__attribute__((__noinline__, __unused__)) "
	inLine    = "__inline__ __attribute__((__always_inline__, __unused__)) "
	// One function registers the unit when it is loaded and takes it back when it is unloaded.
	registration = `extern void pomp_unit_1(struct pomp_unit *) __attribute__((__weak__));
static __attribute__((__constructor__, __destructor__, __used__)) void pomp_unit_hook(void) { if (pomp_unit_1) pomp_unit_1(&pomp_unit); }
`
)

// wrappers declares the API functions that the file calls and defines the functions through which it calls them.
func (u *unit) wrappers(b []byte) []byte {
	large := "pomp_wrapper "
	switch {
	case !u.options.Preprocessed:
		b = append(b, "#ifdef __OPTIMIZE__\n#define pomp_wrapper "+outOfLine[:len(outOfLine)-1]+"\n#else\n#define pomp_wrapper "+inLine[:len(inLine)-1]+"\n#endif\n"...)
	case u.options.Optimized:
		large = outOfLine
	default:
		large = inLine
	}
	for id := range u.used {
		for at, call := range u.used[id] {
			if d := &omp.Directives[id]; call != "" && sharedBy(d, callPlace(at)) == notShared {
				api := apiName(d, callPlace(at))
				b = append(b, "extern void "+api+"(struct ompregdescr *)"+weak...)
				b = append(b, "static "+inLine+"void "+call+"int r) { if (pomp_unit.active) "+api+"(pomp_d + (r - 1)); }\n"...)
			}
		}
	}
	for w, calls := range u.shared {
		if len(calls) > 0 {
			b = u.appendShared(b, sharedWrapper(w), large)
		}
	}
	b = u.appendDetailed(b, large)
	for i := range omp.LockRoutines {
		if l := &omp.LockRoutines[i]; u.locks[l.Name] {
			b = appendLock(b, l, large)
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

// apiName is the API function behind a call: POMP_For_enter.
func apiName(d *omp.Directive, at callPlace) string {
	name := strings.TrimSuffix(callNames[d.ID][at], "(")
	return "POMP_" + d.Event + strings.TrimPrefix(name, "pomp_"+strings.ToLower(d.Event))
}

// appendShared appends the declarations of the calls that go through one wrapper, and the wrapper.
func (u *unit) appendShared(b []byte, w sharedWrapper, attributes string) []byte {
	f := &sharedForms[w]
	names := make([]string, len(u.shared[w]))
	for i, c := range u.shared[w] {
		names[i] = apiName(c.row, c.at)
		b = append(b, "extern "+f.result+names[i]+"(struct ompregdescr *"+f.types+")"+weak...)
	}
	b = append(b, "static "+f.result+"(*const "+f.table+"[])(struct ompregdescr *"+f.types+") = { "+strings.Join(names, ", ")+" };\n"...)
	b = append(b, "static "+attributes+f.result+f.call+"(int f, int r"+f.params+") { "+f.body+f.table+"[f](pomp_d + (r - 1)"+f.args+"); }\n"...)
	if u.options.Preprocessed {
		return b
	}
	for i, c := range u.shared[w] {
		b = append(b, "#define "+callNames[c.row.ID][c.at]+"r"+f.args+") "+f.call+"("+strconv.Itoa(i)+", r"+f.args+")\n"...)
	}
	return b
}

// appendLock appends the wrapper of a lock routine. The routine itself is reached under another name by its assembler name:
// its prototype names types of omp.h, which is not included yet.
func appendLock(b []byte, l *omp.LockRoutine, attributes string) []byte {
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
	b = append(b, "static "+attributes+result+" pomp_"+name+"(int r, "+params+") { if (pomp_unit.active) "+give+"POMP_"+l.Event+"(pomp_d + (r - 1), "+args+"); else "...)
	return append(b, give+"pomp_"+l.Name+"("+args+"); }\n"...)
}

// appendControl appends the wrapper of a control call. It does not ask whether measuring is on: it is what turns it on.
func appendControl(b []byte, name string) []byte {
	api := "POMP_" + strings.ToUpper(name[:1]) + name[1:]
	if name == "begin" || name == "end" {
		b = append(b, "extern void "+api+"(struct ompregdescr *, const void *)"+weak...)
		return append(b, "static "+inLine+"void pomp_"+name+"(int r, const void *u) { if (pomp_unit.active) "+api+"(pomp_d + (r - 1), u); }\n"...)
	}
	b = append(b, "extern void "+api+"(void)"+weak...)
	return append(b, "static "+inLine+"void pomp_"+name+"(void) { if ("+api+") "+api+"(); }\n"...)
}
