package otf2

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// dumpLine prints a record as testdata/c/dump.c does.
func dumpLine(r *Record) string {
	k := r.Type.Info()
	b := fmt.Sprintf("%s %d", k.Name, int64(r.Location))
	if k.Timed() {
		b += fmt.Sprintf(" %d", r.Time)
	}
	for _, f := range k.Fields {
		switch f.Wire {
		case Text:
			b += fmt.Sprintf(" %s=%x", f.Name, r.Texts[f.Slot])
		case Map:
			list := r.Lists[0]
			if r.Values[f.Slot] == MapDense {
				list = nil
				for i, v := range r.Lists[0] {
					list = append(list, uint64(i), v)
				}
			}
			b += fmt.Sprintf(" idMap=[%s]", commas(list))
			continue
		case List:
			for _, c := range f.Columns {
				b += fmt.Sprintf(" %s=[%s]", c.Name, commas(r.Lists[c.Slot]))
			}
		default:
			b += fmt.Sprintf(" %s=%d", f.Name, r.Values[f.Slot])
		}
	}
	for _, a := range r.Attributes {
		b += fmt.Sprintf(" {%d %d %d}", a.Attribute, a.Type, a.Value)
	}
	return b
}

func commas(list []uint64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// dumpOurs prints all that our reader delivers.
func dumpOurs(t testing.TB, path string) string {
	t.Helper()
	r, err := OpenReader(path, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b strings.Builder
	h := &HandlerArray{Any: func(r *Record) error {
		b.WriteString(dumpLine(r) + "\n")
		return nil
	}}
	for _, read := range []func(*HandlerArray) (uint64, error){
		r.ReadGlobalDefinitions, r.ReadLocalDefinitions, r.ReadEvents,
	} {
		if _, err := read(h); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestSameRecords reads random traces that the C library wrote with our reader and with the
// library's. Both must deliver the same.
func TestSameRecords(t *testing.T) {
	for seed := range expensive.Tries(uint64(30)) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		records := randomTrace(rnd, 1+rnd.IntN(5), 900, 1+rnd.Uint64N(1<<rnd.IntN(20)),
			allRecords)
		dir := t.TempDir()
		writeTheirs(t, dir, smallestChunk, records)
		path := filepath.Join(dir, "t.otf2")
		sameLines(t, dumpOurs(t, path), run(t, "", oracle(t, "dump"), path))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// sameLines compares texts and shows the first line that differs.
func sameLines(t testing.TB, ours, theirs string) {
	t.Helper()
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("line %d:\nours:   %.300s\ntheirs: %.300s", i+1, a[i], b[i])
			return
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d lines, theirs %d", len(a), len(b))
	}
}

// TestOlder reads definitions that lack the fields of later versions, as an older library wrote
// them. The C library reads the same.
func TestOlder(t *testing.T) {
	dir := t.TempDir()
	l := record(LocationRecord.Info(), Undefined, 0)
	l.Values = [maxValues]uint64{0, 0, 1, 0, 0}
	writeTheirs(t, dir, smallestChunk, []*Record{
		l, record(EnterRecord.Info(), 0, 1), record(StringRecord.Info(), 0, 0),
	})
	text := []byte{chunkHeader, littleEndian}
	text = append(text, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for _, r := range [][]byte{
		{5, 1, 9, 1, 1, 1, 2},         // ClockProperties without a date
		{11, 0, 0, 4},                 // Attribute without a description
		{13, 0, 0, 1, 0xff},           // LocationGroup without a creator
		{14, 0, 0, 1, 0, 0},           // Location, which is complete
		{20, 0, 2, 1, 1, 1, 2, 1},     // MetricClass without a kind of recorder
		{22, 0, 0, 0, 0xff},           // Comm without flags
		{24, 0, 0, 0},                 // RmaWin without flags
		{12, 0, 0, 0, 0xff, 1, 77, 1}, // SystemTreeNode with more than is known
	} {
		text = append(append(text, r[0], byte(len(r)-1)), r[1:]...)
	}
	text = append(text, endOfFile, endOfBuffer)
	if err := os.WriteFile(filepath.Join(dir, "t.def"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "t.otf2")
	ours, theirs := dumpOurs(t, path), run(t, "", oracle(t, "dump"), path)
	sameLines(t, ours, theirs)
	if n := strings.Count(ours, "\n"); n != 8+2 {
		t.Errorf("%d records:\n%s", n, ours)
	}
}
