package otf

import (
	"path/filepath"
	"testing"
)

// writeMany writes enters and leaves of processes in turn, each with a stream of its own.
func writeMany(t testing.TB, stub string, processes uint32, events int, prepare func(*Writer)) {
	t.Helper()
	w := NewWriter(stub, 0, NewFileManager(100))
	if prepare != nil {
		prepare(w)
	}
	time := uint64(1_000_000_000)
	for i := range events / 2 {
		p, f := uint32(i)%processes+1, uint32(i)%100+1
		time += 700 + uint64(i)%7
		if err := w.WriteEnter(time, f, p, 0); err != nil {
			t.Fatal(err)
		}
		time += 300
		if err := w.WriteLeave(time, f, p, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, streams := range []uint32{1, 4} {
		b.Run(map[uint32]string{1: "1", 4: "4"}[streams], func(b *testing.B) {
			writeMany(b, filepath.Join(b.TempDir(), "t"), streams, b.N, nil)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, streams := range []uint32{1, 4} {
		b.Run(map[uint32]string{1: "1", 4: "4"}[streams], func(b *testing.B) {
			stub := filepath.Join(b.TempDir(), "t")
			writeMany(b, stub, streams, max(b.N, 2), nil)
			b.ResetTimer()
			r, err := OpenReader(stub, NewFileManager(10))
			if err != nil {
				b.Fatal(err)
			}
			count := 0
			event := func(uint64, uint32, uint32, uint32) error { count++; return nil }
			if _, err := r.ReadEvents(&HandlerArray{Enter: event, Leave: event}); err != nil ||
				count < b.N-1 {
				b.Fatal(count, err)
			}
		})
	}
}
