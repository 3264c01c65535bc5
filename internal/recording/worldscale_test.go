package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"opari/internal/expensive"
)

// generated writes the recordings of a ring of ranks, 16 on each node.
func generated(tb testing.TB, folder string, size, rounds int) {
	tb.Helper()
	if err := (Ring{size, rounds, 16}).Record(folder); err != nil {
		tb.Fatal(err)
	}
}

// The trace of many ranks has all messages, receives none before its send, and does not depend on
// which rank is first.
func TestManyRanks(t *testing.T) {
	expensive.Test(t, "it lays thousands of ranks in order")
	const size, rounds = 100, 20
	var first map[string][]byte
	for _, processors := range []int{1, 4} {
		folder := t.TempDir()
		generated(t, folder, size, rounds)
		was := runtime.GOMAXPROCS(processors)
		traces, _, err := ConvertAll(folder, folder, nil)
		runtime.GOMAXPROCS(was)
		if err != nil || len(traces) != 1 || traces[0].Ranks != size || traces[0].Threads != size {
			t.Fatalf("%v %v", traces, err)
		}
		files := map[string][]byte{}
		list, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if files[f.Name()], err = os.ReadFile(filepath.Join(folder, f.Name())); err != nil {
				t.Fatal(err)
			}
			if first != nil && !bytes.Equal(first[f.Name()], files[f.Name()]) {
				t.Errorf("%s is another one with %d processors", f.Name(), processors)
			}
		}
		if first = files; len(files) != size+2 {
			t.Errorf("%d files", len(files))
		}
		x := exchanged(t, filepath.Join(folder, "trace"), size)
		if x.early > 0 {
			t.Errorf("%d messages are received before they are sent", x.early)
		}
		want := map[end]int{}
		for r := range uint32(size) {
			want[end{r, (r + 1) % size, "MPI_COMM_WORLD", 5, 800}] = rounds
		}
		if d := differences(x.sent, want) + differences(x.received, want); d != "" {
			t.Error(d)
		}
	}
}
