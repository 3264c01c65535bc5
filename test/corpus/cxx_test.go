package corpus

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestCxxWrapper: what passes plain passes through `opari cc g++`, without exception.
func TestCxxWrapper(t *testing.T) {
	programs := suiteCxx.goodPrograms(t)
	coverage := filepath.Join(t.TempDir(), "coverage")
	for class, n := range conformance(t, Wrapper(opariBinary, "g++", coverage), programs) {
		if class != Pass {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	logCoverage(t, coverage)
}

// TestCxxSourceMode: `opari FILE` carries nearly all through, says why it refuses the rest, and breaks none.
func TestCxxSourceMode(t *testing.T) {
	programs := slices.Clone(suiteCxx.goodPrograms(t))
	tally := conformance(t, SourceMode(opariBinary, "g++", config(t, "--cflags"), config(t, "--libs"), config(t, "--libs", "--shared")), programs)
	for class, n := range tally {
		if class != Pass && class != Refused {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	if share := float64(tally[Pass]) / float64(len(programs)); share < sourceModeGoal {
		t.Errorf("%.1f %% pass, the goal is %.0f %%", 100*share, 100*sourceModeGoal)
	}
}
