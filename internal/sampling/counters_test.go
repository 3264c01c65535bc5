package sampling

import (
	"encoding/binary"
	"fmt"
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestCounters compares the kernel's counters with what a program knows of itself. apart takes the
// way of the processor's counters, which have groups of their own.
func TestCounters(t *testing.T) {
	program := built(t, "known")
	for _, apart := range []bool{false, true} {
		t.Run(fmt.Sprint("apart=", apart), func(t *testing.T) {
			compareCounters(t, program, apart)
		})
	}
}

func compareCounters(t *testing.T, program string, apart bool) {
	t.Helper()
	names := []string{
		"migrations", "page-faults", "task-clock", "minor-faults", "context-switches",
		"major-faults",
	}
	out, pid, r := recorded(t, Options{Rate: 1000, Counters: names, apart: apart}, program)
	var used float64
	var faults, switches int
	if _, err := fmt.Sscan(out, &used, &faults, &switches); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Counters, names) {
		t.Fatalf("counters %v", r.Counters)
	}
	th := mainThread(t, r, pid)
	before := make([]uint64, len(names))
	for i, s := range th.Samples {
		if len(s.Values) != len(names) {
			t.Fatalf("a sample with %d values", len(s.Values))
		}
		for k, v := range s.Values {
			if v < before[k] {
				t.Fatalf("%s counts back from %d to %d", names[k], before[k], v)
			}
		}
		before = s.Values
		if last := i == len(th.Samples)-1; last != (s.Stack == OnlyValues) {
			t.Errorf("sample %d of %d has stack %d", i, len(th.Samples), s.Stack)
		}
	}
	// Before its exec, and after it has said the numbers, the program has some more.
	for name, want := range map[string]float64{
		"page-faults": float64(faults), "context-switches": float64(switches),
		"task-clock": used * 1e9, "migrations": float64(th.Migrations),
	} {
		got := float64(before[slices.Index(names, name)])
		slack := 0.1 * want
		if name == "page-faults" {
			slack = 0.25 * want // those before the exec, too
		}
		if math.Abs(got-want) > slack+8 && name != "task-clock" ||
			name == "task-clock" && math.Abs(got-want) > slack+20e6 {
			t.Errorf("%s: %v, the program says %v", name, got, want)
		}
	}
	minor, major := names[3], names[5]
	if sum := before[3] + before[5]; sum != before[1] {
		t.Errorf("%s and %s are %d, but page-faults %d", minor, major, sum, before[1])
	}
	// A turn of the program has no faults, its end has a thousand.
	half := th.Samples[len(th.Samples)/2].Values[1]
	if before[1] < half+900 {
		t.Errorf("%d page faults at half of the samples, %d at the end", half, before[1])
	}
}

// TestMissing asks for all counters. Those that the machine has not are named; all else works.
func TestMissing(t *testing.T) {
	r, err := Open(Options{Rate: 1000, Counters: CounterNames()})
	cmd := exec.Command("true")
	if failed := r.Start(starting(cmd)); failed != nil {
		t.Fatal(failed)
	}
	_ = cmd.Wait()
	missing := r.Missing()
	record, _ := r.Stop()
	if err != nil {
		t.Skipf("the kernel does not tell: %v", err)
	}
	if len(record.Counters)+len(missing) != len(CounterNames()) {
		t.Errorf("%v are there, and %v are not", record.Counters, missing)
	}
	for _, name := range []string{"task-clock", "context-switches", "migrations", "page-faults"} {
		if !slices.Contains(record.Counters, name) {
			t.Errorf("%s is not there", name)
		}
	}
	last := record.Threads[0].Samples
	if len(last) == 0 || len(last[len(last)-1].Values) != len(record.Counters) {
		t.Errorf("samples %+v of %d counters", last, len(record.Counters))
	}
}

func TestFindCounter(t *testing.T) {
	for name, want := range map[string]string{
		"cycles": "cycles", "PAPI_TOT_CYC": "cycles", "papi_l3_tcm": "cache-misses",
		"LLC-load-misses": "llc-misses", "cpu-migrations": "migrations",
	} {
		if got, err := FindCounter(name); got != want || err != nil {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	_, err := FindCounter("flops")
	if err == nil || !strings.Contains(err.Error(), `no counter "flops"`) ||
		!strings.Contains(err.Error(), "llc-misses") {
		t.Error(err)
	}
	seen := map[string]bool{}
	for i, c := range counterTable {
		for _, name := range append([]string{c.name}, c.names...) {
			key := strings.ToLower(name)
			if seen[key] && key != strings.ToLower(c.name) || name == "" {
				t.Errorf("row %d: %q", i, name)
			}
			seen[key] = true
		}
	}
}

// TestTurns adds values of a group that had no turn for a half of the time, and of a second
// processor.
func TestTurns(t *testing.T) {
	f := newFollower()
	f.counting = &counting{
		counters: []counter{
			{name: "cycles", kind: hardware}, {name: "page-faults", kind: software},
		},
		inSamples: true,
		of: map[uint64]counted{
			1: {counter: -1, stacks: true}, 2: {}, 5: {}, 6: {counter: 1},
		},
	}
	at := func(time uint64, cpu int, words ...uint64) {
		text := binary.NativeEndian.AppendUint32(nil, unix.PERF_RECORD_SAMPLE)
		text = binary.NativeEndian.AppendUint16(text, 0)
		text = binary.NativeEndian.AppendUint16(text, uint16(headerSize+24+8*len(words)))
		for _, w := range []uint64{7 | 7<<32, time, uint64(cpu)} {
			text = binary.NativeEndian.AppendUint64(text, w)
		}
		for _, w := range words {
			text = binary.NativeEndian.AppendUint64(text, w)
		}
		for _, n := range split(nil, text) {
			f.follow(n)
		}
	}
	at(10, 0, 2, 100, 100, 55, 1, 1000, 2, 0)  // 1000 in full time
	at(20, 0, 2, 200, 150, 66, 1, 1500, 2, 0)  // 500 in half of it
	at(30, 1, 2, 100, 100, 77, 1, 40, 5, 0)    // on another processor
	at(40, 0, 2, 200, 150, 66, 1, 1500, 2, 0)  // nothing new
	at(50, 0, 2, 300, 250, 66, 1, 1600, 99, 0) // an event of nobody
	at(52, 0, 2, 300, 200, 77, 1, 1600, 2, 0)  // in half of the time, but there was a move
	at(54, 0, 2, 400, 250, 88, 1, 1700, 2, 0)  // in half of it, and there was none
	at(56, 0, 2, 100, 50, 99, 1, 7, 6, 0)      // of the kernel, which takes no turns
	var got []uint64
	var faults uint64
	for _, s := range f.record(60).Threads[0].Samples {
		got = append(got, s.Values[0])
		faults = s.Values[1]
	}
	if want := []uint64{1000, 2000, 2040, 2040, 2040, 2140, 2340, 2340, 2340}; !slices.Equal(got,
		want) || faults != 7 {
		t.Errorf("the sums are %v and %d, not %v and 7", got, faults, want)
	}
	if f.scaled != 2 || f.added != 6 {
		t.Errorf("%d of %d values are scaled", f.scaled, f.added)
	}
}
