package otf

import (
	"bytes"
	"fmt"
)

// RecordType is the number of a row in the table Records. Its constants <Name>Record are
// generated.
type RecordType uint8

// UnknownRecord is a line that the table does not have: a record of libotf 1.12, or damage.
const UnknownRecord RecordType = 0

const (
	maxValues = 8
	maxTexts  = 2
)

// Record is one record of any type, for the table-driven code and HandlerArray.Any. The record
// and all that it refers to are valid only until the handler returns.
type Record struct {
	Type RecordType
	File FileKind
	// the stream of the file that holds it; for definitions their scope, 0 is global (section
	// 2.6)
	Stream  uint32
	Time    uint64            // ticks; definitions have none
	Process uint32            // definitions have none
	Values  [maxValues]uint64 // fields of kind Token, Number and Release, by their Slot
	Texts   [maxTexts]string  // fields of kind Text, by their Slot
	Members []uint32          // the field of kind Members
	Line    []byte            // text of an UnknownRecord, without the line feed
	// an UnknownRecord that is the start of a line, at the end of a truncated file; it is not
	// written
	Cut bool
	// key-value lines of libotf 1.12 before the record, each with its line feed
	Extra []byte
}

// appendRecord appends the line of r, with its line feed.
func appendRecord(b []byte, r *Record, format Format) []byte {
	if r.Type == UnknownRecord {
		return append(append(b, r.Line...), '\n')
	}
	k := r.Type.Info()
	if format == FormatLong {
		b = append(append(b, k.Long...), ' ')
	} else {
		b = append(b, k.Short...)
	}
	for i := range k.line {
		e := &k.line[i]
		if e.when == ifSet && !isSet(k, e, r) || e.when == ifAnySet && !anySet(k, i, r) {
			continue
		}
		switch {
		case e.short == "":
		case format == FormatShort:
			b = append(b, e.short...)
		default:
			b = append(append(append(b, ' '), e.long...), ' ')
		}
		b = appendValue(b, &k.Fields[e.field], r)
	}
	return append(b, '\n')
}

// isSet reports whether an optional value has to be written.
func isSet(k *RecordKind, e *element, r *Record) bool {
	f := &k.Fields[e.field]
	if f.Kind == Text {
		return r.Texts[f.Slot] != Null
	}
	return r.Values[f.Slot] != 0
}

func anySet(k *RecordKind, first int, r *Record) bool {
	for i := first; i < len(k.line); i++ {
		if isSet(k, &k.line[i], r) {
			return true
		}
	}
	return false
}

// appendValue appends r's value for f.
func appendValue(b []byte, f *Field, r *Record) []byte {
	switch f.Kind {
	case Text:
		return appendQuoted(b, r.Texts[f.Slot])
	case Members:
		for _, m := range r.Members {
			b = append(appendHex(b, uint64(m)), ',')
		}
		return b
	case Release:
		v := r.Values[f.Slot]
		b = append(appendHex(b, v>>16&0xff), '.')
		b = append(appendHex(b, v>>8&0xff), '.')
		return appendHex(b, v&0xff)
	}
	return appendHex(b, r.Values[f.Slot])
}

// appendQuoted appends s between quotes. The format has no escape, so a quote or line feed inside
// becomes a blank, as in the C library.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	if s != Null {
		from := len(b)
		b = append(b, s...)
		for i := from; i < len(b); i++ {
			if b[i] == '"' || b[i] == '\n' {
				b[i] = ' '
			}
		}
	}
	return append(b, '"')
}

// fieldError says what is wrong in a line, and at which byte.
type fieldError struct {
	at   int
	what string
}

// parseRecord reads the fields of a record of kind k from line[at:], which ends in a line feed
// and then padding. The caller has set Type, Time and Process of r.
func parseRecord(k *RecordKind, line []byte, at int, r *Record) *fieldError {
	for i := range k.line {
		e := &k.line[i]
		if e.short != "" {
			next, found := matchKeyword(line, at, e)
			if !found {
				if e.when == always {
					return &fieldError{
						at,
						fmt.Sprintf("%s lacks %s (or %s)", k.Name, e.short, e.long),
					}
				}
				clearValue(k, e, r)
				continue
			}
			at = next
		}
		var err *fieldError
		if at, err = parseValue(k, e, line, at, r); err != nil {
			return err
		}
	}
	if k.strict && line[at] != '\n' {
		return &fieldError{at, fmt.Sprintf("%q behind the end of %s", line[at], k.Name)}
	}
	return nil
}

