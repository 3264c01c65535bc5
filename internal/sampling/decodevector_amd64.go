package sampling

import (
	"encoding/binary"
	"slices"
)

// Opcodes of vector instructions that store, in the maps 0F and 0F3A.
var (
	stores      = []byte{0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0xd6, 0xe7}
	extracts    = []byte{0x14, 0x15, 0x16, 0x17, 0x19, 0x1b, 0x1d, 0x39, 0x3b}
	immediates  = []byte{0x70, 0x71, 0x72, 0x73, 0xc2, 0xc4, 0xc5, 0xc6} // in the map 0F
	toGeneral   = []byte{0x2c, 0x2d, 0x50, 0x7e, 0x93, 0xc5, 0xd7}
	wholeVector = []byte{0x10, 0x11, 0x28, 0x29, 0x2b, 0x6f, 0x7f, 0xe7} // of the map 0F
)

// vector is the prefix of an instruction of AVX or AVX-512.
type vector struct {
	length      int // of the prefix
	table       byte
	mandatory   byte // 0: none, 1: 66, 2: F3, 3: F2
	wide        bool
	bytes       int   // of its registers
	base, index uint8 // upper bits of the registers' numbers
	compressed  bool  // short distances count in units of the operand's size
}

func prefixOf(code []byte) (v vector, ok bool) {
	switch {
	case code[0] == 0xc5 && len(code) > 1:
		p := code[1]
		return vector{length: 2, table: 1, mandatory: p & 3, bytes: 16 << (p >> 2 & 1)}, true
	case code[0] == 0xc4 && len(code) > 2:
		p, q := code[1], code[2]
		return vector{
			length: 3, table: p & 31, mandatory: q & 3, wide: q>>7 != 0, bytes: 16 << (q >> 2 & 1),
			base: ^p >> 5 & 1, index: ^p >> 6 & 1,
		}, true
	case code[0] == 0x62 && len(code) > 3:
		p, q, r := code[1], code[2], code[3]
		return vector{
			length: 4, table: p & 7, mandatory: q & 3, wide: q>>7 != 0, bytes: 16 << (r >> 5 & 3),
			base: ^p >> 5 & 1, index: ^p >> 6 & 1, compressed: true,
		}, q&4 != 0 && p&8 == 0
	}
	return v, false
}

// decodeVector is decode for instructions of AVX and AVX-512, which x86asm does not know. It leaves
// out operands of many addresses, and takes rare stores for loads. Those that change general
// registers read no memory, or are BMI's.
func decodeVector(code []byte) instruction {
	v, ok := prefixOf(code)
	if !ok || v.table == 0 || v.table > 3 || len(code) <= v.length {
		return instruction{}
	}
	opcode, at := code[v.length], v.length+1
	if v.table == 1 && opcode == 0x77 {
		return instruction{length: at, goesOn: true}
	}
	if len(code) <= at {
		return instruction{}
	}
	o, size, inMemory, known := v.operand(code[at:])
	if size == 0 {
		return instruction{}
	}
	is := instruction{length: at + size, operand: o, goesOn: true}
	if v.table == 3 || v.table == 1 && slices.Contains(immediates, opcode) {
		is.length++
	}
	if is.length > len(code) {
		return instruction{}
	}
	general := v.table == 2 && opcode >= 0xf0 || v.table == 3 && opcode == 0xf0
	moves := v.table == 1 && slices.Contains(toGeneral, opcode) ||
		v.table == 3 && slices.Contains(extracts, opcode)
	if general || moves && !inMemory {
		is.changes = allRegisters
	}
	gathers := v.table == 2 && (opcode>>2 == 0x90>>2 || opcode>>2 == 0xa0>>2)
	is.memory = inMemory && known && !gathers
	is.write = v.table == 1 && slices.Contains(stores, opcode) &&
		(opcode != 0x7e || v.mandatory == 1) || v.table == 3 && slices.Contains(extracts, opcode)
	if v.table == 1 {
		is.size = v.size(opcode)
	}
	return is
}

// size returns the bytes of an operand of the map 0F.
func (v vector) size(opcode byte) uint8 {
	packed := v.mandatory < 2
	switch {
	case slices.Contains(wholeVector, opcode) && (packed || opcode == 0x6f || opcode == 0x7f):
		return uint8(v.bytes)
	case opcode == 0x12, opcode == 0x13, opcode == 0x16, opcode == 0x17, opcode == 0xd6,
		v.mandatory == 3, opcode == 0x7e && v.mandatory == 2:
		return 8
	case v.mandatory == 2:
		return 4
	case opcode == 0x6e, opcode == 0x7e:
		if v.wide {
			return 8
		}
		return 4
	}
	return uint8(v.bytes)
}

// operand reads the bytes that name an operand. size is how many they are, 0 if some are missing;
// known says that its address can be computed.
func (v vector) operand(b []byte) (o operand, size int, inMemory, known bool) {
	o = operand{base: -1, index: -1}
	mode, register := b[0]>>6, b[0]&7
	if mode == 3 {
		return o, 1, false, false
	}
	size = 1
	if register == 4 {
		if len(b) < 2 {
			return o, 0, true, false
		}
		size, register = 2, b[1]&7
		if i := b[1]>>3&7 | v.index<<3; i != 4 {
			o.index, o.scale = order[i], 1<<(b[1]>>6)
		}
	}
	distance := [3]int{0, 1, 4}[mode]
	if mode == 0 && register == 5 {
		o.relative, distance = size == 1, 4
	} else {
		o.base = order[register|v.base<<3]
	}
	if len(b) < size+distance {
		return o, 0, true, false
	}
	known = true
	switch distance {
	case 1:
		o.shift = int64(int8(b[size]))
		known = !v.compressed || o.shift == 0
	case 4:
		o.shift = int64(int32(binary.LittleEndian.Uint32(b[size:])))
	}
	return o, size + distance, true, known
}
