package finding

import "testing"

func TestTimesAThread(t *testing.T) {
	for _, c := range []struct {
		each []int64
		want string
	}{
		{[]int64{1}, "once a thread"},
		{[]int64{4, 4}, "4 times a thread"},
		{[]int64{20, 0, 0, 0}, "20 times a thread in 1 of 4 threads"},
		{[]int64{1, 0}, "once a thread in 1 of 2 threads"},
		{[]int64{3, 0, 20}, "3 to 20 times a thread in 2 of 3 threads"},
	} {
		if got := timesAThread(c.each); got != c.want {
			t.Errorf("%v: %q, not %q", c.each, got, c.want)
		}
	}
}
