package page

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
)

// TestHeat checks the samples on the page: the heat of the lines, the list of the hot lines, and
// the functions below their construct in the flame graph.
func TestHeat(t *testing.T) {
	r := fixture.Sampled(t, "heat.c", 11)
	p := open(t, r, nil)
	id := slices.IndexFunc(r.Paths, func(q *analysis.Path) bool { return q.Name == "parallel" })
	eval[bool](t, p, `(document.querySelector('#flame [data-id="%d"]').click(), true)`, id)
	facts := eval[string](t, p, `document.querySelector("#facts").textContent`)
	if !strings.Contains(facts, "90 samples while working, 90.0 ms") {
		t.Errorf("facts: %s", facts)
	}
	rows := eval[[]string](t, p, `[...document.querySelectorAll("#facts .hot tr")].map((e) =>
		[...e.children].map((c) => c.textContent).join("|"))`)
	want := []string{
		"77.8 %|heat.c:11|work|for (int i = 0; i < 100; i++) {",
		"22.2 %|heat.c:12|work|#pragma omp critical(gate)",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("hot lines: %q, want %q", rows, want)
	}
	cells := eval[[]string](t, p, `[...document.querySelectorAll("#source .heat")].map((e) =>
		e.textContent && e.parentElement.querySelector(".number").textContent + " " +
		e.textContent).filter(Boolean)`)
	if want := []string{"8 ·", "11 77.8 %", "12 22.2 %"}; !slices.Equal(cells, want) {
		t.Errorf("the heat column: %q, want %q", cells, want)
	}
	type box struct {
		Name    string  `json:"name"`
		Samples string  `json:"samples"`
		Width   float64 `json:"width"`
	}
	all := eval[[]box](t, p, `[...document.querySelectorAll("#flame .code")].map((e) => ({
		name: e.textContent, samples: e.dataset.samples, width: parseFloat(e.style.width) }))`)
	whole := eval[float64](t, p,
		`parseFloat(document.querySelector('#flame [data-id="%d"]').style.width)`, id)
	counts := map[string]int{
		"main heat.c:8": 90, "work heat.c:11": 70, "sin": 60, "work heat.c:12": 20,
	}
	if len(all) != len(counts) {
		t.Errorf("frames: %v", all)
	}
	for _, b := range all {
		n := counts[b.Name]
		if b.Samples != strconv.Itoa(n) || b.Width < whole*float64(n)/90-1 ||
			b.Width > whole*float64(n)/90+1 {
			t.Errorf("%s: %s samples, %.1f of %.1f px; want %d of 90", b.Name, b.Samples, b.Width,
				whole, n)
		}
	}
}
