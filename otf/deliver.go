package otf

import (
	"bytes"
	"encoding/binary"
)

// deliver passes the record at pos to its handler. It advances past the line even if the handler
// returns an error.
func (b *RBuffer) deliver(h *HandlerArray, r *Record) error {
	p := b.pos
	if c := b.buf[p]; (c == 'E' || c == 'L') && len(b.extra) == 0 && b.kind == Events &&
		p < b.limit {
		if b.buf[p+2] == '\n' && hexValues[b.buf[p+1]] != noHex {
			// Functions with small numbers are the most frequent ones.
			b.pos = p + 3
			return b.event(h, r, c, uint32(hexValues[b.buf[p+1]]))
		}
		v, end := b.token(p + 1)
		if end > p+1 && b.buf[end] == '\n' {
			b.pos = end + 1
			return b.event(h, r, c, v)
		}
	}
	return b.deliverAny(h, r)
}

// shortCounter parses a counter's value in short form. It returns where the line ends, or 0 for any
// other line.
func (b *RBuffer) shortCounter(p int) (counter uint32, value uint64, end int) {
	buf := b.buf
	if buf[p+1] != 'N' || buf[p+2] != 'T' {
		return 0, 0, 0
	}
	number, at := parseDigits(buf, p+3)
	if at == p+3 || buf[at] != 'V' {
		return 0, 0, 0
	}
	at++
	last := &b.valueDigits[number&63]
	if n := int(*last); n > 0 && buf[at+n] == '\n' {
		text := binary.LittleEndian.Uint64(buf[at:])
		if hexDigits(text) >= n {
			return uint32(number), join(text << (64 - 8*uint(n))), at + n + 1
		}
	}
	value, end = parseHex(buf, at)
	if end == at || buf[end] != '\n' {
		return 0, 0, 0
	}
	if *last = 0; end-at <= 8 {
		*last = uint8(end - at)
	}
	return uint32(number), value, end + 1
}

// shortMessage parses a message in short form without a source location. It returns where the line
// ends, or 0 for any other line.
func shortMessage(buf []byte, p int) (peer, length, tag, group uint64, end int) {
	peer, end = parseDigits(buf, p+1)
	if end == p+1 || buf[end] != 'L' {
		return 0, 0, 0, 0, 0
	}
	at := end + 1
	if length, end = parseDigits(buf, at); end == at || buf[end] != 'T' {
		return 0, 0, 0, 0, 0
	}
	at = end + 1
	if tag, end = parseDigits(buf, at); end == at || buf[end] != 'C' {
		return 0, 0, 0, 0, 0
	}
	at = end + 1
	if group, end = parseDigits(buf, at); end == at || buf[end] != '\n' {
		return 0, 0, 0, 0, 0
	}
	return peer, length, tag, group, end + 1
}

// event delivers an enter or leave in short form without a source location. Nearly all records of
// nearly all traces are of this form.
func (b *RBuffer) event(h *HandlerArray, r *Record, letter byte, function uint32) error {
	if letter == 'E' {
		if h.Enter != nil {
			return h.Enter(b.time, function, b.process, 0)
		}
		r.Type = EnterRecord
	} else {
		if h.Leave != nil {
			return h.Leave(b.time, function, b.process, 0)
		}
		r.Type = LeaveRecord
	}
	if h.Any == nil {
		return nil
	}
	b.describe(r)
	r.Values[0], r.Values[1] = uint64(function), 0
	return h.Any(r)
}

// describe sets the fields of the record that are not in its line.
func (b *RBuffer) describe(r *Record) {
	r.File, r.Stream, r.Time, r.Process, r.Extra = b.kind, b.stream, b.time, b.process, b.extra
	if b.kind == Definitions {
		r.Time, r.Process = 0, 0
	}
}

// deliverAny delivers a record of any type according to the table.
func (b *RBuffer) deliverAny(h *HandlerArray, r *Record) error {
	p, end := b.pos, b.end
	if p < b.limit {
		end = p + bytes.IndexByte(b.buf[p:], '\n')
	}
	b.pos = min(end+1, b.end)
	complete := end < b.limit
	b.describe(r)
	defer func() { b.extra = b.extra[:0] }()
	word := p
	if b.buf[word] == '#' {
		word++
	}
	for b.buf[word] >= 'A' && b.buf[word] <= 'Z' && word < end {
		word++
	}
	k := keywords()[b.kind][string(b.buf[p:word])]
	if k == nil || !complete {
		r.Type = UnknownRecord
		r.Line, r.Cut = b.buf[p:end], !complete
		return h.unknown(r)
	}
	r.Type = k.Type
	if !h.wants(k.Type) {
		return nil
	}
	if err := parseRecord(k, b.buf, word, r); err != nil {
		return b.errorAt(err.at, err.what)
	}
	r.File = k.File
	return h.call(r)
}

// unknown delivers a line that the table does not have: a record of libotf 1.12, damage, or the
// start of a line at the end of a file. For definitions the time is MaxTime and the process is
// the stream (B.2.29).
func (h *HandlerArray) unknown(r *Record) error {
	switch {
	case h.UnknownRecord == nil && h.Any != nil:
		return h.Any(r)
	case h.UnknownRecord == nil:
		return nil
	case r.File == Definitions:
		return h.UnknownRecord(MaxTime, r.Stream, string(r.Line))
	}
	return h.UnknownRecord(r.Time, r.Process, string(r.Line))
}

// wants reports whether a handler gets records of a type. Lines of other types are skipped
// unread, so damage in them goes unnoticed.
func (h *HandlerArray) wants(t RecordType) bool { return h.Any != nil || h.has(t) }

// call passes r to its own handler, or to Any.
func (h *HandlerArray) call(r *Record) error {
	if h.Any != nil && (len(r.Extra) > 0 || !h.has(r.Type)) {
		return h.Any(r)
	}
	return h.dispatch(r)
}
