package pomp

import (
	"testing"

	"opari/internal/expensive"
)

// TestChunks requires that the profile counts all chunks of loops that the runtime hands out, and
// their iterations, wherever the library is between the program and the runtime.
func TestChunks(t *testing.T) {
	want := map[int]struct{ chunks, iterations int64 }{
		2: {2 * 34, 2 * 100}, // UP
		3: {2 * 72, 2 * 143}, // DOWN
		4: {2 * 21, 2 * 101}, // LONG
		5: {2 * 10, 2 * 40},  // SET
		6: {2 * 4, 2 * 4},    // OUTER
		8: {8 * 10, 8 * 10},  // INNER
		9: {0, 0},            // FIXED
		// Nobody tells which chunks are AROUND's, and which those of loops inside that are not
		// instrumented.
		10: {0, 0},
	}
	for _, w := range ways(t) {
		t.Run(w.name, func(t *testing.T) {
			if w.name != "linked" {
				expensive.Compilers(t)
			}
			p := measure(t, compileProgram(t, "chunks", w.libs...), w.env)
			for line, want := range want {
				got := p.Regions[line].sum()
				if got.Count == 0 {
					t.Errorf("region %d was not met", line)
				}
				if got.Chunks != want.chunks || got.Iterations != want.iterations {
					t.Errorf("region %d: %d chunks with %d iterations, want %d with %d", line,
						got.Chunks, got.Iterations, want.chunks, want.iterations)
				}
				if (got.Dispatch > 0) != (want.chunks > 0) {
					t.Errorf("region %d: handing out %d chunks takes %d ns", line, want.chunks,
						got.Dispatch)
				}
			}
		})
	}
}
