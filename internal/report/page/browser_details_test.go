package page

import (
	"fmt"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/browser"
	"opari/internal/report/fixture"
)

// pattern returns a run of two threads, whose first one has a critical of 3 ns each 10 ns, and
// works in between. The other one waits in one barrier. The timeline is much coarser.
func pattern(rounds int, size int64) (*analysis.Result, *Timeline) {
	r := analysis.New("pattern", 10*int64(rounds), fixture.Processes(1, 2))
	loop := r.Child(r.Paths[0], &analysis.Region{Name: "for", File: "heat.c", Line: 10})
	critical := r.Child(loop, &analysis.Region{Name: "critical", File: "heat.c", Line: 12})
	t := NewTimeline(1 << 15)
	t.PageSize = size
	for k := range int64(rounds) {
		t.Add(analysis.Interval{Path: loop, State: analysis.StateWork, From: 10 * k, To: 10*k + 7})
		t.Add(analysis.Interval{
			Path: critical, State: analysis.StateMutex, From: 10*k + 7, To: 10*k + 10,
		})
	}
	t.Add(analysis.Interval{Thread: 1, Path: loop, State: analysis.StateBarrier, To: r.Wall})
	loop.Add(analysis.Work, 0, r.Wall)
	loop.Add(analysis.ImbalanceLoop, 1, r.Wall)
	return r, t
}

// level waits until the page shows what it has for the view, and returns what that is.
func level(t *testing.T, p *browser.Page) string {
	t.Helper()
	const is = `document.querySelector("#canvas").dataset.level`
	settle(t, p)
	do(t, p.Wait(is+` !== "loading"`, patience))
	settle(t, p)
	return eval[string](t, p, "%s", is)
}

// TestDrillDown checks that zooming in shows each interval, by keys and by the wheel, and that
// the page says what a view shows.
func TestDrillDown(t *testing.T) {
	r, tl := pattern(300_000, 20e6)
	p := open(t, r, tl)
	if tl.Grain < 50 {
		t.Fatalf("the grain is %d", tl.Grain)
	}
	const what = `document.querySelector("#timeline-level").textContent`
	if got, says := level(t, p), eval[string](t, p, what); got != "summary" ||
		!strings.Contains(says, "within "+text(tl.Grain)) {
		t.Errorf("at first: %s, %q", got, says)
	}
	note := eval[string](t, p, `document.querySelector("#timeline-note").textContent`)
	if !strings.Contains(note, "Views of less than ") ||
		!strings.Contains(note, " show each interval.") {
		t.Errorf("note: %q", note)
	}
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	eval[any](t, p, `document.querySelector("#canvas").focus()`)
	c := rectangle(t, p, "#canvas")
	for range 200 {
		if a, b := view(t, p); b-a < 120 {
			break
		}
		do(t, p.Key("ArrowUp"))
		settle(t, p)
	}
	if got, says := level(t, p), eval[string](t, p, what); got != "detail" ||
		says != "This view: each interval." {
		t.Fatalf("zoomed in: %s, %q", got, says)
	}
	// hit checks the tip at a time.
	hit := func(at float64) {
		t.Helper()
		a, b := view(t, p)
		do(t, p.Mouse("mouseMoved", c.X+132+(at-a)/(b-a)*(c.W-132), c.Y+24+17, 0))
		settle(t, p)
		state, time := "work", 7
		from := int64(at) / 10 * 10
		if int64(at)%10 >= 7 {
			state, time, from = "mutual exclusion", 3, from+7
		}
		tip := eval[string](t, p, `document.querySelector("#tip").innerText`)
		if want := fmt.Sprintf("%s %d ns", state, time); !strings.Contains(tip, want) ||
			!strings.Contains(tip, "from "+text(from)+" on") {
			t.Errorf("at %.1f: %q lacks %q", at, tip, want)
		}
	}
	a, b := view(t, p)
	for at := a + 1.5; at < b-1; at += (b - a) / 7 {
		if edge := int64(at) % 10; edge != 6 && edge != 7 && edge != 9 && edge != 0 {
			hit(at)
		}
	}
	for range 3 { // moving reads what comes into view
		for range 40 {
			do(t, p.Key("ArrowRight"))
		}
		if got := level(t, p); got != "detail" {
			t.Errorf("moved: %s", got)
		}
		a, b = view(t, p)
		hit(float64(int64(a+b)/20*10) + 3)
	}
	// The longest wait of the other thread reaches over all blocks.
	do(t, p.Mouse("mouseMoved", c.X+500, c.Y+24+34+17, 0))
	settle(t, p)
	if tip := eval[string](t, p, `document.querySelector("#tip").innerText`); !strings.Contains(tip,
		"barrier "+text(r.Wall)) {
		t.Errorf("the other thread: %q", tip)
	}
	do(t, p.Key("Home"))
	if got := level(t, p); got != "summary" {
		t.Errorf("all: %s", got)
	}
}

