package recording

import (
	"strings"

	"opari/internal/omp"
)

// combinedLeaf reports whether number is the loop, or the like, of a combined construct of which
// outer is the parallel region. Its barrier is then that at the end of the region.
func (n *names) combinedLeaf(number, outer int) bool {
	if number >= len(n.regions) || outer >= len(n.regions) {
		return false
	}
	leaf, region := n.regions[number], n.regions[outer]
	return leaf != nil && region != nil && region.Kind == omp.KindParallel &&
		leaf.Kind.OwnBarrier() && leaf.Directive == region.Directive &&
		strings.HasPrefix(leaf.Directive, "parallel ") &&
		leaf.File == region.File && leaf.Begin == region.Begin
}

// postpone keeps the innermost function open, if it is a combined construct's loop that the thread
// leaves now. If the thread next waits at the end of the region, the loop contains the wait, as it
// does where the loop has a barrier of its own in the source.
func (c *converter) postpone(at place, now uint64) bool {
	n := len(c.stack)
	if at.what != work || n < 2 || c.stack[n-1].place != at || c.stack[n-2].what != implicit ||
		!c.names.combinedLeaf(at.number, c.stack[n-2].number) {
		return false
	}
	c.stack[n-1].left, c.stack[n-1].over = now, true
	return true
}

// settle leaves a loop that the thread has left before, unless the thread now waits at the end of
// the region that at stands for.
func (c *converter) settle(at place) error {
	n := len(c.stack)
	if n == 0 || !c.stack[n-1].over {
		return nil
	}
	if n > 1 && at == (place{barrier, c.stack[n-2].number}) {
		return nil
	}
	return c.pop(c.stack[n-1].left)
}

// waitsIn returns the region to which a barrier belongs that the thread enters now.
func (c *converter) waitsIn(at place) int {
	if n := len(c.stack); at.what == barrier && n > 0 && c.stack[n-1].over {
		return c.stack[n-1].number
	}
	return at.number
}
