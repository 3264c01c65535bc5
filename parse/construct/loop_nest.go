package construct

import (
	"slices"
	"strings"
)

// LoopHeader is what the rewriter must know of an associated loop.
type LoopHeader struct {
	// Declares holds the names that the headers of the associated loops declare: all loops that
	// collapse or ordered associate. These names are not visible outside.
	Declares []string
	// Variables holds the iteration variables of those loops, whether the headers declare them or
	// not, as far as the headers are in canonical form.
	Variables []string
	Nest      *Trip // the loops associated with this directive and no other; see Trips
}

// Trip is an associated loop whose iterations can be counted before it starts. It counts up from
// From to To by Step, without To; in Fortran it may count down too.
//
// The expressions call nothing and assign nothing, so they may be evaluated once more before the
// construct: OpenMP 5.2 [4.4.1] does not specify whether and how often they are evaluated.
type Trip struct {
	From, To, Step string // the expressions, each on one line
	Inclusive      bool   // To belongs to the loop
	// Untyped says that the header does not declare the iteration variable, so it may be a
	// pointer. The text before the loop must not name the variable, because default(none) hides
	// it there.
	Untyped bool
	Names   string // the words of the expressions
	Inner   *Trip  // the next loop of the nest
}

// uncountable ends the list that LoopHeader.Nest starts. The loops further in do not matter.
var uncountable = &Trip{}

// Trips returns the n outermost loops that are associated with the directive and no other. It
// returns nil if one of them cannot be counted before the first is entered: it is not in
// canonical form, may call something, or depends on another.
func (h *LoopHeader) Trips(n int) []Trip {
	var trips []Trip
	for t := h.Nest; len(trips) < n; t = t.Inner {
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

// AddLoop adds the next inner loop, with variable v and the words names in its bounds. t is nil
// if the loop cannot be counted.
func (h *LoopHeader) AddLoop(v string, t *Trip, names string) {
	h.Variables = appendNew(h.Variables, v)
	h.AddTrip(t, names)
}

// AddVariables adds the names that the header of a loop declares. It also adds the one that the
// header only assigns to, unless assigned is "".
func (h *LoopHeader) AddVariables(declared []string, assigned string) {
	for _, n := range declared {
		h.Declares, h.Variables = appendNew(h.Declares, n), appendNew(h.Variables, n)
	}
	if assigned != "" {
		h.Variables = appendNew(h.Variables, assigned)
	}
}

// AddTrip adds the next inner loop, with the words names in its bounds. t is nil if the loop
// cannot be counted.
func (h *LoopHeader) AddTrip(t *Trip, names string) {
	if t == nil {
		t = uncountable
	} else {
		t.Names = names
	}
	at := &h.Nest
	for *at != nil && *at != uncountable {
		at = &(*at).Inner
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
