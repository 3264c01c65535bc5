package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// The text calls the API through functions of its own unit, which ask whether measuring is on. Most are inlined: off, an event costs
// one test. But each test and call also costs the compiler about half a millisecond, and each function that it compiles on its own three;
// so forks, joins and barriers, which take hundreds of nanoseconds by themselves, go out of line, through one function for all
// calls of one type. There the optimizer makes the API call a jump, so that its return address is still in the user's code.
// Without the optimizer it would not be, so there all are inlined.

// A sharedWrapper is a function that is shared by all calls of one type.
type sharedWrapper uint8

const (
	forkWrapper  sharedWrapper = iota // handle (d, if, num_threads)
	joinWrapper                       // void (d, handle)
	eventWrapper                      // void (d)
	sharedWrappers
	notShared
)

// A form is the text of a wrapper around an API call, which returns api. The wrapper returns result; its parameters are the number of
// the region, or where its descriptor lies, and params, whose types are types; body stands before the call, args are its arguments after the descriptor, end
// stands behind it.
type form struct{ api, result, types, params, body, args, end string }

const (
	// isActive reads the unit's active word. Another thread may be switching measurement on or off, or end the process: a load that ThreadSanitizer
	// knows to be meant so, and the same instruction as any other.
	isActive = "__atomic_load_n(&pomp_unit.active, 0)"
	ifActive = "if (" + isActive + ") "
	// A library may say of calls that it does not want them, by bits 3 and 4 of the unit's active word; see pomp_lib.h.
	ifBlocksWanted  = "if ((" + isActive + " & 9) == 1) "
	ifFlushesWanted = "if ((" + isActive + " & 17) == 1) "
	// Bits 5 and 6: it joins calls; see joined.go.
	forkJoined   = "int a = " + isActive + "; if (!a) return (void *)0; i |= a & 96; return "
	createJoined = "*e = (void **)0; if (!" + isActive + ") return (void *)0; if (" + isActive + " & 32) { struct pomp_made m = " + joinedCreate + "(pomp_d + (r - 1), i); " +
		"*e = m.entered; return m.task; } return "
)

// meetsCall is the unit's function that says of a fork's handle whether the team has calls, up to its argument.
const meetsCall = "pomp_meets("

var (
	plainForm  = form{api: "void ", result: "void ", body: ifActive}
	blockForm  = form{api: "void ", result: "void ", body: ifBlocksWanted}
	flushForm  = form{api: "void ", result: "void ", body: ifFlushesWanted}
	forkForm   = form{"void *", "void *", ", int, int", ", int i, int n", forkJoined, ", i, n", ""}
	createForm = form{"void *", "void *", ", int", ", int i, void ***e", createJoined, ", i", ""}
	// The handle is null while measuring is off.
	createdForm = form{"void ", "void ", ", void *", ", void *h, void **e", "if (!h) return; if (e) *e = (void *)0; else ", ", h", ""}
	handleForm  = form{"void ", "void ", ", void *", ", void *h", "if (h) ", ", h", ""}
	// The handle lies in memory of the thread that forked, which is slow to reach: the empty asm keeps it from being read before
	// measuring is found to be on. What begin returns lies in a register, and says to end that there was a begin. Handle 1 is of the fork and
	// the join alone.
	beginForm = form{"void ", "void *", ", void *", ", void *h", ifActive + `{ void *t = h; __asm__("" : "+r"(t)); if (` + meetsCall + `t)) { `, ", t", "; return t; } } return (void *)0"}
)

// sharedNames are the names of the shared wrappers, and of the tables of the API functions that they call.
var sharedNames = [sharedWrappers]struct {
	table, call string
	form        *form
}{
	forkWrapper:  {"pomp_forks", "pomp_fork", &forkForm},
	joinWrapper:  {"pomp_joins", "pomp_join", &handleForm},
	eventWrapper: {"pomp_events", "pomp_event", &plainForm},
}

