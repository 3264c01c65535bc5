package rewrite

import (
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
)

// A library may say, by bit 5 of the unit's active word, that fewer calls tell it as much, where nothing can stand between two events or the text can do
// by itself what a call would. Of a task the call behind the construct is left out: what the call before it has set the text takes back. Of a single
// with nowait the executor's thread calls begin and end alone, any other one a call behind the construct. Where the barrier of a construct has been made
// explicit the call before it tells that the construct's work is over, and the call behind it that all is; of a single the begin is left besides. Off, a
// construct costs the tests that it costs without.

// joinedCreate is the API function that creates a task in place of two.
const joinedCreate = "POMP_Task_create"

// joinedBegin begins the block of a single that has not been entered.
const joinedBegin = "POMP_Single_only_begin"

func (u *unit) declareCreate(b []byte) []byte {
	b = append(b, "struct pomp_made { void *task, **entered; };\n"...)
	return u.declare(b, "struct pomp_made ", joinedCreate, "struct ompregdescr *, int")
}

// joins reports whether r is a single whose calls may be joined: without a barrier, which would have to tell of the threads that do not execute it.
func joins(r *descriptors.Region) bool {
	return r.Leaf.Kind == omp.KindSingle && r.Facts&omp.HasNowait != 0 && hasBrackets(r)
}

// singleNames are the unit's functions for a single with nowait, up to the first argument.
var singleNames = [callPlaces]string{"pomp_lone_enter(", "pomp_lone_begin(", "pomp_lone_end(", "pomp_lone_exit("}

var singleForms = [callPlaces]form{
	{api: "void ", result: "void ", body: ifActive + "if (!(" + isActive + " & 32)) "},
	{api: "void ", result: "int ", body: "int a = " + isActive + "; if (a & 32) " + joinedBegin + "(pomp_d + (r - 1)); else if (a) ", end: "; return a"},
	{api: "void ", result: "void ", params: ", int a", body: "if (a & 32) POMP_Single_only_end(pomp_d + (r - 1)); else if (a) "},
	{api: "void ", result: "void ", params: ", int s", body: "int a = " + isActive + "; if (!a) return; if (a & 32) { if (s < 0) POMP_Single_other(pomp_d + (r - 1)); } else "},
}

// appendSingle appends the functions that tell of singles with nowait.
func (u *unit) appendSingle(b []byte) []byte {
	if !u.lone {
		return b
	}
	single := omp.OfKind(omp.KindSingle)
	for _, api := range []string{joinedBegin, "POMP_Single_only_end", "POMP_Single_other"} {
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

// singleCall appends the line of a call of r's, a single with nowait.
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
		return placed(r.Leaf, at, r.ID).write(b, placedSingle[at])
	}
	b = append(b, singleNames[at]+id...)
	if at == endCall || at == exitCall {
		b = append(b, ", "+variable...)
	}
	return append(b, ");\n"...)
}

// isMet reports whether the calls around r's barrier stand for one of its own calls as well. The barrier of a combined construct is that of its parallel region.
func isMet(r *descriptors.Region, at callPlace) bool {
	if r.Barrier != descriptors.MakeItPlain || r.Leaf.Rule == omp.Fork || r.Outer != nil && r.Outer.Construct == r.Construct {
		return false
	}
	return at == exitCall || r.Leaf.Kind == omp.KindSingle && hasBrackets(r)
}

var (
	// What is called where calls are not joined.
	apartForm = form{api: "void ", result: "void ", body: "if ((" + isActive + " & 33) == 1) "}
	// Who was begun joined ends with its barrier.
	metEndForm = form{api: "void ", result: "void ", params: ", int a", body: "if (!(a & 32) && " + isActive + ") "}
)

// metName is the unit's function in place of d's call, up to its first argument: "pomp_met_for_exit(".
func metName(d *omp.Directive, at callPlace) string {
	return "pomp_met_" + strings.TrimPrefix(callNames[d.ID][at], "pomp_")
}

// appendMet appends the functions of constructs whose calls are joined with those of their barriers.
func (u *unit) appendMet(b []byte) []byte {
	for id := range u.met {
		d := &omp.Directives[id]
		for at, met := range u.met[id] {
			if !met {
				continue
			}
			f, api := &apartForm, apiName(d, callPlace(at))
			switch callPlace(at) {
			case beginCall:
				f = &singleForms[beginCall]
				if !u.lone {
					b = u.declare(b, "void ", joinedBegin, "struct ompregdescr *")
				}
			case endCall:
				f = &metEndForm
			}
			if u.used[id][at] == "" && (!u.lone || d.Kind != omp.KindSingle) {
				b = u.declare(b, "void ", api, "struct ompregdescr *")
			}
			if u.options.Preprocessed {
				continue
			}
			b = f.define(b, inLine, metName(d, callPlace(at))+"int r", api)
		}
	}
	return b
}

// metCall appends the line of such a call of r's.
func (u *unit) metCall(b []byte, r *descriptors.Region, at callPlace) []byte {
	id := strconv.Itoa(r.ID)
	variable := descriptors.ExecutorVar + id
	if u.options.Preprocessed {
		if at == beginCall {
			b = append(b, "int "...)
		}
		return placed(r.Leaf, at, r.ID).write(b, placedMet[at])
	}
	if at == beginCall {
		b = append(b, "int "+variable+" = "...)
	}
	b = append(b, metName(r.Leaf, at)+id...)
	if at == endCall {
		b = append(b, ", "+variable...)
	}
	return append(b, ");\n"...)
}
