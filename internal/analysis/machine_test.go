package analysis

import (
	"testing"

	"opari/internal/omp"
)

// TestShortage checks which group of threads is the crowded one.
func TestShortage(t *testing.T) {
	for _, c := range []struct {
		name    string
		allowed [][]int
		want    string
	}{
		{
			"all on two",
			[][]int{{0, 1}, {0, 1}, {0, 1}},
			"more threads than cores: 3 threads on 2 cores",
		},
		{
			"two of three on one",
			[][]int{{0}, {1}, {1}},
			"bound to one core: threads 1 and 2 may run on processor 1 alone",
		},
		{
			"three of four on one",
			[][]int{{0}, {1}, {1}, {1}},
			"bound to one core: 3 threads may run on processor 1 alone",
		},
		{
			"overlapping",
			[][]int{{0, 1}, {0}, {1}},
			"more threads than cores: 3 threads on 2 cores",
		},
		{"enough", [][]int{{0, 1, 2}, {0, 1, 2}, {2}}, "preempted by other programs"},
		{"unknown", [][]int{nil, nil}, "preempted by other programs"},
	} {
		r := New("p", 1, nil)
		for _, allowed := range c.allowed {
			r.Threads = append(r.Threads, Thread{Type: omp.ThreadWorker, Allowed: allowed})
		}
		// A thread of another node or of no team takes no processor from them.
		r.Threads = append(r.Threads,
			Thread{Type: omp.ThreadWorker, Node: "node b", Allowed: []int{1}},
			Thread{Type: omp.ThreadOther, Allowed: []int{1}})
		if got := r.Shortage("").String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
