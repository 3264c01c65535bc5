package otf

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnsorted checks that the writer refuses a record earlier than its predecessor, and all
// later ones, and says so in the file, as the C library does.
func TestUnsorted(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	w := NewWriter(stub, 1, NewFileManager(5))
	if err := w.WriteEnter(10, 1, 1, 0); err != nil {
		t.Fatal(err)
	}
	for _, time := range []uint64{9, 11, MaxTime} {
		if err := w.WriteEnter(time, 1, 1, 0); !errors.Is(err, ErrUnsorted) {
			t.Errorf("time %d: %v", time, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(stub + ".1.events")
	if want := "a\n*1\nE1\n#\"error due to unsorted time stamp, " +
		"aborted\"\nffffffffffffffff\n*1\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v", text, err)
	}
}

// TestUnsortedLikeLibotf compares the same file with the C library's.
func TestUnsortedLikeLibotf(t *testing.T) {
	program := oracle(t, "calls")
	calls := []call{
		{"Enter", []any{uint64(10), uint32(1), uint32(1), uint32(0)}},
		{"Enter", []any{uint64(9), uint32(1), uint32(1), uint32(0)}},
		{"Enter", []any{uint64(11), uint32(1), uint32(1), uint32(0)}},
	}
	theirs, ours := t.TempDir(), t.TempDir()
	run(t, script(filepath.Join(theirs, "t"), 1, FormatShort, 5, calls), program)
	writeCalls(t, filepath.Join(ours, "t"), 1, FormatShort, 5, calls)
	sameFiles(t, ours, theirs, "t")
}

// TestAssign maps processes to streams, explicitly and automatically.
func TestAssign(t *testing.T) {
	w := NewWriter(filepath.Join(t.TempDir(), "t"), 2, NewFileManager(5))
	for _, c := range []struct {
		process, stream uint32
		want            bool
	}{{1, 7, true}, {1, 7, false}, {1, 8, false}, {2, 0, false}, {2, 1<<32 - 1, false}} {
		if got := w.AssignProcess(c.process, c.stream); got != c.want {
			t.Errorf("process %d to stream %d: %v", c.process, c.stream, got)
		}
	}
	for p := uint32(10); p < 14; p++ {
		if err := w.WriteBeginProcess(1, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, want := string(w.MasterControl().text()), "7:1,b,d\n8:a,c\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCannotWrite checks that the system's error is returned.
func TestCannotWrite(t *testing.T) {
	w := NewWriter(filepath.Join(t.TempDir(), "missing", "t"), 2, NewFileManager(5))
	if err := w.WriteEnter(1, 1, 1, 0); err != nil {
		t.Fatal(err) // the record is still in the buffer
	}
	if err := w.Close(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestFileManager reads and writes forty streams through few files.
func TestFileManager(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	for _, files := range []int{1, 3} {
		for _, level := range []int{0, 4} {
			manager := NewFileManager(files)
			w := NewWriter(stub, 0, manager)
			w.SetCompression(level)
			w.SetBufferSizes(600)
			for i := range uint64(20_000) {
				if err := w.WriteEnter(i+1, uint32(i), uint32(i%40)+1, 0); err != nil {
					t.Fatal(err)
				}
				if manager.Open() > files {
					t.Fatalf("%d files are open", manager.Open())
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := OpenReader(stub, manager)
			if err != nil {
				t.Fatal(err)
			}
			next := uint64(0)
			n, err := r.ReadEvents(&HandlerArray{Enter: func(time uint64, _, _, _ uint32) error {
				if next++; time != next || manager.Open() > files {
					return errors.New("order or files")
				}
				return nil
			}})
			if n != 20_000 || err != nil {
				t.Errorf("%d files, level %d: %d records, %v", files, level, n, err)
			}
			if err := r.Close(); err != nil || manager.Open() != 0 {
				t.Error(err, manager.Open())
			}
			for _, f := range must(filepath.Glob(stub + "*")) {
				os.Remove(f)
			}
		}
	}
}

func must(files []string, _ error) []string { return files }

// TestMergeDefinitions checks that definitions of streams become global, and that a stream that
// contradicts itself is refused.
func TestMergeDefinitions(t *testing.T) {
	manager := NewFileManager(10)
	dir := t.TempDir()
	merged := filepath.Join(dir, "merged")
	if err := Merge("testdata/samples/core_short", merged, manager,
		MergeOptions{Streams: 1}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(merged + ".0.def")
	if err != nil || !strings.HasSuffix(string(got),
		"DF384Gc8NM\"local_in_stream_2\"\nDCMT\"local comment of stream 1a\"\n") {
		t.Errorf("%s, %v", got, err)
	}
	for local, wrong := range map[string]string{
		`DF1G0NM"main"`: "", `DF1G0NM"other"`: "", `DF2G0NM"other"`: "",
		"DF2G0NM\"a\"\nDF2G0NM\"b\"": "stream 2 defines DefFunction 2 twice",
		"DTR3e8":                     "streams of different clocks",
	} {
		stub := filepath.Join(dir, "t")
		writeFiles(t, stub, map[string]string{
			"otf": "1:1\n2:2\n", "1.events": "1\n*1\nE1\n", "2.events": "1\n*2\nE1\n",
			"0.def": "DTR64\nDF1G0NM\"main\"\n", "2.def": local + "\n",
		})
		err := Merge(stub, filepath.Join(dir, "m"), manager, MergeOptions{Streams: 1})
		if wrong == "" && err != nil || wrong != "" && (err == nil ||
			!strings.Contains(err.Error(), "t.2.def: ") || !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%q: %v", local, err)
		}
	}
}

// TestMergeKeepsRecords merges random traces to other numbers of streams. The records of each
// process must stay, in their order.
func TestMergeKeepsRecords(t *testing.T) {
	perProcess := func(stub string) map[string]string {
		out := map[string]string{}
		for line := range strings.SplitSeq(dump(t, stub, nil), "\n") {
			process := ""
			for word := range strings.FieldsSeq(line) {
				if strings.HasPrefix(word, "proc=") || strings.HasPrefix(word, "sender=") &&
					!strings.HasPrefix(line, "Recv") || strings.HasPrefix(word, "receiver=") &&
					strings.HasPrefix(line, "Recv") {
					process = word[strings.IndexByte(word, '=')+1:]
				}
			}
			out[process] += line + "\n"
		}
		return out
	}
	for _, sample := range []string{"core_short", "ext_short"} {
		from := filepath.Join("testdata/samples", sample)
		want := perProcess(from)
		for _, streams := range []uint32{1, 2, 0} {
			to := filepath.Join(t.TempDir(), "t")
			if err := Merge(from, to, NewFileManager(3),
				MergeOptions{Streams: streams, Level: int(streams) * 2}); err != nil {
				t.Fatal(err)
			}
			got := perProcess(to)
			for _, process := range []string{"1", "2", "3", "27"} {
				if got[process] != want[process] {
					t.Errorf("%s to %d streams, process %s: %s", sample, streams, process,
						firstDifference(got[process], want[process]))
				}
			}
		}
	}
}
