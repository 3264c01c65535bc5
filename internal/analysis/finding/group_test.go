package finding

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// TestGroups checks which findings of one property stand by themselves. Shares are in percent of
// the processor time, one for each region.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		name   string
		shares []float64
		want   string // the numbers of regions and the sums of the groups
	}{
		{"nothing", nil, ""},
		{"one", []float64{3}, "1:3.0"},
		{"a small one", []float64{0.4}, ""},
		{"a few", []float64{3, 2, 1}, "1:3.0 1:2.0 1:1.0"},
		{"many", []float64{1, 2, 1, 2, 1, 1}, "6:8.0"},
		{"small ones that are much together", slices.Repeat([]float64{0.1}, 18), "18:1.8"},
		{"small ones that are little", slices.Repeat([]float64{0.1}, 4), ""},
		{"two small ones", []float64{0.3, 0.3}, "2:0.6"},
		{"one is half", []float64{8, 2, 2, 2, 2}, "1:8.0 4:8.0"},
		{"each is half", []float64{16, 8, 4, 2, 1}, "1:16.0 1:8.0 1:4.0 1:2.0 1:1.0"},
		{"large ones", []float64{6, 6, 6, 6, 6, 6}, "6:36.0"},
		{"many large ones", slices.Repeat([]float64{5}, 18), "18:90.0"},
		{"nanoseconds do not count", append(slices.Repeat([]float64{1}, 5), 1e-6, 1e-6), "5:5.0"},
	} {
		r := analysis.New("p", 1_000_000_000, make([]analysis.Thread, 2))
		for i, share := range c.shares {
			q := r.Child(r.Paths[0], &analysis.Region{
				Kind: omp.KindFor, Name: "for", File: "a.c", Line: i + 1,
			})
			q.Add(analysis.BarrierCost, 1, int64(share/100*float64(r.Total())))
		}
		var got []string
		last := r.Total()
		for _, g := range Groups(r, 0.005) {
			if g.Time > last {
				t.Errorf("%s: a group is larger than the one before it", c.name)
			}
			last = g.Time
			got = append(got, fmt.Sprintf("%d:%.1f", len(g.Findings), 100*g.Share))
			if g.Time != sum(g.Findings) {
				t.Errorf("%s: %d ns of findings of %d", c.name, g.Time, sum(g.Findings))
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, not %q", c.name, text, c.want)
		}
	}
}

// TestGroupsAll checks that groups have each finding exactly once, and keep properties apart.
func TestGroupsAll(t *testing.T) {
	r := analysis.New("p", 1_000_000, make([]analysis.Thread, 2))
	for i := range 40 {
		q := r.Child(r.Paths[0], &analysis.Region{
			Kind: omp.KindCritical, Name: "critical", File: "a.c", Line: i + 1,
		})
		q.Add([]analysis.Property{
			analysis.CriticalWait, analysis.Measurement,
			analysis.AtomicWait,
		}[i%3], i%2, int64(1000+i*i))
		if i%3 == 1 {
			q.Dense[analysis.Measurement] = 1000
		}
	}
	seen := map[Finding]int{}
	for _, g := range Groups(r, 0) {
		for _, f := range g.Findings {
			seen[f]++
			if f.Property != g.Property {
				t.Errorf("%s in a group of %s", f.Property, g.Property)
			}
		}
		if text := g.String(r); len(g.Findings) > 1 && (!strings.Contains(text,
			fmt.Sprintf("in %d regions", len(g.Findings))) ||
			strings.Contains(text, upperBound) != (g.Property == analysis.Measurement)) {
			t.Error(text)
		}
		if text := g.Advice(r); len(g.Findings) > 1 &&
			!strings.HasPrefix(text, "of "+g.Findings[0].Region.String()+", the largest: ") {
			t.Error(text)
		}
	}
	for _, f := range Of(r, 0) {
		if seen[f] != 1 {
			t.Errorf("%s is in %d groups", f.String(r), seen[f])
		}
	}
}
