package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/expensive"
	"opari/internal/omp"
	"opari/internal/report/profile"
)

// synthetic returns a run of a program with three loops and a critical region. All times have
// noise of a relative size; factor slows down the region at slowLine.
func synthetic(random *rand.Rand, noise, factor float64, lines [3]int) RunTimes {
	r := analysis.New("/bin/heat", 0, []analysis.Thread{{Name: "thread 0"}, {Name: "thread 1"}})
	parallel := r.Child(r.Paths[0], &analysis.Region{
		Kind: omp.KindParallel, Name: "parallel",
		File: "heat.c", Line: lines[0] - 2,
	})
	machine := 1 + noise*random.NormFloat64() // a disturbance affects an entire run
	draw := func(mean float64) int64 {
		return int64(mean * machine * (1 + noise/3*random.NormFloat64()))
	}
	var total int64
	for i, line := range lines {
		q := r.Child(parallel,
			&analysis.Region{Kind: omp.KindFor, Name: "for", File: "heat.c", Line: line})
		for thread := range 2 {
			mean := 1e9
			if i == 1 {
				mean *= factor
			}
			t := draw(mean)
			q.Add(analysis.Work, thread, t)
			q.Add(analysis.ImbalanceLoop, thread, t/10)
			q.Visits[thread].Count = int64(10 * (i + 1))
			total += t + t/10
		}
	}
	r.Wall = total / 2
	return TimesOf(r)
}

func runs(random *rand.Rand, n int, noise, factor float64, lines [3]int) []RunTimes {
	all := make([]RunTimes, n)
	for i := range all {
		all[i] = synthetic(random, noise, factor, lines)
	}
	return all
}

func find(t *testing.T, c *Comparison, name string) Line {
	t.Helper()
	i := slices.IndexFunc(c.Lines, func(l Line) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("no line %q", name)
	}
	return c.Lines[i]
}

var loops = [3]int{10, 20, 30}

// TestCompareFinds counts errors over many seeds. A loop that takes 30 % longer makes the
// program 10 % slower, under noise of 3 %. Noise alone must give no verdict.
func TestCompareFinds(t *testing.T) {
	trials := expensive.Tries(1000)
	for _, c := range []struct {
		runs           int
		found, wrongly float64 // least and largest part of the trials
	}{{3, 0.70, 0.02}, {5, 0.95, 0.01}, {10, 0.999, 0.002}} {
		found, region, wrongly, lines, unclear := 0, 0, 0, 0, 0
		for seed := range uint64(trials) {
			random := rand.New(rand.NewPCG(seed, uint64(c.runs)))
			before := runs(random, c.runs, 0.03, 1, loops)
			slow := Compare(before, runs(random, c.runs, 0.03, 1.3, loops), 0)
			if slow.Verdict == Slower {
				found++
			}
			if find(t, slow, "for heat.c:20").Verdict == Slower {
				region++
			}
			fast := Compare(runs(random, c.runs, 0.03, 1.3, loops), before, 0)
			if slow.Verdict == Faster || fast.Verdict == Slower {
				t.Errorf("seed %d: the wrong way round", seed)
			}
			none := Compare(before, runs(random, c.runs, 0.03, 1, loops), 0)
			switch none.Verdict {
			case Slower, Faster:
				wrongly++
			case Unclear:
				unclear++
			}
			if slices.ContainsFunc(none.Lines,
				func(l Line) bool { return l.Verdict == Slower || l.Verdict == Faster }) {
				lines++
			}
		}
		part := func(n int) float64 { return float64(n) / float64(trials) }
		t.Logf("%2d runs: found %.3f, its region %.3f; of pure noise wrong %.3f, with any line "+
			"wrong %.3f, unclear %.3f",
			c.runs, part(found), part(region), part(wrongly), part(lines), part(unclear))
		if part(found) < c.found || part(region) < c.found || part(wrongly) > c.wrongly ||
			part(lines) > 3*c.wrongly+0.01 {
			t.Errorf("%d runs: errors above", c.runs)
		}
	}
}

// TestCompareOutliers checks that a few disturbed runs among many do not change a verdict.
func TestCompareOutliers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	before, after := runs(random, 10, 0.01, 1, loops), runs(random, 10, 0.01, 1, loops)
	for i := range 2 {
		after[i].Wall *= 3
	}
	if c := Compare(before, after, 0); c.Verdict != Same {
		t.Errorf("%s", c.Sentence())
	}
}

func TestCompareOneRun(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	a := runs(random, 1, 0, 1, loops)
	for _, c := range []struct {
		factor, threshold float64
		verdict           Verdict
	}{
		{1, 0, Unclear},
		{1.24, 0, Unclear},
		{1.36, 0, Slower},
		{0.64, 0, Faster},
		{1.24, 0.05, Slower},
	} {
		got := Compare(a, runs(random, 1, 0, c.factor, loops), c.threshold)
		if got.Verdict != c.verdict || got.NoiseKnown || got.Lines[0].Low != nil {
			t.Errorf("%+v: %s", c, got.Sentence())
		}
		var b bytes.Buffer
		if err := got.Text(&b, false); err != nil ||
			!strings.Contains(b.String(), "the noise is unknown") {
			t.Errorf("%v\n%s", err, b.String())
		}
	}
}

