package otf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"sync"
)

// maxLine is the longest line that is read, which bounds the memory for a line. The C library's
// bound is 100 MiB.
const maxLine = 16 << 20

// The kinds of lines, by their first byte.
const (
	lineRecord = iota
	lineTime
	lineProcess
	lineBlank
	lineKey
)

var lineClasses = func() (out [256]uint8) {
	for c := '0'; c <= '9'; c++ {
		out[c] = lineTime
	}
	for c := 'a'; c <= 'f'; c++ {
		out[c] = lineTime
	}
	out['*'], out['K'] = lineProcess, lineKey
	out[' '], out['\t'], out['\n'] = lineBlank, lineBlank, lineBlank
	return
}()

// window says which records of a timed file the caller wants.
type window struct {
	min, max uint64                    // half-open interval of time
	off      func(process uint32) bool // nil: none
}

// RBuffer reads one file of a stream: its lines, and the state machine of time and process
// (sections 2.3 and 3.2.3).
//
// buf[pos:limit] holds complete lines, the next one at pos. The start of another line follows
// limit, and then room for parseHex.
type RBuffer struct {
	opener Opener
	src    source
	path   string
	kind   FileKind
	stream uint32

	buf             []byte
	pos, limit, end int
	// offset of buf[0] in the text; negative where it is unknown, after a seek in a compressed
	// file
	base int64
	eof  bool

	// Some parts rarely change from line to line. They are kept as text, so that they need no
	// parsing: the digits of the time above the last eight, and the line of the process.
	timeSize    int    // number of the time's digits, where it has eight or more
	timeMask    uint64 // selects the digits above
	timeText    uint64
	timeHigh    uint64
	timeMiddle  uint32 // the first four of the last eight digits
	timeUpper   uint64 // the time but for the last four digits
	processMask uint64
	processText uint64
	processSize int // length of the line; only a line of at most eight bytes is kept

	tokens [64]struct { // function tokens, by their digits
		text  uint64
		value uint32
	}
	// How many digits the values of counters had last time; 0: more than 8. Where they have as many
	// again, the processor need not find their end to go on with what follows.
	valueDigits [64]uint8

	time     uint64
	process  uint32
	seenTime bool
	// whether a time line and a process line were seen: without both, records have no state and
	// are skipped
	ready     bool
	early     bool // the time is before the window
	disabled  bool
	finished  bool
	wanted    window
	extra     []byte // key-value lines before the next record
	keys      int    // those whose turn in the order of streams is still to come
	firstTime uint64
	lastTime  uint64
	delivered uint64 // time of the record delivered last
	ranged    bool   // firstTime and lastTime are known
	step      int    // how much is read at a time; it doubles
}

func newRBuffer(opener Opener, src source, path string, kind FileKind, stream uint32,
	size int,
) *RBuffer {
	b := usedRBuffers.Get().(*RBuffer)
	*b = RBuffer{
		opener: opener, src: src, path: path, kind: kind, stream: stream,
		wanted: window{max: MaxTime},
		buf:    b.buf, extra: b.extra[:0], tokens: b.tokens,
	}
	if b.buf = b.buf[:cap(b.buf)]; len(b.buf) < size+padding || len(b.buf) > readBlock+padding {
		b.buf = make([]byte, size+padding)
	}
	b.buf = b.buf[:size+padding]
	b.step = len(b.buf)
	return b
}

// usedRBuffers holds the buffers of closed files. The next file reuses their memory and what they
// know of tokens, because a trace may have many small files.
var usedRBuffers = sync.Pool{New: func() any { return new(RBuffer) }}

// close closes the file and gives the buffer to the next one.
func (b *RBuffer) close() error {
	err := b.src.close()
	usedRBuffers.Put(b)
	return err
}

// restart forgets text and state after the source has moved to another offset.
func (b *RBuffer) restart(base int64) {
	b.pos, b.limit, b.end, b.base, b.eof = 0, 0, 0, base, false
	b.step = len(b.buf)
	b.time, b.process = 0, 0
	b.seenTime, b.ready, b.finished, b.disabled = false, false, false, false
	b.timeSize, b.processMask, b.processText = 0, 0, 1
	b.early = b.wanted.min > 0
	b.extra, b.keys = b.extra[:0], 0
}

