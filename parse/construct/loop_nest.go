package construct

import (
	"slices"
	"strings"
)

// LoopHeader is what the rewriter must know of an associated loop.
type LoopHeader struct {
	// Declares are the names that the associated loops (all that collapse or ordered associate) declare in their
	// headers; such a name is not visible outside.
	Declares []string
	// Variables are the names of the iteration variables of those loops, whether the headers declare them or not, as far
	// as the headers are in canonical form.
	Variables []string
	Nest      *Trip // the loops that are associated with this directive and no other; see Trips
}

// Trip is an associated loop whose iterations can be counted before it: one that goes up from From to To by Step, To not
// included; in Fortran also down. The expressions may be evaluated once more before the construct: whether and how often that happens is not
// specified, OpenMP 5.2 [4.4.1], and they call nothing and assign nothing.
type Trip struct {
	From, To, Step string // expressions, each on one line
	Through        bool   // To is included
	// Untyped: the header does not declare the iteration variable, so it may be a pointer. The variable itself is not to be named: under
	// default(none) it is not visible before the loop.
	Untyped bool
	Names   string // the words of the expressions
	Inside  *Trip  // the next loop of the nest
}

// uncountable ends the nest that Header.nest begins: what is further in does not matter.
var uncountable = &Trip{}

// Trips are the n outermost loops that are associated with the directive and no other; nil where one of them cannot be counted
// before the first is entered: it is not in canonical form, may call something, or depends on another.
func (h *LoopHeader) Trips(n int) []Trip {
	var trips []Trip
	for t := h.Nest; len(trips) < n; t = t.Inside {
		if t == nil || t == uncountable {
			return nil
		}
		for name := range strings.FieldsSeq(t.Names) {
			if slices.Contains(h.Variables, name) {
				return nil
			}
		}
		trips = append(trips, *t)
	}
	return trips
}

// AddLoop adds the next loop inwards, of variable v and with names in its bounds; t is nil where it cannot be counted.
func (h *LoopHeader) AddLoop(v string, t *Trip, names string) {
	h.Variables = appendNew(h.Variables, v)
	h.AddTrip(t, names)
}

// AddVariables adds the names that the header of a loop declares, and the one that it only assigns to, if it is not "".
func (h *LoopHeader) AddVariables(declared []string, assigned string) {
	for _, n := range declared {
		h.Declares, h.Variables = appendNew(h.Declares, n), appendNew(h.Variables, n)
	}
	if assigned != "" {
		h.Variables = appendNew(h.Variables, assigned)
	}
}

// AddTrip adds the next loop inwards, with names in its bounds; t is nil where it cannot be counted.
func (h *LoopHeader) AddTrip(t *Trip, names string) {
	if t == nil {
		t = uncountable
	} else {
		t.Names = names
	}
	at := &h.Nest
	for *at != nil && *at != uncountable {
		at = &(*at).Inside
	}
	if *at == nil {
		*at = t
	}
}

func appendNew(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}
