package finding

import "testing"

// TestChunkFor checks that a chunk is never too small, not even by a part of an iteration.
func TestChunkFor(t *testing.T) {
	for _, c := range []struct {
		cost, iteration float64
		want            int64
	}{
		{1, 99, 1},
		{1, 98, 2},
		{16, 99, 16},
		{16.1, 99, 32},
		{1040, 6300, 32},
		{0, 5, 1},
		{1, 0, 1024},
		{1e18, 1, 1 << 40},
	} {
		if got := chunkFor(c.cost, c.iteration); got != c.want {
			t.Errorf("%g ns for an iteration of %g: %d, not %d", c.cost, c.iteration, got, c.want)
		}
	}
}
