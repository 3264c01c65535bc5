package export

import (
	"maps"
	"slices"

	"opari/internal/analysis"
)

// workPart is a part of the work of a thread at a path, and the code that did it, from the
// construct inward.
type workPart struct {
	code []analysis.Code
	time int64
}

// workParts divides the work of a thread at a path among the stacks of its samples there, in
// proportion to their numbers. The parts add up to time. Without samples there is one part.
func workParts(r *analysis.Result, q *analysis.Path, thread int, time int64) []workPart {
	counts := q.Sampled(thread)
	var all int64
	for _, n := range counts {
		all += n
	}
	if all == 0 {
		return []workPart{{nil, time}}
	}
	var parts []workPart
	left := time
	for i, stack := range slices.Sorted(maps.Keys(counts)) {
		part := left
		if i < len(counts)-1 {
			part = int64(float64(time) * float64(counts[stack]) / float64(all))
		}
		left -= part
		if part > 0 {
			parts = append(parts, workPart{r.Below(q, stack), part})
		}
	}
	return parts
}
