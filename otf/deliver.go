package otf

import "bytes"

// deliver gives the record at pos to its handler and goes behind its line, also where the handler returns an error.
func (b *RBuffer) deliver(h *HandlerArray, r *Record) error {
	p := b.pos
	if c := b.buf[p]; (c == 'E' || c == 'L') && len(b.extra) == 0 && b.kind == Events && p < b.limit {
		v, end := b.token(p + 1)
		if end > p+1 && b.buf[end] == '\n' {
			b.pos = end + 1
			return b.event(h, r, c, v)
		}
	}
	if c := b.buf[p]; (c == 'S' || c == 'R') && len(b.extra) == 0 && b.kind == Events && p < b.limit && h.Any == nil {
		if taken, err := b.message(h, c); taken {
			return err
		}
	}
	return b.deliverAny(h, r)
}

// message delivers a message in short form without a source location, where there is a handler for it; false: it is another line.
func (b *RBuffer) message(h *HandlerArray, letter byte) (bool, error) {
	var values [4]uint32
	p := b.pos + 1
	for i, behind := range [4]byte{'L', 'T', 'C', '\n'} {
		v, end := parseHex(b.buf, p)
		if end == p || b.buf[end] != behind {
			return false, nil
		}
		values[i], p = uint32(v), end+1
	}
	handle := h.SendMsg
	if letter == 'R' {
		handle = h.RecvMsg
	}
	b.pos = p
	if handle == nil {
		return true, nil
	}
	peer, length, tag, group := values[0], values[1], values[2], values[3]
	return true, handle(b.time, b.process, peer, group, tag, length, 0)
}

// event delivers an enter or leave in short form without a source location: nearly all records of nearly all traces.
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

// describe sets what does not stand in the record's line.
func (b *RBuffer) describe(r *Record) {
	r.File, r.Stream, r.Time, r.Process, r.Extra = b.kind, b.stream, b.time, b.process, b.extra
	if b.kind == Definitions {
		r.Time, r.Process = 0, 0
	}
}

// deliverAny delivers a record of any type by the table.
func (b *RBuffer) deliverAny(h *HandlerArray, r *Record) error {
	p, end := b.pos, b.end
	if p < b.limit {
		end = p + bytes.IndexByte(b.buf[p:], '\n')
	}
	b.pos = min(end+1, b.end)
	whole := end < b.limit
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
	if k == nil || !whole {
		r.Type = UnknownRecord
		r.Line, r.Cut = b.buf[p:end], !whole
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

// unknown delivers a line that the table does not know: one of libotf 1.12, damage, or the begin of a line at the end of a file. For
// definitions time is MaxTime and process the stream (B.2.29).
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

// wants says whether somebody listens to a type. Lines of others are skipped without a look, so damage in them goes unnoticed.
func (h *HandlerArray) wants(t RecordType) bool { return h.Any != nil || h.has(t) }

// call gives r to its own handler, or to Any.
func (h *HandlerArray) call(r *Record) error {
	if h.Any != nil && (len(r.Extra) > 0 || !h.has(r.Type)) {
		return h.Any(r)
	}
	return h.dispatch(r)
}
