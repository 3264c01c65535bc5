package analysis

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

// TestThreadName checks that threads are numbered within their rank if there are ranks.
func TestThreadName(t *testing.T) {
	r := New("p", 1, []Thread{
		{Name: "rank 0 thread 0 (initial)", Process: "rank 0"},
		{Name: "rank 1 thread 0 (initial)", Process: "rank 1"},
	})
	if got := r.ThreadName(1); got != "rank 1 thread 0" {
		t.Error(got)
	}
	if got := New("p", 1, []Thread{{Name: "thread 0 (initial)"}}).ThreadName(0); got != "thread 0" {
		t.Error(got)
	}
}
