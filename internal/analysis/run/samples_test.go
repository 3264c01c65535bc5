package run

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"opari/internal/analysis"
	"opari/otf"
)

// sampleTrace writes a trace of a thread that is outside of regions, in a parallel region of a.c:7
// to 9, at its barrier, and outside again, with samples in each.
func sampleTrace(t *testing.T) string {
	t.Helper()
	const ms = 1_000_000
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	d := otf.OpenWStream(stub, 0, manager)
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9))
	for _, c := range []string{
		"lines 7-9 a.c", "samples: 1000 a second", "samples lost: 5",
		"stack 1: 0 10", "stack 2: 1 11", "stack 3: 2 12", "stack 4: 2 13", "stack 5: 4 14",
		"stack 6: 0 15", "stack 7: 7 10", "stack 8: 2 16", "stack 9: 8 14", "stack 10: x",
		"stack 4000000000: 0 10", "stack 0: 0 10",
	} {
		err = errors.Join(err, d.WriteDefinitionComment(c))
	}
	err = errors.Join(err, d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefSclFile(1, "a.c"), d.WriteDefScl(1, 1, 7), d.WriteDefScl(2, 1, 3),
		d.WriteDefScl(3, 1, 8), d.WriteDefScl(4, 1, 20), d.WriteDefScl(5, 1, 21),
		d.WriteDefFunctionGroup(1, "parallel"), d.WriteDefFunctionGroup(2, "implicit task"),
		d.WriteDefFunctionGroup(3, "implicit barrier"), d.WriteDefFunctionGroup(4, "sampled code"),
		d.WriteDefFunction(1, "parallel a.c:7", 1, 1),
		d.WriteDefFunction(2, "parallel: implicit task a.c:7", 2, 1),
		d.WriteDefFunction(3, "parallel: implicit barrier a.c:7", 3, 1),
		d.WriteDefFunction(10, "main", 4, 2), d.WriteDefFunction(11, "main._omp_fn.0", 4, 3),
		d.WriteDefFunction(12, "work", 4, 4), d.WriteDefFunction(13, "work", 4, 5),
		d.WriteDefFunction(14, "sin", 4, 0), d.WriteDefFunction(15, "unknown code of x.so", 4, 0),
		d.WriteDefFunction(16, "<opari>", 4, 4), d.WriteDefCounterGroup(1, "kernel"),
		d.WriteDefCounter(9, "sample",
			otf.CounterTypeAbs|otf.CounterScopePoint, 1, "stack"))
	master.Append(1, 1)
	w := otf.OpenWStream(stub, 1, manager)
	sample := func(at, stack uint64) { err = errors.Join(err, w.WriteCounter(at, 1, 9, stack)) }
	err = errors.Join(err, w.WriteBeginProcess(1*ms, 1))
	sample(2*ms, 1)
	err = errors.Join(err, w.WriteEnter(3*ms, 1, 1, 0), w.WriteEnter(3*ms+1, 2, 1, 0))
	for i, stack := range []uint64{3, 3, 4, 5, 5, 5, 2, 6, 99, 9, 8} {
		sample(uint64(4+i)*ms, stack)
	}
	err = errors.Join(err, w.WriteEnter(20*ms, 3, 1, 0))
	sample(21*ms, 6)
	err = errors.Join(err, w.WriteLeave(22*ms, 3, 1, 0), w.WriteLeave(22*ms+1, 2, 1, 0),
		w.WriteLeave(22*ms+2, 1, 1, 0))
	sample(23*ms, 7)
	err = errors.Join(err, w.WriteEndProcess(24*ms, 1), w.Close(), d.Close(),
		master.Write(stub, manager))
	if err != nil {
		t.Fatal(err)
	}
	return stub
}

// TestSamples checks which path gets a sample, and which line.
func TestSamples(t *testing.T) {
	r, err := FromTrace(sampleTrace(t), Options{EventCost: -1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Rate != 1000 || r.Samples.Lost != 5 || len(r.Stacks) != 10 {
		t.Fatalf("%d samples a second, %d lost, %d stacks", r.Rate, r.Samples.Lost, len(r.Stacks))
	}
	counts := map[string]map[int]int64{}
	for _, q := range r.Paths {
		if s := q.Sampled(-1); len(s) > 0 {
			counts[q.Name] = s
		}
	}
	region := counts["parallel"]
	if !maps.Equal(region, map[int]int64{3: 2, 4: 1, 5: 3, 2: 1, 6: 1, 0: 1, 8: 1, 9: 1}) ||
		!maps.Equal(counts["serial code before the first parallel"], map[int]int64{1: 1}) ||
		!maps.Equal(counts["serial code after the last parallel region"], map[int]int64{7: 1}) ||
		len(counts) != 3 {
		t.Errorf("samples: %v", counts)
	}
	i := slices.IndexFunc(r.Paths, func(q *analysis.Path) bool { return q.Name == "parallel" })
	lines, all := r.Lines(r.Paths[i:i+1], 0)
	want := []analysis.LineSamples{
		samplesAt("work", "a.c", 21, 4, 4),
		samplesAt(analysis.Measuring, "", 0, 2, 2),
		samplesAt("work", "a.c", 20, 2, 2),
		samplesAt("main._omp_fn.0", "a.c", 8, 1, 9),
		samplesAt("unknown code", "", 0, 1, 1),
		samplesAt("unknown code of x.so", "", 0, 1, 1),
	}
	if all != 11 || !slices.Equal(lines, want) {
		t.Errorf("%d samples, lines %v; want %v", all, lines, want)
	}
	if lines, all := r.Lines(r.Paths[i:i+1], 1); all != 0 || lines != nil {
		t.Errorf("thread 1: %d samples, lines %v", all, lines)
	}
	if got := r.Samples.Time(3); got != 3_000_000 {
		t.Errorf("3 samples are %d ns", got)
	}
}

// samplesAt returns samples at a line of a function, with those in functions called there.
func samplesAt(function, file string, line int, self, all int64) analysis.LineSamples {
	return analysis.LineSamples{
		Code: analysis.Code{Function: function, File: file, Line: line}, Self: self, All: all,
	}
}