// formOf is the form of a call's wrapper.
func formOf(d *omp.Directive, at callPlace) *form {
	switch {
	case d.Rule == omp.Fork && at == enterCall:
		return &forkForm
	case d.Rule == omp.Fork && at == beginCall:
		return &beginForm
	case d.Rule == omp.Task && at == enterCall:
		return &createForm
	case d.Rule == omp.Task && at == exitCall:
		return &createdForm
	case d.Rule == omp.Fork, d.Rule == omp.Task:
		return &handleForm
	case d.Kind == omp.KindFlush && at == enterCall:
		return &flushForm
	case d.Kind == omp.KindSection && at == endCall:
		return &apartForm
	case tellsAround(d.Kind, at):
		return &blockForm
	}
	return &plainForm
}

// tellsAround tells whether a call stands within a construct whose own calls may tell a library all that it wants to know.
func tellsAround(k omp.Kind, at callPlace) bool {
	switch k {
	case omp.KindCritical, omp.KindOrdered:
		return at == endCall
	case omp.KindTaskgroup:
		return at == beginCall
	case omp.KindScope:
		return at == beginCall || at == endCall
	}
	return false
}

// A sharedCall is one of the calls that go through a shared wrapper; its index there is its number.
type sharedCall struct {
	row *omp.Directive
	at  callPlace
}

var barrier = omp.OfKind(omp.KindBarrier)

