package page

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/browser"
	"opari/internal/expensive"
	"opari/internal/omp"
	"opari/internal/report/scale"
	"opari/internal/scaling"
)

// oddName would end the page's data if names could become markup.
const oddName = "gate</script><b id=\"odd\">"

// scaleStudy is a study of 1 to 16 threads on a machine with 8 processors: serial code, a loop
// that is shared out, and a critical region in which threads wait for each other.
func scaleStudy(t *testing.T) *scale.Scale {
	t.Helper()
	loop := &analysis.Region{Kind: omp.KindFor, Name: "for", File: "a.c", Line: 12}
	gate := &analysis.Region{Kind: omp.KindCritical, Name: oddName, File: "a.c", Line: 14}
	small := &analysis.Region{Kind: omp.KindSingle, Name: "single", File: "a.c", Line: 20}
	var runs []scaling.Run
	for i := range 3 {
		for _, p := range []int{1, 2, 4, 6, 8, 16} {
			part := func(ms float64) int64 { return int64(1e6 * ms * (1 + float64(i-1)/200)) }
			share := 2000 / float64(p)
			r := analysis.New("/bin/prog", part(200+share+40+1), make([]analysis.Thread, p))
			a, b, c := r.Child(r.Paths[0], loop), r.Child(r.Paths[0], gate),
				r.Child(r.Paths[0], small)
			for k := range p {
				what := analysis.IdleSerial
				if k == 0 {
					what = analysis.Work
				}
				r.Paths[0].Add(what, k, part(200))
				a.Add(analysis.Work, k, part(share))
				b.Add(analysis.Work, k, part(40/float64(p)))
				b.Add(analysis.CriticalWait, k, part(40-40/float64(p)))
				c.Add(analysis.Work, k, part(1))
			}
			runs = append(runs, scaling.RunOf(r, scaling.Count{Threads: p}))
		}
	}
	s, err := scaling.New(runs, scaling.Options{Processors: 8, Least: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	return &scale.Scale{Study: s, Width: 80}
}

// plotted is a measured value as a plot shows it.
type plotted struct {
	Count  string
	Value  float64
	X, Y   float64
	Beyond bool
	Text   string
}

func plottedIn(t *testing.T, p *browser.Page, id string) []plotted {
	t.Helper()
	return eval[[]plotted](t, p, `[...document.querySelectorAll("#%s .point")].map(g => ({
		Count: g.dataset.count, Value: Number(g.dataset.value), X: Number(g.querySelector("circle").getAttribute("cx")),
		Y: Number(g.querySelector("circle").getAttribute("cy")), Beyond: g.classList.contains("beyond"), Text: g.querySelector("title").textContent,
	}))`, id)
}

// checkPlot checks the values of a plot, and that their places agree with them: x grows with the
// logarithm of the processors, and y falls with the value or its logarithm.
func checkPlot(t *testing.T, s *scale.Scale, shown []plotted, scale, want func(float64) float64,
	value func(i int) float64,
) {
	t.Helper()
	if len(shown) != len(s.Points) {
		t.Fatalf("%d points: %+v", len(shown), shown)
	}
	last := len(shown) - 1
	part := func(from, to, at float64) float64 { return (at - from) / (to - from) }
	for i, p := range shown {
		c := s.Points[i]
		if p.Count != c.Count.String() || math.Abs(p.Value-want(value(i))) > 1e-6*p.Value ||
			p.Beyond != c.Over {
			t.Errorf("%+v, want %v with %s", p, value(i), c.Count)
		}
		x := part(0, math.Log2(16), math.Log2(float64(c.Processors)))
		if got := part(shown[0].X, shown[last].X, p.X); math.Abs(got-x) > 0.01 {
			t.Errorf("%s is at %.3f of the width, want %.3f", p.Count, got, x)
		}
		y := part(scale(value(0)), scale(value(last)), scale(value(i)))
		if got := part(shown[0].Y, shown[last].Y, p.Y); math.Abs(got-y) > 0.01 {
			t.Errorf("%s is at %.3f of the height, want %.3f", p.Count, got, y)
		}
	}
}

func cellRows(t *testing.T, p *browser.Page, table string) [][]string {
	t.Helper()
	return eval[[][]string](t, p, `[...document.querySelectorAll("#%s tbody tr")].filter(r => r.cells.length > 1).map(r =>
		[...r.cells].map(c => c.textContent))`, table)
}

// TestScalePage checks each number of the page of a study against the study.
func TestScalePage(t *testing.T) {
	expensive.Browser(t)
	s := scaleStudy(t)
	var b bytes.Buffer
	do(t, WriteScale(&b, s))
	p := opened(t, t.TempDir(), b.String())
	same := func(x float64) float64 { return x }
	checkPlot(t, s, plottedIn(t, p, "speedup"), math.Log2, same,
		func(i int) float64 { return s.Points[i].Speedup.Value })
	checkPlot(t, s, plottedIn(t, p, "efficiency"), same, same,
		func(i int) float64 { return s.Points[i].Efficiency.Value })
	if text := plottedIn(t, p, "speedup")[1].Text; text != fmt.Sprintf(
		"2 threads: speedup %.2f (%.2f to %.2f)", s.Points[1].Speedup.Value,
		*s.Points[1].Speedup.Low, *s.Points[1].Speedup.High) {
		t.Errorf("the tip is %q", text)
	}
	if eval[bool](t, p, `!!document.querySelector("#odd")`) {
		t.Error("a name became markup")
	}
	notes := eval[string](t, p, `document.querySelector("#warning").textContent`)
	if !strings.Contains(notes,
		"16 threads: more threads than this machine's 8 processors: measured, not scaling") {
		t.Errorf("notes: %q", notes)
	}
	growth := cellRows(t, p, "growth")
	if len(growth) != len(s.Growth) {
		t.Fatalf("%d rows of %d", len(growth), len(s.Growth))
	}
	for i, g := range s.Growth {
		row := growth[i]
		if row[0] != string(g.Verdict) || row[1] != "+"+text(int64(g.Growth.Value)) ||
			row[len(row)-3] != cmp.Or(g.Like, "-") ||
			row[len(row)-2] != g.Name || row[len(row)-1] != g.Region {
			t.Errorf("%q, want %+v", row, g)
		}
		for k, time := range g.Times {
			if row[4+k] != text(int64(math.Round(time))) {
				t.Errorf("%q: %s, want %v", row, row[4+k], time)
			}
		}
	}
	factors := cellRows(t, p, "factors")
	if len(factors) != len(s.Factors) {
		t.Fatalf("%d factors of %d", len(factors), len(s.Factors))
	}
	for i, f := range s.Factors {
		if name := strings.TrimLeft(factors[i][0], "\u2003"); name != f.Name {
			t.Errorf("%q, want %s", factors[i], f.Name)
		}
		for k, v := range f.Values {
			if want := fmt.Sprintf("%.2f", v); factors[i][1+k] != want {
				t.Errorf("%q: %s, want %s", factors[i], factors[i][1+k], want)
			}
		}
	}
	figures := eval[string](t, p, `document.querySelector("#figures").textContent`)
	for _, want := range []string{
		s.Pays.String(), fmt.Sprintf("%.2f", s.Points[4].Speedup.Value),
		fmt.Sprintf("%.1f %%", 100*s.Trend.Serial.Value),
	} {
		if !strings.Contains(figures, want) {
			t.Errorf("figures %q lack %s", figures, want)
		}
	}
}

// TestScalePageRegions checks the table of regions, and the plot of the one that is chosen by
// pointer or keys. Its model ends where the machine's processors do.
func TestScalePageRegions(t *testing.T) {
	expensive.Browser(t)
	s := scaleStudy(t)
	var b bytes.Buffer
	do(t, WriteScale(&b, s))
	p := opened(t, t.TempDir(), b.String())
	chosen := func() string {
		return eval[string](t, p, `document.querySelector("#region-name").textContent`)
	}
	if rows := cellRows(t, p, "regions"); len(rows) != 3 {
		t.Errorf("%d large regions: %q", len(rows), rows)
	}
	eval[any](t, p, `document.querySelector("#all").click()`)
	rows := cellRows(t, p, "regions")
	if len(rows) != len(s.Regions) {
		t.Fatalf("%d regions: %q", len(rows), rows)
	}
	for i, g := range s.Regions {
		row := rows[i]
		if row[0] != g.Name || row[1] != text(int64(math.Round(g.Points[4].Wall))) ||
			row[len(row)-1] != g.Formula {
			t.Errorf("%q, want %+v", row, g)
		}
		for k, q := range g.Points[1:] {
			if want := fmt.Sprintf("%.2f", q.Efficiency.Value); row[2+k] != want {
				t.Errorf("%q: %s, want %s", row, row[2+k], want)
			}
		}
		eval[any](t, p, `document.querySelector('#regions [data-id="%d"]').click()`, i)
		if name := chosen(); name != g.Name {
			t.Errorf("the plot is of %q, not %q", name, g.Name)
		}
		shown := plottedIn(t, p, "region")
		for k, q := range shown {
			if math.Abs(q.Value-g.Points[k].Wall) > 1 {
				t.Errorf("%s: %+v, want %v", g.Name, q, g.Points[k].Wall)
			}
		}
		end := eval[float64](t, p, `(() => {
			const c = document.querySelector("#region .curve");
			return c.getPointAtLength(c.getTotalLength()).x;
		})()`)
		shade := eval[float64](t, p,
			`Number(document.querySelector("#region .over").getAttribute("x"))`)
		if math.Abs(end-shown[4].X) > 0.5 || shade < shown[4].X || shade > shown[5].X {
			t.Errorf("%s: the model ends at %v, the shade begins at %v: %+v", g.Name, end, shade,
				shown)
		}
	}
	eval[any](t, p, `document.querySelector('#regions [data-id="0"]').focus()`)
	do(t, p.Key("ArrowUp")) // there is none above
	eval[any](t, p, `document.querySelector('#regions [data-id="0"]').click()`)
	eval[any](t, p, `document.querySelector('#regions [data-id="0"]').focus()`)
	do(t, p.Key("ArrowDown"))
	if name := chosen(); name != s.Regions[1].Name {
		t.Errorf("the key chooses %q", name)
	}
	selected := eval[[]string](t, p,
		`[...document.querySelectorAll('#regions [aria-selected="true"]')].map(r => r.dataset.id)`)
	if !slices.Equal(selected, []string{"1"}) {
		t.Errorf("selected: %q", selected)
	}
	eval[any](t, p, `document.querySelector('[data-theme="dark"]').click()`)
	if eval[string](t, p, `document.documentElement.dataset.theme`) != "dark" {
		t.Error("the page stays light")
	}
	if eval[bool](t, p, `document.documentElement.scrollWidth > innerWidth`) {
		t.Error("the page is wider than the window")
	}
}
