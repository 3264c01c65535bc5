package page

import (
	"fmt"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/omp"
	"opari/internal/report/fixture"
)

// TestGroupsOnPage checks that a loss in many regions is one row of the page, which opens by a
// click or by keys and then has a row for each region.
func TestGroupsOnPage(t *testing.T) {
	r, _ := fixture.Heat()
	const regions = 6
	for i := range regions {
		q := r.Child(r.Paths[2], &analysis.Region{
			Kind: omp.KindOrdered, Name: "ordered", File: "heat.c", Line: i + 1,
		})
		q.Add(analysis.OrderedWait, 1, int64(100_000+i))
	}
	p := open(t, r, nil)
	groups := finding.Groups(r, PageShare)
	rows := func() int { return eval[int](t, p, `document.querySelectorAll(".finding").length`) }
	if rows() != len(groups) {
		t.Fatalf("%d rows of %d groups", rows(), len(groups))
	}
	const group = `document.querySelector(".finding.group")`
	want := fmt.Sprintf("costs 600us of 40.0ms in %d regions, folded", regions)
	label := eval[string](t, p, group+`.getAttribute("aria-label")`)
	if !strings.HasSuffix(label, want) {
		t.Errorf("%q, not %q", label, want)
	}
	eval[any](t, p, group+`.click()`)
	if rows() != len(groups)+regions {
		t.Fatalf("an open group: %d rows", rows())
	}
	if got := eval[string](t, p, group+`.getAttribute("aria-selected")`); got != "true" {
		t.Errorf("the group is not selected: %s", got)
	}
	property := eval[int](t, p,
		`Number(document.querySelector("#properties [aria-selected=true]").dataset.id)`)
	if property != int(analysis.OrderedWait) {
		t.Errorf("property %d is selected", property)
	}
	line := func() int {
		return r.Paths[eval[int](t, p,
			`Number(document.querySelector("#paths [aria-selected=true]").dataset.id)`)].Line
	}
	if line() != regions { // the largest
		t.Errorf("line %d is selected", line())
	}
	eval[any](t, p, `document.querySelectorAll(".finding.member")[2].click()`)
	if line() != regions-2 {
		t.Errorf("line %d is selected", line())
	}
	press := func(key string) {
		eval[any](t, p, `(`+group+`.focus(), `+group+
			`.dispatchEvent(new KeyboardEvent("keydown", {key: "%s", bubbles: true})))`, key)
	}
	for _, c := range []struct {
		key  string
		open bool
	}{
		{"ArrowLeft", false},
		{"ArrowLeft", false},
		{"ArrowRight", true},
		{"Enter", false},
		{"Enter", true},
	} {
		press(c.key)
		if want := len(groups) + map[bool]int{true: regions}[c.open]; rows() != want {
			t.Errorf("%s: %d rows, not %d", c.key, rows(), want)
		}
	}
}
