package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRankQuantile checks the order statistics against printed tables of Mann and Whitney's U,
// two-sided at 5 %. The interval begins one above the critical value.
func TestRankQuantile(t *testing.T) {
	for _, c := range []struct{ n, m, critical int }{
		{2, 8, 0},
		{3, 5, 0},
		{3, 10, 3},
		{4, 4, 0},
		{4, 8, 4},
		{5, 5, 2},
		{5, 10, 8},
		{6, 6, 5},
		{8, 8, 13},
		{8, 10, 17},
		{10, 10, 23},
		{12, 15, 49},
		{20, 20, 127},
	} {
		for _, got := range []int{rankQuantile(c.n, c.m), rankQuantile(c.m, c.n)} {
			if got != c.critical+1 {
				t.Errorf("%d and %d values: %d, the table has %d", c.n, c.m, got-1, c.critical)
			}
		}
	}
	for _, c := range [][2]int{{1, 1}, {1, 38}, {2, 7}, {3, 4}, {3, 3}} {
		if got := rankQuantile(c[0], c[1]); got != 0 {
			t.Errorf("%v: %d, and nothing can be sure at 95 %%", c, got)
		}
	}
	// The approximation continues the exact counts without a step.
	exact, near := rankQuantile(100, 100), rankQuantile(100, 101)
	if near < exact || near > exact+60 {
		t.Errorf("100 and 100: %d, 100 and 101: %d", exact, near)
	}
}

func TestStudent(t *testing.T) {
	for freedom, want := range map[int]float64{
		1: 12.706, 4: 2.776, 10: 2.228, 11: 2.201, 20: 2.086,
		38: 2.024, 120: 1.980,
	} {
		if got := Student(freedom); math.Abs(got-want) > 0.001 {
			t.Errorf("%d degrees of freedom: %.4f, want %.3f", freedom, got, want)
		}
	}
}

// TestShiftCovers counts how often the interval contains the true difference. The noise of
// programs has a tail to one side, from disturbed runs. The test adds this tail where Shift
// uses ranks.
func TestShiftCovers(t *testing.T) {
	const trials = 4000
	for _, c := range []struct {
		n, m int
		tail bool
	}{
		{2, 2, false},
		{3, 3, false},
		{1, 5, false},
		{4, 4, true},
		{5, 5, true},
		{10, 10, true},
		{5, 20, true},
	} {
		random := rand.New(rand.NewPCG(uint64(c.n), uint64(c.m)))
		value := func(mean float64) float64 {
			x := mean + random.NormFloat64()
			if c.tail && random.IntN(8) == 0 {
				x += 10 * random.ExpFloat64()
			}
			return x
		}
		holds := 0
		for range trials {
			a, b := make([]float64, c.n), make([]float64, c.m)
			for i := range a {
				a[i] = value(100)
			}
			for i := range b {
				b[i] = value(103)
			}
			estimate, low, high, known := Shift(a, b)
			if !known || estimate < low || estimate > high {
				t.Fatalf("%v: %v in %v to %v, known: %v", c, estimate, low, high, known)
			}
			if low <= 3 && 3 <= high {
				holds++
			}
		}
		part := float64(holds) / trials
		t.Logf("%d and %d values: %.3f", c.n, c.m, part)
		// The bound is three standard deviations of the count below the promise. Ranks keep the
		// promise exactly, in steps.
		if part < Confidence-3*math.Sqrt(Confidence*(1-Confidence)/trials) ||
			part > 0.985 && !c.tail {
			t.Errorf("%+v: %.3f of the intervals hold the difference", c, part)
		}
	}
	if _, _, _, known := Shift([]float64{1}, []float64{2}); known {
		t.Error("the noise of one run each is known")
	}
}
