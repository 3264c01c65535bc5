package ompt

import (
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// A thread that the runtime made is a worker, also where it is the first of its team when it speaks
// first.
func TestFirstWords(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "first_words")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "testdata/first_words.c", "-o", program)
	log := output(t, k.opari, "tool-log", program)
	if initial, worker := strings.Count(log, "thread_begin initial"),
		strings.Count(log, "thread_begin worker"); initial != 1 || worker != 1 {
		t.Errorf("%d initial threads and %d workers:\n%s", initial, worker, log)
	}
}

// Tools hear of a thread's end though it comes long after that of its team.
func TestSlowToLeave(t *testing.T) {
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
