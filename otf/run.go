package otf

import "encoding/binary"

// groupRoom is the maximal length of what run reads without a look at the end of the text: the
// line of an enter or leave, and then a time, a process and the beginning of the next record.
const groupRoom = 64

// run delivers the record at pos, and those after it that are before the time until, limit records
// at most. It returns how many it delivered, and whether there is a record after them, which is
// then at pos.
//
// In nearly all traces nearly all records are enters and leaves of one process after another, so
// that only the last digits of the time and the function change. run takes these lines directly.
// It leaves all others to next and deliver, which take them in the same way.
func (b *RBuffer) run(h *HandlerArray, r *Record, until, limit uint64) (n uint64, more bool,
	err error,
) {
	direct := h.Enter != nil && h.Leave != nil && b.kind == Events
	for {
		p := b.pos
		b.keys = 0
		function, end := uint32(0), 0
		letter := b.buf[p]
		if (letter == 'E' || letter == 'L') && direct && p+groupRoom <= b.limit && !b.disabled &&
			len(b.extra) == 0 {
			function, end = shortEvent(b.buf, p)
		}
		switch {
		case end > 0:
			b.pos, b.delivered = end, b.time
			n++
			if letter == 'E' {
				err = h.Enter(b.time, function, b.process, 0)
			} else {
				err = h.Leave(b.time, function, b.process, 0)
			}
		case b.disabled:
			b.skip()
		default:
			b.delivered = b.time
			n++
			end = p
			if b.kind == Events && p+groupRoom <= b.limit && len(b.extra) == 0 {
				end, err = b.short(h)
			}
			if end == p {
				err = b.deliver(h, r)
			}
		}
		if end = b.pos; err != nil || end+groupRoom > b.limit || !b.nextShort(end) {
			var broken error
			if more, broken = b.next(); err == nil {
				err = broken
			}
			if !more || err != nil {
				return n, more, err
			}
		}
		if b.time >= until || n == limit {
			return n, true, nil
		}
	}
}

// short delivers the record at pos, if it is a counter's value or a message in short form that has
// a handler. It returns pos, which else it has not moved.
func (b *RBuffer) short(h *HandlerArray) (int, error) {
	switch p := b.pos; {
	case b.buf[p] == 'C' && h.Counter != nil:
		if counter, value, end := b.shortCounter(p); end > 0 {
			b.pos = end
			return end, h.Counter(b.time, b.process, counter, value)
		}
	case b.buf[p] == 'S' && h.SendMsg != nil:
		if to, length, tag, in, end := shortMessage(b.buf, p); end > 0 {
			b.pos = end
			return end, h.SendMsg(b.time, b.process, uint32(to), uint32(in), uint32(tag),
				uint32(length), 0)
		}
	case b.buf[p] == 'R' && h.RecvMsg != nil:
		if from, length, tag, in, end := shortMessage(b.buf, p); end > 0 {
			b.pos = end
			return end, h.RecvMsg(b.time, b.process, uint32(from), uint32(in), uint32(tag),
				uint32(length), 0)
		}
	}
	return b.pos, nil
}

// shortEvent parses an enter or leave of a function with one or two digits, and nothing else. It
// returns where the line ends, or 0 for any other enter or leave.
func shortEvent(buf []byte, p int) (function uint32, end int) {
	line := binary.LittleEndian.Uint32(buf[p:])
	high, low := hexValues[byte(line>>8)], hexValues[byte(line>>16)]
	switch {
	case byte(line>>16) == '\n' && high != noHex:
		return uint32(high), p + 3
	case byte(line>>24) == '\n' && high|low < 16:
		return uint32(high)<<4 | uint32(low), p + 4
	}
	return 0, 0
}

// nextShort does what next does if the lines at p, in the room of groupRoom, are those of a time of
// which only the last four digits change and of the same process, and a record. Otherwise it
// changes nothing.
func (b *RBuffer) nextShort(p int) bool {
	n := b.timeSize
	if n == 0 || b.buf[p+n] != '\n' ||
		binary.LittleEndian.Uint64(b.buf[p:])&b.timeMask != b.timeText {
		return false
	}
	low := binary.LittleEndian.Uint64(b.buf[p+n-8:])
	if uint32(low) != b.timeMiddle {
		return false
	}
	d0, d1, d2, d3 := hexValues[byte(low>>32)], hexValues[byte(low>>40)],
		hexValues[byte(low>>48)], hexValues[byte(low>>56)]
	if d0|d1|d2|d3 > 15 {
		return false
	}
	p += n + 1
	if binary.LittleEndian.Uint64(b.buf[p:])&b.processMask != b.processText {
		return false
	}
	p += b.processSize
	time := b.timeUpper | uint64(d0)<<12 | uint64(d1)<<8 | uint64(d2)<<4 | uint64(d3)
	if lineClasses[b.buf[p]] != lineRecord || time < b.wanted.min {
		return false
	}
	b.time, b.pos = time, p
	return true
}
