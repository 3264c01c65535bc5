package otf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dump reads a complete trace and returns a line per record, as the C oracle prints them
// (testdata/c/dump.c).
func dump(t testing.TB, name string, prepare func(*Reader)) string {
	t.Helper()
	return dumpAll(t, name, prepare, 0, false)
}

// dumpUnsorted does the same, with the events stream by stream.
func dumpUnsorted(t testing.TB, name string) string {
	t.Helper()
	return dumpAll(t, name, nil, 0, true)
}

// dumpLimited does the same, in calls of at most limit records.
func dumpLimited(t testing.TB, name string, limit uint64) string {
	t.Helper()
	return dumpAll(t, name, nil, limit, false)
}

func dumpAll(t testing.TB, name string, prepare func(*Reader), limit uint64, unsorted bool) string {
	t.Helper()
	r, err := OpenReader(name, NewFileManager(100))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if prepare != nil {
		prepare(r)
	}
	r.SetRecordLimit(limit)
	var b strings.Builder
	h := &HandlerArray{Any: func(r *Record) error {
		if r.Type != UnknownRecord && r.Type != DefUniqueIdRecord {
			b.Write(append(r.AppendText(nil), '\n'))
		}
		return nil
	}}
	events := r.ReadEvents
	if unsorted {
		events = r.ReadEventsUnsorted
	}
	for _, pass := range []struct {
		name string
		read func(*HandlerArray) (uint64, error)
	}{{"readDefinitions", r.ReadDefinitions}, {"readEvents", events}, {
		"readSnapshots",
		r.ReadSnapshots,
	}, {"readStatistics", r.ReadStatistics}} {
		for n := limit; n == limit; {
			if n, err = pass.read(h); err != nil {
				t.Fatalf("%s: %s: %v", name, pass.name, err)
			}
			fmt.Fprintf(&b, "-- %s returned %d\n", pass.name, n)
			if limit == 0 {
				break
			}
		}
	}
	return b.String()
}

// TestSamples reads traces of every record type, written by the C library. The table lacks the
// additional records of version 1.12 in ext_*, so these are only counted.
func TestSamples(t *testing.T) {
	for _, sample := range []string{"core_short", "core_long", "core_z", "ext_short", "ext_long"} {
		want, err := os.ReadFile(filepath.Join("testdata/samples", sample+".oracle.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if got := dump(t, filepath.Join("testdata/samples", sample), nil); got != string(want) {
			t.Errorf("%s: %s", sample, firstDifference(got, string(want)))
		}
	}
	if short, packed := dump(t, "testdata/samples/ext_short", nil),
		dump(t, "testdata/samples/ext_z", nil); short != packed {
		t.Error(firstDifference(packed, short))
	}
}

// firstDifference returns the first difference of two texts.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// TestSamplesCopied writes each sample again through the copy handlers, which must restore the
// files byte for byte.
func TestSamplesCopied(t *testing.T) {
	for _, c := range []struct {
		sample string
		format Format
	}{{"core_short", FormatShort}, {"core_long", FormatLong}, {"ext_short", FormatShort}} {
		dir := t.TempDir()
		copyTrace(t, filepath.Join("testdata/samples", c.sample), filepath.Join(dir, c.sample),
			func(w *Writer) { w.SetFormat(c.format) })
		sameFiles(t, dir, "testdata/samples", c.sample)
	}
}

// copyTrace copies a trace with its mapping of processes to streams.
func copyTrace(t testing.TB, from, to string, prepare func(*Writer)) {
	t.Helper()
	copyThrough(t, NewFileManager(10), from, to, prepare)
}

func copyThrough(t testing.TB, manager *FileManager, from, to string, prepare func(*Writer)) {
	t.Helper()
	r, err := OpenReader(from, manager)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w := NewWriter(to, 0, manager)
	if prepare != nil {
		prepare(w)
	}
	for _, e := range r.MasterControl().Entries() {
		for _, p := range e.Processes {
			w.AssignProcess(p, e.Stream)
		}
	}
	h := CopyHandlers(w)
	h.DefUniqueId = func(_ uint32, id uint64) error { w.SetUniqueID(id); return nil }
	for _, read := range []func(*HandlerArray) (uint64, error){
		r.ReadDefinitions, r.ReadEvents,
		r.ReadSnapshots, r.ReadStatistics,
	} {
		if _, err := read(h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// sameFiles compares every file of a trace in dir with the one in reference. Unique numbers may
// differ.
func sameFiles(t testing.TB, dir, reference, name string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(reference, name+".*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of %s: %v", name, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".txt") || strings.HasSuffix(file, ".marker") {
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.Base(file)))
		if err != nil {
			t.Error(err)
			continue
		}
		if g, w := maskID(string(got)), maskID(string(want)); g != w {
			t.Errorf("%s: %s", filepath.Base(file), firstDifference(g, w))
		}
	}
	ours, _ := filepath.Glob(filepath.Join(dir, name+".*"))
	for _, file := range ours {
		if _, err := os.Stat(filepath.Join(reference, filepath.Base(file))); err != nil {
			t.Errorf("%s is too many", filepath.Base(file))
		}
	}
}

// maskID blanks the line of the unique number, which the C library chooses at random.
func maskID(text string) string {
	lines := strings.SplitAfterN(text, "\n", 3)
	if len(lines) == 3 &&
		(strings.HasPrefix(lines[1], "DUI") || strings.HasPrefix(lines[1], "DEFUNIQUEID")) {
		lines[1] = "unique number\n"
	}
	return strings.Join(lines, "")
}
