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

// forkValues returns the values of a fork in Fortran in the form of a loop's bounds, so that the
// same call passes them: from the value of if to that of num_threads by zero. Without a clause
// these are 1 and 0. It returns nil where no value can be passed.
func forkValues(r *Region) []construct.Trip {
	f := r.Construct.Fortran
	if r.Kind != omp.KindParallel || f.If == "" && f.Threads == "" {
		return nil
	}
	t := construct.Trip{From: "1", To: "0", Step: "0"}
	if f.If != "" {
		t.From = "merge(1,0," + f.If + ")"
	}
	if f.Threads != "" {
		t.To = f.Threads
	}
	return []construct.Trip{t}
}
