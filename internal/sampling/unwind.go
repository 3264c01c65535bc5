package sampling

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"strings"

	"opari/internal/unwind"
)

// unwound returns the places of a sample's frames by call frame information; nil: the sample has no
// copy of its stack, or the code where the thread stands has no such information.
func (f *follower) unwound(p *process, place uint64, s taken) []unwind.Place {
	if s.stack == nil {
		return nil
	}
	var frame unwind.Frame
	for i, at := range inDWARF {
		frame.Registers[i] = s.registers[at]
	}
	frame.Registers[unwind.ReturnAddress] = place
	find := func(address uint64) *unwind.Row { return f.stacks.row(p, address) }
	memory := unwind.Memory{From: frame.Registers[unwind.StackPointer], Text: s.stack}
	var complete bool
	f.places, complete = unwind.Walk(frame, memory, find, f.places[:0], stackMost)
	if !complete {
		f.cut++
	}
	if len(f.places) == 1 && !complete {
		return nil
	}
	return f.places
}

// row returns what is known of the frames of code at an address; nil: nothing.
func (s *stacks) row(p *process, address uint64) *unwind.Row {
	place := p.find(address)
	if place.File < 0 {
		if address < p.vdso.from || address >= p.vdso.to {
			return nil
		}
		place.Offset = address - p.vdso.from
	}
	t, known := s.tables[place.File]
	if !known {
		if place.File < 0 {
			t, _ = vdsoTable()
		} else {
			t, _ = unwind.Open(s.files[place.File])
		}
		s.tables[place.File] = t
	}
	if t == nil {
		return nil
	}
	linked, ok := t.Address(place.Offset)
	if !ok {
		return nil
	}
	return t.At(linked)
}

// vdsoName is what the kernel calls its own code in programs.
const vdsoName = "[vdso]"

// vdsoTable reads the table of the kernel's own code in this process, which other programs have as
// well.
func vdsoTable() (*unwind.Table, error) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		if !strings.HasSuffix(strings.TrimSpace(line), vdsoName) {
			continue
		}
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
			return nil, err
		}
		memory, err := os.Open("/proc/self/mem")
		if err != nil {
			return nil, err
		}
		defer memory.Close()
		image := make([]byte, to-from)
		if _, err := memory.ReadAt(image, from); err != nil {
			return nil, err
		}
		file, err := elf.NewFile(bytes.NewReader(image))
		if err != nil {
			return nil, err
		}
		return unwind.New(file)
	}
	return nil, os.ErrNotExist
}