func clearValue(k *RecordKind, e *element, r *Record) {
	if f := &k.Fields[e.field]; f.Kind == Text {
		r.Texts[f.Slot] = Null
	} else {
		r.Values[f.Slot] = 0
	}
}

// matchKeyword finds e's keyword at line[at:] and returns the index after it. Blanks may precede
// a long keyword, but not a short one. It tries the long one first, because TAG begins with T.
func matchKeyword(line []byte, at int, e *element) (int, bool) {
	word := skipBlanks(line, at)
	if hasPrefix(line[word:], e.long) {
		return word + len(e.long), true
	}
	if hasPrefix(line[at:], e.short) {
		return at + len(e.short), true
	}
	if e.older != "" && hasPrefix(line[at:], e.older) {
		return at + len(e.older), true
	}
	return at, false
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

func skipBlanks(line []byte, at int) int {
	for line[at] == ' ' || line[at] == '\t' {
		at++
	}
	return at
}

// parseValue reads the value of e at line[at:]. A missing number is 0, as measured with the C
// library.
func parseValue(k *RecordKind, e *element, line []byte, at int, r *Record) (int, *fieldError) {
	f := &k.Fields[e.field]
	start := at
	at = skipBlanks(line, at)
	if e.when == ifAnySet && hexDigits(uint64(line[at])) == 0 {
		r.Values[f.Slot] = 0
		if line[at] == '\n' {
			return at, nil // the blank after a long keyword
		}
		return start, nil
	}
	var v uint64
	switch f.Kind {
	case Text:
		if line[at] != '"' {
			return at, &fieldError{at, fmt.Sprintf("%s has no %s between quotes", k.Name, f.Name)}
		}
		n := bytes.IndexByte(line[at+1:], '"')
		if n < 0 || bytes.IndexByte(line[at+1:at+1+n], '\n') >= 0 {
			return at, &fieldError{
				at,
				fmt.Sprintf("the %s of %s has no closing quote", f.Name, k.Name),
			}
		}
		r.Texts[f.Slot] = string(line[at+1 : at+1+n])
		return at + n + 2, nil
	case Members:
		return parseMembers(k, line, at, r)
	case Release:
		for i := range 3 {
			var part uint64
			if part, at = parseHex(line, at); i < 2 {
				if line[at] != '.' {
					return at, &fieldError{at, k.Name + " is not three numbers with dots between"}
				}
				at++
			}
			v = v<<8 | part&0xff
		}
	case Token:
		v, at = parseHex(line, at)
		v &= 0xffffffff
	default:
		v, at = parseHex(line, at)
	}
	r.Values[f.Slot] = v
	return at, nil
}

// parseMembers reads numbers, with a comma after each.
func parseMembers(k *RecordKind, line []byte, at int, r *Record) (int, *fieldError) {
	r.Members = r.Members[:0]
	for {
		at = skipBlanks(line, at)
		v, end := parseHex(line, at)
		if end == at {
			return at, nil
		}
		if line[end] != ',' {
			return end, &fieldError{end, "no comma behind a member of " + k.Name}
		}
		r.Members = append(r.Members, uint32(v))
		at = end + 1
	}
}

// Syntax returns how a record of this kind is spelled, with the names of its fields.
func (k *RecordKind) Syntax(format Format) string {
	b := k.Short
	if format == FormatLong {
		b = k.Long + " "
	}
	for _, e := range k.line {
		f := &k.Fields[e.field]
		value := "<" + f.Name + ">"
		switch f.Kind {
		case Text:
			value = `"<` + f.Name + `>"`
		case Members:
			value = "(<" + f.Name + ">,)*"
		case Release:
			value = "<major>.<minor>.<sub>"
		}
		switch {
		case e.short == "":
		case format == FormatLong:
			value = " " + e.long + " " + value
		default:
			value = e.short + value
		}
		if e.when == ifSet || e.when == ifAnySet {
			value = "[" + value + "]"
		}
		b += value
	}
	return b
}
