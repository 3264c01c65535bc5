package unwind

import "encoding/binary"

// Memory is a copy of a part of a stack.
type Memory struct {
	From uint64 // its address
	Text []byte
}

// word returns the 8 bytes at an address.
func (m Memory) word(address uint64) (uint64, bool) {
	at := address - m.From
	if address < m.From || uint64(len(m.Text)) < 8 || at > uint64(len(m.Text)-8) {
		return 0, false
	}
	return binary.LittleEndian.Uint64(m.Text[at:]), true
}

// Frame is where a thread stands in a function: its registers by DWARF's numbers, of which the
// last one is the place in the code.
type Frame struct {
	Registers [numRegisters]uint64
	lost      uint32 // registers whose values are unknown
}

// Place returns the address of the code.
func (f *Frame) Place() uint64 { return f.Registers[ReturnAddress] }

func (f *Frame) register(number uint64) (uint64, bool) {
	if number >= numRegisters || f.lost>>number&1 != 0 {
		return 0, false
	}
	return f.Registers[number], true
}

// Place is where a frame stands. Of a frame that has called the one before, that is the return
// address: the call lies before it. Else the kernel has interrupted the code there.
type Place struct {
	Address uint64
	Return  bool
}

// Walk returns the places of a thread's frames, the innermost first, and whether they are all of
// them, so that the last one has no caller. It appends them to places, which get at most most. find
// returns the row for an address in the code; nil: there is none.
func Walk(f Frame, m Memory, find func(address uint64) *Row, places []Place, most int) (
	all []Place, complete bool,
) {
	called := false
	for len(places) < most {
		places = append(places, Place{f.Place(), called})
		at := f.Place()
		if called {
			at--
		}
		row := find(at)
		if row == nil {
			return places, false
		}
		caller, end, ok := row.caller(&f, m)
		if end {
			return places, true
		}
		if !ok || !row.signal && caller.Registers[StackPointer] <= f.Registers[StackPointer] {
			return places, false
		}
		f, called = caller, !row.signal
	}
	return places, false
}

// kept are the registers that a function leaves alone, unless its row says where they are.
const kept = 1<<rbx | 1<<rbp | 1<<r12 | 1<<(r12+1) | 1<<(r12+2) | 1<<r15

// caller returns the caller's frame, or that there is none. It returns false if that frame cannot
// be found.
func (r *Row) caller(f *Frame, m Memory) (caller Frame, end, ok bool) {
	if r.registers[ReturnAddress].way == undefined {
		return caller, true, true
	}
	cfa, ok := r.findCFA(f, m)
	if !ok {
		return caller, false, false
	}
	for n := range r.registers {
		v, found := r.find(n, cfa, f, m)
		if !found {
			caller.lost |= 1 << n
		}
		caller.Registers[n] = v
	}
	const needed = 1<<ReturnAddress | 1<<StackPointer
	if caller.lost&needed != 0 {
		return caller, false, false
	}
	return caller, caller.Place() == 0, true
}

func (r *Row) findCFA(f *Frame, m Memory) (uint64, bool) {
	switch r.cfa.way {
	case inRegister:
		v, ok := f.register(r.cfa.register)
		return v + uint64(r.cfa.offset), ok
	case byExpression:
		return f.evaluate(m, r.cfa.expression)
	}
	return 0, false
}

// find returns the caller's value of a register.
func (r *Row) find(n int, cfa uint64, f *Frame, m Memory) (uint64, bool) {
	q := &r.registers[n]
	switch q.way {
	case same:
		return f.register(uint64(n))
	case inMemory:
		place := cfa + uint64(q.offset)
		if place < f.Registers[StackPointer] && -q.offset <= r.deepest && kept>>n&1 != 0 {
			return f.register(uint64(n)) // compilers do not say that it is back in its register
		}
		return m.word(place)
	case isSum:
		return cfa + uint64(q.offset), true
	case inRegister:
		return f.register(q.register)
	case byPlace:
		place, ok := f.evaluate(m, q.expression, cfa)
		if !ok {
			return 0, false
		}
		return m.word(place)
	case byExpression:
		return f.evaluate(m, q.expression, cfa)
	case unspecified:
		if n == StackPointer {
			return cfa, true
		}
		if kept>>n&1 != 0 {
			return f.register(uint64(n))
		}
	}
	return 0, false
}
