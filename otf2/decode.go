package otf2

import (
	"bytes"
	"encoding/binary"
)

// decoder reads fields from the bytes of one record.
type decoder struct {
	b    []byte
	at   int
	big  bool
	what string // what is wrong; "": nothing
}

func (d *decoder) fail(what string) uint64 {
	if d.what == "" {
		d.what = what
	}
	return 0
}

// take returns the next n bytes, or nil.
func (d *decoder) take(n int) []byte {
	if n > len(d.b)-d.at {
		d.fail("the record ends inside a field")
		return nil
	}
	d.at += n
	return d.b[d.at-n : d.at]
}

// full reads a number of n bytes.
func (d *decoder) full(n int) uint64 {
	b := d.take(n)
	if b == nil {
		return 0
	}
	return integer(b, d.big)
}

func integer(b []byte, big bool) uint64 {
	var v uint64
	if big {
		for _, c := range b {
			v = v<<8 | uint64(c)
		}
		return v
	}
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}

// compressed reads a number of at most n bytes.
func (d *decoder) compressed(n int) uint64 {
	if d.at+9 <= len(d.b) && !d.big {
		if size := int(d.b[d.at]); size <= n {
			v := binary.LittleEndian.Uint64(d.b[d.at+1:])
			d.at += 1 + size
			return v & (1<<(8*size) - 1) // a shift by 64 gives 0
		}
	}
	head := d.take(1)
	if head == nil {
		return 0
	}
	size := int(head[0])
	if size == 0xff {
		return Undefined >> (64 - 8*n)
	}
	if size > n {
		d.at--
		return d.fail("a number has an impossible length")
	}
	return d.full(size)
}

// signed32 reads a compressed signed number of four bytes.
func (d *decoder) signed32() uint64 { return uint64(int64(int32(d.compressed(4)))) }

// value reads a value of a type.
func (d *decoder) value(kind uint64) uint64 {
	switch kind {
	case typeU8:
		return d.full(1)
	case typeU16:
		return d.full(2)
	case typeI8:
		return uint64(int64(int8(d.full(1))))
	case typeI16:
		return uint64(int64(int16(d.full(2))))
	case typeI32:
		return d.signed32()
	case typeFloat:
		return d.full(4)
	case typeDouble:
		return d.full(8)
	case 0, typeU64, typeI64, typePlace:
		return d.compressed(8)
	}
	if kind >= types {
		return d.fail("a value has an unknown type")
	}
	return d.compressed(4)
}

func (d *decoder) text() string {
	n := bytes.IndexByte(d.b[d.at:], 0)
	if n < 0 {
		d.fail("a text has no end")
		return ""
	}
	s := string(d.b[d.at : d.at+n])
	d.at += n + 1
	return s
}

// field reads a number or a value; before is the number before it.
func (d *decoder) field(w Wire, before uint64) uint64 {
	switch w {
	case U8:
		return d.full(1)
	case U32:
		return d.compressed(4)
	case U64, I64:
		return d.compressed(8)
	case Value:
		return d.value(before)
	}
	return d.full(8)
}

// body reads the fields of a record of kind k into r. Fields that the library of the writer did
// not know are missing at the end; they get the value that says so.
func (d *decoder) body(k *RecordKind, r *Record) {
	for i, s := range k.steps {
		f := s.field
		if d.at == len(d.b) && i > 0 && (f == nil || f.Wire < Text) {
			if f != nil {
				r.Values[f.Slot] = missing(k, f)
			}
			continue
		}
		switch {
		case f == nil:
			d.field(s.wire, 0)
		case f.Wire == Text:
			r.Texts[f.Slot] = d.text()
		case f.Wire == Map:
			d.numbersOfMap(f, r)
		case f.Wire == List:
			d.list(f, r)
		case f.Wire == Value:
			r.Values[f.Slot] = d.value(r.Values[f.Slot-1])
		default:
			r.Values[f.Slot] = d.field(f.Wire, 0)
		}
		if d.what != "" {
			return
		}
	}
}

// missing is what a field has that an older library did not write.
func missing(k *RecordKind, f *Field) uint64 {
	switch {
	case k.Type == RmaWinRecord && f.Type == "RmaWinFlag": // windows always had such events
		return uint64(RmaWinFlagCreateDestroyEvents)
	case f.Name == "realtimeTimestamp" || f.Refers && f.Wire == U64:
		return Undefined
	case f.Refers && f.Wire == U32:
		return Undefined32
	}
	return 0
}

// list reads the columns of a list. Each element has a byte or more, so a wrong number of elements
// takes no more memory than the record is long.
func (d *decoder) list(f *Field, r *Record) {
	n := d.field(f.Count, 0)
	for _, c := range f.Columns {
		r.Lists[c.Slot] = r.Lists[c.Slot][:0]
	}
	if n > uint64(len(d.b)-d.at) {
		d.fail("a list has more elements than the record has bytes")
		return
	}
	for range n {
		before := uint64(0)
		for i := range f.Columns {
			c := &f.Columns[i]
			before = d.field(c.Wire, before)
			r.Lists[c.Slot] = append(r.Lists[c.Slot], before)
		}
		if d.what != "" {
			return
		}
	}
}

func (d *decoder) numbersOfMap(f *Field, r *Record) {
	n := d.compressed(8)
	mode := d.full(1)
	r.Values[f.Slot], r.Lists[0] = mode, r.Lists[0][:0]
	switch {
	case mode > MapSparse:
		d.fail("a map has an unknown form")
		return
	case n > uint64(len(d.b)-d.at):
		d.fail("a map has more elements than the record has bytes")
		return
	case mode == MapSparse:
		n *= 2
	}
	for range n {
		r.Lists[0] = append(r.Lists[0], d.compressed(8))
		if d.what != "" {
			return
		}
	}
}

// attributes reads what an event has in addition.
func (d *decoder) attributes(list []AttributeValue) []AttributeValue {
	n := d.compressed(4)
	if n > uint64(len(d.b)-d.at) {
		d.fail("a list has more elements than the record has bytes")
		return list
	}
	for range n {
		a := AttributeValue{Attribute: uint32(d.compressed(4)), Type: Type(d.full(1))}
		a.Value = d.value(uint64(a.Type))
		if d.what != "" {
			return list
		}
		list = append(list, a)
	}
	return list
}
