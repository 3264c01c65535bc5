package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// The text calls the API through functions of its own unit, which test whether measuring is on.
// Most are inlined, so an event costs one test while measuring is off.
//
// But the compiler needs about half a millisecond for each test and call, and three for each
// function that it compiles separately. So forks, joins and barriers, which take hundreds of
// nanoseconds anyway, go out of line: all calls of one type share one function. There the
// optimizer turns the API call into a jump, so its return address is still in the user's code.
// Without the optimizer it would not be, so then all are inlined.

// A sharedWrapper is a function that all calls of one type share.
type sharedWrapper uint8

const (
	forkWrapper  sharedWrapper = iota // handle (d, if, num_threads)
	joinWrapper                       // void (d, handle)
	eventWrapper                      // void (d)
	sharedWrappers
	notShared
)

// A form is the text of a wrapper around an API call. The call returns api, the wrapper returns
// result. The wrapper's parameters are the region's number, or the place of its descriptor, and
// params, whose types are types. body stands before the call and end after it. args are the
// call's arguments after the descriptor.
type form struct{ api, result, types, params, body, args, end string }

const (
	// isActive reads the unit's active word. Another thread may switch measuring on or off
	// meanwhile, or end the process. The atomic load shows ThreadSanitizer that this is intended,
	// and is the same instruction as any other load.
	isActive = "__atomic_load_n(&pomp_unit.active, 0)"
	ifActive = "if (" + isActive + ") "
	// By bits 3 and 4 of the unit's active word, a library declines certain calls; see
	// pomp_lib.h.
	ifBlocksWanted  = "if ((" + isActive + " & 9) == 1) "
	ifFlushesWanted = "if ((" + isActive + " & 17) == 1) "
	// By bits 5 and 6 it merges calls; see merged.go.
	forkMerged   = "int a = " + isActive + "; if (!a) return (void *)0; i |= a & 96; return "
	createMerged = "*e = (void **)0; if (!" + isActive + ") return (void *)0; if (" + isActive +
		" & 32) { struct pomp_made m = " + mergedCreate + "(pomp_d + (r - 1), i); " +
		"*e = m.entered; return m.task; } return "
)

// teamHasEvents is the unit's function that says, for the handle of a fork, whether the team's
// threads make calls. The text ends before its argument.
const teamHasEvents = "pomp_meets("

var (
	plainForm  = form{api: "void ", result: "void ", body: ifActive}
	blockForm  = form{api: "void ", result: "void ", body: ifBlocksWanted}
	flushForm  = form{api: "void ", result: "void ", body: ifFlushesWanted}
	forkForm   = form{"void *", "void *", ", int, int", ", int i, int n", forkMerged, ", i, n", ""}
	createForm = form{"void *", "void *", ", int", ", int i, void ***e", createMerged, ", i", ""}
	// The handle is null while measuring is off.
	createdForm = form{
		"void ", "void ", ", void *", ", void *h, void **e",
		"if (!h) return; if (e) *e = (void *)0; else ", ", h", "",
	}
	handleForm = form{"void ", "void ", ", void *", ", void *h", "if (h) ", ", h", ""}
	// The handle lies in memory of the thread that forked, which is slow to reach. The empty asm
	// keeps the compiler from reading it before measuring is known to be on. The value that begin
	// returns lies in a register, and tells the end that there was a begin. Only the fork and the
	// join use the handle 1.
	beginForm = form{
		"void ", "void *", ", void *", ", void *h",
		ifActive + `{ void *t = h; __asm__("" : "+r"(t)); if (` + teamHasEvents + `t)) { `, ", t",
		"; return t; } } return (void *)0",
	}
)

// sharedNames holds the names of the shared wrappers, and of the tables of the API functions that
// they call.
var sharedNames = [sharedWrappers]struct {
	table, call string
	form        *form
}{
	forkWrapper:  {"pomp_forks", "pomp_fork", &forkForm},
	joinWrapper:  {"pomp_joins", "pomp_join", &handleForm},
	eventWrapper: {"pomp_events", "pomp_event", &plainForm},
}

// formOf returns the form of a call's wrapper.
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
		return &unmergedForm
	case isOptionalCall(d.Kind, at):
		return &blockForm
	}
	return &plainForm
}

