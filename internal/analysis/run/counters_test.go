package run

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"opari/internal/analysis"
	"opari/otf"
)

// counterTrace writes a trace of a thread with four counters. From 3 ms it is in a parallel region
// until 40 ms, and from 30 ms at its barrier; from 50 ms to 60 ms it is off the processor. At 1, 2,
// 6 ms and at each ms from 8 to 29, at 35 and 60 ms there are values, the last one before its end.
func counterTrace(t *testing.T) string {
	t.Helper()
	const ms = 1_000_000
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	d := otf.OpenWStream(stub, 0, manager)
	const acc = otf.CounterTypeAcc | otf.CounterScopeStart
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9),
		d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefSclFile(1, "a.c"), d.WriteDefScl(1, 1, 7),
		d.WriteDefFunctionGroup(1, "parallel"), d.WriteDefFunctionGroup(2, "implicit task"),
		d.WriteDefFunctionGroup(3, "implicit barrier"),
		d.WriteDefFunction(1, "parallel a.c:7", 1, 1),
		d.WriteDefFunction(2, "parallel: implicit task a.c:7", 2, 1),
		d.WriteDefFunction(3, "parallel: implicit barrier a.c:7", 3, 1),
		d.WriteDefCounterGroup(1, "kernel"), d.WriteDefCounterGroup(2, "counters"),
		d.WriteDefCounter(9, "off the CPU", otf.CounterTypeAbs|otf.CounterScopeNext, 1, "state"),
		d.WriteDefCounter(70, "counter instructions", acc, 2, "events"),
		d.WriteDefCounter(71, "counter cycles", acc, 2, "events"),
		d.WriteDefCounter(72, "counter llc-misses", acc, 2, "events"),
		d.WriteDefCounter(73, "another", acc, 2, "events"))
	master.Append(1, 1)
	w := otf.OpenWStream(stub, 1, manager)
	values := func(at, instructions, cycles, misses uint64) {
		err = errors.Join(err, w.WriteCounter(at, 1, 70, instructions),
			w.WriteCounter(at, 1, 71, cycles), w.WriteCounter(at, 1, 72, misses),
			w.WriteCounter(at, 1, 73, 1<<60))
	}
	enter := func(at uint64, f uint32) { err = errors.Join(err, w.WriteEnter(at, f, 1, 0)) }
	leave := func(at uint64, f uint32) { err = errors.Join(err, w.WriteLeave(at, f, 1, 0)) }
	err = errors.Join(err, w.WriteBeginProcess(0, 1))
	values(1*ms, 1000, 2000, 10)
	values(2*ms, 3000, 6000, 20)
	enter(3*ms, 1)
	enter(3*ms, 2)
	values(6*ms, 7000, 14000, 60) // a quarter of the 4000 since the last values is serial
	values(8*ms, 7000, 14000, 60)
	for i := range uint64(21) {
		values((9+i)*ms, 7000+(i+1)*1e6, 14000+(i+1)*2e6, 60+(i+1)*20e3)
	}
	enter(30*ms, 3)
	values(35*ms, 7000+21e6+6e6, 14000+42e6+6e6, 60+420e3)
	leave(40*ms, 3)
	leave(40*ms, 2)
	leave(40*ms, 1)
	err = errors.Join(err, w.WriteCounter(50*ms, 1, 9, 2), w.WriteCounter(60*ms, 1, 9, 0))
	values(60*ms, 7000+21e6+6e6+15e6, 14000+42e6+6e6+30e6, 60+420e3)
	err = errors.Join(err, w.WriteEndProcess(60*ms, 1), w.Close(), d.Close(),
		master.Write(stub, manager))
	if err != nil {
		t.Fatal(err)
	}
	return stub
}

// TestCounters checks how values are shared out, and what follows from them.
func TestCounters(t *testing.T) {
	trace := counterTrace(t)
	r, err := FromTrace(trace, Options{EventCost: -1})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		name                 string
		time, samples        int64
		instructions, cycles float64
		trustworthy          bool
	}{
		{"serial code before the first parallel", 3e6, 2, 3000 + 1000, 6000 + 2000, false},
		// 24 values stand in the region: at 6, at 8, 21 up to 29 ms; of the 6 ms up to the value
		// at 35 ms one is work.
		{"parallel", 27e6, 23, 3000 + 21e6 + 1e6, 6000 + 42e6 + 1e6, true},
		// Up to 60 ms there are 5 ms at the barrier, 10 ms outside, and 10 ms off the processor.
		{"serial code after the last parallel region", 10e6, 1, 10e6, 20e6, false},
	} {
		var c *analysis.Counts
		for _, q := range r.Paths {
			if q.Name == want.name {
				c = q.Counted(-1)
			}
		}
		if c == nil {
			t.Errorf("%s: no counts", want.name)
			continue
		}
		instructions, _ := r.Value(c, "instructions")
		cycles, _ := r.Value(c, "cycles")
		if c.Time != want.time || c.Samples != want.samples || len(c.Values) != 3 ||
			math.Abs(instructions-want.instructions) > 1 || math.Abs(cycles-want.cycles) > 1 ||
			r.Trustworthy(c) != want.trustworthy {
			t.Errorf("%s: %+v, trustworthy %v; want %+v", want.name, *c, r.Trustworthy(c), want)
		}
	}
	var sum float64
	for _, q := range r.Paths {
		for _, waits := range []bool{false, true} {
			if c := q.CountedIn(-1, waits); c != nil {
				sum += c.Values[0]
			}
		}
	}
	if want := 7000 + 21e6 + 6e6 + 15e6; math.Abs(sum-want) > 1 {
		t.Errorf("%.0f instructions in sum, want %.0f", sum, want)
	}
}

// TestCounterReadings checks that the values arrive as they are in the trace, and in a window
// those of its time.
func TestCounterReadings(t *testing.T) {
	trace := counterTrace(t)
	from, err := analysis.ParseEdge("10.5ms")
	to, err2 := analysis.ParseEdge("20.5ms")
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for _, w := range []struct {
		window *analysis.Window
		want   int
	}{{nil, 3 * 27}, {&analysis.Window{From: from, To: to}, 3 * 10}} {
		var got []analysis.Reading
		_, err := FromTrace(trace, Options{
			Window: w.window, Counter: func(r analysis.Reading) { got = append(got, r) },
		})
		if err != nil {
			t.Fatal(err)
		}
		value := analysis.Reading{
			Counter: "cycles", Time: 12_000_000, Value: 14000 + 4*2e6,
		}
		if len(got) != w.want || !slices.Contains(got, value) {
			t.Errorf("%d readings, want %d with %v:\n%v", len(got), w.want, value, got)
		}
	}
}

// TestCountersWindow checks that a window has the increases that end in it.
func TestCountersWindow(t *testing.T) {
	from, err := analysis.ParseEdge("10.5ms")
	to, err2 := analysis.ParseEdge("20.5ms")
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	r, err := FromTrace(counterTrace(t), Options{
		EventCost: -1,
		Window:    &analysis.Window{From: from, To: to},
	})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, q := range r.Paths {
		for _, waits := range []bool{false, true} {
			if c := q.CountedIn(-1, waits); c != nil {
				sum += c.Values[0]
			}
		}
	}
	if sum != 10e6 {
		t.Errorf("%.0f instructions, want those of 10 ms", sum)
	}
}
