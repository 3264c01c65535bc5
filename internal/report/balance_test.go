package report

import (
	"bytes"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// TestBalance checks a loop that the threads of each rank share unevenly, and one that the
// ranks share unevenly.
func TestBalance(t *testing.T) {
	var threads []analysis.Thread
	for _, rank := range []string{"rank 0", "rank 0", "rank 1", "rank 1"} {
		threads = append(threads, analysis.Thread{Name: rank, Node: "node a", Process: rank})
	}
	r := analysis.New("uneven", 1000, threads)
	for i, work := range [][4]int64{{100, 300, 200, 200}, {50, 50, 150, 150}} {
		q := r.Child(r.Paths[0],
			&analysis.Region{Kind: omp.KindFor, Name: "for", File: "uneven.c", Line: 10 * (i + 1)})
		for thread, time := range work {
			q.Add(analysis.Work, thread, time)
		}
	}
	o := &Run{Tables: []string{"balance"}}
	want := map[string]balance{
		"uneven.c:10": {work: 800, threads: 1.5, ranks: 1, within: 200},
		"uneven.c:20": {work: 400, threads: 1, ranks: 1.5, between: 200},
		"": {
			work: 1200, threads: 350 * 2 / 500.0, ranks: 700 * 2 / 1200.0, within: 200,
			between: 200,
		},
	}
	all := o.balances(r)
	if len(all) != len(want) {
		t.Fatalf("%+v", all)
	}
	for _, got := range all {
		place := got.region.Place()
		got.region = nil
		if got != want[place] {
			t.Errorf("%q: %+v, want %+v", place, got, want[place])
		}
	}
	var text bytes.Buffer
	if err := o.Text(&text, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "800ns     1.50   1.00") ||
		!strings.Contains(text.String(), "the whole program") {
		t.Error(text.String())
	}
	single := analysis.New("one", 1000, threads[:2])
	if got := o.balances(single); got != nil {
		t.Errorf("of one rank: %+v", got)
	}
}
