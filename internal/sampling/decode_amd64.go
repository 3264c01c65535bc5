package sampling

import (
	"slices"

	"golang.org/x/arch/x86/x86asm"
)

// sampledRegisters are the bits of the kernel's registers that a sample has, which is all but
// those of segments and flags. In this order: ax, bx, cx, dx, si, di, bp, sp, r8 to r15.
const sampledRegisters = 0xff00ff

// order has the place of a register, by its number in instructions, among the sampled ones.
var order = [16]int8{0, 2, 3, 1, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}

// Unwinds says that callers can be found without frame pointers.
const Unwinds = true

// inDWARF has the place of a register, by its number in DWARF, among the sampled ones.
var inDWARF = [16]int8{0, 3, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// noAccess are instructions whose operand in memory is not read or written.
var noAccess = []x86asm.Op{
	x86asm.LEA, x86asm.NOP, x86asm.PREFETCHNTA, x86asm.PREFETCHT0, x86asm.PREFETCHT1,
	x86asm.PREFETCHT2, x86asm.PREFETCHW, x86asm.CLFLUSH,
}

// onlyRead are instructions whose first operand is read, and not written.
var onlyRead = []x86asm.Op{
	x86asm.CMP, x86asm.TEST, x86asm.PUSH, x86asm.CALL, x86asm.JMP, x86asm.BT, x86asm.MUL,
	x86asm.IMUL, x86asm.DIV, x86asm.IDIV, x86asm.LDMXCSR, x86asm.FLD, x86asm.FILD, x86asm.FLDCW,
	x86asm.FADD, x86asm.FMUL, x86asm.FSUB, x86asm.FSUBR, x86asm.FDIV, x86asm.FDIVR, x86asm.FIADD,
	x86asm.FIMUL, x86asm.FISUB, x86asm.FISUBR, x86asm.FIDIV, x86asm.FIDIVR, x86asm.FICOM,
	x86asm.FICOMP, x86asm.FCOM, x86asm.FCOMP, x86asm.SCASB, x86asm.SCASW, x86asm.SCASD,
	x86asm.SCASQ, x86asm.CMPSB, x86asm.CMPSW, x86asm.CMPSD, x86asm.CMPSQ,
}

// both are instructions that write their first two operands, and may change rax.
var both = []x86asm.Op{x86asm.XCHG, x86asm.XADD, x86asm.CMPXCHG}

// none are instructions that change no register.
var none = []x86asm.Op{x86asm.CMP, x86asm.TEST, x86asm.BT, x86asm.NOP}

// first are instructions that change at most the register that is their first operand.
var first = []x86asm.Op{
	x86asm.MOV, x86asm.MOVZX, x86asm.MOVSX, x86asm.MOVSXD, x86asm.LEA, x86asm.ADD, x86asm.SUB,
	x86asm.AND, x86asm.OR, x86asm.XOR, x86asm.INC, x86asm.DEC, x86asm.NEG, x86asm.NOT, x86asm.ADC,
	x86asm.SBB, x86asm.SHL, x86asm.SHR, x86asm.SAR,
}

// decode returns what is known of the instruction that the code begins with.
func decode(code []byte) instruction {
	if len(code) > 0 && (code[0] == 0xc4 || code[0] == 0xc5 || code[0] == 0x62) {
		return decodeVector(code)
	}
	i, err := x86asm.Decode(code, 64)
	if err != nil {
		return instruction{}
	}
	is := instruction{length: i.Len, changes: changes(i)}
	if to, jumps := i.Args[0].(x86asm.Rel); jumps {
		is.jumps, is.by = true, i.Len+int(to)
		is.goesOn = i.Op != x86asm.JMP && i.Op != x86asm.CALL
		return is
	}
	is.goesOn = i.Op != x86asm.RET && i.Op != x86asm.JMP && i.Op != x86asm.CALL
	if i.MemBytes == 0 || slices.Contains(noAccess, i.Op) {
		return is
	}
	for n, argument := range i.Args {
		m, inMemory := argument.(x86asm.Mem)
		if !inMemory {
			continue
		}
		is.operand, is.memory = operandOf(m)
		is.size = uint8(min(i.MemBytes, 255))
		is.write = n == 0 && !slices.Contains(onlyRead, i.Op) || slices.Contains(both, i.Op)
		break
	}
	return is
}

// changes returns the sampled registers that an instruction changes.
func changes(i x86asm.Inst) uint32 {
	switch _, jumps := i.Args[0].(x86asm.Rel); {
	case jumps || slices.Contains(none, i.Op):
		return 0
	case slices.Contains(both, i.Op):
		return bit(i.Args[0]) | bit(i.Args[1]) | 1
	case slices.Contains(first, i.Op):
		return bit(i.Args[0])
	case isVector(i.Args[0]):
		return 0
	case isVector(i.Args[1]) && bit(i.Args[0]) == 0:
		return 0
	}
	return allRegisters
}

func isVector(a x86asm.Arg) bool {
	r, is := a.(x86asm.Reg)
	return is && r >= x86asm.X0 && r <= x86asm.X15
}

// bit returns the bit of a general register, of any width, among the sampled ones; 0 for an operand
// that is in memory, and all bits for any other.
func bit(a x86asm.Arg) uint32 {
	if _, inMemory := a.(x86asm.Mem); inMemory {
		return 0
	}
	r, _ := a.(x86asm.Reg)
	for _, row := range [][3]x86asm.Reg{
		{x86asm.RAX, x86asm.R15, 0},
		{x86asm.EAX, x86asm.R15L, 0},
		{x86asm.AX, x86asm.R15W, 0},
		{x86asm.AL, x86asm.BL, 0},
		{x86asm.AH, x86asm.BH, 0},
		{x86asm.SPB, x86asm.R15B, 4},
	} {
		if r >= row[0] && r <= row[1] {
			return 1 << order[r-row[0]+row[2]]
		}
	}
	return allRegisters
}

// operandOf returns how an operand's address is computed. The bases of FS and GS, by which a
// thread finds its own variables, are not known.
func operandOf(m x86asm.Mem) (o operand, ok bool) {
	o = operand{base: -1, index: -1, scale: m.Scale, shift: m.Disp}
	if m.Segment == x86asm.FS || m.Segment == x86asm.GS {
		return o, false
	}
	switch {
	case m.Base == x86asm.RIP:
		o.relative = true
	case m.Base >= x86asm.RAX && m.Base <= x86asm.R15:
		o.base = order[m.Base-x86asm.RAX]
	case m.Base != 0:
		return o, false
	}
	if m.Index != 0 {
		if m.Index < x86asm.RAX || m.Index > x86asm.R15 {
			return o, false
		}
		o.index = order[m.Index-x86asm.RAX]
	}
	return o, true
}
