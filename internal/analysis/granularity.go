package analysis

import "opari/internal/omp"

const (
	// fine is a limit for a thread's work between two barriers. Below it, the granularity is to
	// blame for what the barriers cost. It is about ten times what a team needs to begin and to
	// meet.
	fine = 50_000 // ns

	// dear is the share of a region's time above which its cost matters.
	dear = 0.2
)

// grain moves the cost of barriers and forks to Granularity where threads have hardly any work
// between them. If one thread has much more work than the others, the wait is an imbalance and
// stays one, however short.
func (r *Result) grain() {
	for _, q := range r.Paths {
		if q.Kind == omp.KindParallel {
			r.grainOfTeam(q)
		} else if q.Meetings > 0 && q.Between/q.Meetings < fine && !r.uneven(q) {
			r.grainOf(q, float64(q.Between))
		}
	}
}

// meetings are the properties of threads that meet.
var meetings = []Property{
	ForkJoin, BarrierExplicit, ImbalanceLoop, ImbalanceSections,
	ImbalanceParallel, BarrierCost,
}

func (r *Result) grainOf(q *Path, work float64) {
	var cost int64
	for _, p := range meetings {
		cost += q.Severity(p, -1)
	}
	if float64(cost) < dear*(work+float64(cost)) {
		return
	}
	for _, p := range meetings {
		q.give(p, q, Granularity)
	}
}

// grainOfTeam does the same for a parallel region, with the work of everything in it.
func (r *Result) grainOfTeam(q *Path) {
	var tasks int64
	for _, v := range q.Visits {
		tasks += v.Count
	}
	work := q.Inclusive(Work, -1)
	if tasks == 0 || work/tasks >= fine || r.uneven(q) {
		return
	}
	var cost int64
	for _, p := range meetings {
		cost += q.Inclusive(p, -1)
	}
	if float64(cost) >= dear*float64(work+cost) {
		r.gather(q, q)
	}
}

// gather moves the cost of meetings at q and below it to the granularity of the path to.
func (r *Result) gather(to, q *Path) {
	for _, p := range meetings {
		q.give(p, to, Granularity)
	}
	for _, c := range q.Children {
		r.gather(to, c)
	}
}

// uneven reports whether a thread has more than one and a half times the mean work of a path.
func (r *Result) uneven(q *Path) bool {
	var sum, most, n int64
	for i := range r.Threads {
		work := q.Inclusive(Work, i)
		if q.Kind == omp.KindBarrier {
			work = q.Parent.Inclusive(Work, i)
		}
		if work > 0 {
			n++
		}
		sum += work
		most = max(most, work)
	}
	return n > 0 && float64(most)*float64(n) > 1.5*float64(sum)
}

// AttributeGranularity finds what shows only when all times are known: too fine granularity and
// too small tasks. It must be called only once.
func (r *Result) AttributeGranularity() {
	r.fineTasks()
	r.grain()
}
