package descriptors

import (
	"opari/internal/omp"
	"opari/parse/construct"
)

// trips are the loops of r where their iterations can be counted before it.
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
