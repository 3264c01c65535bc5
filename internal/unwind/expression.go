package unwind

// Operations of expressions, as far as CFI uses them.
const (
	opDeref     = 0x06
	opConst1u   = 0x08
	opConst1s   = 0x09
	opConst2u   = 0x0a
	opConst2s   = 0x0b
	opConst4u   = 0x0c
	opConst4s   = 0x0d
	opConst8u   = 0x0e
	opConst8s   = 0x0f
	opConstu    = 0x10
	opConsts    = 0x11
	opDup       = 0x12
	opDrop      = 0x13
	opOver      = 0x14
	opSwap      = 0x16
	opAnd       = 0x1a
	opMinus     = 0x1c
	opMul       = 0x1e
	opNeg       = 0x1f
	opOr        = 0x21
	opPlus      = 0x22
	opPlusConst = 0x23
	opShl       = 0x24
	opShr       = 0x25
	opEq        = 0x29
	opGe        = 0x2a
	opGt        = 0x2b
	opLe        = 0x2c
	opLt        = 0x2d
	opNe        = 0x2e
	opLit0      = 0x30
	opLit31     = 0x4f
	opBreg0     = 0x70
	opBreg16    = 0x80
	opBregx     = 0x92
	opNop       = 0x96
)

// mostOnStack bounds what an expression has on its stack. No operation that is known jumps, so the
// length of the text bounds the rest.
const mostOnStack = 64

// machine evaluates an expression.
type machine struct {
	*reader
	frame  *Frame
	memory Memory
	stack  []uint64
}

// evaluate returns the value of an expression. The stack begins with a value, if there is one.
func (f *Frame) evaluate(m Memory, text []byte, begin ...uint64) (uint64, bool) {
	e := machine{reader: &reader{text: text}, frame: f, memory: m}
	e.stack = append(make([]uint64, 0, 8), begin...)
	for e.at < len(e.text) {
		if !e.operate(e.fixed(1)) || e.failed || len(e.stack) > mostOnStack {
			return 0, false
		}
	}
	return e.pop(), !e.failed
}

func (e *machine) push(v uint64) { e.stack = append(e.stack, v) }

func (e *machine) pop() uint64 {
	last := len(e.stack) - 1
	if last < 0 {
		e.failed = true
		return 0
	}
	v := e.stack[last]
	e.stack = e.stack[:last]
	return v
}

// operate executes an operation. It returns false for one that is not known.
func (e *machine) operate(op uint64) bool {
	switch {
	case op >= opLit0 && op <= opLit31:
		e.push(op - opLit0)
	case op >= opBreg0 && op <= opBreg16:
		e.register(op - opBreg0)
	case op == opBregx:
		e.register(e.unsigned())
	case op == opNop:
	case op == opDeref:
		v, ok := e.memory.word(e.pop())
		e.failed = e.failed || !ok
		e.push(v)
	case op == opDrop:
		e.pop()
	case op == opDup:
		v := e.pop()
		e.push(v)
		e.push(v)
	case op == opOver:
		b, a := e.pop(), e.pop()
		e.stack = append(e.stack, a, b, a)
	case op == opSwap:
		b, a := e.pop(), e.pop()
		e.stack = append(e.stack, b, a)
	case op == opNeg:
		e.push(-e.pop())
	case op == opPlusConst:
		e.push(e.pop() + e.unsigned())
	default:
		return e.constant(op) || e.combine(op)
	}
	return true
}

// register pushes the sum of a register and a number.
func (e *machine) register(number uint64) {
	v, ok := e.frame.register(number)
	e.failed = e.failed || !ok
	e.push(v + uint64(e.signed()))
}

func (e *machine) constant(op uint64) bool {
	switch op {
	case opConst1u:
		e.push(e.fixed(1))
	case opConst1s:
		e.push(uint64(int8(e.fixed(1))))
	case opConst2u:
		e.push(e.fixed(2))
	case opConst2s:
		e.push(uint64(int16(e.fixed(2))))
	case opConst4u:
		e.push(e.fixed(4))
	case opConst4s:
		e.push(uint64(int32(e.fixed(4))))
	case opConst8u, opConst8s:
		e.push(e.fixed(8))
	case opConstu:
		e.push(e.unsigned())
	case opConsts:
		e.push(uint64(e.signed()))
	default:
		return false
	}
	return true
}

// combine executes an operation on two values.
func (e *machine) combine(op uint64) bool {
	truth := func(is bool) uint64 {
		if is {
			return 1
		}
		return 0
	}
	b, a := e.pop(), e.pop()
	switch op {
	case opAnd:
		a &= b
	case opOr:
		a |= b
	case opMinus:
		a -= b
	case opMul:
		a *= b
	case opPlus:
		a += b
	case opShl:
		a <<= b
	case opShr:
		a >>= b
	case opEq:
		a = truth(a == b)
	case opNe:
		a = truth(a != b)
	case opGe:
		a = truth(int64(a) >= int64(b))
	case opGt:
		a = truth(int64(a) > int64(b))
	case opLe:
		a = truth(int64(a) <= int64(b))
	case opLt:
		a = truth(int64(a) < int64(b))
	default:
		return false
	}
	e.push(a)
	return true
}
