package unwind

import "math"

// Registers of amd64 by their numbers in DWARF. The return address is a register, too: of a frame
// it is the place in the code.
const (
	StackPointer  = 7
	ReturnAddress = 16

	rbx, rbp, r12, r15 = 3, 6, 12, 15
	numRegisters       = 17
)

// way is how a value of the caller is found.
type way uint8

const (
	unspecified  way = iota // the callee leaves it alone, if the ABI says so
	undefined               // it is lost; of the return address: there is no caller
	same                    // it is as it is
	inMemory                // at CFA+offset
	isSum                   // it is CFA+offset
	inRegister              // in another one; of the CFA: the register and the offset
	byPlace                 // an expression says where it is
	byExpression            // an expression gives it
)

// rule finds one value.
type rule struct {
	way        way
	register   uint64
	offset     int64
	expression []byte
}

// Row says how the caller's registers are found at a place. The CFA is the stack pointer before
// the call.
type Row struct {
	cfa       rule
	registers [numRegisters]rule
	signal    bool // the frame is the kernel's: the caller's place is no return address
	// deepest is the largest frame so far in this function, from the CFA down: what it has in
	// memory there and now below the stack pointer, it has popped.
	deepest int64
}

// Instructions of CFI. The upper two bits of a byte may hold the first three, and the lower six
// their operand.
const (
	advance         = 0x40
	offset          = 0x80
	restore         = 0xc0
	nothing         = 0x00
	setPlace        = 0x01
	advance1        = 0x02
	advance2        = 0x03
	advance4        = 0x04
	offsetExtended  = 0x05
	restoreExtended = 0x06
	isUndefined     = 0x07
	isSame          = 0x08
	isRegister      = 0x09
	rememberState   = 0x0a
	restoreState    = 0x0b
	defineCFA       = 0x0c
	defineRegister  = 0x0d
	defineOffset    = 0x0e
	defineByExpr    = 0x0f
	expression      = 0x10
	offsetSigned    = 0x11
	defineSigned    = 0x12
	defineOffsetSgn = 0x13
	valueOffset     = 0x14
	valueOffsetSgn  = 0x15
	valueExpression = 0x16
	argumentsSize   = 0x2e
	offsetNegative  = 0x2f
)

// program is the execution of instructions.
type program struct {
	*reader
	*common
	place      uint64 // up to which the row holds
	row        Row
	initial    Row // after the common instructions
	remembered []Row
	deepest    int64 // of all rows so far; restoring a row does not change it
}

// mostRemembered bounds the stack of rows.
const mostRemembered = 256

// row returns the row at an address of an entry; nil: the instructions are wrong.
func (t *Table) row(e *entry, address uint64) *Row {
	var found *Row
	ok := e.rows(func(from, to uint64, row *Row) bool {
		if address < from || address >= to {
			return true
		}
		if found = t.shared[from]; found == nil {
			one := *row
			found, t.shared[from] = &one, &one
		}
		return false
	})
	if !ok {
		return nil
	}
	return found
}

// rows calls each for each range of addresses with one row, until it returns false. The row is
// each's during the call only. rows returns false if the instructions are wrong.
func (e *entry) rows(each func(from, to uint64, row *Row) bool) bool {
	p := program{common: e.common, place: e.start}
	p.row.signal = e.common.signal
	p.reader = &reader{text: e.common.instructions, base: e.common.address}
	for p.at < len(p.text) {
		if to, ok := p.step(); !ok || to != p.place {
			return false
		}
	}
	p.initial = p.row
	p.reader = &reader{text: e.instructions, base: e.address}
	for p.at < len(p.text) {
		to, ok := p.step()
		if !ok || to < p.place {
			return false
		}
		if to == p.place {
			continue
		}
		p.deepen()
		if !each(p.place, min(to, e.end), &p.row) {
			return true
		}
		p.place = to
	}
	if p.deepen(); p.place < e.end {
		each(p.place, e.end, &p.row)
	}
	return true
}

