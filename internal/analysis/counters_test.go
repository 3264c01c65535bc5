package analysis

import (
	"math"
	"testing"
)

// TestFigures checks what follows from counts, and when work counts as bound by memory.
func TestFigures(t *testing.T) {
	r := New("p", 1, nil)
	r.Counters = []string{"cycles", "instructions", "llc-misses"}
	counts := func(samples int64, cycles, instructions, misses float64) *Counts {
		return &Counts{Time: 1e9, Samples: samples, Values: []float64{cycles, instructions, misses}}
	}
	want := []Figure{{"IPC", 0.5}, {"llc-misses/1000", 20}, {"GB/s", 1.28}, {"GHz", 2}}
	for i, f := range r.Figures(counts(99, 2e9, 1e9, 20e6)) {
		if f.Name != want[i].Name || math.Abs(f.Value-want[i].Value) > 1e-9 {
			t.Errorf("figure %v, want %v", f, want[i])
		}
	}
	for _, c := range []struct {
		name  string
		c     *Counts
		bound bool
	}{
		{"many misses", counts(99, 2e9, 1e9, 20e6), true},
		{"few samples", counts(9, 2e9, 1e9, 20e6), false},
		{"many instructions a cycle", counts(99, 2e9, 4e9, 80e6), false},
		{"few misses, little bandwidth", counts(99, 2e9, 1e9, 5e6), false},
		{"few misses, most of the bandwidth", counts(99, 6e9, 5e9, 18e6), true},
		{"hardly any misses", counts(99, 6e9, 5e9, 4e6), false},
		{"few instructions", counts(99, 2e6, 3e5, 20e3), false},
		{"nothing", counts(99, 0, 0, 0), false},
	} {
		if text := r.MemoryBound(c.c, 1.28); (text != "") != c.bound {
			t.Errorf("%s: %q", c.name, text)
		}
	}
	r.Counters = r.Counters[:1] // cycles alone
	c := &Counts{Time: 1e9, Samples: 10, Values: []float64{3e9}}
	if f := r.Figures(c); len(f) != 1 || f[0] != (Figure{"GHz", 3}) || !r.Trustworthy(c) ||
		r.MemoryBound(c, 0) != "" {
		t.Errorf("cycles alone: %v", f)
	}
}