// TestCompareSmall checks that a time which is a negligible part of the run is not judged by
// its own size.
func TestCompareSmall(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	add := func(all []RunTimes, time int64) []RunTimes {
		for i := range all {
			all[i].regions[analysis.Region{
				Kind: omp.KindSingle, Name: "single", File: "heat.c",
				Line: 5,
			}] = &regionRun{time: time, visits: 1}
		}
		return all
	}
	c := Compare(add(runs(random, 5, 0.001, 1, loops), 1e6),
		add(runs(random, 5, 0.001, 1, loops), 9e6), 0)
	if l := find(t, c, "single heat.c:5"); l.Verdict != Same || l.Difference != 8e6 {
		t.Errorf("%+v", l)
	}
}

func TestCompareMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	region := func(name, file string, line int) analysis.Region {
		return analysis.Region{Kind: omp.KindFor, Name: name, File: file, Line: line}
	}
	with := func(regions ...analysis.Region) []RunTimes {
		all := runs(random, 2, 0.001, 1, loops)
		for i := range all {
			clear(all[i].regions)
			for k, g := range regions {
				all[i].regions[g] = &regionRun{time: int64(k+1) * 1e9, visits: 7}
			}
		}
		return all
	}
	for _, c := range []struct {
		title         string
		before, after []analysis.Region
		want          string
	}{
		{
			"lines have moved",
			[]analysis.Region{region("for", "a.c", 10), region("for", "a.c", 20)},
			[]analysis.Region{region("for", "a.c", 19), region("for", "a.c", 29)},
			"for a.c:19 < for a.c:10, for a.c:29 < for a.c:20",
		},
		{
			"one is new in the middle",
			[]analysis.Region{region("for", "a.c", 10), region("for", "a.c", 30)},
			[]analysis.Region{
				region("for", "a.c", 10), region("for", "a.c", 22),
				region("for", "a.c", 35),
			},
			"for a.c:10 <, for a.c:22 new, for a.c:35 < for a.c:30",
		},
		{
			"one has vanished",
			[]analysis.Region{
				region("for", "a.c", 10), region("for", "a.c", 30),
				region("gate", "a.c", 12),
			},
			[]analysis.Region{region("for", "a.c", 29), region("gate", "a.c", 11)},
			"for a.c:10 vanished, for a.c:29 < for a.c:30, gate a.c:11 < gate a.c:12",
		},
		{
			"another folder; a file of the same name",
			[]analysis.Region{region("for", "/one/x/a.c", 10), region("for", "/one/y/a.c", 10)},
			[]analysis.Region{region("for", "/two/x/a.c", 10), region("for", "/two/y/a.c", 12)},
			"for a.c:10 <, for a.c:12 < for a.c:10",
		},
	} {
		compared := Compare(with(c.before...), with(c.after...), 0)
		var got []string
		for _, l := range compared.Lines {
			switch {
			case l.Of != "region":
			case l.Verdict == New || l.Verdict == Vanished:
				got = append(got, l.Name+" "+string(l.Verdict))
			default:
				got = append(got, strings.TrimSpace(l.Name+" < "+l.Was))
			}
		}
		slices.Sort(got)
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.title, text, c.want)
		}
	}
}

// TestSlower checks that the run and a region may have different verdicts, and that the noise
// affects the verdicts of regions.
func TestSlower(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	before, after := runs(random, 5, 0.002, 1, loops), runs(random, 5, 0.002, 1, loops)
	for i := range after { // one loop is slower, and the wall time is not
		for g, r := range after[i].regions {
			if g.Line == loops[1] {
				r.time = r.time * 6 / 5
			}
		}
	}
	slow := fmt.Sprintf("for heat.c:%d", loops[1])
	for _, c := range []struct{ on, want string }{
		{OnRun, ""},
		{OnRegions, slow},
		{slow, slow},
		{"for heat.c:*", slow},
		{fmt.Sprintf("for heat.c:%d", loops[0]), ""},
		{"parallel *", ""},
	} {
		lines, err := Compare(before, after, 0).Slower(c.on)
		var got []string
		for _, l := range lines {
			got = append(got, l.Name)
		}
		if err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: slower are %q, want %q (%v)", c.on, got, c.want, err)
		}
	}
	c := Compare(before, after, 0)
	if _, err := c.Slower("task *"); err == nil {
		t.Error("no error for a region that is not there")
	}
	if _, err := c.Slower("["); err == nil {
		t.Error("no error for what is no pattern")
	}
	noisy := Compare(runs(random, 5, 0.3, 1, loops), runs(random, 5, 0.3, 1.05, loops), 0)
	if lines, err := noisy.Slower(OnRegions); err != nil || len(lines) > 0 {
		t.Errorf("within the noise: %v, %v", lines, err)
	}
}

