package scaling

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/expensive"
	"opari/internal/omp"
)

const ms = 1e6

// program is a program whose times are known: a serial part, a loop that is shared out evenly, and
// a lock whose turns take the same time however many threads there are.
type program struct{ serial, loop, lock float64 }

var (
	loopRegion = &analysis.Region{Kind: omp.KindFor, Name: "for", File: "a.c", Line: 9, End: 12}
	lockRegion = &analysis.Region{Kind: omp.KindLock, Name: "lock", File: "a.c", Line: 20}
)

// run returns a run with p threads; factor makes all times longer.
func (g program) run(p int, factor float64) *analysis.Result {
	threads := make([]analysis.Thread, p)
	r := analysis.New("/bin/prog", int64(factor*(g.serial+g.loop/float64(p)+g.lock)), threads)
	r.Machines = []analysis.Machine{{Cores: 64}}
	loop, lock := r.Child(r.Paths[0], loopRegion), r.Child(r.Paths[0], lockRegion)
	for i := range threads {
		what := analysis.IdleSerial
		if i == 0 {
			what = analysis.Work
		}
		r.Paths[0].Add(what, i, int64(factor*g.serial))
		loop.Add(analysis.Work, i, int64(factor*g.loop/float64(p)))
		own := factor * g.lock / float64(p)
		lock.Add(analysis.Work, i, int64(own))
		lock.Add(analysis.LockWait, i, int64(factor*g.lock-own))
	}
	return r
}

func (g program) runs(random *rand.Rand, repeat int, size float64, counts ...int) []Run {
	var all []Run
	for range repeat {
		for _, p := range counts {
			factor := 1 + size*random.NormFloat64()
			all = append(all, RunOf(g.run(p, factor), Count{Threads: p}))
		}
	}
	return all
}

