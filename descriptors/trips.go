package descriptors

import (
	"opari/internal/omp"
	"opari/parse/construct"
)

// trips returns the loops of r if their iterations can be counted before it, else nil.
func trips(r *Region) []construct.Trip {
	switch r.Kind {
	case omp.KindFor, omp.KindTaskloop, omp.KindLoop, omp.KindDistribute:
	default:
		return nil
	}
	if c := r.Construct; !c.Conditional {
		return c.Header.Trips(c.Directive.Collapse())
	}
	return nil
}
