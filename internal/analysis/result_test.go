package analysis

import "testing"

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

// TestWaitedNote checks from which share on the wait for processors is worth a note: 2 %.
func TestWaitedNote(t *testing.T) {
	for waited, want := range map[int64]bool{0: false, 19: false, 20: true, 5000: true} {
		if got := WaitedNote(980, waited, ""); (got != "") != want {
			t.Errorf("%d ns of 980: %q", waited, got)
		}
	}
}
