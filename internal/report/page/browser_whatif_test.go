package page

import (
	"fmt"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/report/fixture"
)

// TestWhatIfOnPage moves the sliders of two findings, one of which is remedied in part or fully,
// and one all or not at all. Between the times that are known the page goes straight.
func TestWhatIfOnPage(t *testing.T) {
	r, _ := fixture.Heat()
	findings := finding.Of(r, PageShare)
	r.Remedies = []analysis.Remedy{
		{
			Property: findings[0].Property, Region: findings[0].Region, What: "balance heat.c:8",
			Walls: []int64{10_000_000, 8_000_000, 7_000_000},
		},
		{
			Property: findings[2].Property, Region: findings[2].Region, What: "no lock gate",
			Walls: []int64{10_000_000, 9_000_000},
		},
	}
	p := open(t, r, nil)
	if n := eval[int](t, p, `document.querySelectorAll(".whatif input").length`); n != 2 {
		t.Fatalf("%d sliders", n)
	}
	for i, label := range []string{"what if: balance heat.c:8", "what if: no lock gate"} {
		if got := eval[string](t, p, `document.querySelectorAll(".whatif input")[%d].ariaLabel`,
			i); got != label {
			t.Errorf("slider %d is called %q", i, got)
		}
	}
	eval[any](t, p, `document.querySelectorAll(".finding")[1].click()`)
	chosen := func() int {
		return eval[int](t, p, `[...document.querySelectorAll(".finding")].findIndex(
			(row) => row.ariaSelected === "true")`)
	}
	for _, c := range []struct {
		slider, to int
		want       string
	}{
		{0, 0, "as it is"},
		{0, 25, "25 %: " + text(9_000_000) + " instead of " + text(10_000_000)},
		{0, 50, "50 %: " + text(8_000_000) + " instead of " + text(10_000_000)},
		{0, 80, "80 %: " + text(7_400_000) + " instead of " + text(10_000_000)},
		{0, 100, "100 %: " + text(7_000_000) + " instead of " + text(10_000_000)},
		{1, 100, "100 %: " + text(9_000_000) + " instead of " + text(10_000_000)},
		{1, 30, "as it is"}, // there is nothing between
	} {
		slider := fmt.Sprintf(`document.querySelectorAll(".whatif input")[%d]`, c.slider)
		eval[any](t, p, `(%[1]s.value = %[2]d, %[1]s.click(), %[1]s.dispatchEvent(
			new Event("input", {bubbles: true})))`, slider, c.to)
		if got := eval[string](t, p, `%s.parentNode.querySelector("output").textContent`,
			slider); got != c.want {
			t.Errorf("slider %d at %d: %q, not %q", c.slider, c.to, got, c.want)
		}
		if got := eval[string](t, p, `%s.getAttribute("aria-valuetext")`, slider); got != c.want {
			t.Errorf("slider %d at %d says %q", c.slider, c.to, got)
		}
		for _, key := range []string{"ArrowDown", "End", "Enter"} {
			eval[any](t, p, `%s.dispatchEvent(new KeyboardEvent("keydown",
				{key: "%s", bubbles: true}))`, slider, key)
		}
		if got := chosen(); got != 1 {
			t.Errorf("slider %d at %d chooses finding %d", c.slider, c.to, got)
		}
	}
}
