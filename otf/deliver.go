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
	if c := b.buf[p]; (c == 'S' || c == 'R') && len(b.extra) == 0 && b.kind == Events &&
		p < b.limit && h.Any == nil {
		if taken, err := b.message(h, c); taken {
			return err
		}
	}
	return b.deliverAny(h, r)
}

// messageText is the text of a message's line, up to its line feed, with its values. Most
// messages equal an earlier one except for the time.
type messageText struct {
	text, mask [4]uint64
	size       int // length of the line; 0: none is stored
	values     [4]uint32
}

// message delivers a message in short form without a source location, if there is a handler for
// it. It returns false for any other line.
func (b *RBuffer) message(h *HandlerArray, letter byte) (bool, error) {
	handle := h.SendMsg
	if letter == 'R' {
		handle = h.RecvMsg
	}
	m := b.known(b.pos)
	if m == nil {
		return false, nil
	}
	if b.pos += m.size; handle == nil {
		return true, nil
	}
	peer, length, tag, group := m.values[0], m.values[1], m.values[2], m.values[3]
	return true, handle(b.time, b.process, peer, group, tag, length, 0)
}

// known returns the message line at p, and parses it only if it is not among those seen last. It
// returns nil if the line is no message.
func (b *RBuffer) known(p int) *messageText {
	if p+32 > len(b.buf) {
		return b.parseMessage(p, new(messageText))
	}
	if b.messages == nil {
		b.messages = new([64]messageText)
	}
	var text [4]uint64
	for i := range text {
		text[i] = binary.LittleEndian.Uint64(b.buf[p+8*i:])
	}
	m := &b.messages[text[0]*0x9e3779b97f4a7c15>>58]
	differ := (text[0]^m.text[0])&m.mask[0] | (text[1]^m.text[1])&m.mask[1] |
		(text[2]^m.text[2])&m.mask[2] | (text[3]^m.text[3])&m.mask[3]
	if m.size > 0 && differ == 0 {
		return m
	}
	if m.size = 0; b.parseMessage(p, m) == nil {
		return nil
	}
	if m.size > 32 {
		once := *m
		m.size = 0
		return &once
	}
	for i := range text {
		m.mask[i] = 1<<(8*uint(min(8, max(0, m.size-8*i)))) - 1
		m.text[i] = text[i]
	}
	return m
}

func (b *RBuffer) parseMessage(p int, m *messageText) *messageText {
	from := p
	p++
	for i, behind := range [4]byte{'L', 'T', 'C', '\n'} {
		v, end := parseHex(b.buf, p)
		if end == p || b.buf[end] != behind {
			return nil
		}
		m.values[i], p = uint32(v), end+1
	}
	m.size = p - from
	return m
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
	k := keywords[b.kind][string(b.buf[p:word])]
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