// TestDrillDownSearch checks that what is searched is marked in the details, and that moving to
// matches works with them.
func TestDrillDownSearch(t *testing.T) {
	r, tl := pattern(100_000, 20e6)
	p := open(t, r, tl)
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	eval[any](t, p,
		`(() => { const s = document.querySelector("#search"); s.value = "critical mutual"; s.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" })); })()`)
	eval[any](t, p, `document.querySelector("#canvas").focus()`)
	for range 60 {
		do(t, p.Key("ArrowUp"))
	}
	if got := level(t, p); got != "detail" {
		t.Fatalf("zoomed in: %s", got)
	}
	count, all := painted(t, p, 0)
	found, rest := count[state(t, p, "mutual exclusion")], count[state(t, p, "work")]
	if found < all/6 || found > all/2 || rest > 0 {
		t.Errorf("%d pixels of what is found, %d of the rest, of %d", found, rest, all)
	}
	matches := `document.querySelector("#matches").textContent`
	for range 2 {
		do(t, p.Key("n"))
		settle(t, p)
		if got := eval[string](t, p, "%s", matches); !strings.Contains(got, "this: 3 ns at ") {
			t.Errorf("the next one: %q", got)
		}
	}
}

// TestDrillDownBound checks that a page that is too small for each interval says so, with the view
// from which on it shows no more.
func TestDrillDownBound(t *testing.T) {
	r, _ := fixture.Heat()
	tl := NewTimeline(1 << 15)
	tl.PageSize = int64(len(page(t, r, nil, nil)) + 500_000)
	random(r, tl, 1, 200_000)
	p := open(t, r, tl)
	note := eval[string](t, p, `document.querySelector("#timeline-note").textContent`)
	for _, want := range []string{
		" show more: those within ", "show summaries only", "--page-size",
	} {
		if !strings.Contains(note, want) {
			t.Errorf("note without %q: %q", want, note)
		}
	}
	eval[any](t, p, `(() => { for (let i = 0; i < 16; i++) document.querySelector("#zoom-in").click(); })()`)
	if got, says := level(t, p), eval[string](t, p,
		`document.querySelector("#timeline-level").textContent`); got != "detail" ||
		!strings.Contains(says, " within ") || strings.Contains(says, text(tl.Grain)) {
		t.Errorf("zoomed in: %s, %q", got, says)
	}
}

// TestDrillDownTouch checks that two fingers zoom to each interval, as keys do.
func TestDrillDownTouch(t *testing.T) {
	r, tl := pattern(100_000, 20e6)
	p := open(t, r, tl)
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	c := rectangle(t, p, "#canvas")
	middle := c.X + 132 + (c.W-132)/2
	for range 5 {
		fingers := func(apart float64) map[int][2]float64 {
			return map[int][2]float64{
				0: {middle - apart, c.Y + 40}, 1: {middle + apart, c.Y + 40},
			}
		}
		do(t, p.Touch("touchStart", fingers(20)))
		do(t, p.Touch("touchMove", fingers(200)))
		do(t, p.Touch("touchEnd", nil))
		settle(t, p)
	}
	a, b := view(t, p)
	if got := level(t, p); got != "detail" || b-a > float64(r.Wall)/1000 {
		t.Errorf("%s of %.0f ns", got, b-a)
	}
	count, all := painted(t, p, 0)
	if found := count[state(t, p, "mutual exclusion")]; found < all/5 || found > all*2/5 {
		t.Errorf("%d of %d pixels are of the critical, which takes 30 %%", found, all)
	}
}