func study(t *testing.T, runs []Run, o Options) *Study {
	t.Helper()
	s, err := New(runs, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Study) named(t *testing.T, name string) Region {
	t.Helper()
	i := slices.IndexFunc(s.Regions, func(g Region) bool { return g.Name == name })
	if i < 0 {
		t.Fatalf("no region %q", name)
	}
	return s.Regions[i]
}

var half = Options{Least: 0.5}

// TestStudy checks the numbers of a program against its arithmetic.
func TestStudy(t *testing.T) {
	g := program{100 * ms, 1600 * ms, 50 * ms}
	s := study(t, g.runs(rand.New(rand.NewPCG(1, 1)), 1, 0, 8, 1, 4, 2, 16), half)
	if len(s.Points) != 5 || s.Processors != 64 || s.NoiseKnown || s.Reference.Threads != 16 {
		t.Fatalf("%+v", s)
	}
	for i, p := range []float64{1, 2, 4, 8, 16} {
		wall := g.serial + g.loop/p + g.lock
		speedup := (g.serial + g.loop + g.lock) / wall
		point := s.Points[i]
		if point.Processors != int(p) || !near(point.Speedup.Value, speedup, 1e-6) ||
			!near(point.Efficiency.Value, speedup/p, 1e-6) || point.Over {
			t.Errorf("%v threads: %+v, the speedup is %v", p, point, speedup)
		}
		if i > 0 {
			before := s.Points[i-1].Speedup.Value
			if gain := (speedup - before) / (p / 2); !near(point.Gain.Value, gain, 1e-6) {
				t.Errorf("%v threads: the step gains %+v, not %v", p, point.Gain, gain)
			}
		}
		for name, want := range map[string]float64{
			"program": 1 / p, "lock a.c:20": 1 / p, "for a.c:9": 1,
		} {
			if q := s.named(t, name).Points[i]; !near(q.Efficiency.Value, want, 1e-6) ||
				!near(q.Speedup.Value, want*p, 1e-6) {
				t.Errorf("%v threads: %s: %+v, the efficiency is %v", p, name, q, want)
			}
		}
	}
	serial := (g.serial + g.lock) / (g.serial + g.loop + g.lock)
	if m := s.Trend; m.Model.Term != amdahl || !near(m.Serial.Value, serial, 1e-4) {
		t.Errorf("the run: %+v, the serial part is %v", m, serial)
	}
	if f := s.Trend.Formula; f != "1.60s/p + 150ms" {
		t.Errorf("the run: %s", f)
	}
	if m := s.named(t, "for a.c:9"); m.Formula != "1.60s/p" {
		t.Errorf("the loop: %s", m.Formula)
	}
}

// TestStudyFactors checks the factors of POP against the program's arithmetic, and that they
// multiply.
func TestStudyFactors(t *testing.T) {
	g := program{100 * ms, 1600 * ms, 50 * ms}
	s := study(t, g.runs(rand.New(rand.NewPCG(7, 7)), 1, 0, 1, 2, 8), half)
	values := map[string][]float64{}
	for _, f := range s.Factors {
		values[f.Key] = f.Values
	}
	for i, p := range []float64{1, 2, 8} {
		useful := g.serial + g.loop + g.lock
		global := useful / (p * (g.serial + g.loop/p + g.lock))
		for key, want := range map[string]float64{
			"global-efficiency": global, "computation-scalability": 1,
			"parallel-efficiency": global, "openmp-serialisation": global,
			"openmp-load-balance": 1, "openmp-scheduling": 1,
		} {
			if v := values[key]; v == nil || !near(v[i], want, 1e-6) {
				t.Errorf("%s with %v threads: %v, want %v", key, p, v, want)
			}
		}
	}
	// Work that threads repeat is no loss in parallel.
	var runs []Run
	for _, p := range []int{1, 4} {
		r := analysis.New("p", 1e9, make([]analysis.Thread, p))
		for k := range p {
			r.Paths[0].Add(analysis.Work, k, 1e9)
		}
		runs = append(runs, RunOf(r, Count{Threads: p}))
	}
	s = study(t, runs, half)
	for _, f := range s.Factors[:3] {
		want := []float64{0.25, 0.25, 1}[map[string]int{
			"global-efficiency": 0, "computation-scalability": 1, "parallel-efficiency": 2,
		}[f.Key]]
		if !near(f.Values[1], want, 1e-9) {
			t.Errorf("%s is %v, want %v", f.Key, f.Values[1], want)
		}
	}
}

// TestStudyAddsUp checks that the regions' wall times are the run's, and that all growth is that
// of its processor time.
func TestStudyAddsUp(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		g := program{
			500 * ms * random.Float64(), 4000 * ms * (1 + random.Float64()),
			500 * ms * (1 + random.Float64()),
		}
		s := study(t, g.runs(random, 1, 0.05, 1, 2, 5), half)
		for i, p := range s.Points {
			var sum float64
			for _, g := range s.Regions {
				sum += g.Points[i].Wall
			}
			if !near(sum, p.Wall, 1e-6) {
				t.Errorf("%d: the regions take %v of %v", p.Processors, sum, p.Wall)
			}
		}
		from, to := s.base(), s.reference()
		more := to.Wall*float64(to.Processors) - from.Wall*float64(from.Processors)
		var sum, share float64
		for _, g := range s.Growth {
			sum, share = sum+g.Growth.Value, share+g.Share
		}
		// Changes below Share are left out, one for each property of each region.
		if left := Share * 8 * to.Wall * float64(to.Processors); math.Abs(sum-more) > left ||
			math.Abs(share-1) > left/math.Abs(more) {
			t.Errorf("growth of %v, and %v shares; in all %v: %+v", sum, share, more, s.Growth)
		}
	}
}

// TestStudyGrowth checks what is said to grow, under noise.
func TestStudyGrowth(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	s := study(t, program{2 * ms, 1000 * ms, 300 * ms}.runs(random, 6, 0.01, 1, 2, 4), half)
	first := s.Growth[0]
	if first.Property != analysis.LockWait.Key() || first.Region != "lock a.c:20" ||
		first.Verdict != Grows || first.Like != "p" || !near(first.Growth.Value, 900*ms, 0.05) ||
		*first.Growth.Low > 900*ms || *first.Growth.High < 900*ms {
		t.Errorf("%+v", first)
	}
	for _, g := range s.Growth {
		if g.Region == "for a.c:9" && g.Verdict != Unclear {
			t.Errorf("an even loop %s: %+v", g.Verdict, g)
		}
	}
	// One run of each count says nothing of small changes.
	s = study(t, program{0, 1000 * ms, 0}.runs(random, 1, 0.03, 1, 2, 4), half)
	for _, g := range s.Growth {
		if g.Verdict != Unclear || g.Growth.Low != nil {
			t.Errorf("noise of one run each: %+v", g)
		}
	}
}

