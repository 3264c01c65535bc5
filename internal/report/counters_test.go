package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/otf"
)

// countedRun is a run of one thread: 20 ms in a parallel region that misses a lot, and 5 ms behind
// it.
func countedRun(t *testing.T) *analysis.Result {
	t.Helper()
	return countedRunOf(t, 1, "llc-misses")
}

// countedRunOf is that run with so many times the instructions, and another name of the counter of
// misses.
func countedRunOf(t *testing.T, factor float64, missing string) *analysis.Result {
	t.Helper()
	const ms = 1_000_000
	const acc = otf.CounterTypeAcc | otf.CounterScopeStart
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	d := otf.OpenWStream(stub, 0, manager)
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9),
		d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefSclFile(1, "a.c"), d.WriteDefScl(1, 1, 7),
		d.WriteDefFunctionGroup(1, "parallel"), d.WriteDefFunctionGroup(2, "implicit task"),
		d.WriteDefFunction(1, "parallel a.c:7", 1, 1),
		d.WriteDefFunction(2, "parallel: implicit task a.c:7", 2, 1),
		d.WriteDefCounterGroup(2, "counters"),
		d.WriteDefCounter(70, "counter instructions", acc, 2, "events"),
		d.WriteDefCounter(71, "counter cycles", acc, 2, "events"),
		d.WriteDefCounter(72, "counter "+missing, acc, 2, "events"))
	master.Append(1, 1)
	w := otf.OpenWStream(stub, 1, manager)
	values := func(at, instructions, cycles, misses uint64) {
		err = errors.Join(err,
			w.WriteCounter(at, 1, 70, uint64(factor*float64(instructions))),
			w.WriteCounter(at, 1, 71, cycles), w.WriteCounter(at, 1, 72, misses))
	}
	err = errors.Join(err, w.WriteBeginProcess(0, 1), w.WriteEnter(0, 1, 1, 0),
		w.WriteEnter(0, 2, 1, 0))
	for i := range uint64(20) {
		values((i+1)*ms, (i+1)*1e6, (i+1)*2e6, (i+1)*20e3)
	}
	err = errors.Join(err, w.WriteLeave(20*ms, 2, 1, 0), w.WriteLeave(20*ms, 1, 1, 0))
	values(25*ms, 20e6, 40e6, 400e3)
	err = errors.Join(err, w.WriteEndProcess(25*ms, 1), w.Close(), d.Close(),
		master.Write(stub, manager))
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.FromTrace(stub, run.Options{EventCost: -1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestCountersTable checks the table of counters, with threads and without.
func TestCountersTable(t *testing.T) {
	const bound = " (memory bound, an estimate: 0.50 instructions a cycle, 20.0 LLC misses in " +
		"1000 instructions)"
	r := countedRun(t)
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
			short + "serial code after the last parallel region" + fewCounts,
			short + "thread 0" + fewCounts,
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
	r := countedRun(t)
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
	r := countedRun(t)
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
	if err := (&Run{Tables: []string{"findings"}}).Text(&b, sampledRun(t, "a.c", 20)); err != nil ||
		strings.Contains(b.String(), "memory") {
		t.Errorf("a run without counters: %v\n%s", err, b.String())
	}
}
