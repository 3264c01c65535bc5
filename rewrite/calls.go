package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse/construct"
)

// A callPlace names one of a region's four calls. enterCall stands also for fork and
// create_begin, exitCall for join and create_end.
type callPlace uint8

const (
	enterCall callPlace = iota
	beginCall
	endCall
	exitCall
	callPlaces
)

// callNames holds, for each row of omp.Directives, the names of the unit's wrappers up to and
// including the parenthesis: "pomp_for_enter(". A name is "" where the rule has no such call.
var callNames = makeCallNames()

func makeCallNames() [][callPlaces]string {
	names := make([][callPlaces]string, len(omp.Directives))
	for i := range omp.Directives {
		d := &omp.Directives[i]
		if d.Rule == omp.Keep {
			continue
		}
		for _, t := range d.EventTypes() {
			names[i][placeOf(t)] = "pomp_" + strings.ToLower(d.Event) + "_" + string(t) + "("
		}
	}
	return names
}

func placeOf(t omp.EventType) callPlace {
	switch t {
	case omp.BeginBody:
		return beginCall
	case omp.EndBody:
		return endCall
	case omp.Exit, omp.JoinTeam, omp.CreateEnd:
		return exitCall
	default:
		return enterCall
	}
}

// unit collects what one file needs of the interface: which calls, which locks, which controls.
type unit struct {
	table   *descriptors.Table // of the current part
	options Options
	// By row: the wrapper that the text calls, up to the first argument; "" if it calls none
	used          [][callPlaces]string
	shared        [sharedWrappers][]sharedCall
	locks         map[string]bool // by routine name
	controls      map[omp.Control]bool
	counted       []bool             // by row: the text enters it with the number of its iterations
	trips         bool               // one of those numbers is computed at run time
	final         bool               // a task has a final clause
	nowaitSingle  bool               // a single has nowait
	barrierMerged [][callPlaces]bool // by row: the text merges the call with a call of the barrier
	declared      []declaredCall
	// The calls in a preprocessed text name the unit's variables; see mayNameVariables.
	namesVariables bool
	// As descriptors.Table.Count says; Options.Symbols gets them.
	constructs, users int
}

// call appends the line of a region's call, and nothing when the rule has no call at this place.
func (u *unit) call(b []byte, r *descriptors.Region, at callPlace, arguments string) []byte {
	if callNames[r.Leaf.ID][at] == "" {
		return b
	}
	if isNowaitSingle(r) {
		return u.singleCall(b, r, at)
	}
	if mergesWithBarrier(r, at) {
		return u.barrierMergedCall(b, r, at)
	}
	if f := formOf(r.Leaf, at); u.isDirect(f) && u.sharedBy(r.Leaf, at) == notShared {
		return u.appendDirect(b, f, r.Leaf, at, r.ID)
	}
	b = u.called(b, r.Leaf, at, r.ID)
	b = append(b, arguments...)
	return append(b, ");\n"...)
}

// called appends a call of d for a region, up to the region's number and without what follows it.
func (u *unit) called(b []byte, d *omp.Directive, at callPlace, region int) []byte {
	b = append(b, u.used[d.ID][at]...)
	// In other text a macro computes this argument.
	if u.options.Preprocessed && u.sharedBy(d, at) != notShared {
		return append(strconv.AppendInt(b, int64(region-1), 10), " * "+rowSize...)
	}
	return strconv.AppendInt(b, int64(region), 10)
}

// barrierCall appends the call before (side 0) or after (side 1) an explicit barrier that
// replaces an implied one. The call gets r's descriptor, which distinguishes this barrier from
// one that the user wrote.
func (u *unit) barrierCall(b []byte, r *descriptors.Region, side int) []byte {
	at := [2]callPlace{enterCall, exitCall}[side]
	if u.isDirect(&plainForm) && u.sharedBy(barrier, at) == notShared {
		return u.appendDirect(b, &plainForm, barrier, at, r.ID)
	}
	return append(u.called(b, barrier, at, r.ID), ");\n"...)
}

// countsTrips reports whether the text passes the number of r's iterations. In C++ a variable of
// unknown type may be an iterator, so such loops are not counted.
func (u *unit) countsTrips(r *descriptors.Region) bool {
	untyped := func(t construct.Trip) bool { return t.Untyped }
	return r.Trips != nil && (u.options.Lang != omp.CPlusPlus ||
		!slices.ContainsFunc(r.Trips, untyped))
}

// countedName returns the unit's function that enters d with a number of iterations, up to its
// first argument: "pomp_counted_for_enter(".
func countedName(d *omp.Directive) string {
	return "pomp_counted_" + strings.TrimPrefix(callNames[d.ID][enterCall], "pomp_")
}

// countedCall appends the line that enters a loop construct with the number of its iterations.
// The text tests once whether measuring is on and counts the iterations only then.
func (u *unit) countedCall(b []byte, r *descriptors.Region) []byte {
	var count []byte
	for i := range r.Trips {
		if i > 0 {
			count = append(count, " * "...)
		}
		count = u.appendTrips(count, &r.Trips[i])
	}
	if u.options.Preprocessed {
		return u.appendDirectCount(b, r.Leaf, r.ID, string(count))
	}
	b = append(b, "if (pomp_active()) "...)
	b = append(b, countedName(r.Leaf)...)
	b = strconv.AppendInt(b, int64(r.ID), 10)
	b = append(append(b, ", "...), count...)
	return append(b, ");\n"...)
}

// appendTrips appends the number of iterations of one loop. The casts keep every compiler from
// warning about the types.
func (u *unit) appendTrips(b []byte, t *construct.Trip) []byte {
	if n, ok := constantTrips(t); ok {
		return append(strconv.AppendUint(b, n, 10), 'u', 'l')
	}
	cast, end := "(long)(", ")"
	if u.options.Lang == omp.CPlusPlus {
		cast = "static_cast<long>("
	}
	through := ""
	if t.Inclusive {
		through = " + 1"
	}
	call := "pomp_trips(" + cast + t.From + end + ", " + cast + t.To + end + through + ", " +
		cast + t.Step + end + ")"
	if t.Untyped { // class 1 is that of integers
		call = "(__builtin_classify_type(" + t.To + ") == 1 ? " + call + " : 0ul)"
	}
	return append(b, call...)
}

// constantTrips returns the number of iterations of a loop whose header has only literal numbers.
// It returns false for other loops.
func constantTrips(t *construct.Trip) (uint64, bool) {
	var v [3]int64
	for i, s := range []string{t.From, t.To, t.Step} {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || s[0] == '0' && len(s) > 1 {
			return 0, false
		}
		v[i] = n
	}
	if t.Inclusive {
		v[1]++
	}
	if v[2] <= 0 || v[0] >= v[1] {
		return 0, v[2] > 0
	}
	return uint64((v[1]-v[0]-1)/v[2] + 1), true
}
