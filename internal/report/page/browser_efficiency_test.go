package page

import (
	"fmt"
	"slices"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
	"opari/internal/report/fixture"
)

// TestEfficiencyPage checks the table of efficiencies against numbers worked out by hand. The run
// has 40 ms: 14 of work, 10 serialised, 10 of imbalance, 6 of the runtime. The region has 12, 4, 10
// and 6 of these. Its column follows the selected path.
func TestEfficiencyPage(t *testing.T) {
	r, paths := fixture.Heat()
	p := open(t, r, nil)
	if got := eval[string](t, p, `[...document.querySelectorAll("#figures div")].
		map((e) => e.textContent).find((e) => e.startsWith("efficiency"))`); got != "efficiency0.35" {
		t.Errorf("the figure in the head: %q", got)
	}
	const (
		whole = "the part of the processor time in which threads did the program's own work"
		even  = "what is not lost to uneven work of threads"
		often = "what is not lost to serial code, exclusion and waiting for tasks"
		own   = "what is not lost to the runtime's own work"
	)
	inside := []string{
		"|the whole program|parallel heat.c:8|",
		"efficiency|0.3526.0 ms lost|0.3820.0 ms lost|" + whole,
		"= load balance|0.6710.0 ms lost|0.6410.0 ms lost|" + even,
		"× serialisation|0.7510.0 ms lost|0.884.00 ms lost|" + often,
		"× scheduling|0.706.00 ms lost|0.676.00 ms lost|" + own,
	}
	outside := []string{
		"|the whole program|", "efficiency|0.3526.0 ms lost|" + whole,
		"= load balance|0.6710.0 ms lost|" + even, "× serialisation|0.7510.0 ms lost|" + often,
		"× scheduling|0.706.00 ms lost|" + own,
	}
	click(t, p, "paths", 0, "label")
	showZeros(t, p)
	eval[any](t, p, `(() => { let closed; while (closed = document.querySelector(
		'#paths [aria-expanded="false"] .twisty')) closed.click(); })()`)
	for _, c := range []struct {
		path int
		want []string
	}{
		{paths[2].ID, inside},
		{paths[4].ID, inside}, // within it
		{paths[1].ID, outside},
		{paths[3].ID, inside},
		{0, outside},
	} {
		click(t, p, "paths", c.path, "label")
		if got := cellsOf(t, p, "#efficiency tr"); !slices.Equal(got, c.want) {
			t.Errorf("path %d:\n%q\nwant\n%q", c.path, got, c.want)
		}
	}
	boxes := func() string {
		return eval[string](t, p, `[...document.querySelectorAll("#efficiency .box")].
			map((e) => e.style.background).join()`)
	}
	light := boxes()
	theme := func(name string) {
		eval[any](t, p, `document.querySelector('.theme [data-theme="%s"]').click()`, name)
	}
	theme("dark")
	if boxes() == light {
		t.Error("the colours of the parts are the same in the dark")
	}
	theme("auto") // the browser would remember the choice for other tests
}

// TestEfficiencyPhone checks that the table fits the width of a phone with all of its numbers.
func TestEfficiencyPhone(t *testing.T) {
	for name, r := range map[string]*analysis.Result{"threads": uneven(t), "ranks": hybridRun()} {
		p := open(t, r, nil)
		do(t, p.Resize(390, 844))
		showZeros(t, p)
		click(t, p, "paths", 1, "label")
		if n := eval[int](t, p,
			`document.querySelectorAll("#efficiency thead th").length`); n != 4 {
			t.Errorf("%s: %d columns", name, n)
		}
		// What the columns mean is left out, and no number is.
		right := eval[float64](t, p, `Math.max(...[...document.querySelectorAll(
			"#efficiency td b, #efficiency td .lost, #efficiency th")].
			map((e) => e.getBoundingClientRect().right))`)
		panel := rectangle(t, p, "#efficiency-panel")
		if right > panel.X+panel.W || panel.X+panel.W > 390 || panel.W < 300 {
			t.Errorf("%s: the numbers end at %v, the panel at %v", name, right, panel.X+panel.W)
		}
		if n := eval[int](t, p, `document.querySelector(".factors").scrollWidth -
			document.querySelector(".factors").clientWidth`); n > 0 {
			t.Errorf("%s: the table is %d pixels too wide", name, n)
		}
		if eval[bool](t, p, `[...document.querySelectorAll("#efficiency tbody b")].
			some((e) => !e.getClientRects().length)`) {
			t.Errorf("%s: a number is not shown", name)
		}
	}
}

