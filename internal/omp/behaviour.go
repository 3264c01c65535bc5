package omp

import (
	"slices"
	"sync"
)

// What constructs do to the threads of a team, for those who read what was recorded of a run. It follows from the rows of Directives.
type behaviour struct{ sharesIterations, endsTogether, ownBarrier, oneThread bool }

// behaviours are by kind.
var behaviours = sync.OnceValue(func() []behaviour {
	all := make([]behaviour, len(kindNames))
	for k := range all {
		if d := OfKind(Kind(k)); d != nil {
			all[k] = behaviour{
				sharesIterations: d.Assoc == Loop && d.Kind != KindTaskloop,
				endsTogether:     d.Barrier || d.Kind == KindLoop,
				ownBarrier:       d.Barrier && slices.Contains(d.Clauses, "nowait"),
				oneThread:        d.Rule == Body || d.Kind == KindSingle,
			}
		}
	}
	return all
})

var kindsByName = sync.OnceValue(func() map[string]Kind {
	byName := map[string]Kind{}
	for _, k := range Kinds() {
		byName[k.String()] = k
		if d := OfKind(k); d != nil && d.Fortran != "" {
			byName[d.Fortran] = k
		}
	}
	return byName
})

// KindNamed is the kind that profiles and traces call name, or a directive's name in Fortran; KindNone for another word.
func KindNamed(name string) Kind { return kindsByName()[name] }

func (k Kind) behaviour() behaviour {
	if all := behaviours(); int(k) < len(all) {
		return all[k]
	}
	return behaviour{}
}

// SharesIterations says whether the threads of a team, or the teams of a league, share a loop's iterations.
func (k Kind) SharesIterations() bool { return k.behaviour().sharesIterations }

// EndsTogether says whether there is a barrier at the construct's end, unless it has nowait. Loop takes its own from the region that it binds
// to, OpenMP 5.2 [11.7].
func (k Kind) EndsTogether() bool { return k.behaviour().endsTogether }

// OwnBarrier says whether the barrier at the construct's end is one that nowait takes away: that of a worksharing construct, which can be made explicit.
func (k Kind) OwnBarrier() bool { return k.behaviour().ownBarrier }

// OneThread says whether one thread executes the block while others may pass.
func (k Kind) OneThread() bool { return k.behaviour().oneThread }

// OnlyWaits says whether there is nothing to a construct but waiting, or what it costs.
func (k Kind) OnlyWaits() bool {
	switch k {
	case KindBarrier, KindTaskwait, KindLock, KindNestLock, KindAtomic:
		return true
	}
	return false
}

// Excludes says whether threads keep each other out: all waiting to enter is for others in there, or for their turn.
func (k Kind) Excludes() bool {
	switch k {
	case KindLock, KindNestLock, KindCritical, KindAtomic, KindOrdered:
		return true
	}
	return false
}
