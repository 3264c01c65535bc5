package otf

import "bytes"

const (
	// probeSize is how much is read first after a jump: two records rarely take more, so a time
	// line is in it.
	probeSize = 4 << 10
	// nearEnough is the distance in the file below which the search reads on instead of halving
	// again.
	nearEnough = 4 << 10
)

// timeFrom puts the buffer at the first complete line after an offset in the file, and returns
// the first time from there.
func (b *RBuffer) timeFrom(at int64) (uint64, bool, error) {
	if err := b.jump(at); err != nil {
		return 0, false, err
	}
	for {
		if b.pos >= b.limit {
			if err := b.fill(); err != nil {
				return 0, false, ignoreEnd(err)
			}
		}
		p := b.pos
		for b.buf[p] == ' ' || b.buf[p] == '\t' {
			p++
		}
		if lineClasses[b.buf[p]] == lineTime {
			t, _ := parseHex(b.buf, p)
			return t, true, nil
		}
		b.pos = p + bytes.IndexByte(b.buf[p:], '\n') + 1
	}
}

// jump goes to the first line that begins at or after an offset in the file. The next time and
// process lines set the state (section 2.5; OTF_RBuffer_jump).
func (b *RBuffer) jump(at int64) error {
	if at > 0 {
		at-- // the preceding line may end exactly here
	}
	start, err := b.src.seek(at)
	if err != nil {
		return err
	}
	base := start
	if _, plain := b.src.(*plainSource); !plain && start > 0 {
		base = -1
	}
	b.restart(base)
	b.step = probeSize // a search, or a small interval, may need no more
	if start == 0 {
		return nil
	}
	for {
		if err := b.fill(); err != nil {
			return ignoreEnd(err)
		}
		if b.limit > b.pos {
			b.pos += bytes.IndexByte(b.buf[b.pos:], '\n') + 1
			return nil
		}
	}
}

// searchTime goes to an offset before all records of time min or later, by bisection. An offset
// qualifies if the first time after it is before min. So a time that occurs in many lines is
// found at its first line.
func (b *RBuffer) searchTime(min uint64) error {
	low, high := int64(0), b.src.size()
	if min == 0 {
		high = 0
	}
	for high-low > nearEnough {
		middle := low + (high-low)/2
		t, found, err := b.timeFrom(middle)
		if err != nil {
			low = 0 // this was no block's end after all: read from the start
			break
		}
		if found && t < min {
			low = middle
		} else {
			high = middle
		}
	}
	return b.jump(low)
}

// timeRange returns the first and the last time of the file. It returns false for a file without
// a time.
func (b *RBuffer) timeRange() (first, last uint64, found bool, err error) {
	if b.ranged {
		return b.firstTime, b.lastTime, true, nil
	}
	first, found, err = b.timeFrom(0)
	if err != nil || !found {
		return 0, 0, false, err
	}
	last = first
	for size, step := b.src.size(), int64(nearEnough); ; step *= 4 {
		from := max(size-step, 0)
		t, some, err := b.timeFrom(from)
		for some && err == nil {
			last = t
			t, some, err = b.timeAfter()
		}
		if err != nil && from == 0 {
			return 0, 0, false, err
		}
		if last != first || from == 0 {
			break
		}
	}
	b.firstTime, b.lastTime, b.ranged = first, last, true
	return first, last, true, nil
}

// timeAfter returns the time of the next time line after the one at pos.
func (b *RBuffer) timeAfter() (uint64, bool, error) {
	for {
		b.pos += bytes.IndexByte(b.buf[b.pos:], '\n') + 1
		if b.pos >= b.limit {
			if err := b.fill(); err != nil {
				return 0, false, ignoreEnd(err)
			}
		}
		if lineClasses[b.buf[b.pos]] == lineTime {
			t, _ := parseHex(b.buf, b.pos)
			return t, true, nil
		}
	}
}
