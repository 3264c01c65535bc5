package otf

import (
	"errors"
	"hash/fnv"
	"path/filepath"
)

// Writer writes a trace of any number of streams (section 3.1.1).
type Writer struct {
	namestub  string
	automatic uint32 // number of streams to make; 0: one for each process
	master    *MasterControl
	manager   *FileManager
	streams   map[uint32]*WStream
	format    Format
	level     int
	size      int
	uniqueID  uint64
	headed    bool // the version was written
	filled    bool

	// The stream of the last process that had a record, and those of processes with small numbers
	// that had one: nearly all processes.
	hot        *WStream
	hotProcess uint32
	dense      []*WStream
}

// maxDense is the maximal length of Writer.dense.
const maxDense = 1 << 16

// NewWriter opens a trace for writing. namestub may end in .otf.
//
// A process gets a stream with its first record: a new one while there are fewer than streams (0:
// no bound), else the one with the fewest processes (A.1.1).
func NewWriter(namestub string, streams uint32, manager *FileManager) *Writer {
	w := &Writer{
		namestub: stub(namestub), automatic: streams, master: NewMasterControl(),
		manager: manager, size: defaultBuffer,
	}
	w.streams = map[uint32]*WStream{}
	// The C library chooses the number at random. Here it depends on the name, so that the same
	// run gives the same bytes.
	sum := fnv.New64a()
	sum.Write([]byte(filepath.Base(w.namestub)))
	w.uniqueID = sum.Sum64()
	return w
}

// SetFormat sets how records are spelled, for files that have no record yet.
func (w *Writer) SetFormat(f Format) { w.format = f }

// SetCompression sets the level of zlib, 0 for none to 9, for streams that have no record yet.
func (w *Writer) SetCompression(level int) { w.level = min(max(level, 0), 9) }

// SetBufferSizes sets how many bytes of text are written, or compressed, at a time. It applies to
// streams that have no record yet.
func (w *Writer) SetBufferSizes(size int) { w.size = max(size, 4*eventRoom) }

// SetUniqueID sets the number that distinguishes this trace from others, before the first
// definition.
func (w *Writer) SetUniqueID(id uint64) { w.uniqueID = id }

// SetComplete makes Close write a file of events for each stream, even without events. The C
// library does not write it, and then refuses to read such a trace.
func (w *Writer) SetComplete(on bool) { w.filled = on }

// MasterControl returns the mapping of processes to streams so far.
func (w *Writer) MasterControl() *MasterControl { return w.master }

// AssignProcess assigns a process to a stream before its first record. It returns false if the
// process has a stream already, or stream is no valid number (A.1.12).
func (w *Writer) AssignProcess(process, stream uint32) bool {
	if _, known := w.master.StreamOf(process); known {
		return false
	}
	return w.master.Append(stream, process)
}

// Stream returns a stream to write to, and creates it if it is new.
func (w *Writer) Stream(id uint32) *WStream {
	s := w.streams[id]
	if s == nil {
		s = OpenWStream(w.namestub, id, w.manager)
		s.format, s.level, s.size = w.format, w.level, w.size
		w.streams[id] = s
	}
	return s
}

// of returns the stream of a process.
func (w *Writer) of(process uint32) *WStream {
	if process == w.hotProcess && w.hot != nil {
		return w.hot
	}
	return w.find(process)
}

// find returns or chooses the stream of a process that is not the last one.
func (w *Writer) find(process uint32) *WStream {
	w.hotProcess, w.hot = process, nil
	if process < uint32(len(w.dense)) {
		w.hot = w.dense[process]
	}
	if w.hot == nil {
		w.hot = w.first(process)
	}
	return w.hot
}

// first returns or chooses the stream of a process without a record.
func (w *Writer) first(process uint32) *WStream {
	id, known := w.master.StreamOf(process)
	if !known {
		id = w.choose()
		w.master.Append(id, process)
	}
	s := w.Stream(id)
	if process < maxDense {
		if n := int(process) + 1 - len(w.dense); n > 0 {
			w.dense = append(w.dense, make([]*WStream, n)...)
		}
		w.dense[process] = s
	}
	return s
}