// deepen sets deepest, before a row is given away.
func (p *program) deepen() {
	if c := &p.row.cfa; c.way == inRegister && c.register == StackPointer {
		p.deepest = max(p.deepest, c.offset)
	} else {
		p.deepest = math.MaxInt64
	}
	p.row.deepest = p.deepest
}

// step executes an instruction, and returns the place from which on the row no longer holds: the
// present place, but after an instruction that advances. It returns false for what is not known.
func (p *program) step() (place uint64, ok bool) {
	code := p.fixed(1)
	switch code & 0xc0 {
	case advance:
		return p.place + code&0x3f*p.codeAlign, !p.failed
	case offset:
		p.set(code&0x3f, rule{way: inMemory, offset: int64(p.unsigned()) * p.dataAlign})
		return p.place, !p.failed
	case restore:
		p.restore(code & 0x3f)
		return p.place, !p.failed
	}
	switch code {
	case nothing:
	case setPlace:
		return p.pointer(p.encoding), !p.failed
	case advance1:
		return p.place + p.fixed(1)*p.codeAlign, !p.failed
	case advance2:
		return p.place + p.fixed(2)*p.codeAlign, !p.failed
	case advance4:
		return p.place + p.fixed(4)*p.codeAlign, !p.failed
	case rememberState:
		if len(p.remembered) == mostRemembered {
			return 0, false
		}
		p.remembered = append(p.remembered, p.row)
	case restoreState:
		last := len(p.remembered) - 1
		if last < 0 {
			return 0, false
		}
		p.row, p.remembered = p.remembered[last], p.remembered[:last]
	case argumentsSize:
		p.unsigned()
	default:
		if !p.define(code) && !p.rule(code) {
			return 0, false
		}
	}
	return p.place, !p.failed
}

// define executes an instruction about the CFA. It returns false for any other.
func (p *program) define(code uint64) bool {
	cfa := &p.row.cfa
	switch code {
	case defineCFA:
		*cfa = rule{way: inRegister, register: p.unsigned(), offset: int64(p.unsigned())}
	case defineSigned:
		*cfa = rule{way: inRegister, register: p.unsigned(), offset: p.signed() * p.dataAlign}
	case defineRegister:
		cfa.register = p.unsigned()
	case defineOffset:
		cfa.offset = int64(p.unsigned())
	case defineOffsetSgn:
		cfa.offset = p.signed() * p.dataAlign
	case defineByExpr:
		*cfa = rule{way: byExpression, expression: p.block()}
	default:
		return false
	}
	return true
}

// rule executes an instruction about another register. It returns false for any other.
func (p *program) rule(code uint64) bool {
	if code < offsetExtended || code > valueExpression && code != offsetNegative {
		return false
	}
	register := p.unsigned()
	switch code {
	case offsetExtended:
		p.set(register, rule{way: inMemory, offset: int64(p.unsigned()) * p.dataAlign})
	case offsetNegative:
		p.set(register, rule{way: inMemory, offset: -int64(p.unsigned()) * p.dataAlign})
	case offsetSigned:
		p.set(register, rule{way: inMemory, offset: p.signed() * p.dataAlign})
	case restoreExtended:
		p.restore(register)
	case isUndefined:
		p.set(register, rule{way: undefined})
	case isSame:
		p.set(register, rule{way: same})
	case isRegister:
		p.set(register, rule{way: inRegister, register: p.unsigned()})
	case expression:
		p.set(register, rule{way: byPlace, expression: p.block()})
	case valueExpression:
		p.set(register, rule{way: byExpression, expression: p.block()})
	case valueOffset:
		p.set(register, rule{way: isSum, offset: int64(p.unsigned()) * p.dataAlign})
	case valueOffsetSgn:
		p.set(register, rule{way: isSum, offset: p.signed() * p.dataAlign})
	default:
		return false
	}
	return true
}

// set gives a register a rule. Those of vectors are of no use for finding callers.
func (p *program) set(register uint64, r rule) {
	if register < numRegisters {
		p.row.registers[register] = r
	}
}

func (p *program) restore(register uint64) {
	if register < numRegisters {
		p.row.registers[register] = p.initial.registers[register]
	}
}
