package ompt

import (
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestFirstEventOfWorker checks that a thread of the runtime is a worker even if its first event
// is the first event of its team.
func TestFirstEventOfWorker(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "first_words")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "testdata/first_words.c", "-o", program)
	log := output(t, k.opari, "tool-log", program)
	if initial, worker := strings.Count(log, "thread_begin initial"),
		strings.Count(log, "thread_begin worker"); initial != 1 || worker != 1 {
		t.Errorf("%d initial threads and %d workers:\n%s", initial, worker, log)
	}
}

// TestThreadEndsAfterTeam checks that tools get the end of a thread even if it ends long after
// its team.
func TestThreadEndsAfterTeam(t *testing.T) {
	expensive.Compilers(t, "g++")
	k := setup(t)
	program := filepath.Join(k.dir, "slow_to_leave")
	output(t, k.opari, "cc", "g++", "-fopenmp", "testdata/slow_to_leave.cc", "-o", program)
	log := output(t, k.opari, "tool-log", program)
	if begun, ended := strings.Count(log, "thread_begin"),
		strings.Count(log, "thread_end"); begun != 4 || ended != 4 {
		t.Errorf("%d threads begin and %d end:\n%s", begun, ended, log)
	}
}
