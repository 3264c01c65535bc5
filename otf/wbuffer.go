package otf

import (
	"errors"
	"fmt"
	"sync"
)

const (
	// defaultBuffer is the C library's. It determines how much text a compressed block has.
	defaultBuffer = 1 << 20
	// writeBlock is how much text one write has without compression. It is large enough to make
	// the system call cheap, and small enough for the second-level cache.
	writeBlock = 128 << 10
	// eventRoom is the maximal length of an enter or leave: time, process, keyword, function and
	// source, of up to 16 digits each.
	eventRoom = 128
)

// ErrUnsorted is wrapped by the error for a record that is earlier than its predecessor in the
// same file (section 2.4).
var ErrUnsorted = errors.New("unsorted time stamp")

// WBuffer writes one file of a stream: its lines, and the state machine of time and process
// (sections 2.3 and 3.1.3).
type WBuffer struct {
	file    *managedFile
	format  Format
	text    []byte // unwritten text; its capacity is size + eventRoom at least
	size    int
	level   int // of zlib; 0: not compressed
	time    uint64
	process uint32
	timed   bool // the state machine was set: close writes the state at the end
	refused bool // a record was unsorted: no more are accepted
	err     error

	// Most of the time of an event goes into its digits, so the parts that stay are kept
	// rendered.
	state  stateText
	tokens [256]tokenText
}

// openWBuffer makes a buffer of size bytes for the file at path, which appears with the first
// flush. level is zlib's, 0 for no compression.
func openWBuffer(manager *FileManager, path string, format Format, size, level int) *WBuffer {
	if level > 0 {
		path += ".z"
	} else if size == defaultBuffer {
		size = writeBlock
	}
	b := usedWBuffers.Get().(*WBuffer)
	*b = WBuffer{
		file: manager.writer(path), format: format, size: size, level: level,
		state: stateText{high: noHigh}, text: b.text[:0], tokens: b.tokens,
	}
	if format != FormatShort {
		clear(b.tokens[:]) // so that no event is short
	}
	if room := size + eventRoom; cap(b.text) < room || cap(b.text) > 2*room {
		b.text = make([]byte, 0, room)
	}
	return b
}

// usedWBuffers holds the buffers of closed files. The next file reuses their memory and the
// rendered tokens, because a trace may have many small files.
var usedWBuffers = sync.Pool{New: func() any { return new(WBuffer) }}

// flush hands the text to the file.
func (b *WBuffer) flush() error {
	if b.err != nil {
		b.text = b.text[:0]
		return b.err
	}
	if len(b.text) == 0 {
		return nil
	}
	if b.level > 0 {
		b.text, b.err = b.file.manager.pack.put(b.file, b.level, b.text)
	} else {
		b.err = b.file.write(b.text)
	}
	if b.err != nil {
		b.state.high = noHigh // so that no record is short
	}
	b.text = b.text[:0]
	return b.err
}

// Flush writes the buffered text. A compressed file gets a block of its own for it.
func (b *WBuffer) Flush() error {
	if err := b.flush(); err != nil || b.level == 0 {
		return err
	}
	b.err = b.file.manager.pack.wait(b.file)
	return b.err
}

// close writes the last time and process again, as the C library does, and closes the file. Then
// it gives the buffer to the next file.
func (b *WBuffer) close() error {
	if b.timed && b.err == nil {
		b.text = append(appendHex(b.text, b.time), '\n')
		b.text = append(b.text, b.state.processLine()...)
	}
	err := b.flush()
	if b.level > 0 {
		err = errors.Join(err, b.file.manager.pack.wait(b.file))
	}
	err = errors.Join(err, b.file.close())
	usedWBuffers.Put(b)
	return err
}

// setTimeAndProcess makes (time, process) the state for the following records.
//
// It writes time 0 for every record, as the C library does. The state before the first time line
// is 0 as well, so that library does not know whether the file has the line.
func (b *WBuffer) setTimeAndProcess(time uint64, process uint32) error {
	if time == b.time && time > 0 && !b.refused {
		if process != b.process {
			b.setProcess(process)
			b.text = append(b.text, b.state.processLine()...)
		}
		return nil
	}
	if b.refused || time < b.time && time != 0 {
		return b.refuse(time)
	}
	if process != b.process || !b.timed {
		b.setProcess(process)
	}
	b.timed, b.time = true, time
	b.text = b.state.append(b.text, time)
	return nil
}

// refuse makes the buffer accept no more records, and says so in the file, as the C library does.
func (b *WBuffer) refuse(time uint64) error {
	err := fmt.Errorf("%s: %w: %d after %d", b.file.path, ErrUnsorted, time, b.time)
	if !b.refused {
		b.refused = true
		b.text = append(b.text, "#\"error due to unsorted time stamp, aborted\"\n"...)
		b.time = MaxTime
	}
	return err
}

// numbers writes a record in short form that has only numbers: its keyword, and after each number
// but the last one the byte of the same place in between. There are four numbers at most, three of
// them of up to eight digits.
func (b *WBuffer) numbers(time uint64, process uint32, keyword, between string,
	values ...uint64,
) error {
	if len(b.text) > b.size-eventRoom {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if err := b.setTimeAndProcess(time, process); err != nil {
		return err
	}
	at := len(b.text)
	line := (*[lineRoom]byte)(b.text[at : at+lineRoom])
	n := copy(line[:], keyword)
	for i, v := range values {
		if v < 0x100 {
			n += putByte(line[n:], byte(v))
		} else {
			n += putHex(line[n:], v)
		}
		line[n] = between[i]
		n++
	}
	b.text = b.text[:at+n]
	return nil
}

// record writes any record, and timed ones through the state machine.
func (b *WBuffer) record(r *Record, timed bool) error {
	if b.err != nil {
		return b.err
	}
	if len(b.text) > b.size-eventRoom {
		if err := b.flush(); err != nil {
			return err
		}
	}
	if timed {
		if err := b.setTimeAndProcess(r.Time, r.Process); err != nil {
			return err
		}
	}
	b.text = append(b.text, r.Extra...)
	b.text = appendRecord(b.text, r, b.format)
	return nil
}
