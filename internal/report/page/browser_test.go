package page

import (
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/browser"
	"opari/internal/expensive"
	"opari/internal/omp"
	"opari/internal/report"
	"opari/internal/report/fixture"
)

// shared is one browser for all tests, which TestMain ends.
var shared = sync.OnceValues(func() (*browser.Browser, error) {
	b, err := browser.Start()
	started = b
	return b, err
})

var started *browser.Browser

func TestMain(m *testing.M) {
	code := m.Run()
	if started != nil {
		started.Close()
	}
	os.Exit(code)
}

// patience is the limit for a page's work that takes a moment, on a busy machine.
const patience = time.Minute

// open writes the page of a result and opens it in a browser.
func open(t *testing.T, r *analysis.Result, tl *Timeline) *browser.Page {
	t.Helper()
	expensive.Browser(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "heat.c"), []byte(fixture.HeatSource), 0o644); err !=
		nil {
		t.Fatal(err)
	}
	return opened(t, dir, page(t, r, tl, report.Sources(time.Time{}, dir)))
}

// opened writes a page to a folder and opens it in a browser. Complaints of the browser, and
// requests of the page, fail the test.
func opened(t *testing.T, dir, text string) *browser.Page {
	t.Helper()
	b, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "report.html")
	do(t, os.WriteFile(file, []byte(text), 0o644))
	p, err := b.Open("file://"+file, 1280, 1600)
	if err != nil {
		t.Fatal(err)
	}
	do(t, p.Wait("document.documentElement.dataset.ready", patience))
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		for _, e := range p.Errors() {
			t.Errorf("the browser: %s", e)
		}
		if asked := p.Requests(); len(asked) != 1 || asked[0] != "file://"+file {
			t.Errorf("the page asks for %q", asked)
		}
	})
	return p
}

// eval returns the value of an expression.
func eval[T any](t *testing.T, p *browser.Page, expression string, arguments ...any) T {
	t.Helper()
	var out T
	if err := p.Eval(fmt.Sprintf(expression, arguments...), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// row is a row of a tree as the page shows it.
type row struct {
	ID       int     `json:"id"`
	Value    float64 `json:"value"`
	Text     string  `json:"text"`
	Expanded string  `json:"expanded"`
	Level    int     `json:"level"`
	Selected bool    `json:"selected"`
}

func rows(t *testing.T, p *browser.Page, tree string) []row {
	t.Helper()
	return eval[[]row](t, p, `[...document.querySelectorAll("#%s [role=treeitem]")].map(r => ({
		id: Number(r.dataset.id), value: Number(r.dataset.value), text: r.querySelector(".value").textContent,
		expanded: r.getAttribute("aria-expanded") ?? "", level: Number(r.getAttribute("aria-level")), selected: r.getAttribute("aria-selected") === "true",
	}))`, tree)
}

// click clicks on a row of a tree, or on its triangle to open or close it.
func click(t *testing.T, p *browser.Page, tree string, id int, part string) {
	t.Helper()
	eval[any](t, p, `document.querySelector('#%s [data-id="%d"] .%s').click()`, tree, id, part)
}

// text formats a duration as the page writes it.
func text(ns int64) string {
	s := strings.Replace(analysis.Duration(ns), "us", "µs", 1)
	if i := strings.IndexAny(s, "nµmsh"); i >= 0 {
		return s[:i] + " " + s[i:]
	}
	return s
}

// TestFindings checks that the page lists each finding with its numbers. A click selects its
// property and path and shows its line of the source.
func TestFindings(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, nil)
	findings := finding.Of(r, PageShare)
	if n := eval[int](t, p, `document.querySelectorAll(".finding").length`); n != len(findings) ||
		n < 4 {
		t.Fatalf("%d findings of %d", n, len(findings))
	}
	for i, f := range findings {
		eval[any](t, p, `document.querySelectorAll(".finding")[%d].click()`, i)
		label := eval[string](t, p,
			`document.querySelectorAll(".finding")[%d].getAttribute("aria-label")`, i)
		if label != f.String(r) {
			t.Errorf("finding %q, not %q", label, f.String(r))
		}
		seen := eval[string](t, p, `document.querySelectorAll(".finding")[%d].textContent`, i)
		if !strings.Contains(seen, text(f.Time)+" of "+text(r.Total())) || !strings.Contains(seen,
			fmt.Sprintf("%.1f %%", 100*f.Share)) || !strings.Contains(seen, f.Region.Name) ||
			!strings.Contains(seen, f.Advice(r)) {
			t.Errorf("finding %q: %q", f.String(r), seen)
		}
		property := eval[int](t, p,
			`Number(document.querySelector("#properties [aria-selected=true]").dataset.id)`)
		path := eval[int](t, p,
			`Number(document.querySelector("#paths [aria-selected=true]").dataset.id)`)
		if property != int(f.Property) || r.Paths[path].Region != f.Region {
			t.Errorf("finding %q selects %d, %d", f.String(r), property, path)
		}
		line := strings.Split(fixture.HeatSource, "\n")[f.Region.Line-1]
		if here := eval[string](t, p,
			`document.querySelector("#source .here").textContent`); here !=
			strconv.Itoa(f.Region.Line)+line {
			t.Errorf("finding %q: source %q", f.String(r), here)
		}
	}
	if title := eval[string](t, p, `document.title`); title != "heat: where the threads lost time" {
		t.Errorf("title %q", title)
	}
}

// TestKeys checks the trees' keyboard control against ARIA's pattern.
func TestKeys(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, nil)
	focused := func() string {
		return eval[string](t, p,
			`document.activeElement.closest("[role=tree]")?.id + " " + document.activeElement.dataset.id`)
	}
	for _, tree := range []string{"properties", "paths", "threads"} {
		if n := eval[int](t, p, `document.querySelectorAll('#%s [tabindex="0"]').length`,
			tree); n != 1 {
			t.Errorf("%s: %d rows in the order of tabs", tree, n)
		}
	}
	showZeros(t, p)
	click(t, p, "paths", 0, "label")
	for _, step := range []struct{ key, want string }{
		{"ArrowDown", "paths 1"},
		{"ArrowDown", "paths 2"},
		{"ArrowLeft", "paths 2"},
		{"ArrowRight", "paths 2"},
		{"ArrowRight", "paths 3"},
		{"ArrowRight", "paths 3"},
		{"End", "paths 4"},
		{"ArrowLeft", "paths 3"},
		{"ArrowLeft", "paths 3"},
		{"ArrowLeft", "paths 2"},
		{"ArrowUp", "paths 1"},
		{"End", "paths 3"},
		{"Home", "paths 0"},
		{"p", "paths 2"},
	} {
		do(t, p.Key(step.key))
		if got := focused(); got != step.want {
			t.Errorf("%s: at %s, not %s", step.key, got, step.want)
		}
	}
}