// isOptionalCall reports whether a library may decline the call, because the other calls of the
// construct already tell it all that it wants to know.
func isOptionalCall(k omp.Kind, at callPlace) bool {
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

// A sharedCall is one of the calls that go through a shared wrapper. Its index in unit.shared is
// its number.
type sharedCall struct {
	row *omp.Directive
	at  callPlace
}

var barrier = omp.OfKind(omp.KindBarrier)

// sharedBy returns the wrapper that a call goes through, or notShared if it has one of its own.
// Only GCC is known to make the library's call there a jump whatever the options are. Without the
// optimizer, sharing saves nothing.
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

// use notes that the text makes d's call at a place.
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
	if u.options.Preprocessed { // nothing expands macros any more
		*call = sharedNames[w].call + "(" + strconv.Itoa(len(u.shared[w])) + ", "
	}
	u.shared[w] = append(u.shared[w], sharedCall{d, at})
}

const (
	outOfLine = "__attribute__((__noinline__, __unused__)) "
	// These functions jump to the library, so that it takes the user's function for its caller.
	// GCC does so from -O2 on, and only where no sanitizer instruments the code.
	outOfLineGCC = "__attribute__((__noinline__, __unused__, __optimize__(2), " +
		"__no_sanitize_thread__, __no_sanitize_address__)) "
	inLine = "__inline__ __attribute__((__always_inline__, __unused__)) "
	// One function registers the unit when it is loaded, and unregisters it when it is unloaded.
	// It also names every function of the API that the unit calls. Otherwise, in a program linked
	// without the library, the linker assumes that a weak function that is only called, or stands
	// only in a table, never exists. With the library preloaded, such a call then goes to address
	// 0. In a program that is not a PIE, the linker even leaves the table full of zeros, so this
	// function fills the tables.
	registerStart = "static __attribute__((__constructor__, __destructor__, __used__)) void " +
		"pomp_unit_hook(void) { if (pomp_unit_1) { "
	keepAddresses = `__asm__ volatile("" : :`
	keptTogether  = 4 // addresses in one such statement, each in a register
	registerEnd   = "pomp_unit_1(&pomp_unit); } }\n"
)

// register appends the function that registers the unit.
func (u *unit) register(b []byte) []byte {
	b = append(append(b, "extern void pomp_unit_1(struct pomp_unit *)"...), u.weak()...)
	b = append(b, registerStart...)
	kept := 0
	for _, d := range u.declared {
		if d.slot != "" {
			continue
		}
		if kept%keptTogether == 0 {
			if kept > 0 {
				b = append(b, "); "...)
			}
			b = append(b, keepAddresses...)
		} else {
			b = append(b, ',')
		}
		b = append(b, ` "r"(`+d.api+")"...)
		kept++
	}
	if kept > 0 {
		b = append(b, "); "...)
	}
	for _, d := range u.declared {
		if d.slot != "" {
			b = append(b, d.slot+" = "+d.api+"; "...)
		}
	}
	return append(b, registerEnd...)
}

// A declaredCall is a function of the API that the unit calls. slot is the table element through
// which it calls, or "" if it calls by name.
type declaredCall struct{ api, slot string }

// weak returns the end of the declaration of an API function. In a program that is not a PIE
// (-fno-pie), GCC's code would let the linker insert the function's address. The linker makes it
// 0 for good where the library is absent. With noplt, the code asks the loader, as code for a PIE
// does. clang has no such attribute.
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

