package otf

import (
	"errors"
	"os"
)

// RStream reads one stream of a trace (section 3.2.2).
type RStream struct {
	namestub string
	id       uint32
	manager  *FileManager
	share    int // streams of the trace
	buffers  [fileKinds]*RBuffer
	size     int
	wanted   window
	limit    uint64
	record   Record
}

const (
	// readMemory is the memory of the buffers of all streams of a reader together.
	readMemory    = 4 << 20
	readBlock     = 256 << 10
	smallestBlock = 4 << 10
)

// openRStream opens stream id of a trace of share streams. It opens each file when it is first
// read.
func openRStream(namestub string, id uint32, manager *FileManager, share int) *RStream {
	size := min(max(readMemory/share, smallestBlock), readBlock)
	return &RStream{
		namestub: namestub, id: id, manager: manager, share: share, size: size,
		wanted: window{max: MaxTime},
	}
}

// ID returns the stream's number.
func (s *RStream) ID() uint32 { return s.id }

// buffer opens a file of the stream. It returns nil if there is none.
func (s *RStream) buffer(kind FileKind) (*RBuffer, error) {
	if b := s.buffers[kind]; b != nil {
		return b, nil
	}
	// A plain file takes precedence over a compressed one, as in findFile.
	path := fileName(s.namestub, s.id, endings[kind])
	src, err := openSource(s.manager, path, s.share)
	if errors.Is(err, os.ErrNotExist) {
		path += ".z"
		src, err = openSource(s.manager, path, s.share)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b := newRBuffer(s.manager.opener, src, path, kind, s.id, s.size)
	b.wanted = s.wanted
	s.buffers[kind] = b
	b.restart(0)
	if kind != Definitions && b.wanted.min > 0 {
		err = b.searchTime(b.wanted.min)
	}
	return b, err
}

// SetTimeInterval restricts reading to events, snapshots and statistics of min <= time < max.
// Reading starts again at the start of the interval.
func (s *RStream) SetTimeInterval(minTime, maxTime uint64) {
	s.wanted.min, s.wanted.max = minTime, max(minTime, maxTime)
	s.rewind()
}

// rewind closes the files, so that reading starts again.
func (s *RStream) rewind() {
	_ = s.Close()
}

// SetRecordLimit makes each call of a Read function return after limit records. The next call
// continues there. 0 is no limit.
func (s *RStream) SetRecordLimit(limit uint64) { s.limit = limit }

// ReadDefinitions reads the stream's own definitions; those of stream 0 are global. It returns
// their number.
func (s *RStream) ReadDefinitions(h *HandlerArray) (uint64, error) { return s.read(Definitions, h) }

// ReadEvents reads events in the order of the file. It returns how many it delivered, including
// those without a handler.
func (s *RStream) ReadEvents(h *HandlerArray) (uint64, error) { return s.read(Events, h) }

// ReadSnapshots reads snapshots as ReadEvents reads events.
func (s *RStream) ReadSnapshots(h *HandlerArray) (uint64, error) { return s.read(Snapshots, h) }

// ReadStatistics reads summaries as ReadEvents reads events.
func (s *RStream) ReadStatistics(h *HandlerArray) (uint64, error) { return s.read(Statistics, h) }

func (s *RStream) read(kind FileKind, h *HandlerArray) (uint64, error) {
	b, err := s.buffer(kind)
	if b == nil || err != nil {
		return 0, err
	}
	limit := s.limit
	if limit == 0 {
		limit = MaxTime
	}
	n, err := b.readAll(h, &s.record, limit)
	if errors.Is(err, ErrBreak) {
		err = nil
	}
	return n, err
}

// readAll delivers up to limit records.
func (b *RBuffer) readAll(h *HandlerArray, r *Record, limit uint64) (n uint64, err error) {
	if b.kind == Definitions {
		return b.readDefinitions(h, r, limit)
	}
	if more, err := b.next(); !more || b.time >= b.wanted.max {
		return 0, err
	}
	n, _, err = b.run(h, r, b.wanted.max, limit)
	return n, err
}

func (b *RBuffer) readDefinitions(h *HandlerArray, r *Record, limit uint64) (n uint64, err error) {
	for n < limit {
		if more, err := b.nextDefinition(); !more {
			return n, err
		}
		n++
		if err := b.deliver(h, r); err != nil {
			return n, err
		}
	}
	return n, nil
}

// Close closes the stream's files, so that reading starts again.
func (s *RStream) Close() error {
	var err error
	for kind, b := range s.buffers {
		if b != nil {
			err = errors.Join(err, b.close())
			s.buffers[kind] = nil
		}
	}
	return err
}
