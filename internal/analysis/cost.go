package analysis

import (
	"fmt"

	"opari/internal/omp"
)

// DefaultEventCost is the assumed cost of recording an event, in ns, for a recording that does
// not state it. docs/explanation/measurements.md has the measurement.
const DefaultEventCost = 14

// The sources of the cost of an event.
const (
	CostMeasured = "measured" // by the library at the start of the recording
	CostAssumed  = "assumed"  // DefaultEventCost
	CostGiven    = "given"    // by the caller
)

// MostlyRecording reports whether a time is hardly more than recording its ends, at a cost of so
// much each.
func MostlyRecording(time, cost int64) bool { return cost > 0 && time <= few*cost }

// EventCost returns the cost of an event and its source. given is 0 if the caller gives no cost,
// and negative for no cost at all. recorded is 0 if the recording does not state the cost.
func EventCost(given, recorded int64) (cost int64, source string) {
	switch {
	case given != 0:
		return max(0, given), CostGiven
	case recorded > 0:
		return recorded, CostMeasured
	}
	return DefaultEventCost, CostAssumed
}

// give moves all time of a property at q to another property at the path to, which may be q.
func (q *Path) give(p Property, to *Path, as Property) {
	for thread, time := range q.severity[p] {
		to.Add(as, thread, time)
	}
	to.Dense[as] += q.Dense[p]
	q.severity[p], q.Dense[p] = nil, 0
}

// MarkDense marks the waits that are mostly recording cost, in a result that has only sums. These
// are waits in visits that are hardly longer than their recording. For an atomic construct they
// are also the waits of threads that do nothing else.
func (r *Result) MarkDense() {
	for _, q := range r.Paths {
		brief := few * r.EventCost * q.Count()
		alone := q.Kind == omp.KindAtomic && q.Parent.exclusive() <= brief
		for p := range NumProperties {
			if q.severity[p] == nil || !p.Of(OpenMP) {
				continue
			}
			if time := q.Severity(p, -1); time <= brief || alone {
				q.Dense[p] = time
			}
		}
	}
}

// exclusive returns the exclusive time of all threads.
func (q *Path) exclusive() int64 {
	var sum int64
	for i := range q.Visits {
		sum += q.Visits[i].Excl
	}
	return sum
}

// Recording returns the cost of recording an event, and its source.
func (r *Result) Recording() string {
	text := fmt.Sprintf("%d ns an event, ", r.EventCost)
	switch r.CostSource {
	case CostMeasured:
		return text + "as the run has measured at its start"
	case CostGiven:
		return text + "as --event-cost gives it"
	}
	return text + "an estimate: the recording does not say"
}

// few is how many event costs a time may last and still be mostly recording. It begins and ends
// with an event, and both make it longer.
const few = 4
