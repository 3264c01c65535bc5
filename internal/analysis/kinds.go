package analysis

import "opari/internal/omp"

// WaitAtEnd returns the property of waiting for other threads in the barrier of a construct.
func WaitAtEnd(k omp.Kind) Property {
	switch {
	case k == omp.KindBarrier:
		return BarrierExplicit
	case k == omp.KindSingle:
		return SingleWait
	case k == omp.KindSections:
		return ImbalanceSections
	case k.SharesIterations():
		return ImbalanceLoop
	}
	return ImbalanceParallel
}

// WaitToEnter returns the property of any other wait in a construct.
func WaitToEnter(k omp.Kind) Property {
	switch {
	case k == omp.KindOrdered:
		return OrderedWait
	case k == omp.KindLock || k == omp.KindNestLock:
		return LockWait
	case k == omp.KindAtomic:
		return AtomicWait
	case k.Excludes():
		return CriticalWait
	}
	return TaskWait
}
