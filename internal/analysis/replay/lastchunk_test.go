package replay

import (
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/trace"
)

// us is long enough for the work between barriers not to be too fine.
const us = 1000

// uneven returns two executions of a dynamic loop of 10 iterations by two threads. Each time
// thread 1 has the last chunk, of so many iterations, which takes longer the second time.
func uneven(iterations uint64) []act {
	f := everyRole()
	fork, implicit, end, loop := f[0], f[1], f[2], f[5]
	var all []act
	for i, at := range []int64{0, 5000} {
		until := 1000 + 1000*int64(i)
		for _, x := range []act{
			{0, 0, fork, 0, 0},
			{0, 0, implicit, 0, 0},
			{1, 0, implicit, 0, 0},
			{0, 0, loop, 0, 0},
			{1, 0, loop, 0, 0},
			{0, 400, nil, trace.LoopChunks, 2},
			{0, 400, nil, trace.LoopIterations, 4},
			{0, 400, nil, trace.BeforeLast, 4},
			{0, 400, nil, trace.InLast, 2},
			{0, 400, nil, 0, 0},
			{0, 500, end, 0, 0}, // from here on it waits
			{1, until, nil, trace.LoopChunks, 3},
			{1, until, nil, trace.LoopIterations, 6},
			{1, until, nil, trace.BeforeLast, 8},
			{1, until, nil, trace.InLast, iterations},
			{1, until, nil, 0, 0},
			{1, until + 100, end, 0, 0}, // 100 after the loop
			{1, until + 100, nil, 0, 0},
			{0, until + 100, nil, 0, 0},
			{1, until + 100, nil, 0, 0},
			{0, until + 100, nil, 0, 0},
			{0, until + 100, nil, 0, 0},
		} {
			x.now = (x.now + at) * us
			all = append(all, x)
		}
	}
	return all
}

// atEnd returns the finding of the loop's imbalance.
func atEnd(t *testing.T, r *analysis.Result) finding.Finding {
	t.Helper()
	for _, f := range finding.Of(r, 0) {
		if f.Property == analysis.ImbalanceLoop {
			return f
		}
	}
	t.Fatal("no finding")
	return finding.Finding{}
}

// TestLastChunk checks that a wait at the end of a dynamic loop names the chunk that it is for, and
// counts what the thread did behind the loop for no chunk.
func TestLastChunk(t *testing.T) {
	r := replayed(2, uneven(2))
	f := atEnd(t, r)
	const want = "91 % of it until the last chunk is done, iterations 8 to 9, by thread 1: " +
		"that takes 1.50ms or more, the mean chunk takes 380us"
	if f.Time != (600+1600)*us || !strings.HasSuffix(f.Why, want) {
		t.Errorf("%s", f.String(r))
	}
	if advice := f.Advice(r); !strings.HasSuffix(advice, ": try smaller chunks") {
		t.Error(advice)
	}
	var x *analysis.LastChunk
	for _, q := range r.Paths {
		if q.Region == f.Region && len(q.LastChunks) == 1 {
			x = q.LastChunks[0]
		}
	}
	if x == nil || x.Before != 8 || x.Iterations != 2 || x.Longest != 1500*us ||
		!slices.Equal(x.Waits, []int64{0, 2000 * us}) {
		t.Errorf("%+v", x)
	}
	acts := uneven(1)
	r = replayed(2, acts)
	if f = atEnd(t, r); !strings.Contains(f.Why, "is done, iteration 8, by thread 1") {
		t.Error(f.String(r))
	}
	for i, x := range acts { // another chunk each time
		if x.point == trace.BeforeLast && x.now > 5000*us && x.thread == 1 {
			acts[i].value = 7
		}
		if x.now >= 7000*us { // as long as the first time
			acts[i].now -= 1000 * us
		}
	}
	r = replayed(2, acts)
	if f = atEnd(t, r); !strings.HasSuffix(f.Why,
		"83 % of it until the last chunk is done, which differs each time; the mean chunk takes "+
			"280us") {
		t.Error(f.String(r))
	}
}