func uneven(t *testing.T) *analysis.Result {
	t.Helper()
	r, paths := fixture.Heat()
	if paths[1].Kind == omp.KindParallel || paths[2].Kind != omp.KindParallel {
		t.Fatal("heat has other paths")
	}
	// The first path is a region with a name that has no place to break.
	paths[1].Region.Kind = omp.KindParallel
	paths[1].Region.File = "a_rather_long_name_of_a_file.f90"
	return r
}

// hybridRun is a job of two ranks with two threads for 1000 ns.
func hybridRun() *analysis.Result {
	var threads []analysis.Thread
	for rank := range 2 {
		for i := range 2 {
			process := fmt.Sprintf("rank %d", rank)
			threads = append(threads, analysis.Thread{
				Name: fmt.Sprintf("%s thread %d", process, i), Process: process,
			})
		}
	}
	r := analysis.New("p", 1000, threads)
	r.IdealWall = 900
	team := r.Child(r.Paths[0], &analysis.Region{
		Kind: omp.KindParallel, Name: "parallel", File: "p.c", Line: 3,
	})
	reduce := r.Child(r.Paths[0], &analysis.Region{Kind: omp.KindMPI, Name: "MPI_Allreduce"})
	for i := range threads {
		team.Visits[i].Count = 1
		team.Add(analysis.Work, i, []int64{700, 600, 500, 500}[i])
		team.Add(analysis.ImbalanceParallel, i, []int64{0, 100, 0, 0}[i])
		reduce.Add([]analysis.Property{analysis.MPICall, analysis.IdleMPI}[i%2], i,
			[]int64{300, 300, 500, 500}[i])
	}
	return r
}

// TestEfficiencyRanks checks the tree of a hybrid job: 2300 of 4000 ns are work. Outside of MPI are
// 700 and 500 of 1000 ns, 600 on average. 900 ns were enough on an ideal network.
func TestEfficiencyRanks(t *testing.T) {
	p := open(t, hybridRun(), nil)
	showZeros(t, p)
	click(t, p, "paths", 1, "label")
	got := eval[[]string](t, p, `[...document.querySelectorAll("#efficiency tbody tr")].map((e) =>
		e.firstChild.getAttribute("aria-label") + "|" + e.firstChild.style.paddingLeft + "|" +
		[...e.querySelectorAll("td:not(.what)")].
			map((c) => (c.querySelector("b") ?? c).textContent).join("|"))`)
	want := []string{
		"efficiency|0px|0.58|0.96",
		"MPI|0px|0.60|1.00",
		"MPI load balance|14px|0.86|1.00",
		"MPI communication|14px|0.70|1.00",
		"MPI serialisation|28px|0.78|–",
		"MPI transfer|28px|0.90|–",
		"OpenMP|0px|0.96|0.96",
		"load balance|14px|0.96|0.96",
		"serialisation|14px|1.00|1.00",
		"scheduling|14px|1.00|1.00",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

// TestEfficiencyAbsent checks that a run of one thread has no table and no figure.
func TestEfficiencyAbsent(t *testing.T) {
	r := analysis.New("p", 1000, make([]analysis.Thread, 1))
	r.Paths[0].Add(analysis.Work, 0, 1000)
	p := open(t, r, nil)
	if !eval[bool](t, p, `document.querySelector("#efficiency-panel").hidden &&
		![...document.querySelectorAll("dt")].some((e) => e.textContent === "efficiency")`) {
		t.Error("there is a table of efficiencies")
	}
}
