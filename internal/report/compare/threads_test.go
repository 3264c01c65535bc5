package compare

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// withThreads returns three runs with so many threads that share out 1 s of work, with 100 ms in a
// region that each of them repeats.
func withThreads(p int) []RunTimes {
	var all []RunTimes
	for i := range 3 {
		factor := 1e6 * (1 + float64(i-1)/1000)
		r := analysis.New("p", int64(factor*(1000/float64(p)+100)), make([]analysis.Thread, p))
		g := analysis.Region{Kind: omp.KindFor, Name: "for", File: "a.c", Line: 1}
		again := g
		again.Line = 2
		shared, repeated := r.Child(r.Paths[0], &g), r.Child(r.Paths[0], &again)
		for k := range p {
			shared.Add(analysis.Work, k, int64(factor*1000/float64(p)))
			repeated.Add(analysis.Work, k, int64(factor*100))
		}
		all = append(all, TimesOf(r))
	}
	return all
}

// TestCompareThreads checks that a comparison of different numbers of threads says so first, and
// how efficient the larger number is.
func TestCompareThreads(t *testing.T) {
	c := Compare(withThreads(1), withThreads(4), 0)
	want := 1100 / 350.
	if s := c.Scaling; s == nil || s.Before.Threads != 1 || s.After.Threads != 4 ||
		math.Abs(s.Speedup.Value-want) > 0.001 || math.Abs(s.Efficiency.Value-want/4) > 0.001 ||
		*s.Efficiency.Low > want/4 || *s.Efficiency.High < want/4 {
		t.Fatalf("%+v, the speedup is %v", s, want)
	}
	for name, want := range map[string]float64{"for a.c:1": 1, "for a.c:2": 0.25} {
		if l := find(t, c, name); l.Efficiency == nil || math.Abs(*l.Efficiency-want) > 0.001 {
			t.Errorf("%+v, the efficiency is %v", l, want)
		}
	}
	var b bytes.Buffer
	if err := c.Text(&b, false); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	note := "note: the runs differ in their threads: 1 thread before, 4 threads after, 3.14 " +
		"times as fast, efficiency 0.79 (with 95 % confidence 0.78 to 0.79); opari scale " +
		"compares several numbers"
	if lines[1] != note || !strings.Contains(b.String(), "  for a.c:2, efficiency 0.25\n") {
		t.Errorf("%s", &b)
	}
	b.Reset()
	if err := c.Markdown(&b, false); err != nil || !strings.Contains(b.String(), "3.14 times") {
		t.Errorf("%v: %s", err, &b)
	}
	b.Reset()
	var back struct {
		Scaling struct{ Before, After string }
	}
	if err := c.JSON(&b); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Scaling.After != "4" {
		t.Errorf("%v: %+v", err, back)
	}
	same := Compare(withThreads(4), withThreads(4), 0)
	if l := find(t, same, "for a.c:1"); same.Scaling != nil || l.Efficiency != nil {
		t.Errorf("the same number of threads: %+v, %+v", same.Scaling, l)
	}
}
