package rewrite

// Adjacent calls, such as the exit of one construct and the enter of the next, become one merged
// call. A call costs gfortran 0.05 to 0.1 ms, whatever its arguments are. The number of the
// merged call stands for the numbers of the calls that it replaces. The library gets this mapping
// with the descriptions of the regions.

// lastCall is the call that was added last: the offsets of its lines, and the event numbers that
// it stands for.
type lastCall struct {
	start, end int
	numbers    []int
}

// maxMerged is the largest number of calls that one call replaces. The library keeps their
// numbers in the second half of a region's slots, with a terminator.
const maxMerged = 7

// mergeCall returns the number of a call to be added. If the previous call ends here, it removes
// that call, and the new one stands for both.
func (u *fortranUnit) mergeCall(e fortranEvent, region int) int {
	if !u.options.MergeCalls {
		return eventNumber(e, region)
	}
	start, numbers := len(u.lines), u.last.numbers
	adjacent := len(numbers) > 0 && u.last.end == start && len(numbers) < maxMerged &&
		!enters(fortranEvent(numbers[len(numbers)-1]%fortranEvents))
	if !adjacent {
		u.last = lastCall{start: start, numbers: []int{eventNumber(e, region)}}
		return eventNumber(e, region)
	}
	u.lines = u.lines[:u.last.start]
	if len(numbers) == 1 {
		u.described.Merged = append(u.described.Merged, nil)
	}
	recorded := e
	// The number of the merged call shows that bounds come with it, and may change on its way.
	if e == fortranCounted {
		recorded = fortranEnter
	} else {
		e = fortranEnter
	}
	u.last.numbers = append(numbers, eventNumber(recorded, region))
	u.described.Merged[len(u.described.Merged)-1] = u.last.numbers
	return eventNumber(e, u.regions+len(u.described.Merged))
}

// enters reports whether e comes directly before a construct.
func enters(e fortranEvent) bool {
	return e == fortranEnter || e == fortranBarrierEnter || e == fortranCounted
}