// fill reads more complete lines. It returns io.EOF at the end and leaves a last line without a
// line feed in buf[pos:end].
func (b *RBuffer) fill() error {
	if b.pos > 0 {
		copy(b.buf, b.buf[b.pos:b.end])
		if b.base >= 0 {
			b.base += int64(b.pos)
		}
		b.end, b.limit, b.pos = b.end-b.pos, b.limit-b.pos, 0
	}
	for !b.eof {
		room := len(b.buf) - padding
		if b.end == room {
			if room >= maxLine {
				return b.errorAt(0, fmt.Sprintf("line longer than %d bytes", maxLine))
			}
			grown := make([]byte, 2*room+padding)
			copy(grown, b.buf[:b.end])
			b.buf = grown
			continue
		}
		if b.step < room {
			room = min(room, b.end+b.step)
			b.step *= 2
		}
		n, err := b.src.read(b.buf[b.end:room])
		last := bytes.LastIndexByte(b.buf[b.end:b.end+n], '\n')
		b.end += n
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return err
			}
			b.eof = true
			clear(b.buf[b.end : b.end+padding]) // a number at the end must stop there
		}
		if last >= 0 {
			b.limit = b.end - n + last + 1
			return nil
		}
	}
	return io.EOF
}

// errorAt returns an Error for the byte at, an index into buf.
func (b *RBuffer) errorAt(at int, what string) error {
	e := &Error{Path: b.path, What: what}
	if b.base >= 0 {
		e.Offset = b.base + int64(at)
		e.Line = b.countLines(e.Offset)
	}
	return e
}

// countLines returns the number of the line that holds the byte at. It reads the file again, so
// that only a file with an error costs this time.
func (b *RBuffer) countLines(at int64) int {
	src, err := openSource(NewFileManagerOf(1, b.opener), b.path, manyFiles+1)
	if err != nil {
		return 0
	}
	defer src.close()
	lines, chunk := 1, make([]byte, 64<<10)
	for at > 0 {
		n, err := src.read(chunk[:min(int64(len(chunk)), at)])
		if err != nil {
			return 0
		}
		lines += bytes.Count(chunk[:n], []byte{'\n'})
		at -= int64(n)
	}
	return lines
}

// skip advances past the record at pos unread.
func (b *RBuffer) skip() {
	b.extra = b.extra[:0]
	if b.pos >= b.limit {
		b.pos, b.limit = b.end, b.end
		return
	}
	b.pos += bytes.IndexByte(b.buf[b.pos:], '\n') + 1
}

// next goes to the next record that is not before the window. Its line begins at pos, time and
// process are its state, and if disabled is set, the caller does not want it. next returns false
// at the end of the file. The caller checks for the end of the window.
func (b *RBuffer) next() (bool, error) {
	if b.finished {
		return false, nil
	}
	p := b.pos
	for {
		if p >= b.limit {
			b.pos = p
			if err := b.fill(); err != nil {
				return b.tail(err)
			}
			p = b.pos
		}
		switch lineClasses[b.buf[p]] {
		case lineTime:
			p = b.timeLine(p)
			b.early = b.time < b.wanted.min
		case lineProcess:
			if binary.LittleEndian.Uint64(b.buf[p:])&b.processMask == b.processText && b.ready {
				p += b.processSize
				continue
			}
			v, end := parseHex(b.buf, p+1)
			b.keepProcess(p, end)
			p = end
			if !b.seenTime {
				break
			}
			if process := uint32(v); process != b.process || !b.ready {
				b.process, b.ready = process, true
				b.disabled = b.wanted.off != nil && b.wanted.off(process)
			}
		case lineBlank:
			p++
			continue
		case lineKey:
			if next, ok := b.keyLine(p); ok {
				p = next
				continue
			}
			fallthrough
		default:
			if b.ready && !b.early {
				b.pos = p
				return true, nil
			}
			b.extra, b.keys = b.extra[:0], 0
		}
		if b.buf[p] != '\n' {
			p += bytes.IndexByte(b.buf[p:], '\n')
		}
		p++
	}
}

