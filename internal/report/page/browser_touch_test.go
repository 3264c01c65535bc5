package page

import (
	"testing"

	"opari/internal/report/fixture"
)

// TestConstruct checks that the page marks exactly the lines of the selected construct. If its
// end is unknown, the page marks only the first line.
func TestConstruct(t *testing.T) {
	r, paths := fixture.Heat()
	p := open(t, r, nil)
	showZeros(t, p)
	eval[any](t, p,
		`(() => { let closed; while (closed = document.querySelector('#paths [aria-expanded="false"] .twisty')) closed.click(); })()`)
	for path, want := range map[int]string{2: "8-15", 3: "10-14", 4: "12-12"} {
		click(t, p, "paths", paths[path].ID, "label")
		got := eval[string](t, p, `(() => {
			const marked = [...document.querySelectorAll("#source .here, #source .inside")];
			const numbers = marked.map(row => Number(row.querySelector(".number").textContent));
			return numbers.length === numbers.at(-1) - numbers[0] + 1 ? numbers[0] + "-" + numbers.at(-1) : numbers.join();
		})()`)
		if got != want {
			t.Errorf("path %d: lines %s are marked, not %s", path, got, want)
		}
	}
}

// TestTouch checks that the times under the fingers remain below them. One finger moves the
// view, two zoom it, and a tap selects.
func TestTouch(t *testing.T) {
	r, paths := fixture.Heat()
	p := open(t, r, heatTimeline(r, 3, TimelineLimit))
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	wall := float64(r.Wall)
	c := rectangle(t, p, "#canvas")
	left, width, y := c.X+132, c.W-132, c.Y+24+17
	pixel := wall / width
	at := func(part float64) [2]float64 { return [2]float64{left + width*part, y} }
	touch := func(kind string, parts ...float64) {
		t.Helper()
		fingers := map[int][2]float64{}
		for i, part := range parts {
			fingers[i] = at(part)
		}
		do(t, p.Touch(kind, fingers))
	}
	shows := func(what string, from, to float64) {
		t.Helper()
		settle(t, p)
		if a, b := view(t, p); !near(a, from, 2*pixel) || !near(b, to, 2*pixel) {
			t.Errorf("%s shows %v to %v, not %v to %v", what, a, b, from, to)
		}
	}
	// The fingers move from 0.4 and 0.6 of the width to 0.2 and 0.8. The view becomes the
	// middle third of the run.
	touch("touchStart", 0.4)
	touch("touchStart", 0.4, 0.6)
	for i := 1.0; i <= 4; i++ {
		touch("touchMove", 0.4-0.05*i, 0.6+0.05*i)
	}
	shows("a pinch", wall/3, wall*2/3)
	do(t, p.Touch("touchEnd", map[int][2]float64{0: at(0.2)}))
	do(t, p.Touch("touchMove", map[int][2]float64{1: at(0.65)}))
	shows("one finger that stays", wall/3+0.05*wall, wall*2/3+0.05*wall)
	touch("touchEnd")
	touch("touchStart", 0.5)
	for i := 1.0; i <= 4; i++ {
		touch("touchMove", 0.5+0.05*i)
	}
	touch("touchEnd")
	from := wall/3 + 0.05*wall - 0.2*wall/3
	shows("a swipe", from, from+wall/3)
	// The fingers spread further than the run is long, so the view becomes the entire run.
	touch("touchStart", 0.1)
	touch("touchStart", 0.1, 0.9)
	for i := 1.0; i <= 4; i++ {
		touch("touchMove", 0.1+0.08*i, 0.9-0.08*i)
	}
	touch("touchEnd")
	shows("pinching in", 0, wall)
	touch("touchStart", 0.1) // thread 0, 1 ms: serial code
	touch("touchEnd")
	settle(t, p)
	if got := eval[int](t, p,
		`Number(document.querySelector("#paths [aria-selected=true]").dataset.id)`); got !=
		paths[1].ID {
		t.Errorf("a tap selects path %d", got)
	}
}
