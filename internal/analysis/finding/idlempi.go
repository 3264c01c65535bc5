package finding

import (
	"fmt"
	"slices"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// mpiWaits are the properties of waits for other ranks.
var mpiWaits = []analysis.Property{
	analysis.LateSender, analysis.LateReceiver,
	analysis.CollectiveWait, analysis.LateBroadcast, analysis.EarlyReduce,
}

// waitIn returns what threads mostly wait for in a routine of MPI; false: they wait for others for
// less than half of their time in it.
func (r run) waitIn(g *analysis.Region) (analysis.Property, bool) {
	if g.Kind != omp.KindMPI {
		return 0, false
	}
	var most analysis.Property
	var all int64
	sums := map[analysis.Property]int64{}
	for _, q := range r.Paths {
		if q.Region == g {
			all += q.Severity(analysis.MPI, -1)
			for _, p := range mpiWaits {
				if sums[p] += q.Severity(p, -1); sums[p] > sums[most] {
					most = p
				}
			}
		}
	}
	return most, sums[most] > 0 && 2*sums[most] >= all
}

// idleInMPI says what the initial thread waits for while others idle, and what delayed that.
func (r run) idleInMPI(f Finding) string {
	p, waits := r.waitIn(f.Region)
	if !waits {
		return ""
	}
	text := fmt.Sprintf("%s: the initial thread waits there", p)
	if why := r.cause(Finding{Property: p, Region: f.Region}); why != "" {
		text += ", " + why
	}
	return text
}

// causesFirst moves what the initial thread waits for in MPI in front of the idling of the other
// threads meanwhile, which is a consequence of it.
func causesFirst[T any](r run, list []T, of func(T) Finding) {
	for i := range list {
		f := of(list[i])
		if f.Property != analysis.IdleMPI {
			continue
		}
		p, waits := r.waitIn(f.Region)
		k := slices.IndexFunc(list, func(x T) bool {
			cause := of(x)
			return cause.Property == p && cause.Region == f.Region
		})
		if waits && k > i {
			cause := list[k]
			copy(list[i+1:k+1], list[i:k])
			list[i] = cause
		}
	}
}

// serialIn says in which rank threads mostly wait for the initial one.
func (r run) serialIn(f Finding) string {
	sums := map[string]int64{}
	var all int64
	most := r.Threads[0].Process
	for _, q := range r.Paths {
		if q.Region != f.Region {
			continue
		}
		for i, time := range q.Times(f.Property) {
			process := r.Threads[i].Process
			all += time
			if sums[process] += time; sums[process] > sums[most] {
				most = process
			}
		}
	}
	if 4*sums[most] > 3*all {
		return "in " + most + " threads wait for one"
	}
	return "in each rank threads wait for one"
}