// choose returns a stream for a new process.
func (w *Writer) choose() uint32 {
	entries := w.master.Entries()
	if w.automatic == 0 || uint32(len(entries)) < w.automatic {
		return w.master.NewStreamID()
	}
	best := entries[0]
	for _, e := range entries[1:] {
		if len(e.Processes) < len(best.Processes) {
			best = e
		}
	}
	return best.Stream
}

// definitions returns the stream for a definition. Before the first one of a trace it writes
// version and unique number to stream 0.
func (w *Writer) definitions(id uint32) (*WStream, error) {
	if !w.headed {
		w.headed = true
		global := w.Stream(0)
		if err := errors.Join(global.WriteOtfVersion(),
			global.WriteDefUniqueId(w.uniqueID)); err != nil {
			return nil, err
		}
	}
	return w.Stream(id), nil
}

// Write writes a record of any type: definitions to Record.Stream, others to the stream of their
// process.
func (w *Writer) Write(r *Record) error {
	if r.Type == UnknownRecord && r.Cut {
		return nil // see WStream.Write
	}
	if r.Type == UnknownRecord && r.File == Definitions || r.Type != UnknownRecord &&
		r.Type.Info().File == Definitions {
		s, err := w.definitions(r.Stream)
		if err != nil {
			return err
		}
		return s.Write(r)
	}
	return w.of(r.Process).Write(r)
}

// WriteEnter writes that function was entered (A.1.28).
func (w *Writer) WriteEnter(time uint64, function, process, source uint32) error {
	s := w.of(process)
	if s.short('E', time, function, process, source) {
		return nil
	}
	return s.event('E', time, function, process, source)
}

// WriteLeave writes that function, or with 0 the one entered last, was left (A.1.29).
func (w *Writer) WriteLeave(time uint64, function, process, source uint32) error {
	s := w.of(process)
	if s.short('L', time, function, process, source) {
		return nil
	}
	return s.event('L', time, function, process, source)
}

// WriteCounter writes a counter's value.
func (w *Writer) WriteCounter(time uint64, process, counter uint32, value uint64) error {
	s := w.of(process)
	if b := s.buffers[Events]; b != nil && b.counter(time, process, counter, value) {
		return nil
	}
	return s.counter(time, process, counter, value)
}

// WriteSendMsg writes that a message is sent.
func (w *Writer) WriteSendMsg(time uint64, sender, receiver, procGroup, tag, length, source uint32,
) error {
	return w.of(sender).WriteSendMsg(time, sender, receiver, procGroup, tag, length, source)
}

// WriteRecvMsg writes that a message is received.
func (w *Writer) WriteRecvMsg(time uint64, receiver, sender, procGroup, tag, length, source uint32,
) error {
	return w.of(receiver).WriteRecvMsg(time, receiver, sender, procGroup, tag, length, source)
}

// WriteOtfVersion does nothing, as in the C library: the version precedes the first definition
// (A.1.26).
func (w *Writer) WriteOtfVersion(uint32) error { return nil }

// CloseAllStreams writes the remaining text of all streams and closes them.
func (w *Writer) CloseAllStreams() error {
	var err error
	for _, s := range w.streams {
		err = errors.Join(err, s.Close())
	}
	clear(w.streams)
	w.dense, w.hot = nil, nil
	return err
}

// Close writes the remaining text and the master file.
func (w *Writer) Close() error {
	err := w.master.Write(w.namestub, w.manager)
	if w.filled {
		for _, e := range w.master.Entries() {
			if s := w.Stream(e.Stream); s.buffers[Events] == nil {
				b, _ := s.buffer(Events)
				err = errors.Join(err, b.setTimeAndProcess(0, e.Processes[0]))
				b.timed = false
			}
		}
	}
	return errors.Join(err, w.CloseAllStreams())
}
