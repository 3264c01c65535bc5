package finding

import (
	"fmt"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// loss is what a finding is about.
type loss struct {
	property analysis.Property
	region   *analysis.Region
}

// withMeasurement joins findings of atomic updates that are upper bounds with the time in which
// the updates were recorded. Such updates are short and follow each other closely, so what they
// cost and what measuring them costs cannot be told apart, and either alone may be small. It
// returns the recording's part of each such finding. Each update has two events: the time of one
// is in the construct, that of the other in the region around it.
func (r run) withMeasurement(sums, dense map[loss]int64) map[loss]int64 {
	recorded := map[loss]int64{}
	rest := map[*analysis.Path]int64{}
	for _, q := range r.Paths {
		k := loss{analysis.AtomicWait, q.Region}
		if q.Kind != omp.KindAtomic || 2*dense[k]+2*recorded[k] < sums[k] {
			continue
		}
		if _, known := rest[q.Parent]; !known {
			rest[q.Parent] = q.Parent.Severity(analysis.Measurement, -1)
		}
		inside := q.Severity(analysis.Measurement, -1)
		behind := min(rest[q.Parent], q.Count()*r.EventCost)
		rest[q.Parent] -= behind
		sums[loss{analysis.Measurement, q.Region}] -= inside
		sums[loss{analysis.Measurement, q.Parent.Region}] -= behind
		sums[k] += inside + behind
		dense[k] += inside + behind
		recorded[k] += inside + behind
	}
	return recorded
}

// updates says how many atomic updates there were and what each cost.
func (r run) updates(f Finding) string {
	n := r.visits(f.Region)
	if f.Recorded == 0 || n == 0 {
		return r.cause(f)
	}
	return fmt.Sprintf("%s updates, with %s of updating and %s of measuring each",
		analysis.Count(n),
		short(f.Time-f.Recorded, n), short(f.Recorded, n))
}

// adviseAtomic says how often a variable is updated, and what to do in place of that.
func (r run) adviseAtomic(f Finding) string {
	const try = ": let each thread gather its updates, as a reduction does"
	f.Time -= f.Recorded
	return r.each(f, "updates take") + try
}
