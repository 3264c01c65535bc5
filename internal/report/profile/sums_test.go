package profile

import (
	"testing"

	"opari/internal/analysis"
)

// TestProfileSums checks that a profile's times add up to the processor time, apart from
// differences of the threads' clocks.
func TestProfileSums(t *testing.T) {
	p := bank(t)
	r := p.Result()
	if got, want := r.Sum(analysis.Time, -1), r.Total(); float64(got) < 0.995*float64(want) ||
		float64(got) > 1.005*float64(want) {
		t.Errorf("the severities are %d ns together, %d threads of %d ns are %d", got,
			len(r.Threads), r.Wall, want)
	}
	if got, want := r.Sum(analysis.ImbalanceLoop, -1), p.Regions[2].row().Barrier; got != want {
		t.Errorf("loop imbalance is %d, the loop's barrier %d", got, want)
	}
}
