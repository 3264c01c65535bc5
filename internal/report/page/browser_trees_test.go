package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/browser"
	"opari/internal/report/fixture"
)

// inColumn formats a duration in the unit of a column, of which most is the largest value.
func inColumn(ns, most int64) string {
	size, digits, unit := 1e9, 3, "s"
	switch {
	case float64(most) < 9999.5:
		size, digits, unit = 1, 0, "ns"
	case float64(most) < 9999.5e3:
		size, unit = 1e3, "µs"
	case float64(most) < 9999.5e6:
		size, unit = 1e6, "ms"
	}
	number := strconv.FormatFloat(float64(ns)/size, 'f', digits, 64)
	whole, part, _ := strings.Cut(number, ".")
	if len(whole) > 3 {
		whole = whole[:len(whole)-3] + "\u202f" + whole[len(whole)-3:]
	}
	switch {
	case ns == 0 && digits == 0:
		return "0 " + unit
	case ns == 0:
		return "0\u2008\u2007\u2007\u2007 " + unit
	case digits == 0:
		return whole + " " + unit
	case number == "0.000":
		return "< 0.001 " + unit
	}
	return whole + "." + part + " " + unit
}

// showZeros makes the trees show rows with nothing but zeros, too.
func showZeros(t *testing.T, p *browser.Page) {
	t.Helper()
	eval[any](t, p, `document.querySelector("#zeros").click()`)
}

// TestTrees checks each number of the three trees against the result, for each property and
// path, open and closed.
func TestTrees(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, nil)
	if hidden := eval[bool](t, p, `document.querySelector("#timeline-panel").hidden`); !hidden {
		t.Error("a timeline, of a result without")
	}
	openAll := func(tree string) {
		for {
			id := eval[int](t, p,
				`Number(document.querySelector('#%s [aria-expanded="false"]')?.dataset.id ?? -1)`,
				tree)
			if id < 0 {
				return
			}
			click(t, p, tree, id, "twisty")
		}
	}
	numbers := 0
	same := func(what string, got row, want, most int64) {
		t.Helper()
		numbers++
		if text := inColumn(want, most); got.Value != float64(want) || got.Text != text {
			t.Errorf("%s: %v, %q; not %d, %q", what, got.Value, got.Text, want, text)
		}
	}
	showZeros(t, p)
	openAll("properties")
	properties := rows(t, p, "properties")
	if len(properties) != int(analysis.NumProperties)+2 {
		t.Fatalf("%d properties", len(properties))
	}
	for _, row := range properties[:analysis.NumProperties] {
		q := analysis.Property(row.ID)
		want := r.Sum(q, -1)
		if !q.Leaf() {
			want = 0 // open: its own value
		}
		same(q.Key(), row, want, r.Total())
		if row.Level != q.Depth()+1 {
			t.Errorf("%s: level %d", q, row.Level)
		}
	}
	for q := range analysis.NumProperties {
		click(t, p, "properties", int(q), "label")
		openAll("paths")
		shown := rows(t, p, "paths")
		if len(shown) != len(r.Paths) {
			t.Fatalf("%s: %d paths of %d", q, len(shown), len(r.Paths))
		}
		for _, row := range shown {
			path := r.Paths[row.ID]
			same(fmt.Sprintf("%s at %s", q.Key(), path), row, path.Severity(q, -1), r.Sum(q, -1))
			click(t, p, "paths", row.ID, "label")
			for _, thread := range rows(t, p, "threads") {
				if thread.ID < len(r.Threads) {
					same(fmt.Sprintf("%s at %s of %d", q.Key(), path, thread.ID), thread,
						path.Severity(q, thread.ID), path.Severity(q, -1))
				}
			}
			if row.Expanded == "" {
				continue
			}
			click(t, p, "paths", row.ID, "twisty") // closed: with all paths below
			for _, closed := range rows(t, p, "paths") {
				if closed.ID == row.ID {
					same(fmt.Sprintf("%s at and below %s", q.Key(), path), closed,
						path.Inclusive(q, -1), r.Sum(q, -1))
				}
			}
			for _, thread := range rows(t, p, "threads") {
				if thread.ID < len(r.Threads) {
					same(fmt.Sprintf("%s at and below %s of %d", q.Key(), path, thread.ID), thread,
						path.Inclusive(q, thread.ID), path.Inclusive(q, -1))
				}
			}
			openAll("paths")
		}
	}
	if numbers < 1000 {
		t.Errorf("only %d numbers were looked at", numbers)
	}
}

