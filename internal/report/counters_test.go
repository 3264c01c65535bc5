package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
)

// TestCountersTable checks the table of counters, with threads and without.
func TestCountersTable(t *testing.T) {
	const bound = " (memory bound, an estimate: 0.50 instructions a cycle, 20.0 LLC misses in " +
		"1000 instructions)"
	r := fixture.Counted(t)
	for _, threads := range []bool{false, true} {
		var b bytes.Buffer
		if err := (&Run{Tables: []string{"counters"}, Threads: threads}).Text(&b, r); err != nil {
			t.Fatal(err)
		}
		var got [][]string
		for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n")[2:] {
			got = append(got, strings.Fields(line))
		}
		numbers := "20.0ms 20 20.0M 40.0M 400000 0.50 20.00 1.28 2.00 "
		short := "5.00ms 1 0 0 0 - - 0.00 0.00 "
		want := []string{
			"Counters, of work",
			"time samples instructions cycles llc-misses IPC llc-misses/1000 GB/s GHz path",
			numbers + "a.c:7 parallel" + bound, numbers + "thread 0",
			short + "serial code after the last parallel region" + FewCounts,
			short + "thread 0" + FewCounts,
		}
		if !threads {
			want = []string{want[0], want[1], want[2], want[4]}
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || strings.Join(got[i], " ") != want[i] {
				t.Fatalf("line %d; want\n%s\ngot\n%s", i, strings.Join(want, "\n"), b.String())
			}
		}
	}
}

// TestCountersJSON checks that JSON and CSV have the counters.
func TestCountersJSON(t *testing.T) {
	r := fixture.Counted(t)
	var b bytes.Buffer
	if err := (&Run{}).JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var out struct {
		Counters []string
		Paths    []struct {
			Name     string
			Hint     string `json:"memory_bound"`
			Counters []countsJSON
		}
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, q := range out.Paths {
		if q.Name == "parallel" && len(q.Counters) == 1 {
			c := q.Counters[0]
			found = c.Trustworthy && c.Values["cycles"] == 40e6 && c.Figures["IPC"] == 0.5 &&
				c.Samples == 20 && strings.HasPrefix(q.Hint, "memory bound")
		}
	}
	if !found || len(out.Counters) != 3 {
		t.Errorf("JSON: %+v", out)
	}
	b.Reset()
	if err := (&Run{Tables: []string{"counters"}}).CSV(&b, r); err != nil {
		t.Fatal(err)
	}
	const row = "counter,llc-misses,parallel,a.c,7,all,400000,20000000,"
	if !strings.Contains(b.String(), row) {
		t.Errorf("CSV has no %s:\n%s", row, b.String())
	}
}

// TestMemoryBound checks that findings name work that seems bound by memory, if it is large enough.
func TestMemoryBound(t *testing.T) {
	r := fixture.Counted(t)
	for _, share := range []float64{0.005, 0.9} {
		var b bytes.Buffer
		if err := (&Run{Tables: []string{"findings"}, Share: share}).Text(&b, r); err != nil {
			t.Fatal(err)
		}
		const row = "  20.0ms  80.0 %  a.c:7 parallel: work seems memory bound, an estimate: " +
			"0.50 instructions a cycle, 20.0 LLC misses in 1000 instructions\n"
		named := strings.Contains(b.String(), row) &&
			strings.Contains(b.String(), "  advice: "+analysis.MemoryAdvice+"\n")
		if named != (share < 0.8) {
			t.Errorf("share %g: named %v:\n%s", share, named, b.String())
		}
	}
	var b bytes.Buffer
	if err := (&Run{Tables: []string{"findings"}}).Text(&b, fixture.Sampled(t, "a.c", 20)); err !=
		nil ||
		strings.Contains(b.String(), "memory") {
		t.Errorf("a run without counters: %v\n%s", err, b.String())
	}
}
