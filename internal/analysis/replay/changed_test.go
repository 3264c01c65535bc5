package replay

import (
	"testing"

	"opari/internal/analysis/whatif"
	"opari/internal/expensive"
)

// same is a change that changes nothing.
const same = "scale work of program by 1"

// TestChangedPlay replays random events with changes. One that changes nothing gives the time of
// the run, and the critical path is always as long as the run would be.
func TestChangedPlay(t *testing.T) {
	shorter := map[string]int{}
	for seed := range expensive.Tries(uint64(2_000)) {
		r := play(seed)
		for _, text := range []string{
			same, "halve work of program", "balance f.c:2",
			"no lock f.c:3 and no lock f.c:10",
			"threads 8", "balance f.c:1 and scale work of f.c:6 by 0",
		} {
			w, err := whatif.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			var o Options
			o.WhatIf(w, r)
			with := playWith(seed, o)
			var critical int64
			for _, q := range with.Paths {
				critical += q.Critical
			}
			switch {
			case critical != with.Predicted:
				t.Fatalf("seed %d, %s: the critical path is %d ns, the run %d", seed, text,
					critical, with.Predicted)
			case text == same && with.Predicted != r.Wall:
				t.Fatalf("seed %d: the run takes %d ns, and %d if nothing changes", seed, r.Wall,
					with.Predicted)
			case with.Predicted < 0 || with.Predicted > r.Wall:
				t.Fatalf("seed %d, %s: the run takes %d ns, and would take %d", seed, text, r.Wall,
					with.Predicted)
			case with.Predicted < r.Wall:
				shorter[text]++
			}
		}
	}
	if len(shorter) < 3 { // loops with a barrier are rare, and full teams
		t.Errorf("runs that would be shorter, by change: %v", shorter)
	}
}
