package unwind

import (
	"debug/elf"
	"testing"
)

// FuzzTable reads any section, and walks with its rows. Nothing may crash or go on for ever.
func FuzzTable(f *testing.F) {
	for _, path := range []string{"/bin/sh", "/proc/self/exe"} {
		if file, err := elf.Open(path); err == nil {
			if s := file.Section(".eh_frame"); s != nil {
				if text, err := s.Data(); err == nil {
					f.Add(text[:min(len(text), 2000)])
				}
			}
			_ = file.Close()
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		table := newTable(text, 0x1000)
		for i := range table.entries {
			e := &table.entries[i]
			for place := e.start; place < e.end && place < e.start+20; place++ {
				row := table.At(place)
				if row == nil {
					continue
				}
				var frame Frame
				frame.Registers[StackPointer] = 0x2000
				frame.Registers[ReturnAddress] = place
				m := Memory{0x2000, text[:min(len(text), 512)]}
				if all, _ := Walk(frame, m, table.At, nil, 96); len(all) > 96 {
					t.Fatalf("%d frames", len(all))
				}
			}
		}
	})
}

// TestTable checks that a file without a table is told from one with a table.
func TestTable(t *testing.T) {
	if _, err := Open("table_test.go"); err == nil {
		t.Error("a text has call frame information")
	}
	if _, err := Open("nothing"); err == nil {
		t.Error("no file has call frame information")
	}
	table, err := Open(compiled(t, "callers.c"))
	if err != nil {
		t.Fatal(err)
	}
	if row := table.At(0); row != nil {
		t.Errorf("there is code at 0: %+v", row)
	}
	if _, ok := table.Address(1 << 40); ok {
		t.Error("an offset behind the end of the file has an address")
	}
}
