package sampling

// operand is how an instruction finds the memory that it reads or writes.
type operand struct {
	base, index int8 // registers in the order of sampled ones; negative: none
	scale       uint8
	shift       int64
	relative    bool  // to the address of the next instruction
	size        uint8 // bytes; 0: unknown
	write       bool
}

// address returns what the operand refers to, given the registers and the address of the next
// instruction.
func (o operand) address(registers []uint64, next uint64) uint64 {
	a := uint64(o.shift)
	if o.relative {
		a += next
	}
	if o.base >= 0 {
		a += registers[o.base]
	}
	if o.index >= 0 {
		a += registers[o.index] * uint64(o.scale)
	}
	return a
}

// uses returns the registers that the address depends on.
func (o operand) uses() (set uint32) {
	for _, r := range []int8{o.base, o.index} {
		if r >= 0 {
			set |= 1 << r
		}
	}
	return set
}

// place returns the operand as one that is relative to no instruction, without what is done there.
// next is where the next instruction is.
func (o operand) place(next int) operand {
	if o.relative {
		o.shift += int64(next)
	}
	o.size, o.write = 0, false
	return o
}

// instruction is what is known of an instruction.
type instruction struct {
	length  int // 0: nothing is known
	memory  bool
	operand        // if it reads or writes memory
	changes uint32 // registers
	jumps   bool   // or may jump, by so many bytes
	by      int
	goesOn  bool // with the next instruction, unless it jumps
}

const allRegisters = ^uint32(0)

// decoded is the access of the code at a place.
type decoded struct {
	operand
	known bool
	next  int64 // address of the next instruction, relative to the place
}