// TestStudyNoise counts how often noise alone is called a growth, in a program with ten loops that
// scale perfectly, and how often a loop is found whose time grows by a fifth.
func TestStudyNoise(t *testing.T) {
	trials := expensive.Tries(1000)
	run := func(random *rand.Rand, p int, slow float64) Run {
		r := analysis.New("p", 0, make([]analysis.Thread, p))
		machine := 1 + 0.02*random.NormFloat64()
		var sum int64
		for line := range 10 {
			q := r.Child(r.Paths[0], &analysis.Region{Kind: omp.KindFor, File: "a.c", Line: line})
			loop := 100 * ms * machine * (1 + 0.02*random.NormFloat64()) / float64(p)
			if line == 5 && p > 1 {
				loop *= slow
			}
			for k := range p {
				q.Add(analysis.Work, k, int64(loop))
			}
			sum += int64(loop)
		}
		r.Wall = sum
		return RunOf(r, Count{Threads: p})
	}
	for repeat, most := range map[int]float64{3: 0.08, 5: 0.03} {
		random := rand.New(rand.NewPCG(8, uint64(repeat)))
		wrong, found := 0, 0
		for range trials {
			for _, slow := range []float64{1, 1.2} {
				var runs []Run
				for range repeat {
					runs = append(runs, run(random, 1, slow), run(random, 4, slow))
				}
				is := func(g Growth) bool {
					return g.Verdict == Grows && (slow == 1 || g.Line == 5)
				}
				if s := study(t, runs, half); !slices.ContainsFunc(s.Growth, is) {
					continue
				}
				if slow > 1 {
					found++
				} else {
					wrong++
				}
			}
		}
		part := func(n int) float64 { return float64(n) / float64(trials) }
		t.Logf("%d runs: noise grows in %.3f, the slow loop is found in %.3f", repeat, part(wrong),
			part(found))
		if part(wrong) > most || part(found) < 0.9 {
			t.Errorf("%d runs: errors above", repeat)
		}
	}
}

// TestStudyPays checks where more stops paying.
func TestStudyPays(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	even := program{0, 1000 * ms, 0}
	var noisy []Run
	for _, factor := range []float64{0.5, 1, 1.5} {
		for p := 1; p <= 2; p++ {
			noisy = append(noisy, RunOf(even.run(p, factor), Count{Threads: p}))
		}
	}
	for _, c := range []struct {
		runs       []Run
		processors int
		pays       int
		why        string
	}{
		{even.runs(random, 3, 0.01, 1, 2, 4), 0, 4, "more has not been measured"},
		{even.runs(random, 3, 0.01, 1, 2, 4), 2, 2, "all of this machine's 2 processors"},
		{even.runs(random, 3, 0.01, 1, 2, 4), 1, 1, "all of this machine's 1 processor"},
		{program{1000 * ms, 0, 0}.runs(random, 3, 0.01, 1, 2), 0, 1, "gains"},
		// Speedups of 1, 1.8, 3 and 4.5 for 1, 2, 4 and 8: the last step gains 0.37.
		{
			program{111 * ms, 889 * ms, 0}.runs(random, 1, 0, 1, 2, 4, 8), 0, 4,
			"8 threads gains 0.3",
		},
		{noisy, 0, 1, "within the noise"},
	} {
		s := study(t, c.runs, Options{Least: 0.5, Processors: c.processors})
		if s.Pays.Threads != c.pays || !strings.Contains(s.Why, c.why) {
			t.Errorf("pays up to %v: %s; want %d: %s", s.Pays, s.Why, c.pays, c.why)
		}
	}
}

