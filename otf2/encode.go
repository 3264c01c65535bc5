package otf2

import (
	"encoding/binary"
	"math/bits"
)

// Numbers on disk that are no records.
const (
	endOfChunk   = 0 // the rest of the chunk is empty
	endOfBuffer  = 1
	endOfFile    = 2
	chunkHeader  = 3
	timeStamp    = 5
	attributeSet = 6
)

const (
	bigEndian    = 0x23
	littleEndian = 0x42
	headerSize   = 18 // of a chunk: number, byte order, first and last event
	timeSize     = 9
	longest      = 254 // length of a record that one byte can say
)

func appendU32(b []byte, v uint32) []byte {
	if v == Undefined32 {
		return append(b, 0xff)
	}
	return appendBytes(b, uint64(v))
}

func appendU64(b []byte, v uint64) []byte {
	if v == Undefined {
		return append(b, 0xff)
	}
	return appendBytes(b, v)
}

// appendBytes appends a compressed number: how many bytes it has, and these.
func appendBytes(b []byte, v uint64) []byte {
	n := (bits.Len64(v) + 7) / 8
	b = append(b, byte(n))
	b = binary.LittleEndian.AppendUint64(b, v)
	return b[:len(b)-8+n]
}

// Numbers of types that are not compressed, or signed.
const (
	typeU8     = 1
	typeU16    = 2
	typeU32    = 3
	typeU64    = 4
	typeI8     = 5
	typeI16    = 6
	typeI32    = 7
	typeI64    = 8
	typeFloat  = 9
	typeDouble = 10
	typeString = 11
	typePlace  = 13 // a location, whose number has 64 bits
	types      = 26
)

// appendValue appends a value of a type.
func appendValue(b []byte, kind, v uint64) []byte {
	switch kind {
	case typeU8, typeI8:
		return append(b, byte(v))
	case typeU16, typeI16:
		return binary.LittleEndian.AppendUint16(b, uint16(v))
	case typeI32:
		return appendBytes(b, v&Undefined32)
	case typeI64:
		return appendBytes(b, v)
	case typeFloat:
		return binary.LittleEndian.AppendUint32(b, uint32(v))
	case typeDouble:
		return binary.LittleEndian.AppendUint64(b, v)
	case 0, typeU64, typePlace:
		return appendU64(b, v)
	}
	return appendU32(b, uint32(v))
}

// appendField appends a number, text or value; before is the number before it, for a Value.
func appendField(b []byte, w Wire, v, before uint64) []byte {
	switch w {
	case U8:
		return append(b, byte(v))
	case U32:
		return appendU32(b, uint32(v))
	case U64:
		return appendU64(b, v)
	case I64:
		return appendBytes(b, v)
	case Value:
		return appendValue(b, before, v)
	}
	return binary.LittleEndian.AppendUint64(b, v)
}

// appendBody appends the fields of r.
func appendBody(b []byte, k *RecordKind, r *Record) []byte {
	for _, s := range k.steps {
		f := s.field
		switch {
		case f == nil:
			b = appendField(b, s.wire, s.attic(r), 0)
		case f.Wire == Text:
			b = append(append(b, r.Texts[f.Slot]...), 0)
		case f.Wire == Map:
			b = appendMap(b, r.Values[f.Slot], r.Lists[0])
		case f.Wire == List:
			b = appendList(b, f, r)
		case f.Wire == Value:
			b = appendValue(b, r.Values[f.Slot-1], r.Values[f.Slot])
		default:
			b = appendField(b, f.Wire, r.Values[f.Slot], 0)
		}
	}
	return b
}

func appendList(b []byte, f *Field, r *Record) []byte {
	n := len(r.Lists[f.Columns[0].Slot])
	b = appendField(b, f.Count, uint64(n), 0)
	for i := range n {
		before := uint64(0)
		for j := range f.Columns {
			c := &f.Columns[j]
			v := r.Lists[c.Slot][i]
			b = appendField(b, c.Wire, v, before)
			before = v
		}
	}
	return b
}

func appendMap(b []byte, mode uint64, items []uint64) []byte {
	n := len(items)
	if mode == MapSparse {
		n /= 2
	}
	b = append(appendU64(b, uint64(n)), byte(mode))
	for _, v := range items {
		b = appendU64(b, v)
	}
	return b
}

// mostBytes returns how many bytes the fields of r have at most. The C library decides by this
// number about the width of the length, and whether a chunk has room. In events and
// markers each number counts with the most bytes that it could have, in definitions with those
// that it has. Values of any type always count with nine.
func mostBytes(k *RecordKind, r *Record) int {
	n, most := 0, k.Timed() || k.In(Markers)
	for i := range k.steps {
		s := &k.steps[i]
		switch f := s.field; {
		case f == nil:
			n += mostOf(s.wire, s.attic(r), most)
		case f.Wire == Text:
			n += len(r.Texts[f.Slot]) + 1
		case f.Wire == Map:
			n += len(appendMap(nil, r.Values[f.Slot], r.Lists[0]))
		case f.Wire == List:
			n += mostOf(f.Count, uint64(len(r.Lists[f.Columns[0].Slot])), most)
			for _, c := range f.Columns {
				for _, v := range r.Lists[c.Slot] {
					n += mostOf(c.Wire, v, most)
				}
			}
		default:
			n += mostOf(f.Wire, r.Values[f.Slot], most)
		}
	}
	return n
}

// mostOf is the same of one number.
func mostOf(w Wire, v uint64, most bool) int {
	switch w {
	case U8:
		return 1
	case Time, Double:
		return 8
	case U32:
		if most {
			return 5
		} else if uint32(v) == Undefined32 {
			return 1
		}
	case U64:
		if !most && v == Undefined {
			return 1
		}
	}
	if most || w == Value {
		return 9
	}
	return 1 + (bits.Len64(v)+7)/8
}

// appendRecord appends r with its number and length. most is mostBytes.
func appendRecord(b []byte, k *RecordKind, r *Record, most int) []byte {
	b = append(b, k.Number)
	if k.Single {
		return appendBody(b, k, r)
	}
	return appendSized(b, most, func(b []byte) []byte { return appendBody(b, k, r) })
}

// appendSized appends what body appends, with its length before it.
func appendSized(b []byte, most int, body func([]byte) []byte) []byte {
	if most <= longest {
		at := len(b)
		b = body(append(b, 0))
		b[at] = byte(len(b) - at - 1)
		return b
	}
	b = append(b, 0xff, 0, 0, 0, 0, 0, 0, 0, 0)
	at := len(b)
	b = body(b)
	binary.LittleEndian.PutUint64(b[at-8:], uint64(len(b)-at))
	return b
}

// mostOfAttributes returns how many bytes appendAttributes appends at most, and how many of these
// are the list itself.
func mostOfAttributes(list []AttributeValue) (all, body int) {
	if len(list) == 0 {
		return 0, 0
	}
	body = 5 + 15*len(list)
	all = 2 + body
	if body > longest {
		all += 8
	}
	return all, body
}

// appendAttributes appends what an event has in addition.
func appendAttributes(b []byte, list []AttributeValue) []byte {
	if len(list) == 0 {
		return b
	}
	_, body := mostOfAttributes(list)
	return appendSized(append(b, attributeSet), body, func(b []byte) []byte {
		b = appendU32(b, uint32(len(list)))
		for _, a := range list {
			b = append(appendU32(b, a.Attribute), byte(a.Type))
			b = appendValue(b, uint64(a.Type), a.Value)
		}
		return b
	})
}