// TestMatchVisits checks that the number of visits decides where lines do not.
func TestMatchVisits(t *testing.T) {
	g := func(line int, visits float64) place {
		return place{region: &analysis.Region{
			Kind: omp.KindFor, Name: "for", File: "a.c",
			Line: line,
		}, visits: visits}
	}
	got := match([]place{g(10, 1000)}, []place{g(8, 3), g(15, 1000)})
	if len(got) != 2 || got[0].before != nil || got[1].after.Line != 15 {
		t.Errorf("%+v", got)
	}
}

func TestComparisonPrinted(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	after := runs(random, 5, 0.01, 1.3, [3]int{10, 23, 33})
	after[0].Notes = []string{"3 records were lost"}
	after[1].Threads = 3
	c := Compare(runs(random, 5, 0.01, 1, loops), after, 0.03)
	var text, md, js bytes.Buffer
	for _, err := range []error{c.Text(&text, false), c.Markdown(&md, false), c.JSON(&js)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{
		"before: 5 runs of heat, 2 threads; after: 5 runs of heat, 2 threads\nslower: wall time ",
		"for heat.c:23 (was for heat.c:20)", "Differences of 3 % and more matter",
		"After, run 1: 3 records were lost.", "After, run 2 has 3 threads.",
	} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no %q in\n%s", part, text.String())
		}
	}
	for _, part := range []string{
		"### slower: wall time ", "| **slower** | +", "| wall time |\n",
		"|---|--:|--:|--:|--:|---|\n",
	} {
		if !strings.Contains(md.String(), part) {
			t.Errorf("no %q in\n%s", part, md.String())
		}
	}
	var back Comparison
	if err := json.Unmarshal(js.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Verdict != Slower || len(back.Lines) != len(c.Lines) ||
		*back.Lines[0].Low != *c.Lines[0].Low {
		t.Errorf("%+v", back)
	}
}

// TestCompareFilters checks that Compare warns about runs that omit different things, and only
// about them.
func TestCompareFilters(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	before, after := runs(random, 2, 0.01, 1, loops), runs(random, 2, 0.01, 1, loops)
	filter := func(id string) profile.LeftOut {
		return profile.LeftOut{Filter: &profile.Filter{Rules: 1, Regions: 1, ID: id}}
	}
	warned := func(name, want string, where ...func(c *Comparison) string) {
		t.Helper()
		c := Compare(before, after, 0.03)
		if got := strings.Join(c.Warnings, "\n"); (want == "") != (got == "") ||
			!strings.Contains(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		var text, md, js bytes.Buffer
		for _, err := range []error{c.Text(&text, false), c.Markdown(&md, false), c.JSON(&js)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range []bytes.Buffer{text, md, js} {
			if strings.Contains(b.String(), "the runs were recorded under different filters: "+
				"what one leaves out") != (want != "") {
				t.Errorf("%s:\n%s", name, b.String())
			}
		}
	}
	warned("no filter", "")
	for i := range before {
		before[i].LeftOut, after[i].LeftOut = filter("1"), filter("1")
		before[i].Notes = before[i].LeftOut.Lines()
	}
	warned("one filter", "")
	if notes := Compare(before, after, 0.03).Before.Notes; len(notes) != 1 ||
		!strings.HasPrefix(notes[0], "all runs: filter: 1 rule") {
		t.Errorf("notes: %q", notes)
	}
	after[1].LeftOut = filter("2")
	warned("one run under another filter", "different filters")
	after[1].LeftOut = profile.LeftOut{}
	warned("one run without", "different filters")
}

// TestCompareAdvice checks that a property that got slower has the advice of its largest finding
// after the change, and no other property has one.
func TestCompareAdvice(t *testing.T) {
	run := func(wait int64) RunTimes {
		r := analysis.New("/bin/heat", 1_000_000, make([]analysis.Thread, 2))
		for i, line := range []int{10, 20} {
			q := r.Child(r.Paths[0],
				&analysis.Region{Kind: omp.KindFor, Name: "for", File: "heat.c", Line: line})
			q.Add(analysis.Work, 0, 100_000)
			q.Add(analysis.Work, 1, 300_000)
			q.Add(analysis.ImbalanceLoop, 0, wait*int64(1+i))
			q.Add(analysis.BarrierCost, 0, 50_000)
		}
		return TimesOf(r)
	}
	c := Compare([]RunTimes{run(10_000)}, []RunTimes{run(100_000)}, 0)
	for _, l := range c.Lines {
		if want := l.Name == analysis.ImbalanceLoop.Key(); (l.Advice != "") != want {
			t.Errorf("%s, %s: advice %q", l.Name, l.Verdict, l.Advice)
		}
	}
	for name, write := range map[string]func(io.Writer, bool) error{
		"text": c.Text, "md": c.Markdown,
	} {
		var b bytes.Buffer
		const want = "More loop imbalance, most at heat.c:20 for: thread 1 works 1.50 times the " +
			"mean: try schedule(dynamic)"
		if err := write(&b, false); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v, %s", name, err, &b)
		}
	}
}
