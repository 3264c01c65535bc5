package rewrite

// Calls that stand behind one another, as the exit of a construct and the enter of the next, are one in the text: a call costs gfortran 0.05 to
// 0.1 ms whatever it says. Its number stands for those of the calls; which they are the library is told with the regions.

// lastCall is the call that was added last: its lines, and what it says.
type lastCall struct {
	start, end int
	whats      []int
}

// maxJoined is how many calls one stands for at most: the library keeps them in the second half of a region's slots, with an end.
const maxJoined = 7

// join is the number of a call that is to be added. Where the one before it ends here, that is taken back, and this one stands for both.
func (u *fortranUnit) join(e fortranEvent, region int) string {
	start, whats := len(u.lines), u.last.whats
	behind := len(whats) > 0 && u.last.end == start && len(whats) < maxJoined && !enters(fortranEvent(whats[len(whats)-1]%fortranEvents))
	if !u.options.Join || !behind {
		u.last = lastCall{start: start, whats: []int{number(e, region)}}
		return what(e, region)
	}
	u.lines = u.lines[:u.last.start]
	if len(whats) == 1 {
		u.joined = append(u.joined, nil)
	}
	said := e
	if e == fortranCounted { // the one number says whether it is, and may be changed on the way
		said = fortranEnter
	} else {
		e = fortranEnter
	}
	u.last.whats = append(whats, number(said, region))
	u.joined[len(u.joined)-1] = u.last.whats
	return what(e, len(u.table.Regions)+len(u.joined))
}

// enters reports whether e comes directly before a construct.
func enters(e fortranEvent) bool {
	return e == fortranEnter || e == fortranBarrierEnter || e == fortranCounted
}
