package rewrite

import (
	"strconv"

	"opari/descriptors"
	"opari/internal/omp"
)

// A library may say, by bit 5 of the unit's active word, that fewer calls tell it as much, where nothing can stand between two events or the text can do
// by itself what a call would. Of a task the call behind the construct is left out: what the call before it has set the text takes back. Of a single
// with nowait the executor's thread calls begin and end alone, any other one a call behind the construct. Off, a construct costs the tests that it
// costs without.

// joinedCreate is the API function that creates a task in place of two.
const joinedCreate = "POMP_Task_create"

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
	{api: "void ", result: "int ", body: "int a = " + isActive + "; if (a & 32) POMP_Single_only_begin(pomp_d + (r - 1)); else if (a) ", end: "; return a"},
	{api: "void ", result: "void ", params: ", int a", body: "if (a & 32) POMP_Single_only_end(pomp_d + (r - 1)); else if (a) "},
	{api: "void ", result: "void ", params: ", int s", body: "int a = " + isActive + "; if (!a) return; if (a & 32) { if (s < 0) POMP_Single_other(pomp_d + (r - 1)); } else "},
}

// appendSingle appends the functions that tell of singles with nowait.
func (u *unit) appendSingle(b []byte) []byte {
	if !u.lone {
		return b
	}
	single := omp.OfKind(omp.KindSingle)
	for _, api := range []string{"POMP_Single_only_begin", "POMP_Single_only_end", "POMP_Single_other"} {
		b = u.declare(b, "void ", api, "struct ompregdescr *")
	}
	for at := range singleForms {
		api := apiName(single, callPlace(at))
		if u.used[single.ID][at] == "" {
			b = u.declare(b, "void ", api, "struct ompregdescr *")
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
		b = append(b, variable+" = "...)
	}
	b = append(b, singleNames[at]+id...)
	if at == endCall || at == exitCall {
		b = append(b, ", "+variable...)
	}
	return append(b, ");\n"...)
}
