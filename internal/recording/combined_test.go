package recording

import (
	"path/filepath"
	"testing"

	"opari/internal/expensive"
)

// TestCombined requires that the waiting at the end of a combined construct belongs to its loop,
// whether the loop has a barrier of its own in the source or not. Else only the region has it.
func TestCombined(t *testing.T) {
	expensive.Compilers(t)
	for _, barrier := range []string{"explicit", "implicit"} {
		r := traced(t, build(t, "gcc", "combined.c", "--parallel-barrier="+barrier))
		tr := read(t, filepath.Join(r.folder, "trace.otf"))
		if r.code != 0 {
			t.Errorf("%s: exit code %d: %s", barrier, r.code, r.errors)
		}
		tr.expect(t, map[string]int{
			"parallel": 61, "parallel: implicit task": 122, "for": 82, "sections": 40,
			"for: implicit barrier": 42, "sections: implicit barrier": 40,
			"parallel: implicit barrier": 40, "section": 40, "task": 20, "task: creation": 20,
		})
		longest := uint64(0)
		for _, th := range tr.threads {
			longest = max(longest, th.longest["for: implicit barrier"])
		}
		if longest < 40e6 {
			t.Errorf("%s: no wait for the slow thread: %d ns", barrier, longest)
		}
	}
}
