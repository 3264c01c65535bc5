package otf2

import (
	"fmt"
	"math"
	"strconv"
)

// AppendText appends r as opari trace print shows it: its name, its location and time, and its
// fields with their names.
func (r *Record) AppendText(b []byte) []byte {
	if r.Type == UnknownRecord {
		return fmt.Appendf(b, "UnknownRecord location %d number %d", int64(r.Location), r.Number)
	}
	k := r.Type.Info()
	b = append(b, k.Name...)
	if r.Location != Undefined {
		b = strconv.AppendUint(append(b, " location "...), r.Location, 10)
	}
	if k.Timed() {
		b = strconv.AppendUint(append(b, " time "...), r.Time, 10)
	}
	for i := range k.Fields {
		f := &k.Fields[i]
		switch f.Wire {
		case Map:
			b = appendNumbers(append(append(append(b, ' '), f.Name...), ' '), r.mapped(f), f)
		case List:
			for j := range f.Columns {
				c := &f.Columns[j]
				b = append(append(append(b, ' '), c.Name...), ' ')
				b = appendColumn(b, f, j, r)
			}
		case Text:
			b = append(append(append(b, ' '), f.Name...), ' ')
			b = strconv.AppendQuote(b, r.Texts[f.Slot])
		default:
			b = append(append(append(b, ' '), f.Name...), ' ')
			kind := uint64(0)
			if f.Wire == Value {
				kind = r.Values[f.Slot-1]
			}
			b = appendNumber(b, f, r.Values[f.Slot], kind)
		}
	}
	for _, a := range r.Attributes {
		b = strconv.AppendUint(append(b, " attribute "...), uint64(a.Attribute), 10)
		b = appendNumber(append(b, ' '), &anyValue, a.Value, uint64(a.Type))
	}
	return b
}

var anyValue = Field{Wire: Value}

// mapped returns the pairs of a map in the form of a list.
func (r *Record) mapped(f *Field) []uint64 {
	if r.Values[f.Slot] == MapSparse {
		return r.Lists[0]
	}
	var pairs []uint64
	for i, v := range r.Lists[0] {
		pairs = append(pairs, uint64(i), v)
	}
	return pairs
}

func appendNumbers(b []byte, list []uint64, f *Field) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendNumber(b, f, v, 0)
	}
	return append(b, ']')
}

// appendColumn appends a column of a list. Its values are of the types in the column before.
func appendColumn(b []byte, f *Field, column int, r *Record) []byte {
	c := &f.Columns[column]
	typed := column > 0 && f.Columns[column-1].Type == "Type"
	if !typed {
		return appendNumbers(b, r.Lists[c.Slot], c)
	}
	b = append(b, '[')
	for i, v := range r.Lists[c.Slot] {
		if i > 0 {
			b = append(b, ' ')
		}
		b = appendNumber(b, &anyValue, v, r.Lists[c.Slot-1][i])
	}
	return append(b, ']')
}

// appendNumber appends a value; kind is its type if f is a Value.
func appendNumber(b []byte, f *Field, v, kind uint64) []byte {
	switch {
	case f.Enum != nil:
		return append(b, f.Enum.Text(v)...)
	case f.Refers && (v == Undefined || f.Wire == U32 && v == Undefined32):
		return append(b, "undefined"...)
	case f.Wire == I64:
		return strconv.AppendInt(b, int64(v), 10)
	case f.Wire == Double:
		kind = typeDouble
	case f.Wire != Value:
		return strconv.AppendUint(b, v, 10)
	}
	switch kind {
	case typeI8, typeI16, typeI32, typeI64:
		return strconv.AppendInt(b, int64(v), 10)
	case typeFloat:
		return strconv.AppendFloat(b, float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	case typeDouble:
		return strconv.AppendFloat(b, math.Float64frombits(v), 'g', -1, 64)
	}
	return strconv.AppendUint(b, v, 10)
}
