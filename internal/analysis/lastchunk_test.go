package analysis

import (
	"slices"
	"strings"
	"testing"
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
			{0, 400, nil, loopChunks, 2},
			{0, 400, nil, loopIterations, 4},
			{0, 400, nil, beforeLast, 4},
			{0, 400, nil, inLast, 2},
			{0, 400, nil, 0, 0},
			{0, 500, end, 0, 0}, // from here on it waits
			{1, until, nil, loopChunks, 3},
			{1, until, nil, loopIterations, 6},
			{1, until, nil, beforeLast, 8},
			{1, until, nil, inLast, iterations},
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
func atEnd(t *testing.T, r *Result) Finding {
	t.Helper()
	for _, f := range r.Findings(0) {
		if f.Property == ImbalanceLoop {
			return f
		}
	}
	t.Fatal("no finding")
	return Finding{}
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
	x, all := r.lastChunk(f.Region)
	if all != (500+1500)*us || x.Before != 8 || x.Iterations != 2 || x.Longest != 1500*us ||
		!slices.Equal(x.Waits, []int64{0, 2000 * us}) {
		t.Errorf("%+v of %d", x, all)
	}
	acts := uneven(1)
	r = replayed(2, acts)
	if f = atEnd(t, r); !strings.Contains(f.Why, "is done, iteration 8, by thread 1") {
		t.Error(f.String(r))
	}
	for i, x := range acts { // another chunk each time
		if x.point == beforeLast && x.now > 5000*us && x.thread == 1 {
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
