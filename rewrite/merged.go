package rewrite

import (
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
)

// By bit 5 of the unit's active word, a library asks for merged calls: fewer calls that carry the
// same information. Calls merge where nothing can happen between two events, or where the text
// itself can do what a call would.
//
//   - A task has no call after its construct. The text resets what the create call has set.
//   - A single with nowait calls begin and end only, on the thread that executes it. Every other
//     thread makes one call after the construct.
//   - Where the barrier of a construct is explicit, the call before the barrier also says that
//     the construct's work is over. The call after it also says that the construct has ended. A
//     single then makes one call, begin, in place of enter, begin and end.
//
// While measuring is off, a construct costs the same tests as without merged calls.

// mergedCreate is the API function that creates a task with one call in place of two.
const mergedCreate = "POMP_Task_create"

// mergedBegin is the API function that begins the block of a single that has no enter call.
const mergedBegin = "POMP_Single_only_begin"

func (u *unit) declareCreate(b []byte) []byte {
	b = append(b, "struct pomp_made { void *task, **entered; };\n"...)
	return u.declare(b, "struct pomp_made ", mergedCreate, "struct ompregdescr *, int")
}

// isNowaitSingle reports whether r is a single with nowait, whose calls may be merged. With a
// barrier, its calls would also have to report the threads that do not execute the block.
func isNowaitSingle(r *descriptors.Region) bool {
	return r.Leaf.Kind == omp.KindSingle && r.Facts&omp.HasNowait != 0 && hasBrackets(r)
}

// singleNames holds the unit's functions for a single with nowait, up to the first argument.
var singleNames = [callPlaces]string{
	"pomp_lone_enter(", "pomp_lone_begin(", "pomp_lone_end(",
	"pomp_lone_exit(",
}

var singleForms = [callPlaces]form{
	{api: "void ", result: "void ", body: ifActive + "if (!(" + isActive + " & 32)) "},
	{api: "void ", result: "int ", body: "int a = " + isActive + "; if (a & 32) " + mergedBegin +
		"(pomp_d + (r - 1)); else if (a) ", end: "; return a"},
	{
		api: "void ", result: "void ", params: ", int a",
		body: "if (a & 32) POMP_Single_only_end(pomp_d + (r - 1)); else if (a) ",
	},
	{
		api: "void ", result: "void ", params: ", int s",
		body: "int a = " + isActive +
			"; if (!a) return; if (a & 32) { if (s < 0) POMP_Single_other(pomp_d + (r - 1)); } " +
			"else ",
	},
}

// appendSingle appends the functions for singles with nowait.
func (u *unit) appendSingle(b []byte) []byte {
	if !u.nowaitSingle {
		return b
	}
	single := omp.OfKind(omp.KindSingle)
	for _, api := range []string{mergedBegin, "POMP_Single_only_end", "POMP_Single_other"} {
		b = u.declare(b, "void ", api, "struct ompregdescr *")
	}
	for at := range singleForms {
		api := apiName(single, callPlace(at))
		if u.used[single.ID][at] == "" {
			b = u.declare(b, "void ", api, "struct ompregdescr *")
		}
		if u.options.Preprocessed {
			continue
		}
		b = singleForms[at].define(b, inLine, singleNames[at]+"int r", api)
	}
	return b
}

// singleCall appends the line of a call of r, a single with nowait.
func (u *unit) singleCall(b []byte, r *descriptors.Region, at callPlace) []byte {
	id := strconv.Itoa(r.ID)
	variable := descriptors.ExecutorVar + id
	switch at {
	case enterCall:
		b = append(b, "{ int "+variable+" = -1; "...)
	case beginCall:
		if !u.options.Preprocessed {
			b = append(b, variable+" = "...)
		}
	}
	if u.options.Preprocessed {
		return u.newDirectCall(r.Leaf, at, r.ID).write(b, directSingle[at])
	}
	b = append(b, singleNames[at]+id...)
	if at == endCall || at == exitCall {
		b = append(b, ", "+variable...)
	}
	return append(b, ");\n"...)
}

// mergesWithBarrier reports whether the calls around r's barrier replace r's call at this place.
// The barrier of a combined construct is that of its parallel region, so it replaces none.
func mergesWithBarrier(r *descriptors.Region, at callPlace) bool {
	if r.Barrier != descriptors.MakeExplicit || r.Leaf.Rule == omp.Fork ||
		r.Outer != nil && r.Outer.Construct == r.Construct {
		return false
	}
	return at == exitCall || r.Leaf.Kind == omp.KindSingle && hasBrackets(r)
}

var (
	// unmergedForm calls the library only if it does not ask for merged calls.
	unmergedForm = form{api: "void ", result: "void ", body: "if ((" + isActive + " & 33) == 1) "}
	// mergedEndForm makes no call if the begin was merged: the barrier then ends the block.
	mergedEndForm = form{
		api: "void ", result: "void ", params: ", int a",
		body: "if (!(a & 32) && " + isActive + ") ",
	}
)

// barrierMergedName returns the unit's function that replaces d's call, up to its first argument:
// "pomp_met_for_exit(".
func barrierMergedName(d *omp.Directive, at callPlace) string {
	return "pomp_met_" + strings.TrimPrefix(callNames[d.ID][at], "pomp_")
}

// appendBarrierMerged appends the functions of constructs whose calls merge with those of their
// barriers.
func (u *unit) appendBarrierMerged(b []byte) []byte {
	for id := range u.barrierMerged {
		d := &omp.Directives[id]
		for at, barrierMerged := range u.barrierMerged[id] {
			if !barrierMerged {
				continue
			}
			f, api := &unmergedForm, apiName(d, callPlace(at))
			switch callPlace(at) {
			case beginCall:
				f = &singleForms[beginCall]
				if !u.nowaitSingle {
					b = u.declare(b, "void ", mergedBegin, "struct ompregdescr *")
				}
			case endCall:
				f = &mergedEndForm
			}
			if u.used[id][at] == "" && (!u.nowaitSingle || d.Kind != omp.KindSingle) {
				b = u.declare(b, "void ", api, "struct ompregdescr *")
			}
			if u.options.Preprocessed {
				continue
			}
			b = f.define(b, inLine, barrierMergedName(d, callPlace(at))+"int r", api)
		}
	}
	return b
}

// barrierMergedCall appends the line of such a call of r.
func (u *unit) barrierMergedCall(b []byte, r *descriptors.Region, at callPlace) []byte {
	id := strconv.Itoa(r.ID)
	variable := descriptors.ExecutorVar + id
	if u.options.Preprocessed {
		if at == beginCall {
			b = append(b, "int "...)
		}
		return u.newDirectCall(r.Leaf, at, r.ID).write(b, directBarrierMerged[at])
	}
	if at == beginCall {
		b = append(b, "int "+variable+" = "...)
	}
	b = append(b, barrierMergedName(r.Leaf, at)+id...)
	if at == endCall {
		b = append(b, ", "+variable...)
	}
	return append(b, ");\n"...)
}
