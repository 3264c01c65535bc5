package otf

import "strconv"

// AppendText appends r as a line of text without its line feed: its name, its stream or time, and
// its fields in the table's order.
func (r *Record) AppendText(b []byte) []byte {
	if r.Type == UnknownRecord {
		return r.appendUnknown(b)
	}
	k := r.Type.Info()
	b = append(b, k.Name...)
	if k.File == Definitions {
		b = strconv.AppendUint(append(b, " stream="...), uint64(r.Stream), 10)
	} else {
		b = strconv.AppendUint(append(b, ' '), r.Time, 10)
	}
	for i := range k.Fields {
		f := &k.Fields[i]
		b = append(b, ' ')
		if f.Label != "" {
			b = append(append(b, f.Label...), '=')
		}
		b = r.appendField(b, f)
	}
	return b
}

func (r *Record) appendUnknown(b []byte) []byte {
	if r.File == Definitions {
		b = strconv.AppendUint(append(b, "Unknown def stream="...), uint64(r.Stream), 10)
	} else {
		b = strconv.AppendUint(append(b, "Unknown "...), r.Time, 10)
		b = strconv.AppendUint(append(b, " proc="...), uint64(r.Process), 10)
	}
	return appendPrintable(append(b, ' '), string(r.Line))
}

func (r *Record) appendField(b []byte, f *Field) []byte {
	switch f.Kind {
	case Text:
		return appendPrintable(b, r.Texts[f.Slot])
	case Process:
		return strconv.AppendUint(b, uint64(r.Process), 10)
	case Members:
		b = append(b, '[')
		for i, m := range r.Members {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendUint(b, uint64(m), 10)
		}
		return append(b, ']')
	case Release:
		v := r.Values[f.Slot]
		b = append(strconv.AppendUint(b, v>>16&0xff, 10), '.')
		b = append(strconv.AppendUint(b, v>>8&0xff, 10), '.')
		return strconv.AppendUint(b, v&0xff, 10)
	}
	return strconv.AppendUint(b, r.Values[f.Slot], 10)
}

// appendPrintable appends s between quotes, with bytes other than printable ASCII as \xHH: a
// trace may be in any encoding.
func appendPrintable(b []byte, s string) []byte {
	if s == Null {
		return append(b, "NULL"...)
	}
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '\\' {
			b = append(b, '\\', 'x', digits[c>>4], digits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return append(b, '"')
}
