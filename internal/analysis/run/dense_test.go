package run

import (
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
)

// TestDenseUpdates checks that the finding of dense atomic updates has the time in which they were
// recorded, that no other finding has it, and that updates that are not dense keep both apart.
func TestDenseUpdates(t *testing.T) {
	const cost, count = 10, 100
	for _, c := range []struct {
		each, between   uint64
		time, elsewhere int64 // of the finding; of findings of Measurement
	}{
		{24, 30, 24*count + cost*count, cost},
		{cost, 30, cost*count + cost*count, cost}, // they take no time but that of recording
		{300, 30, 300*count + cost*count, cost},
		{300, 5000, (300 - cost) * count, cost + 2*cost*count},
	} {
		r, err := FromTrace(atomics(t, "event cost: 10 ns", count, c.each, c.between),
			Options{})
		if err != nil {
			t.Fatal(err)
		}
		var elsewhere int64
		found := finding.Of(r, 0)
		for _, f := range found {
			if f.Property == analysis.Measurement {
				elsewhere += f.Time
			}
		}
		f := found[0]
		joined := f.Recorded == 2*cost*count
		if f.Property != analysis.AtomicWait || f.Time != c.time || elsewhere != c.elsewhere ||
			joined != (c.elsewhere == cost) || f.UpperBound != joined ||
			joined != strings.Contains(f.String(r), "100 updates, with") {
			t.Errorf("%d ns after %d: %s, %d ns recorded; %d ns of measuring elsewhere", c.each,
				c.between, f.String(r), f.Recorded, elsewhere)
		}
		if advice := f.Advice(r); !strings.Contains(advice, "reduction") {
			t.Errorf("%d ns after %d: %s", c.each, c.between, advice)
		}
	}
}