// wrappers declares the API functions that the file calls, and defines the functions through
// which it calls them.
func (u *unit) wrappers(b []byte) []byte {
	large := outOfLineGCC
	if !u.options.Preprocessed {
		large = "pomp_wrapper "
		b = append(b, "#ifndef __OPTIMIZE__\n#define pomp_wrapper "+strings.TrimSpace(inLine)+
			"\n#elif defined __GNUC__ && !defined __clang__ && !defined __INTEL_COMPILER\n"+
			"#define pomp_wrapper "+
			strings.TrimSpace(outOfLineGCC)+"\n#else\n#define pomp_wrapper "+
			strings.TrimSpace(outOfLine)+"\n#endif\n"...)
	}
	for id := range u.used {
		for at, call := range u.used[id] {
			if d := &omp.Directives[id]; call != "" && u.sharedBy(d, callPlace(at)) == notShared {
				f, api := formOf(d, callPlace(at)), apiName(d, callPlace(at))
				switch f {
				case &createForm:
					b = u.declareCreate(b)
				case &beginForm:
					b = append(b, "static "+inLine+"int "+teamHasEvents+
						"void *h) { return (unsigned long)h > 1; }\n"...)
				}
				b = u.declare(b, f.api, api, "struct ompregdescr *"+f.types)
				if !u.isDirect(f) {
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
	b = u.appendBarrierMerged(b)
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

// apiName returns the API function of a call: POMP_For_enter.
func apiName(d *omp.Directive, at callPlace) string {
	name := strings.TrimSuffix(callNames[d.ID][at], "(")
	return "POMP_" + d.Event + strings.TrimPrefix(name, "pomp_"+strings.ToLower(d.Event))
}

// define appends a wrapper. head is its name and first parameters, api the function that it
// calls.
func (f *form) define(b []byte, attributes, head, api string) []byte {
	return f.defineWith(b, attributes, head, api, regionOf)
}

const (
	// regionOf is the descriptor of the region with the number r.
	regionOf = "pomp_d + (r - 1)"
	// regionAt is the descriptor at the offset of o bytes from the first one.
	regionAt = "(struct ompregdescr *)(void *)((char *)pomp_d + o)"
	rowSize  = "pomp_row" // size of one descriptor
)

// defineWith appends a wrapper that gets its region from an expression.
func (f *form) defineWith(b []byte, attributes, head, api, region string) []byte {
	return append(b, "static "+attributes+f.result+head+f.params+") { "+f.body+api+"("+region+
		f.args+")"+f.end+"; }\n"...)
}

// appendShared appends the declarations of the calls that go through one wrapper, and the
// wrapper. Its parameters are as wide as an address, and one of them is an offset in bytes,
// because code out of line would have to convert them each time. It does not get the descriptor
// itself, because a region with default(none) may name no further variable.
func (u *unit) appendShared(b []byte, w sharedWrapper, attributes string) []byte {
	table, call, f := sharedNames[w].table, sharedNames[w].call, sharedNames[w].form
	names := make([]string, len(u.shared[w]))
	for i, c := range u.shared[w] {
		names[i] = apiName(c.row, c.at)
		b = u.declare(b, f.api, names[i], "struct ompregdescr *"+f.types)
		u.declared[len(u.declared)-1].slot = table + "[" + strconv.Itoa(i) + "]"
	}
	b = append(b, "static "+f.api+"(*"+table+"["+strconv.Itoa(len(names))+"])(struct ompregdescr *"+
		f.types+");\n"...)
	b = f.defineWith(b, attributes, call+"(long f, long o", table+"[f]", regionAt)
	if u.options.Preprocessed {
		return b
	}
	for i, c := range u.shared[w] {
		b = append(b, "#define "+callNames[c.row.ID][c.at]+"r"+f.args+") "+call+"("+strconv.Itoa(i)+
			", (r - 1) * "+rowSize+f.args+")\n"...)
	}
	return b
}

// appendLock appends the wrapper of a lock routine. It declares the routine under another name
// with its assembler name, because the prototype uses types of omp.h, which is not included yet.
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
	b = append(b, "static "+inLine+result+" pomp_"+name+"(int r, "+params+") { "+ifActive+give+
		"POMP_"+l.Event+"(pomp_d + (r - 1), "+args+"); else "...)
	return append(b, give+"pomp_"+l.Name+"("+args+"); }\n"...)
}

// appendControl appends the wrapper of a control call. It does not test whether measuring is on,
// because it is the call that switches measuring on.
func (u *unit) appendControl(b []byte, c omp.Control) []byte {
	b = u.appendDeclaration(b, c)
	api, call := c.String(), controlCall(c)
	if c.TakesRegion() {
		return append(b, "static "+inLine+"void "+call+"(int r, const void *u) { "+ifActive+
			api+"(pomp_d + (r - 1), u); }\n"...)
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
