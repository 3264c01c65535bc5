package replay

import "testing"

// TestBarriersAreUsedAgain checks that a parallel region with a loop takes few allocations, however
// many there are: those of its team, and none of its barriers.
func TestBarriersAreUsedAgain(t *testing.T) {
	f := everyRole()
	fork, implicit, end, loop, loopEnd := f[0], f[1], f[2], f[5], f[6]
	regions := func(n int) []act {
		var acts []act
		for i := range int64(n) {
			at := 1000 * i
			acts = append(acts, act{0, at, fork, 0, 0})
			for thread := range 2 {
				acts = append(acts,
					act{thread, at + 10, implicit, 0, 0},
					act{thread, at + 10, loop, 0, 0},
					act{thread, at + 200 + 100*int64(thread), loopEnd, 0, 0})
			}
			for thread := range 2 {
				acts = append(acts,
					act{thread, at + 310, nil, 0, 0}, // the loop's barrier
					act{thread, at + 320, nil, 0, 0},
					act{thread, at + 330 + 100*int64(thread), end, 0, 0})
			}
			acts = append(acts,
				act{0, at + 440, nil, 0, 0}, act{0, at + 440, nil, 0, 0},
				act{0, at + 450, nil, 0, 0}, // joins before the other has gone on
				act{1, at + 460, nil, 0, 0}, act{1, at + 460, nil, 0, 0})
		}
		return acts
	}
	const few, many = 100, 1100
	allocations := func(n int) float64 {
		acts := regions(n)
		return testing.AllocsPerRun(3, func() { replayed(2, acts) })
	}
	if each := (allocations(many) - allocations(few)) / (many - few); each > 4 {
		t.Errorf("%.1f allocations a region", each)
	}
}