// timeLine reads the time at p and returns where its digits end.
func (b *RBuffer) timeLine(p int) int {
	text := binary.LittleEndian.Uint64(b.buf[p:])
	if n := b.timeSize; n > 0 && b.buf[p+n] == '\n' && text&b.timeMask == b.timeText {
		if low := binary.LittleEndian.Uint64(b.buf[p+n-8:]); hexDigits(low) == 8 {
			b.time = b.timeHigh | join(low)
			b.keepMiddle(p + n - 8)
			return p + n
		}
	}
	b.seenTime, b.timeSize = true, 0
	if n := hexDigits(text); n < 8 {
		b.time = join(text << (64 - 8*uint(n)))
		return p + n
	}
	t, end := parseHex(b.buf, p)
	b.time = t
	if n := end - p; n >= 8 && n <= 16 {
		b.timeSize = n
		b.timeMask = 1<<(8*uint(n-8)) - 1
		b.timeText, b.timeHigh = text&b.timeMask, t&^(1<<32-1)
		b.keepMiddle(p + n - 8)
	}
	return end
}

// keepMiddle keeps what the last eight digits of the time begin with.
func (b *RBuffer) keepMiddle(low int) {
	b.timeMiddle = binary.LittleEndian.Uint32(b.buf[low:])
	b.timeUpper = b.time &^ 0xffff
}

// keepProcess keeps a short process line.
func (b *RBuffer) keepProcess(p, end int) {
	b.processMask, b.processText = 0, 1
	if n := end + 1 - p; n <= 8 && b.buf[end] == '\n' {
		b.processMask = 1<<(8*uint(n)) - 1
		b.processText = binary.LittleEndian.Uint64(b.buf[p:]) & b.processMask
		b.processSize = n
	}
}

// token reads the digits at p, and looks up those that it has seen.
func (b *RBuffer) token(p int) (uint32, int) {
	text := binary.LittleEndian.Uint64(b.buf[p:])
	rest := text ^ '\n'*ones
	zero := (rest - ones) &^ rest & highs
	if n := bits.TrailingZeros64(zero) >> 3; n < 8 {
		text &= 1<<(8*uint(n)) - 1
		t := &b.tokens[text*0x9e3779b97f4a7c15>>58]
		if t.text == text && text != 0 {
			return t.value, p + n
		}
		v, end := parseHex(b.buf, p)
		if end == p+n {
			t.text, t.value = text, uint32(v)
		}
		return uint32(v), end
	}
	v, end := parseHex(b.buf, p)
	return uint32(v), end
}

// keyLine keeps a key-value line (libotf 1.12) for the record after it and returns where the next
// line begins. It returns false for any other line.
func (b *RBuffer) keyLine(p int) (int, bool) {
	line := b.buf[p : p+bytes.IndexByte(b.buf[p:], '\n')+1]
	if hexDigits(uint64(line[1])) == 0 && !hasPrefix(line, "KEY ") {
		return p, false
	}
	if len(b.extra) > maxLine {
		b.extra = b.extra[:0]
	}
	b.extra = append(b.extra, line...)
	b.keys++
	return p + len(line), true
}

// tail ends the file. A last line without a line feed becomes an unknown record.
func (b *RBuffer) tail(err error) (bool, error) {
	if !errors.Is(err, io.EOF) {
		b.finished = true
		return false, err
	}
	for b.pos < b.end && lineClasses[b.buf[b.pos]] == lineBlank {
		b.pos++
	}
	b.finished = b.end == b.pos || !b.ready && b.kind != Definitions || b.early
	if c := b.buf[b.pos]; !b.finished && b.kind != Definitions {
		b.finished = lineClasses[c] != lineRecord && lineClasses[c] != lineKey
	}
	return !b.finished, nil
}

// nextDefinition goes to the next line of a definition file.
func (b *RBuffer) nextDefinition() (bool, error) {
	if b.finished {
		return false, nil
	}
	for {
		if b.pos >= b.limit {
			if err := b.fill(); err != nil {
				return b.tail(err)
			}
		}
		switch lineClasses[b.buf[b.pos]] {
		case lineBlank:
			b.pos++
		case lineKey:
			next, ok := b.keyLine(b.pos)
			if !ok {
				return true, nil
			}
			b.pos = next
		default:
			return true, nil
		}
	}
}
