package profile

import (
	"opari/internal/analysis"
	"opari/internal/omp"
)

// diagnose finds the defects of a profile that sums reveal: work that is too fine, and nested
// parallel regions with one thread.
func diagnose(r *analysis.Result) {
	for _, q := range r.Paths {
		meet(q)
	}
	for _, q := range r.Paths {
		if q.Kind == omp.KindParallel && isNested(q) && isAlone(q) {
			falseNesting(q)
		}
	}
	r.AttributeGranularity()
}

// meet sets how often threads met at the barrier of a path, and their work before that. For the
// end of a construct, it is the work in the construct. For a barrier directive, it is a share
// of the work in the enclosing region: this barrier's share of that region's meetings.
func meet(q *analysis.Path) {
	if !meets(q) {
		return
	}
	q.Meetings = count(q)
	if q.Kind != omp.KindBarrier {
		q.Between = q.Inclusive(analysis.Work, -1)
		return
	}
	var all int64
	for _, c := range q.Parent.Children {
		if meets(c) {
			all += count(c)
		}
	}
	q.Between = int64(float64(q.Parent.Inclusive(analysis.Work, -1)) * float64(q.Meetings) /
		float64(all))
}

// meets reports whether threads waited for each other at a path that is no parallel region.
func meets(q *analysis.Path) bool {
	return (q.Kind == omp.KindBarrier || q.Kind.EndsTogether() && q.Kind != omp.KindParallel) &&
		count(q) > 0 &&
		q.Severity(analysis.WaitAtEnd(q.Kind), -1) > 0
}

func count(q *analysis.Path) int64 {
	var n int64
	for _, v := range q.Visits {
		n += v.Count
	}
	return n
}

func isNested(q *analysis.Path) bool {
	for p := q.Parent; p != nil; p = p.Parent {
		if p.Kind == omp.KindParallel {
			return true
		}
	}
	return false
}

// negligible is the part of a time that counts as nothing.
const negligible = 0.01

// isAlone reports whether the teams of a nested parallel region have one thread, as far as a
// profile shows it. Every thread in the region also visited the enclosing path, and the threads
// hardly waited in barriers.
func isAlone(q *analysis.Path) bool {
	for i, v := range q.Visits {
		if v.Count > 0 && q.Parent.Visits[i].Count == 0 {
			return false
		}
	}
	return float64(q.Inclusive(analysis.Barrier, -1)) <
		negligible*float64(q.Inclusive(analysis.Time, -1))
}

// falseNesting moves waiting to FalseNesting, the property of a nested region that one thread
// executes. It takes the waiting at the end of the innermost enclosing construct where threads
// wait, if the region does most of the work there. The part that it moves is the region's share
// of that work.
func falseNesting(q *analysis.Path) {
	for p := q.Parent; p != nil; p = p.Parent {
		waiting := analysis.WaitAtEnd(p.Kind)
		if p.Severity(waiting, -1) > 0 && p.Kind.EndsTogether() {
			share := float64(q.Inclusive(analysis.Work, -1)) /
				float64(max(1, p.Inclusive(analysis.Work, -1)))
			if share <= 0.5 {
				return
			}
			for i := range p.Visits {
				part := int64(share * float64(p.Severity(waiting, i)))
				p.Add(waiting, i, -part)
				q.Add(analysis.FalseNesting, i, part)
			}
			return
		}
		if p.Kind == omp.KindParallel {
			return
		}
	}
}