// canvas returns the picture of the timeline as a data URL.
func canvas(t *testing.T, p *browser.Page) string {
	t.Helper()
	settle(t, p)
	return eval[string](t, p, `document.querySelector("#canvas").toDataURL()`)
}

// settle waits until the page has drawn all requested changes.
func settle(t *testing.T, p *browser.Page) {
	t.Helper()
	eval[any](t, p,
		`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 120))))`)
	do(t, p.Wait(`!(Number(document.querySelector("#canvas").dataset.wide) > 1)`, patience))
}

func view(t *testing.T, p *browser.Page) (from, to float64) {
	t.Helper()
	settle(t, p)
	if _, err := fmt.Sscan(eval[string](t, p, `document.querySelector("#canvas").dataset.view`),
		&from, &to); err != nil {
		t.Fatal(err)
	}
	return from, to
}

type box struct{ X, Y, W, H float64 }

func rectangle(t *testing.T, p *browser.Page, selector string) box {
	t.Helper()
	return eval[box](t, p,
		`(() => { const r = document.querySelector("%s").getBoundingClientRect(); return { X: r.x, Y: r.y, W: r.width, H: r.height }; })()`, selector)
}

// near reports whether two times agree to within a few pixels.
func near(a, b, pixel float64) bool { return math.Abs(a-b) <= 3*pixel }