// sharedBy is the wrapper that a call goes through, notShared when it has one of its own. Only of GCC is it known that it makes the library's
// call there a jump whatever the options; without the optimizer there is nothing to save.
func (u *unit) sharedBy(d *omp.Directive, at callPlace) sharedWrapper {
	switch {
	case u.options.Preprocessed && !(u.options.Optimized && u.options.GCC):
		return notShared
	case d.Rule == omp.Fork && at == enterCall:
		return forkWrapper
	case d.Rule == omp.Fork && at == exitCall:
		return joinWrapper
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
	w := u.sharedBy(d, at)
	if w == notShared {
		return
	}
	if u.options.Preprocessed { // no macros any more
		*call = sharedNames[w].call + "(" + strconv.Itoa(len(u.shared[w])) + ", "
	}
	u.shared[w] = append(u.shared[w], sharedCall{d, at})
}

const (
	outOfLine = "__attribute__((__noinline__, __unused__)) "
	// They jump to the library, so that what it takes for its caller is the user's function. GCC does so from -O2 on, and not where a sanitizer instruments.
	outOfLineGCC = "__attribute__((__noinline__, __unused__, __optimize__(2), __no_sanitize_thread__, __no_sanitize_address__)) "
	inLine       = "__inline__ __attribute__((__always_inline__, __unused__)) "
	// One function registers the unit when it is loaded and takes it back when it is unloaded. It names every function of the API that the unit
	// calls: where a program is linked without the library the linker takes a weak function that is only called, or only
	// stands in a table, for one that will never be there, and with the library preloaded such a call goes to address 0. In a program that is no
	// PIE it leaves such a table full of zeros also then, so tables are filled here.
	registration = "static __attribute__((__constructor__, __destructor__, __used__)) void pomp_unit_hook(void) { if (pomp_unit_1) { "
	naming       = `__asm__ volatile("" : : "r"(`
	registered   = "pomp_unit_1(&pomp_unit); } }\n"
)

// register appends the function that registers the unit.
func (u *unit) register(b []byte) []byte {
	b = append(append(b, "extern void pomp_unit_1(struct pomp_unit *)"...), u.weak()...)
	b = append(b, registration...)
	for _, d := range u.declared {
		if d.slot != "" {
			b = append(b, d.slot+" = "+d.api+"; "...)
		} else {
			b = append(b, naming+d.api+")); "...)
		}
	}
	return append(b, registered...)
}

// A declaredCall is a function of the API that the unit calls, and the element of a table through which it does; "": it calls it by name.
type declaredCall struct{ api, slot string }

// weak is what ends the declaration of a function of the API. GCC's code for a program that is no PIE (-fno-pie) would have the linker put in such a
// function's address, of which it makes 0 where the library is not there, for good: with noplt it asks the loader, as code for a PIE
// does. clang knows no such attribute.
func (u *unit) weak() string {
	if u.options.GCC {
		return " __attribute__((__weak__, __noplt__));\n"
	}
	return " __attribute__((__weak__));\n"
}

// declare appends the declaration of an API function.
func (u *unit) declare(b []byte, result, api, parameters string) []byte {
	u.declared = append(u.declared, declaredCall{api: api})
	return append(b, "extern "+result+api+"("+parameters+")"+u.weak()...)
}

// wrappers declares the API functions that the file calls and defines the functions through which it calls them.
func (u *unit) wrappers(b []byte) []byte {
	large := outOfLineGCC
	if !u.options.Preprocessed {
		large = "pomp_wrapper "
		b = append(b, "#ifndef __OPTIMIZE__\n#define pomp_wrapper "+strings.TrimSpace(inLine)+"\n#elif defined __GNUC__ && !defined __clang__ && !defined __INTEL_COMPILER\n#define pomp_wrapper "+
			strings.TrimSpace(outOfLineGCC)+"\n#else\n#define pomp_wrapper "+strings.TrimSpace(outOfLine)+"\n#endif\n"...)
	}
	for id := range u.used {
		for at, call := range u.used[id] {
			if d := &omp.Directives[id]; call != "" && u.sharedBy(d, callPlace(at)) == notShared {
				f, api := formOf(d, callPlace(at)), apiName(d, callPlace(at))
				switch f {
				case &createForm:
					b = u.declareCreate(b)
				case &beginForm:
					b = append(b, "static "+inLine+"int "+meetsCall+"void *h) { return (unsigned long)h > 1; }\n"...)
				}
				b = u.declare(b, f.api, api, "struct ompregdescr *"+f.types)
				if !u.places(f) {
					b = f.define(b, inLine, call+"int r", api)
				}
			}
		}
	}
	if slices.ContainsFunc(u.shared[:], func(calls []sharedCall) bool { return len(calls) > 0 }) {
		b = append(b, "enum { "+rowSize+" = sizeof(struct ompregdescr) };\n"...)
	}
	for w, calls := range u.shared {
		if len(calls) > 0 {
			b = u.appendShared(b, sharedWrapper(w), large)
		}
	}
	b = u.appendDetailed(b)
	b = u.appendSingle(b)
	b = u.appendMet(b)
	for i := range omp.LockRoutines {
		if l := &omp.LockRoutines[i]; u.locks[l.Name] {
			b = u.appendLock(b, l)
		}
	}
	controls := make([]omp.Control, 0, len(u.controls))
	for c := range u.controls {
		controls = append(controls, c)
	}
	slices.Sort(controls)
	for _, c := range controls {
		if c == functionControl {
			b = u.appendFunction(b)
		} else {
			b = u.appendControl(b, c)
		}
	}
	return b
}

// apiName is the API function behind a call: POMP_For_enter.
func apiName(d *omp.Directive, at callPlace) string {
	name := strings.TrimSuffix(callNames[d.ID][at], "(")
	return "POMP_" + d.Event + strings.TrimPrefix(name, "pomp_"+strings.ToLower(d.Event))
}

// define appends a wrapper: head is its name and first parameters, api what it calls.
func (f *form) define(b []byte, attributes, head, api string) []byte {
	return f.defineWith(b, attributes, head, api, regionOf)
}

const (
	// regionOf is the descriptor of the region that has the number r.
	regionOf = "pomp_d + (r - 1)"
	// regionAt is the descriptor that lies o bytes behind the first one.
	regionAt = "(struct ompregdescr *)(void *)((char *)pomp_d + o)"
	rowSize  = "pomp_row" // of one descriptor
)

// defineWith appends a wrapper that knows the region by an expression.
func (f *form) defineWith(b []byte, attributes, head, api, region string) []byte {
	return append(b, "static "+attributes+f.result+head+f.params+") { "+f.body+api+"("+region+f.args+")"+f.end+"; }\n"...)
}

// appendShared appends the declarations of the calls that go through one wrapper, and the wrapper. Its parameters are as wide as an address, and one of
// them is a distance in bytes: out of line it would have to work them out each time. It is not given the descriptor itself, since no variable may be named
// in a region with default(none).
func (u *unit) appendShared(b []byte, w sharedWrapper, attributes string) []byte {
	table, call, f := sharedNames[w].table, sharedNames[w].call, sharedNames[w].form
	names := make([]string, len(u.shared[w]))
	for i, c := range u.shared[w] {
		names[i] = apiName(c.row, c.at)
		b = u.declare(b, f.api, names[i], "struct ompregdescr *"+f.types)
		u.declared[len(u.declared)-1].slot = table + "[" + strconv.Itoa(i) + "]"
	}
	b = append(b, "static "+f.api+"(*"+table+"["+strconv.Itoa(len(names))+"])(struct ompregdescr *"+f.types+");\n"...)
	b = f.defineWith(b, attributes, call+"(long f, long o", table+"[f]", regionAt)
	if u.options.Preprocessed {
		return b
	}
	for i, c := range u.shared[w] {
		b = append(b, "#define "+callNames[c.row.ID][c.at]+"r"+f.args+") "+call+"("+strconv.Itoa(i)+", (r - 1) * "+rowSize+f.args+")\n"...)
	}
	return b
}

// appendLock appends the wrapper of a lock routine. The routine itself is reached under another name by its assembler name:
// its prototype names types of omp.h, which is not included yet.
func (u *unit) appendLock(b []byte, l *omp.LockRoutine) []byte {
	result, give, types, params, args := "void", "", "void *", "void *l", "l"
	if l.Test {
		result, give = "int", "return "
	}
	if l.Hint {
		types, params, args = "void *, int", "void *l, int h", "l, h"
	}
	name := strings.TrimPrefix(l.Name, "omp_")
	b = append(b, "extern "+result+" pomp_"+l.Name+"("+types+") __asm__(\""+l.Name+"\");\n"...)
	b = u.declare(b, result+" ", "POMP_"+l.Event, "struct ompregdescr *, "+types)
	b = append(b, "static "+inLine+result+" pomp_"+name+"(int r, "+params+") { "+ifActive+give+"POMP_"+l.Event+"(pomp_d + (r - 1), "+args+"); else "...)
	return append(b, give+"pomp_"+l.Name+"("+args+"); }\n"...)
}

// appendControl appends the wrapper of a control call. It does not ask whether measuring is on: it is what turns it on.
func (u *unit) appendControl(b []byte, c omp.Control) []byte {
	b = u.appendDeclaration(b, c)
	api, call := c.String(), controlCall(c)
	if c.TakesRegion() {
		return append(b, "static "+inLine+"void "+call+"(int r, const void *u) { "+ifActive+api+"(pomp_d + (r - 1), u); }\n"...)
	}
	return append(b, "static "+inLine+"void "+call+"(void) { if ("+api+") "+api+"(); }\n"...)
}

// appendDeclaration appends the declaration of the API function of a control.
func (u *unit) appendDeclaration(b []byte, c omp.Control) []byte {
	parameters := "void"
	if c.TakesRegion() {
		parameters = "struct ompregdescr *, const void *"
	}
	return u.declare(b, "void ", c.String(), parameters)
}

// controlCall is the unit's own function for a control.
func controlCall(c omp.Control) string { return "pomp_" + strings.ToLower(string(c)) }
