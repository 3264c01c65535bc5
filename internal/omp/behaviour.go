package omp

import (
	"sync"
)

// behaviour says what a construct does to the threads of a team, for code that analyses
// recordings. It follows from the rows of Directives.
type behaviour struct{ sharesIterations, endsTogether, ownBarrier, oneThread, onDevice bool }

// behaviours is indexed by kind. It is computed on first use, because the names of the kinds
// exist only once the package is initialized.
var behaviours = sync.OnceValue(func() []behaviour {
	all := make([]behaviour, len(kindNames()))
	for k := range all {
		if d := OfKind(Kind(k)); d != nil {
			all[k] = behaviour{
				sharesIterations: d.Assoc == Loop && d.Kind != KindTaskloop,
				endsTogether:     d.Barrier || d.Kind == KindLoop,
				ownBarrier:       d.Barrier && d.Takes(ClauseNowait),
				oneThread:        d.Rule == Body || d.Kind == KindSingle,
				onDevice:         d.Rule == HostOnly,
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

// KindNamed returns the kind that profiles and traces call name. It also accepts a directive's
// name in Fortran, and returns KindNone for any other word.
func KindNamed(name string) Kind { return kindsByName()[name] }

func (k Kind) behaviour() behaviour {
	if all := behaviours(); int(k) < len(all) {
		return all[k]
	}
	return behaviour{}
}

// SharesIterations reports whether the threads of a team, or the teams of a league, share a
// loop's iterations.
func (k Kind) SharesIterations() bool { return k.behaviour().sharesIterations }

// EndsTogether reports whether there is a barrier at the construct's end, unless it has nowait.
// The barrier of loop depends on the region that it binds to, OpenMP 5.2 [11.7].
func (k Kind) EndsTogether() bool { return k.behaviour().endsTogether }

// OwnBarrier reports whether nowait can remove the barrier at the construct's end. This is the
// barrier of a worksharing construct, which can be made explicit.
func (k Kind) OwnBarrier() bool { return k.behaviour().ownBarrier }

// OneThread reports whether one thread executes the block while others may pass.
func (k Kind) OneThread() bool { return k.behaviour().oneThread }

// WaitsForDevice reports whether a thread in the construct may wait for a device.
func (k Kind) WaitsForDevice() bool { return k.behaviour().onDevice }

// OnlyWaits reports whether the construct is nothing but waiting, or the cost of it.
func (k Kind) OnlyWaits() bool {
	switch k {
	case KindBarrier, KindTaskwait, KindLock, KindNestLock, KindAtomic:
		return true
	}
	return false
}

// Excludes reports whether threads exclude each other: a thread that waits to enter waits for
// others inside, or for its turn.
func (k Kind) Excludes() bool {
	switch k {
	case KindLock, KindNestLock, KindCritical, KindAtomic, KindOrdered:
		return true
	}
	return false
}