// TestZoom checks that wheel, drag, keys and buttons zoom to the times that they select, and
// back.
func TestZoom(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, heatTimeline(r, 500, TimelineLimit))
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	wall := float64(r.Wall)
	if from, to := view(t, p); from != 0 || to != wall {
		t.Fatalf("%v to %v at first", from, to)
	}
	unzoomed := canvas(t, p)
	c := rectangle(t, p, "#canvas")
	left, width := c.X+132, c.W-132 // of the part with times
	pixel := wall / width

	do(t, p.Mouse("mouseMoved", left+width/2, c.Y+60, 0))
	do(t, p.Mouse("mouseWheel", left+width/2, c.Y+60, -300))
	from, to := view(t, p)
	if want := wall / math.E; !near(to-from, want, pixel) || !near((from+to)/2, wall/2, pixel) {
		t.Errorf("the wheel shows %v to %v", from, to)
	}
	zoomed := canvas(t, p)
	if zoomed == unzoomed {
		t.Error("the wheel changes nothing that is drawn")
	}
	do(t, p.Key("Home"))
	eval[any](t, p, `document.querySelector("#zoom-all").click()`)
	do(t, p.Mouse("mouseMoved", 1, 1, 0))
	if again := canvas(t, p); again != unzoomed {
		t.Error("all is not what it was at first")
	}
	do(t, p.Drag(left+width*0.25, c.Y+60, left+width*0.5, c.Y+60))
	if from, to = view(t, p); !near(from, wall/4, pixel) || !near(to, wall/2, pixel) {
		t.Errorf("a drag shows %v to %v", from, to)
	}
	eval[any](t, p, `document.querySelector("#canvas").focus()`)
	do(t, p.Key("ArrowRight"))
	if moved, _ := view(t, p); !near(moved, from+(to-from)/5, pixel) {
		t.Errorf("an arrow moves from %v to %v", from, moved)
	}
	do(t, p.Key("Home"))
	if from, to = view(t, p); from != 0 || to != wall {
		t.Errorf("Home shows %v to %v", from, to)
	}
	for range 40 { // to the closest zoom
		do(t, p.Key("+"))
	}
	if from, to = view(t, p); to-from != 20 {
		t.Errorf("%v ns at last", to-from)
	}
}

// picture returns the picture of the canvas.
func picture(t *testing.T, p *browser.Page) image.Image {
	t.Helper()
	encoded := strings.TrimPrefix(canvas(t, p), "data:image/png;base64,")
	picture, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded)))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// painted counts the pixels of a thread's row by colour and in total, with few threads.
func painted(t *testing.T, p *browser.Page, thread int) (count map[color.Color]int, all int) {
	t.Helper()
	picture := picture(t, p)
	count = map[color.Color]int{}
	for x := 132; x < picture.Bounds().Dx(); x++ {
		for y := 24 + 34*thread + 1; y < 24+34*(thread+1)-1; y++ {
			count[color.NRGBAModel.Convert(picture.At(x, y))]++
			all++
		}
	}
	return count, all
}

// state returns the colour of a state in the legend.
func state(t *testing.T, p *browser.Page, name string) color.Color {
	t.Helper()
	rgb := eval[string](t, p,
		`getComputedStyle([...document.querySelectorAll("#states li")].find(e => e.textContent === %q).firstChild).backgroundColor`, name)
	c := color.NRGBA{A: 255}
	if _, err := fmt.Sscanf(rgb, "rgb(%d, %d, %d)", &c.R, &c.G, &c.B); err != nil {
		t.Fatalf("%s: %v", rgb, err)
	}
	return c
}

// TestDrawn checks that each state has the same part of a thread's pixels as of its time, for
// any number of intervals. The thread's name is to the left of them.
func TestDrawn(t *testing.T) {
	r, _ := fixture.Heat()
	for _, each := range []int{3, 500, 100_000} {
		p := open(t, r, heatTimeline(r, each, 50_000))
		summed := eval[string](t, p, `document.querySelector("#timeline-note").textContent`)
		if (summed != "") != (each == 100_000) {
			t.Errorf("%d intervals: %q", 8*each, summed)
		}
		tolerance := 0.035 // the long intervals contain names
		if each == 3 {
			tolerance = 0.06 // all intervals contain names
		}
		for thread := range r.Threads {
			count, all := painted(t, p, thread)
			first := "serial"
			if thread > 0 {
				first = "idle"
			}
			// A thread spends 2 of 10 ms before the loop, 6 in it, and 2 at its end. It waits
			// for a quarter of each piece of the loop.
			for name, want := range map[string]float64{
				first: 0.2, "work": 0.45,
				"mutual exclusion": 0.15, "barrier": 0.2,
			} {
				if got := float64(count[state(t, p, name)]) /
					float64(all); math.Abs(got-want) > tolerance {
					t.Errorf("%d intervals, thread %d: %.3f of the pixels are %s, not %.3f", 8*each,
						thread, got, name, want)
				}
			}
		}
	}
}

