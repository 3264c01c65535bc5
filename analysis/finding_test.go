package analysis

import "testing"

func TestTimesAThread(t *testing.T) {
	for _, c := range []struct {
		count, threads int64
		want           string
	}{{1, 1, "once a thread"}, {3, 2, "once a thread"}, {1, 2, "once in all"}, {3, 4, "3 times in all"}, {8, 2, "4 times a thread"}, {5, 0, "5 times a thread"}} {
		if got := timesAThread(c.count, c.threads); got != c.want {
			t.Errorf("%d times, %d threads: %q, not %q", c.count, c.threads, got, c.want)
		}
	}
}
