package unwind

import (
	"bytes"
	"encoding/binary"
)

// reader reads numbers from a part of the section. Behind the end all of them are 0.
type reader struct {
	text   []byte
	at     int
	base   uint64 // address of text
	failed bool
}

func (t *Table) reader(from, to int) *reader {
	return &reader{text: t.section[:to], at: from, base: t.address}
}

// fixed reads a number of so many bytes.
func (r *reader) fixed(size int) uint64 {
	if size > len(r.text)-r.at {
		r.failed, r.at = true, len(r.text)
		return 0
	}
	b := r.text[r.at:]
	r.at += size
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// unsigned reads a number of seven bits a byte.
func (r *reader) unsigned() uint64 {
	var v uint64
	for shift := 0; ; shift += 7 {
		b := r.fixed(1)
		if shift < 64 {
			v |= b & 0x7f << shift
		}
		if b < 0x80 {
			return v
		}
	}
}

// signed does the same for a number with a sign.
func (r *reader) signed() int64 {
	var v int64
	for shift := 0; ; {
		b := r.fixed(1)
		if shift < 64 {
			v |= int64(b&0x7f) << shift
		}
		shift += 7
		if b < 0x80 {
			if b&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
}

func (r *reader) skip(size uint64) {
	if size > uint64(len(r.text)-r.at) {
		r.failed, r.at = true, len(r.text)
		return
	}
	r.at += int(size)
}

// string reads a string that ends in a zero.
func (r *reader) string() string {
	end := bytes.IndexByte(r.text[r.at:], 0)
	if end < 0 {
		r.failed, r.at = true, len(r.text)
		return ""
	}
	s := string(r.text[r.at : r.at+end])
	r.at += end + 1
	return s
}

// block reads bytes behind their number.
func (r *reader) block() []byte {
	size := r.unsigned()
	from := r.at
	r.skip(size)
	if r.failed {
		return nil
	}
	return r.text[from:r.at]
}

// rest returns what is left, and its address.
func (r *reader) rest() (text []byte, address uint64) {
	return r.text[r.at:], r.base + uint64(r.at)
}

// The encodings of pointers: a format, and what the number is relative to.
const (
	relativeToPlace = 0x10
	omitted         = 0xff
)

// pointer reads a pointer of an encoding.
func (r *reader) pointer(encoding byte) uint64 {
	if encoding == omitted {
		return 0
	}
	place := r.base + uint64(r.at)
	var v uint64
	switch encoding & 0x0f {
	case 0x00, 0x04, 0x0c:
		v = r.fixed(8)
	case 0x01:
		v = r.unsigned()
	case 0x02:
		v = r.fixed(2)
	case 0x03:
		v = r.fixed(4)
	case 0x09:
		v = uint64(r.signed())
	case 0x0a:
		v = uint64(int16(r.fixed(2)))
	case 0x0b:
		v = uint64(int32(r.fixed(4)))
	default:
		r.failed = true
	}
	switch encoding & 0x70 {
	case 0:
	case relativeToPlace:
		v += place
	default: // relative to what is known to the loader only
		r.failed = true
	}
	return v
}