// TestStudyOver checks that counts above the number of processors are marked and not judged.
func TestStudyOver(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	g := program{500 * ms, 500 * ms, 0}
	s := study(t, g.runs(random, 2, 0.01, 1, 2, 4, 8, 16), Options{Least: 0.1, Processors: 2})
	if s.Points[1].Over || !s.Points[2].Over || s.Reference.Threads != 2 || s.Trend.Model != nil ||
		!strings.Contains(s.Trend.None, "there are 2") {
		t.Errorf("%+v", s)
	}
	want := "4 threads: more threads than this machine's 2 processors: measured, not scaling"
	if !slices.Contains(s.Notes, want) {
		t.Errorf("notes %q", s.Notes)
	}
	below, err := s.Below(0.9, "run")
	if err != nil || len(below) != 1 || !strings.HasPrefix(below[0], "the run with 2 threads: ") {
		t.Errorf("below: %q, %v", below, err)
	}
	s = study(t, g.runs(random, 2, 0.01, 1, 2), Options{Processors: 1})
	if _, err := s.Below(0.9, "run"); err == nil {
		t.Error("judged, with one processor")
	}
}

// TestStudyBelow checks the selection of what is judged.
func TestStudyBelow(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	s := study(t, program{1 * ms, 1000 * ms, 100 * ms}.runs(random, 4, 0.01, 1, 4), half)
	for _, c := range []struct {
		limit float64
		on    string
		want  string
	}{
		{0.5, "run", ""},
		{0.9, "run", "the run with 4 threads"},
		{0.5, "regions", "lock a.c:20 with 4 threads"}, // the serial part is too small
		{0.5, "for *", ""},
		{0.5, "lock a.c:*", "lock a.c:20 with 4 threads"},
		{0.5, "task *", "no region is called"},
		{0.5, "[", "no pattern"},
	} {
		below, err := s.Below(c.limit, c.on)
		text := strings.Join(below, "; ") + fmt.Sprint(err)
		if !strings.Contains(text, c.want) || c.want == "" && len(below) > 0 || len(below) > 1 {
			t.Errorf("%v of %s: %q, %v", c.limit, c.on, below, err)
		}
	}
}

// TestStudyAsked checks a program that does not have the threads that it was asked for.
func TestStudyAsked(t *testing.T) {
	g := program{0, 1000 * ms, 0}
	runs := []Run{RunOf(g.run(2, 1), Count{Threads: 1}), RunOf(g.run(2, 1), Count{Threads: 4})}
	s := study(t, runs, half)
	loop := s.named(t, "for a.c:9").Points[1].Efficiency
	if !near(s.Points[1].Efficiency.Value, 0.25, 1e-9) || !near(loop.Value, 0.25, 1e-9) ||
		!slices.Contains(s.Notes, "asked for 4 threads, the program had 2 threads") {
		t.Errorf("%+v", s)
	}
	if _, err := New(runs[:1], half); err == nil || !strings.Contains(err.Error(), "1 thread:") {
		t.Errorf("one count: %v", err)
	}
}

// TestStudyRanks checks counts of ranks and threads.
func TestStudyRanks(t *testing.T) {
	g := program{100 * ms, 1000 * ms, 0}
	var runs []Run
	for _, c := range []Count{{1, 2}, {2, 2}, {4, 1}} {
		r := g.run(c.Processors(), 1)
		for i := range r.Threads {
			r.Threads[i].Process = fmt.Sprintf("rank %d", i/c.Threads)
		}
		runs = append(runs, RunOf(r, Count{}))
	}
	s := study(t, runs, half)
	var got []string
	for _, p := range s.Points {
		got = append(got, p.Count.String())
	}
	if strings.Join(got, " ") != "1x2 2x2 4x1" || s.Points[2].Gain != nil ||
		!strings.Contains(s.Trend.None, "2x2 and 4x1 are as many processors") {
		t.Errorf("%q: %+v", got, s)
	}
}

func TestParseCount(t *testing.T) {
	for text, want := range map[string]Count{
		"1": {0, 1}, "16": {0, 16}, "2x4": {2, 4}, "1x1": {1, 1},
	} {
		if c, err := ParseCount(text); err != nil || c != want || c.String() != text {
			t.Errorf("%s: %v, %v", text, c, err)
		}
	}
	for _, text := range []string{
		"", "0", "x", "2x", "x2", "-1", "2x0", "1x2x3", "4 ", "99999999",
	} {
		if c, err := ParseCount(text); err == nil {
			t.Errorf("%q: %v", text, c)
		}
	}
}
