package otf2

import (
	"fmt"
	"math/rand/v2"
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
