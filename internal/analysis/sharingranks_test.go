package analysis

import (
	"testing"
)

// TestSharingRanks checks that ranks' false sharing is joined in the threads' numbers of the job.
func TestSharingRanks(t *testing.T) {
	r := New("p", 1, make([]Thread, 6))
	r.Samples.Stacks = []Stack{{}, {0, Code{"main", "a.c", 8}}}
	q := r.Child(r.Paths[0], &Region{Name: "for", File: "a.c", Line: 7, End: 9})
	one := &Sharing{
		Threads: []int{0, 1}, Lines: 1, Apart: 8, Samples: 50, Stacks: map[int]int64{1: 50},
	}
	q.JoinSharing(one, []int{4, 5})
	q.JoinSharing(one, []int{1, 2})
	q.JoinSharing(nil, []int{3})
	const want = "false sharing, a heuristic from samples: thread 1, thread 2, thread 4 and " +
		"thread 5 use data as near as 8 bytes in 2 lines of the cache at a.c:8"
	if s := r.Sharing(q); s == nil || s.Samples != 100 || s.Describe(r) != want {
		t.Errorf("%+v, want %s", s, want)
	}
}
