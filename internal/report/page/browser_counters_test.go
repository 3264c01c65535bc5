package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/browser"
	"opari/internal/report/fixture"
)

// cellsOf returns the texts of the rows of a table, cells joined by bars.
func cellsOf(t *testing.T, p *browser.Page, rows string) []string {
	t.Helper()
	return eval[[]string](t, p, `[...document.querySelectorAll(%q)].map((e) =>
		[...e.children].map((c) => c.textContent).join("|"))`, rows)
}

// TestCountersPage checks that the page has the table of counters, that it selects paths, and that
// it follows the selected thread. Work that seems bound by memory stands behind the findings.
func TestCountersPage(t *testing.T) {
	const bound = "memory bound, an estimate: 0.50 instructions a cycle, 20.0 LLC misses in 1000 " +
		"instructions"
	const serial = "serial code after the last parallel region"
	r := fixture.Counted(t)
	p := open(t, r, nil)
	want := []string{
		"call path|time (ms)|samples|instructions|cycles|llc-misses|IPC|llc-misses/1000|GB/s|GHz",
		"parallel a.c:7" + bound + "|20.000|20|20\u202f000\u202f000|40\u202f000\u202f000|" +
			"400\u202f000|0.50|20.00|1.28|2.00",
		serial + " not trustworthy: too short|5.000|1|0|0|0|–|–|0.00|0.00",
	}
	if got := cellsOf(t, p, "#counters tr"); !slices.Equal(got, want) {
		t.Errorf("the table:\n%q\nwant\n%q", got, want)
	}
	last := slices.IndexFunc(r.Paths, func(q *analysis.Path) bool { return q.Name == serial })
	eval[any](t, p, `document.querySelector('#counters [data-id="%d"] td').click()`, last)
	const selected = `Number(document.querySelector("#paths [aria-selected=true]").dataset.id)`
	if got := eval[int](t, p, selected); got != last {
		t.Errorf("a click selects path %d, not %d", got, last)
	}
	do(t, p.Eval(`document.querySelector('#counters [tabindex="0"]').focus()`, nil))
	do(t, p.Key("ArrowUp"))
	if got := eval[int](t, p, selected); r.Paths[got].Name != "parallel" {
		t.Errorf("the arrow key selects path %d", got)
	}
	click(t, p, "threads", 0, "label")
	if note := eval[string](t, p,
		`document.querySelector("#counters-note").textContent`); !strings.HasPrefix(note,
		"Of thread 0") {
		t.Errorf("of one thread: %q", note)
	}
	if got := cellsOf(t, p, "#counters tr"); len(got) != 3 ||
		!strings.Contains(got[1], "|20.000|20|20\u202f000\u202f000|") {
		t.Errorf("of one thread: %q", got)
	}
	if text := eval[string](t, p,
		`document.querySelector("#findings .hint").textContent`); text != "80.0 %"+
		"a.c:7 parallel: work seems "+bound+analysis.MemoryAdvice {
		t.Errorf("the finding: %q", text)
	}
}

// TestCountersAbsent checks that a run without counters has no table of them.
func TestCountersAbsent(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, nil)
	if !eval[bool](t, p, `document.querySelector("#counters-panel").hidden`) {
		t.Error("there is a table of counters")
	}
}

// TestSharingPage checks that false sharing stands behind the findings. Selected, it shows its
// lines of code, and marks them in the source.
func TestSharingPage(t *testing.T) {
	for _, c := range []struct {
		apart uint64
		hints int
	}{{8, 1}, {64, 0}} {
		r := fixture.Shared(t, c.apart)
		p := open(t, r, nil)
		got := eval[[]string](t, p,
			`[...document.querySelectorAll("#findings .hint")].map((e) => e.textContent)`)
		if len(got) != c.hints {
			t.Errorf("%d bytes apart: %q", c.apart, got)
		}
		if c.hints == 0 {
			continue
		}
		want := "98.0 %a.c:7 parallel: work seems slowed by false sharing, a heuristic from " +
			"samples: thread 0 and thread 1 use data 8 bytes apart in one line of the cache at " +
			"a.c:8" + analysis.SharingAdvice
		if got[0] != want {
			t.Errorf("the finding:\n%s\nwant\n%s", got[0], want)
		}
		eval[any](t, p, `document.querySelector("#findings .hint").click()`)
		if rows := cellsOf(t, p, "#facts .shared tr"); !slices.Equal(rows,
			[]string{"98|a.c:8|main|"}) {
			t.Errorf("the lines: %q", rows)
		}
		selected := eval[int](t, p,
			`Number(document.querySelector("#paths [aria-selected=true]").dataset.id)`)
		if r.Paths[selected].Name != "parallel" {
			t.Errorf("it selects path %d", selected)
		}
	}
	r := fixture.Shared(t, 8)
	for _, q := range r.Paths {
		if q.File != "" {
			q.File = "heat.c"
		}
	}
	for i := range r.Stacks {
		if r.Stacks[i].File != "" {
			r.Stacks[i].File = "heat.c"
		}
	}
	p := open(t, r, nil)
	eval[any](t, p, `document.querySelector("#findings .hint").click()`)
	marked := fmt.Sprint(cellsOf(t, p, "#source .disputed"))
	if !strings.Contains(marked, "8|") || !strings.Contains(marked, "#pragma omp parallel") {
		t.Errorf("marked lines: %s", marked)
	}
}