// TestSearch checks that the page counts the matches of a search, marks them and moves to them.
func TestSearch(t *testing.T) {
	r, _ := fixture.Heat()
	const each = 500
	p := open(t, r, heatTimeline(r, each, TimelineLimit))
	search := func(text string) string {
		eval[any](t, p,
			`(() => { const s = document.querySelector("#search"); s.value = %q; s.dispatchEvent(new Event("input")); })()`, text)
		settle(t, p)
		return eval[string](t, p, `document.querySelector("#matches").textContent`)
	}
	before := canvas(t, p)
	if got, want := search("critical mutual"),
		fmt.Sprintf("%d\u202f000 intervals, ", 4*each/1000); !strings.HasPrefix(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	count, _ := painted(t, p, 1)
	if found, rest := count[state(t, p, "mutual exclusion")],
		count[state(t, p, "barrier")]; found == 0 || rest != 0 {
		t.Errorf("%d pixels of what is found, %d of the rest, in full colour", found, rest)
	}
	if got := search("nowhere"); got != "not found" {
		t.Errorf("%q", got)
	}
	search("for barrier")
	times := map[string]bool{}
	for range 4 { // one match of each thread
		eval[any](t, p, `document.querySelector("#next").click()`)
		times[eval[string](t, p, `document.querySelector("#matches").textContent`)] = true
	}
	if len(times) != 4 {
		t.Errorf("next goes to %v", times)
	}
	last := eval[string](t, p, `document.querySelector("#matches").textContent`)
	eval[any](t, p, `document.querySelector("#previous").click()`)
	eval[any](t, p, `document.querySelector("#next").click()`)
	if got := eval[string](t, p, `document.querySelector("#matches").textContent`); got != last {
		t.Errorf("back and on: at %q, not %q", got, last)
	}
	search("")
	eval[any](t, p, `document.querySelector("#zoom-all").click()`)
	if canvas(t, p) != before {
		t.Error("without words it is not as before")
	}
}

// TestPointing checks that the tip shows path, state and duration under the pointer. A click
// selects them in the trees and the flame graph.
func TestPointing(t *testing.T) {
	r, paths := fixture.Heat()
	p := open(t, r, heatTimeline(r, 3, TimelineLimit))
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	c := rectangle(t, p, "#canvas")
	x, y := c.X+132+(c.W-132)*0.1, c.Y+24+17 // thread 0, 1 ms: serial code
	do(t, p.Mouse("mouseMoved", x, y, 0))
	settle(t, p)
	tip := eval[string](t, p, `document.querySelector("#tip").innerText`)
	for _, want := range []string{
		"serial", "2.00 ms", "serial code before parallel heat.c:8",
		"thread 0 (initial)",
	} {
		if !strings.Contains(tip, want) {
			t.Errorf("the tip lacks %q: %q", want, tip)
		}
	}
	do(t, p.Mouse("mousePressed", x, y, 0))
	do(t, p.Mouse("mouseReleased", x, y, 0))
	settle(t, p)
	if got := eval[int](t, p,
		`Number(document.querySelector("#paths [aria-selected=true]").dataset.id)`); got !=
		paths[1].ID {
		t.Errorf("a click selects path %d", got)
	}
	if got := eval[int](t, p,
		`Number(document.querySelector("#flame [aria-selected=true]").dataset.id)`); got !=
		paths[1].ID {
		t.Errorf("a click selects frame %d", got)
	}
	if got := eval[int](t, p,
		`Number(document.querySelector("#threads [aria-selected=true]").dataset.id)`); got != 0 {
		t.Errorf("a click selects thread %d", got)
	}
}

// TestManyThreads checks that the user and the search can scroll to rows that do not fit. The
// pointer then finds the right thread.
func TestManyThreads(t *testing.T) {
	threads := make([]analysis.Thread, 200)
	for i := range threads {
		threads[i].Name = fmt.Sprintf("thread %d.", i)
	}
	r := analysis.New("wide", 1000, threads)
	q := r.Child(r.Paths[0],
		&analysis.Region{Kind: omp.KindFor, Name: "for", File: "heat.c", Line: 10})
	last := r.Child(r.Paths[0],
		&analysis.Region{Kind: omp.KindSingle, Name: "single", File: "heat.c", Line: 8})
	tl := NewTimeline(TimelineLimit)
	for i := range threads {
		if i == 190 {
			q = last
		}
		q.Add(analysis.Work, i, 1000)
		tl.Add(analysis.Interval{Thread: i, Path: q, State: analysis.StateWork, From: 0, To: 1000})
	}
	p := open(t, r, tl)
	eval[any](t, p,
		`document.querySelector("#timeline-panel").scrollIntoView(), document.querySelector("#lanes").scrollTop = 450`)
	settle(t, p)
	c := rectangle(t, p, "#canvas")
	do(t, p.Mouse("mouseMoved", c.X+300, c.Y+24+9*7+4, 0))
	settle(t, p)
	if tip := eval[string](t, p, `document.querySelector("#tip").innerText`); !strings.Contains(tip,
		"thread 57.") {
		t.Errorf("57 rows down: %q", tip)
	}
	eval[any](t, p,
		`(() => { const s = document.querySelector("#search"); s.value = "single"; s.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" })); })()`)
	settle(t, p)
	if got := eval[string](t, p,
		`document.querySelector("#matches").textContent`); !strings.Contains(got, "thread 190.") {
		t.Errorf("found: %q", got)
	}
	top, seen := eval[float64](t, p, `document.querySelector("#lanes").scrollTop`), c.H-24
	if y := 190.0 * 9; y < top || y+9 > top+seen {
		t.Errorf("rows from %v to %v are seen, not %v", top, top+seen, y)
	}
}

// TestFlame checks that frames are as wide as their paths' times, and that a click widens one
// to the graph's width.
func TestFlame(t *testing.T) {
	r, paths := fixture.Heat()
	p := open(t, r, nil)
	width := rectangle(t, p, "#flame").W
	for _, q := range paths {
		want := width * float64(q.Inclusive(analysis.Time, -1)) / float64(r.Sum(analysis.Time, -1))
		if got := rectangle(t, p,
			fmt.Sprintf("#flame [data-id='%d']", q.ID)).W; math.Abs(got-want) > 1 {
			t.Errorf("%s: %v pixels, not %v", q, got, want)
		}
	}
	eval[any](t, p, `document.querySelector("#flame [data-id='%d']").click()`, paths[3].ID)
	if got := rectangle(t, p,
		fmt.Sprintf("#flame [data-id='%d']", paths[3].ID)).W; math.Abs(got-width) > 1 {
		t.Errorf("%v pixels of %v after a click", got, width)
	}
	if got := eval[int](t, p,
		`Number(document.querySelector("#paths [aria-selected=true]").dataset.id)`); got !=
		paths[3].ID {
		t.Errorf("a click selects path %d", got)
	}
	eval[any](t, p,
		`document.querySelector("[data-of=selection]").click(); document.querySelector("#flame-all").click()`)
	click(t, p, "properties", int(analysis.Idle), "label")
	if n := eval[int](t, p, `document.querySelectorAll("#flame button").length`); n != 2 {
		t.Errorf("%d frames with idle threads", n)
	}
}

// TestThemes checks that the page follows the system's colours, and that the switch overrides
// them. Text is readable in both themes.
func TestThemes(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, heatTimeline(r, 10, TimelineLimit))
	light := func() (background, text float64) {
		lum := `(v => { const c = getComputedStyle(document.body)[v].match(/[\d.]+/g).map(Number); return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]; })(%q)`
		return eval[float64](t, p, lum, "backgroundColor"), eval[float64](t, p, lum, "color")
	}
	drawn := map[string]string{}
	for _, c := range []struct {
		system bool
		button string
		dark   bool
	}{
		{false, "auto", false},
		{true, "auto", true},
		{true, "light", false},
		{false, "dark", true},
		{false, "auto", false},
	} {
		do(t, p.Dark(c.system))
		eval[any](t, p, `document.querySelector('.theme [data-theme=%s]').click()`, c.button)
		background, text := light()
		if (background < 128) != c.dark || math.Abs(background-text) < 150 {
			t.Errorf("%+v: background %.0f, text %.0f", c, background, text)
		}
		name := fmt.Sprintf("dark %v", c.dark)
		if now := canvas(t, p); drawn[name] == "" {
			drawn[name] = now
		} else if drawn[name] != now {
			t.Errorf("%+v: the timeline is not drawn as before", c)
		}
	}
	if drawn["dark true"] == drawn["dark false"] {
		t.Error("the timeline has the same colours, light and dark")
	}
}
