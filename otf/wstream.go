package otf

import "errors"

// WStream writes one stream of a trace (section 3.1.2): up to four files, each created with its
// first record.
type WStream struct {
	namestub string
	id       uint32
	manager  *FileManager
	format   Format
	level    int
	size     int
	buffers  [fileKinds]*WBuffer
	record   Record // filled by the typed functions
	closed   bool
}

// The version of the C library whose encoding this is: readers check it.
const (
	versionNumber = 1<<16 | 12<<8 | 5
	versionName   = "salmon"
)

var errClosed = errors.New("otf: write to a closed stream")

// OpenWStream opens stream id for writing. namestub may end in .otf. Stream 0 is for global
// definitions. The caller has to write the master file (section 4.1).
func OpenWStream(namestub string, id uint32, manager *FileManager) *WStream {
	return &WStream{namestub: stub(namestub), id: id, manager: manager, size: defaultBuffer}
}

// SetFormat sets how records are spelled, for files that have no record yet.
func (s *WStream) SetFormat(f Format) { s.format = f }

// SetCompression sets the level of zlib, 0 for none to 9, for files that have no record yet.
func (s *WStream) SetCompression(level int) { s.level = min(max(level, 0), 9) }

// SetBufferSize sets how many bytes of text are written, or compressed, at a time, for files that
// have no record yet.
func (s *WStream) SetBufferSize(size int) { s.size = max(size, 4*eventRoom) }

// ID returns the stream's number.
func (s *WStream) ID() uint32 { return s.id }

// buffer returns the buffer for files of a kind.
func (s *WStream) buffer(kind FileKind) (*WBuffer, error) {
	if b := s.buffers[kind]; b != nil {
		return b, nil
	}
	if s.closed {
		return nil, errClosed
	}
	b := openWBuffer(s.manager, fileName(s.namestub, s.id, endings[kind]), s.format,
		s.size, s.level)
	s.buffers[kind] = b
	return b, nil
}

// Write writes a record of any type. It writes an unknown record unchanged to the file that it
// came from, unless the record is cut off.
func (s *WStream) Write(r *Record) error {
	kind := r.File
	if r.Type != UnknownRecord {
		kind = r.Type.Info().File
	} else if r.Cut {
		return nil // with a line feed it might pass for a valid record
	}
	b, err := s.buffer(kind)
	if err != nil {
		return err
	}
	return b.record(r, kind != Definitions)
}

// event writes an enter or leave.
func (s *WStream) event(letter byte, time uint64, function, process, source uint32) error {
	if b := s.buffers[Events]; b != nil && source == 0 && b.format == FormatShort && function != 0 {
		return b.event(letter, time, function, process)
	}
	r := &s.record
	r.Type, r.Time, r.Process = EnterRecord, time, process
	if letter == 'L' {
		r.Type = LeaveRecord
	}
	r.Values[0], r.Values[1] = uint64(function), uint64(source)
	return s.Write(r)
}

// short writes an enter or leave if that is short.
func (s *WStream) short(letter byte, time uint64, function, process, source uint32) bool {
	b := s.buffers[Events]
	return b != nil && source == 0 && b.short(letter, time, function, process)
}

// WriteEnter writes that function was entered (A.1.28).
func (s *WStream) WriteEnter(time uint64, function, process, source uint32) error {
	if s.short('E', time, function, process, source) {
		return nil
	}
	return s.event('E', time, function, process, source)
}

// WriteLeave writes that function, or with 0 the one entered last, was left (A.1.29).
func (s *WStream) WriteLeave(time uint64, function, process, source uint32) error {
	if s.short('L', time, function, process, source) {
		return nil
	}
	return s.event('L', time, function, process, source)
}

// message writes a message that is not short. It does not use the generated functions, because
// messages may be as frequent as enters and leaves.
func (s *WStream) message(letter byte, time uint64, process, peer, group, tag, length,
	source uint32,
) error {
	if b := s.buffers[Events]; b != nil && source == 0 && b.format == FormatShort && b.err == nil {
		keyword := "S"
		if letter == 'R' {
			keyword = "R"
		}
		return b.numbers(time, process, keyword, "LTC\n", uint64(peer), uint64(length),
			uint64(tag), uint64(group))
	}
	r := &s.record
	r.Type, r.Time, r.Process = SendMsgRecord, time, process
	if letter == 'R' {
		r.Type = RecvMsgRecord
	}
	for i, v := range [5]uint32{peer, group, tag, length, source} {
		r.Values[i] = uint64(v)
	}
	return s.Write(r)
}

// WriteCounter writes a counter's value.
func (s *WStream) WriteCounter(time uint64, process, counter uint32, value uint64) error {
	if b := s.buffers[Events]; b != nil && b.counter(time, process, counter, value) {
		return nil
	}
	return s.counter(time, process, counter, value)
}

// counter writes a counter's value that is not short.
func (s *WStream) counter(time uint64, process, counter uint32, value uint64) error {
	if b := s.buffers[Events]; b != nil && b.format == FormatShort && b.err == nil {
		return b.numbers(time, process, "CNT", "V\n", uint64(counter), value)
	}
	r := &s.record
	r.Type, r.Time, r.Process = CounterRecord, time, process
	r.Values[0], r.Values[1] = uint64(counter), value
	return s.Write(r)
}

// WriteSendMsg writes that a message is sent.
func (s *WStream) WriteSendMsg(time uint64, sender, receiver, procGroup, tag, length,
	source uint32,
) error {
	if b := s.buffers[Events]; b != nil && source == 0 &&
		b.message('S', time, sender, receiver, procGroup, tag, length) {
		return nil
	}
	return s.message('S', time, sender, receiver, procGroup, tag, length, source)
}

// WriteRecvMsg writes that a message is received.
func (s *WStream) WriteRecvMsg(time uint64, receiver, sender, procGroup, tag, length,
	source uint32,
) error {
	if b := s.buffers[Events]; b != nil && source == 0 &&
		b.message('R', time, receiver, sender, procGroup, tag, length) {
		return nil
	}
	return s.message('R', time, receiver, sender, procGroup, tag, length, source)
}

// WriteOtfVersion writes the version of the C library whose encoding this is (A.1.26).
func (s *WStream) WriteOtfVersion() error { return s.WriteDefVersion(versionNumber, versionName) }

// Flush writes the buffered text.
func (s *WStream) Flush() error {
	var err error
	for _, b := range s.buffers {
		if b != nil {
			err = errors.Join(err, b.Flush())
		}
	}
	return err
}

// Close writes the remaining text and closes the files.
func (s *WStream) Close() error {
	s.closed = true
	var err error
	for kind, b := range s.buffers {
		if b != nil {
			err = errors.Join(err, b.close())
			s.buffers[kind] = nil
		}
	}
	return err
}