// TestModes checks values as a part of the total, and of the selection to their left.
func TestModes(t *testing.T) {
	r, paths := fixture.Heat()
	p := open(t, r, nil)
	click(t, p, "properties", int(analysis.ImbalanceLoop), "label")
	click(t, p, "paths", paths[3].ID, "label")
	at := func(tree string, id int) string {
		return eval[string](t, p,
			`document.querySelector('#%s [data-id="%d"] .value').textContent`, tree, id)
	}
	sum := float64(r.Sum(analysis.ImbalanceLoop, -1))
	one := float64(paths[3].Severity(analysis.ImbalanceLoop, 1))
	for mode, want := range map[string][3]float64{
		"total":     {sum / float64(r.Total()), sum / float64(r.Total()), one / float64(r.Total())},
		"selection": {sum / float64(r.Total()), 1, one / sum},
	} {
		eval[any](t, p, `document.querySelector("[data-mode=%s]").click()`, mode)
		for i, got := range []string{
			at("properties", int(analysis.ImbalanceLoop)),
			at("paths", paths[3].ID), at("threads", 1),
		} {
			if w := fmt.Sprintf("%.1f %%", 100*want[i]); got != w {
				t.Errorf("%s, tree %d: %s, not %s", mode, i, got, w)
			}
		}
	}
}

// TestHideZeros checks that trees leave out rows with nothing but zeros, except the selected one,
// that a switch shows them, and that arrow keys go through what is visible.
func TestHideZeros(t *testing.T) {
	r, paths := fixture.Heat()
	p := open(t, r, nil)
	ids := func(tree string) []int {
		var all []int
		for _, row := range rows(t, p, tree) {
			all = append(all, row.ID)
		}
		return all
	}
	click(t, p, "properties", int(analysis.IdleSerial), "label")
	click(t, p, "paths", paths[1].ID, "label")
	if got, want := ids("threads"), []int{4, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("threads %v, not %v: thread 0 is not idle", got, want)
	}
	click(t, p, "properties", int(analysis.ImbalanceLoop), "label")
	click(t, p, "paths", 0, "label")
	want := []int{0, paths[2].ID, paths[3].ID} // the loop in parallel waits
	if got := ids("paths"); !slices.Equal(got, want) {
		t.Errorf("paths %v, not %v", got, want)
	}
	for _, id := range ids("properties")[1:] {
		if q := analysis.Property(id); q < analysis.NumProperties && r.Sum(q, -1) == 0 {
			t.Errorf("property %s is there", q)
		}
	}
	eval[any](t, p, `document.querySelector('#paths [tabindex="0"]').focus()`)
	do(t, p.Key("ArrowDown"))
	if at := eval[int](t, p, `Number(document.activeElement.dataset.id)`); at != paths[2].ID {
		t.Errorf("the arrow key goes to path %d", at)
	}
	showZeros(t, p)
	if got := ids("paths"); len(got) != 4 || !slices.Contains(got, paths[1].ID) {
		t.Errorf("with zeros: paths %v", got)
	}
	if got := ids("threads"); len(got) != len(r.Threads)+1 {
		t.Errorf("with zeros: threads %v", got)
	}
	click(t, p, "paths", paths[1].ID, "label")
	showZeros(t, p) // hides them again
	want = []int{0, paths[1].ID, paths[2].ID, paths[3].ID}
	if got := ids("paths"); !slices.Equal(got, want) {
		t.Errorf("with a zero selected: paths %v, not %v", got, want)
	}
}

// TestColumns checks that the numbers of a tree stand in one column: same place of their ends and
// points, and same unit, at any depth.
func TestColumns(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, nil)
	showZeros(t, p)
	for _, mode := range []string{"absolute", "total"} {
		eval[any](t, p, `document.querySelector("[data-mode=%s]").click()`, mode)
		for _, tree := range []string{"properties", "paths", "threads"} {
			type cell struct {
				Right, Point float64
				Unit         string
			}
			cells := eval[[]cell](t, p, `(() => {
				const end = (node, at) => { const r = document.createRange(); r.setStart(node, at); r.setEnd(node, at + 1); return r.getBoundingClientRect().right; };
				return [...document.querySelectorAll("#%s .value")].filter((e) => / (ms|%%)$/.test(e.textContent)).map((e) => {
					const text = e.firstChild, at = text.data.search(/[.\u2008]/);
					return { Right: end(text, text.length - 1), Point: at < 0 ? -1 : end(text, at), Unit: text.data.split(" ").at(-1) };
				});
			})()`, tree)
			if len(cells) < 4 {
				t.Fatalf("%s, %s: %d numbers", mode, tree, len(cells))
			}
			for _, c := range cells[1:] {
				if math.Abs(c.Right-cells[0].Right) > 0.5 ||
					math.Abs(c.Point-cells[0].Point) > 1.5 || c.Unit != cells[0].Unit {
					t.Errorf("%s, %s: %+v beside %+v", mode, tree, c, cells[0])
				}
			}
		}
	}
}
