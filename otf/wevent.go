package otf

import "encoding/binary"

// stateText is the text of the lines of a time and a process. For most events only the last four
// digits of the time change.
type stateText struct {
	high uint64 // time>>16 of the text, which is not 0; noHigh: there is no text yet
	at   int    // where the last four digits of the time are
	size int
	text [64]byte

	process [16]byte // "*" process LF
	line    int      // length of process
}

// noHigh is more than any time>>16.
const noHigh = MaxTime

// lineRoom is more than the maximal length of a time, a process and a short event.
const lineRoom = 48

func (s *stateText) processLine() []byte { return s.process[:s.line] }

// setProcess makes process the one of the following records.
func (b *WBuffer) setProcess(process uint32) {
	b.process = process
	s := &b.state
	s.process[0] = '*'
	var digits [16]byte
	n := putHex(digits[:], uint64(process))
	s.line = 1 + copy(s.process[1:], digits[:n])
	s.process[s.line] = '\n'
	s.line++
	copy(s.text[s.at+5:], s.process[:])
	s.size = s.at + 5 + s.line
}

// append appends the lines for a time. There is room for 64 bytes.
func (s *stateText) append(b []byte, time uint64) []byte {
	high := time >> 16
	if high == 0 {
		return append(append(appendHex(b, time), '\n'), s.processLine()...)
	}
	if high != s.high {
		s.high, s.at = high, putHex(s.text[:], high)
		s.text[s.at+4] = '\n'
		copy(s.text[s.at+5:], s.process[:])
		s.size = s.at + 5 + s.line
	}
	at := len(b)
	s.put((*[lineRoom]byte)(b[at:at+lineRoom]), time)
	return b[:at+s.size]
}

// put writes the lines for a time whose upper digits are those of the text. at and size are in
// their bounds anyway; the compiler knows by the masks.
func (s *stateText) put(b *[lineRoom]byte, time uint64) {
	*(*[16]byte)(b[:]) = [16]byte(s.text[:]) // in halves, for which the compiler makes no call
	*(*[16]byte)(b[16:]) = [16]byte(s.text[16:])
	binary.LittleEndian.PutUint32(b[s.at&15:],
		uint32(hexPairs[byte(time>>8)])|uint32(hexPairs[byte(time)])<<16)
}

// hexPairs holds the two digits of each byte, the first one in the lower byte.
var hexPairs = func() (out [256]uint16) {
	for i := range out {
		out[i] = uint16(spread(uint32(i)) >> 48)
	}
	return
}()

// putByte writes v to b, which has room for two bytes, and returns its length.
func putByte(b []byte, v byte) int {
	pair := hexPairs[v]
	if v < 0x10 {
		b[0] = byte(pair >> 8)
		return 1
	}
	binary.LittleEndian.PutUint16(b, pair)
	return 2
}

// tokenText is the rendered number of a function, with a line feed.
type tokenText struct {
	token uint32
	size  uint32 // 0: none is stored
	text  uint64
}

// sameState reports whether only the last four digits of the time differ from the state before, and
// there is room for a record. Then the record may take the rendered state.
func (b *WBuffer) sameState(time uint64, process uint32) bool {
	return time>>16 == b.state.high && time > b.time && process == b.process &&
		len(b.text) <= b.size-eventRoom
}

// token returns the rendered number with a line feed, and its size; 0: see keep.
func (b *WBuffer) token(number uint32) (text uint64, size int) {
	if t := &b.tokens[number&0xff]; t.token == number && t.size > 0 {
		return t.text, int(t.size & 15)
	}
	return b.keep(number)
}

// keep renders a number, and keeps it for token. It returns the size 0 for one of more than seven
// digits, and in the long format. It does not keep 0, which stands for no function in an enter.
func (b *WBuffer) keep(number uint32) (text uint64, size int) {
	var digits [16]byte
	n := putHex(digits[:], uint64(number))
	if n > 7 || b.format != FormatShort {
		return 0, 0
	}
	digits[n] = '\n'
	text = binary.LittleEndian.Uint64(digits[:])
	if number != 0 {
		b.tokens[number&0xff] = tokenText{number, uint32(n) + 1, text}
	}
	return text, n + 1
}

// counter writes a counter's value, if it is short in the sense of short.
func (b *WBuffer) counter(time uint64, process, counter uint32, value uint64) bool {
	if !b.sameState(time, process) {
		return false
	}
	name, size := b.token(counter)
	if size == 0 {
		return false
	}
	b.time = time
	at := len(b.text)
	text, n := (*[64]byte)(b.text[at:at+64]), int(b.state.size&31)
	b.state.put((*[lineRoom]byte)(text[:]), time)
	copy(text[n:], "CNT")
	binary.LittleEndian.PutUint64(text[n+3:], name)
	n += 3 + size
	text[n-1] = 'V'
	n += putHex(text[n:], value)
	text[n] = '\n'
	b.text = b.text[:at+n+1]
	return true
}

// message writes a message without a source location, if it is short in the sense of short.
func (b *WBuffer) message(letter byte, time uint64, process, peer, group, tag, length uint32) bool {
	if !b.sameState(time, process) {
		return false
	}
	to, toSize := b.token(peer)
	of, ofSize := b.token(tag)
	in, inSize := b.token(group)
	if toSize == 0 || ofSize == 0 || inSize == 0 {
		return false
	}
	b.time = time
	at := len(b.text)
	text, n := (*[80]byte)(b.text[at:at+80]), int(b.state.size&31)
	b.state.put((*[lineRoom]byte)(text[:]), time)
	text[n] = letter
	binary.LittleEndian.PutUint64(text[n+1:], to)
	n += 1 + toSize
	text[n-1] = 'L'
	n += putHex(text[n:], uint64(length))
	text[n] = 'T'
	binary.LittleEndian.PutUint64(text[n+1:], of)
	n += 1 + ofSize
	text[n-1] = 'C'
	binary.LittleEndian.PutUint64(text[n:], in)
	b.text = b.text[:at+n+inSize]
	return true
}

// short writes an enter or leave as event does, if only the last four digits of the time and the
// function differ from the event before, the function is known, and there is room. Nearly all
// records of nearly all traces are of this form. Otherwise it returns false and writes nothing.
func (b *WBuffer) short(letter byte, time uint64, function, process uint32) bool {
	t, at := &b.tokens[function&0xff], len(b.text)
	if time>>16 != b.state.high || time <= b.time || process != b.process ||
		t.token != function || t.size == 0 || at > b.size-eventRoom {
		return false
	}
	b.time = time
	text, size := (*[lineRoom]byte)(b.text[at:at+lineRoom]), b.state.size&31
	b.state.put(text, time)
	text[size] = letter
	binary.LittleEndian.PutUint64(text[size+1:], t.text)
	b.text = b.text[:at+size+1+int(t.size)]
	return true
}

// event writes an enter or leave in short form without a source location.
func (b *WBuffer) event(letter byte, time uint64, function, process uint32) error {
	if len(b.text) > b.size-eventRoom {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if err := b.setTimeAndProcess(time, process); err != nil {
		return err
	}
	var text [16]byte
	n := putHex(text[:], uint64(function))
	text[n] = '\n'
	b.text = append(append(b.text, letter), text[:n+1]...)
	if n < 8 {
		b.tokens[function&0xff] = tokenText{
			function, uint32(n) + 1, binary.LittleEndian.Uint64(text[:]),
		}
	}
	return nil
}
