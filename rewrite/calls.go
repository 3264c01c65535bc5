package rewrite

import (
	"slices"
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse/construct"
)

// A callPlace is which of a region's four calls is meant: enter (fork, create_begin), begin, end, exit (join, create_end).
type callPlace uint8

const (
	enterCall callPlace = iota
	beginCall
	endCall
	exitCall
	callPlaces
)

// callNames holds for each row of the dictionary the names of the unit's wrappers up to the parenthesis, "pomp_for_enter(";
// "" where the rule has no such call.
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

// unit is what one file needs of the interface: which calls, which locks, which controls.
type unit struct {
	table    *descriptors.Table // of the part at hand
	options  Options
	used     [][callPlaces]string // by row: what the text calls, up to the first argument; "" where it does not
	shared   [sharedWrappers][]sharedCall
	locks    map[string]bool // by routine
	controls map[omp.Control]bool
	counted  []bool             // by row: the text enters it with the number of its iterations
	trips    bool               // one of those numbers is computed at run time
	final    bool               // a task has a final clause
	lone     bool               // a single has nowait
	met      [][callPlaces]bool // by row: the text joins the call with those of a barrier
	declared []declaredCall
}

// call appends the line of a region's call, nothing when the rule has none at this place.
func (u *unit) call(b []byte, r *descriptors.Region, at callPlace, arguments string) []byte {
	if callNames[r.Leaf.ID][at] == "" {
		return b
	}
	if joins(r) {
		return u.singleCall(b, r, at)
	}
	if isMet(r, at) {
		return u.metCall(b, r, at)
	}
	if f := formOf(r.Leaf, at); u.places(f) && u.sharedBy(r.Leaf, at) == notShared {
		return appendPlaced(b, f, r.Leaf, at, r.ID)
	}
	b = u.called(b, r.Leaf, at, r.ID)
	b = append(b, arguments...)
	return append(b, ");\n"...)
}

// called appends a call of d's for a region up to its first argument behind the region.
func (u *unit) called(b []byte, d *omp.Directive, at callPlace, region int) []byte {
	b = append(b, u.used[d.ID][at]...)
	if u.options.Preprocessed && u.sharedBy(d, at) != notShared { // what the macro has in other text
		return append(strconv.AppendInt(b, int64(region-1), 10), " * "+rowSize...)
	}
	return strconv.AppendInt(b, int64(region), 10)
}

// barrierCall appends the call before (0) or behind (1) a barrier that was made explicit; it gets r's descriptor, which tells it
// from a barrier that the user wrote.
func (u *unit) barrierCall(b []byte, r *descriptors.Region, side int) []byte {
	at := [2]callPlace{enterCall, exitCall}[side]
	if u.places(&plainForm) && u.sharedBy(barrier, at) == notShared {
		return appendPlaced(b, &plainForm, barrier, at, r.ID)
	}
	return append(u.called(b, barrier, at, r.ID), ");\n"...)
}

// counts reports whether the text says how many iterations r has. In C++ a variable whose type is not known may be an iterator.
func (u *unit) counts(r *descriptors.Region) bool {
	untyped := func(t construct.Trip) bool { return t.Untyped }
	return r.Trips != nil && (u.options.Lang != omp.CPlusPlus || !slices.ContainsFunc(r.Trips, untyped))
}

// countedName is the unit's function that enters d with a number of iterations, up to its first argument: "pomp_counted_for_enter(".
func countedName(d *omp.Directive) string {
	return "pomp_counted_" + strings.TrimPrefix(callNames[d.ID][enterCall], "pomp_")
}

// countedCall appends the line that enters a loop construct and says how many iterations it has. They are counted behind the test
// whether measuring is on, which is the only one.
func (u *unit) countedCall(b []byte, r *descriptors.Region) []byte {
	var count []byte
	for i := range r.Trips {
		if i > 0 {
			count = append(count, " * "...)
		}
		count = u.appendTrips(count, &r.Trips[i])
	}
	if u.options.Preprocessed {
		return appendPlacedCount(b, r.Leaf, r.ID, string(count))
	}
	b = append(b, "if (pomp_active()) "...)
	b = append(b, countedName(r.Leaf)...)
	b = strconv.AppendInt(b, int64(r.ID), 10)
	b = append(append(b, ", "...), count...)
	return append(b, ");\n"...)
}

// appendTrips appends how often a loop goes round. The casts are such that no compiler warns of the types.
func (u *unit) appendTrips(b []byte, t *construct.Trip) []byte {
	if n, ok := constantTrips(t); ok {
		return append(strconv.AppendUint(b, n, 10), 'u', 'l')
	}
	cast, end := "(long)(", ")"
	if u.options.Lang == omp.CPlusPlus {
		cast = "static_cast<long>("
	}
	through := ""
	if t.Through {
		through = " + 1"
	}
	call := "pomp_trips(" + cast + t.From + end + ", " + cast + t.To + end + through + ", " + cast + t.Step + end + ")"
	if t.Untyped { // 1: an integer
		call = "(__builtin_classify_type(" + t.To + ") == 1 ? " + call + " : 0ul)"
	}
	return append(b, call...)
}

// constantTrips is how often a loop goes round whose header has numbers only.
func constantTrips(t *construct.Trip) (uint64, bool) {
	var v [3]int64
	for i, s := range []string{t.From, t.To, t.Step} {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || s[0] == '0' && len(s) > 1 {
			return 0, false
		}
		v[i] = n
	}
	if t.Through {
		v[1]++
	}
	if v[2] <= 0 || v[0] >= v[1] {
		return 0, v[2] > 0
	}
	return uint64((v[1]-v[0]-1)/v[2] + 1), true
}
