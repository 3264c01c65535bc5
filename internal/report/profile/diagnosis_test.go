package profile

import (
	"math"
	"os"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/omp"
)

// TestDiagnosis reads recorded profiles of the analysis' programs with a defect (testdata/seeds
// there). The profile reveals the loss, too: the largest finding names property and line.
func TestDiagnosis(t *testing.T) {
	for _, c := range []struct {
		name     string
		property analysis.Property
		line     int
		time     int64 // ns of waiting in the profile
	}{
		{"nesting", analysis.FalseNesting, 11, 300_196_819},
		{"storm", analysis.Granularity, 16, 8_656_768 + 8_714_065},
		{"tiny", analysis.Granularity, 26, 21_846_023 + 18_272_230 + 57_319_642 - 24_970_478},
	} {
		name := "testdata/" + c.name + ".profile"
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Read(name, f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		r := p.Result()
		found := finding.Of(r, 0.02)
		if len(found) == 0 {
			t.Errorf("%s: no finding", name)
			continue
		}
		if f := found[0]; f.Property != c.property || f.Region.Line != c.line ||
			math.Abs(float64(f.Time-c.time)) > 0.005*float64(c.time) {
			t.Errorf("%s: %s; it is %s in line %d, %s", name, f.String(r), c.property, c.line,
				analysis.Duration(c.time))
		}
		if got, want := r.Sum(analysis.Time, -1),
			r.Total(); math.Abs(float64(got-want)) > 0.005*float64(want) {
			t.Errorf("%s: %d ns in severities, %d ns of processor time", name, got, want)
		}
	}
}

// TestDiagnosisClean checks that a program without a defect has no finding.
func TestDiagnosisClean(t *testing.T) {
	f, err := os.Open("testdata/clean.profile")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := Read("clean.profile", f)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Result()
	for _, f := range finding.Of(r, 0.02) {
		t.Error(f.String(r))
	}
}

// TestNestedTeams checks that a nested region is no false nesting if its threads wait for each
// other, or some of them are outside the outer team.
func TestNestedTeams(t *testing.T) {
	for _, c := range []struct {
		text         string
		inner, waits int64 // visits and waiting of a second thread in the inner region
		want         bool
	}{
		{"one thread", 0, 0, true},
		{"two threads", 1, 0, false},
		{"threads that wait", 0, 20_000_000, false},
	} {
		threads := []analysis.Thread{
			{Name: "thread 0 (initial)"},
			{Name: "thread 1 (worker)"},
			{Name: "thread 2 (worker)"},
		}
		r := analysis.New("p", 100_000_000, threads)
		outer := r.Child(r.Paths[0],
			&analysis.Region{Kind: omp.KindParallel, Name: "parallel", File: "a.c", Line: 1})
		single := r.Child(outer,
			&analysis.Region{Kind: omp.KindSingle, Name: "single", File: "a.c", Line: 2})
		inner := r.Child(single,
			&analysis.Region{Kind: omp.KindParallel, Name: "parallel", File: "a.c", Line: 3})
		for i := range 2 {
			outer.Visits[i] = analysis.Visit{Count: 1}
			single.Visits[i] = analysis.Visit{Count: 1}
		}
		inner.Visits[0], inner.Visits[2] = analysis.Visit{Count: 1}, analysis.Visit{Count: c.inner}
		inner.Add(analysis.Work, 0, 90_000_000)
		inner.Add(analysis.ImbalanceParallel, 0, c.waits)
		single.Add(analysis.SingleWait, 1, 90_000_000)
		diagnose(r)
		if got := inner.Severity(analysis.FalseNesting, -1) > 0; got != c.want {
			t.Errorf("%s: false nesting: %v", c.text, got)
		}
	}
}
