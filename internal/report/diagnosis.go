package report

import (
	"opari/internal/analysis"
	"opari/internal/omp"
)

// diagnose finds in a profile what shows in sums alone: work that is too fine, and parallel regions
// inside of others that have one thread.
func diagnose(r *analysis.Result) {
	for _, q := range r.Paths {
		meet(q)
	}
	for _, q := range r.Paths {
		if q.Kind == omp.KindParallel && isNested(q) && isAlone(q) {
			falseNesting(q)
		}
	}
	r.Judge()
}

// meet says how often threads met at the barrier of a path, and what they did before. At the end of
// a construct that is the work in it; at a barrier directive it is that of the region around, in
// the share of this barrier among those in that region.
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

// meets says whether threads have waited for each other at a path, which is no parallel region.
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

// hardly is a part of a time that is as good as none.
const hardly = 0.01

// isAlone says whether the teams of a nested parallel region have one thread, as far as a profile
// can tell: whoever was in it had come to it himself, and nobody waited for anybody.
func isAlone(q *analysis.Path) bool {
	for i, v := range q.Visits {
		if v.Count > 0 && q.Parent.Visits[i].Count == 0 {
			return false
		}
	}
	return float64(q.Inclusive(analysis.Barrier, -1)) <
		hardly*float64(q.Inclusive(analysis.Time, -1))
}

// falseNesting moves the waiting for a nested region that one thread executes to the property of
// that: the waiting at the end of the construct around it where threads wait, if most of the work
// there is in the region, in the share of that.
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
