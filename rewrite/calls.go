package rewrite

import (
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
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
	controls map[string]bool // init, on, begin, ...
}

// call appends the line of a region's call, nothing when the rule has none at this place.
func (u *unit) call(b []byte, r *descriptors.Region, at callPlace, arguments string) []byte {
	if callNames[r.Leaf.ID][at] == "" {
		return b
	}
	b = append(b, u.used[r.Leaf.ID][at]...)
	b = strconv.AppendInt(b, int64(r.ID), 10)
	b = append(b, arguments...)
	return append(b, ");\n"...)
}

// barrierCall appends the call before (0) or behind (1) a barrier that was made explicit; it gets r's descriptor, which tells it
// from a barrier that the user wrote.
func (u *unit) barrierCall(b []byte, r *descriptors.Region, side int) []byte {
	b = append(b, u.used[barrier.ID][[2]callPlace{enterCall, exitCall}[side]]...)
	b = strconv.AppendInt(b, int64(r.ID), 10)
	return append(b, ");\n"...)
}
