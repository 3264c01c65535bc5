package analysis

import "opari/internal/omp"

// WaitAtEnd says what waiting for others in the barrier of a kind of construct is.
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

// WaitToEnter says what waiting in a kind of construct is, its barrier apart.
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
