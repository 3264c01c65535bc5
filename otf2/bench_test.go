package otf2

import (
	"path/filepath"
	"testing"
)

// enters is how many Enter and Leave the benchmarks write and read.
const enters = 1 << 20

func writeEnters(b testing.TB, stub string) {
	w := NewWriter(stub)
	l := w.Location(0)
	time := uint64(1_700_000_000_000_000_000)
	for i := range uint32(enters / 2) {
		_ = l.WriteEnter(time, i&63)
		_ = l.WriteLeave(time+40, i&63)
		time += 100
	}
	if err := w.WriteLocation(0, 0, LocationTypeCpuThread, l.Events(), 0); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkWriteEnter(b *testing.B) {
	for b.Loop() {
		writeEnters(b, filepath.Join(b.TempDir(), "t"))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/enters, "ns/event")
}

func BenchmarkReadEnter(b *testing.B) {
	stub := filepath.Join(b.TempDir(), "t")
	writeEnters(b, stub)
	for b.Loop() {
		r, err := OpenReader(stub, 10)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		take := func(uint64, uint64, uint32) error { n++; return nil }
		if _, err := r.ReadEvents(&HandlerArray{Enter: take, Leave: take}); err != nil {
			b.Fatal(err)
		}
		if n != enters {
			b.Fatal(n)
		}
		r.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/enters, "ns/event")
}
