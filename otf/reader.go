package otf

import (
	"errors"
	"slices"
)

// Reader reads a trace of any number of streams (section 3.2.1).
type Reader struct {
	namestub string
	master   *MasterControl
	manager  *FileManager
	share    int        // at least so many streams share the memory of buffers
	streams  []*RStream // by id, as in the master file
	global   *RStream   // stream 0: definitions only
	disabled map[uint32]bool
	wanted   window
	limit    uint64
	passes   [fileKinds]pass
	record   Record
}

// pass is how far the reading of one kind of records has come.
type pass struct {
	begun  bool
	heap   merger
	stream int    // for definitions and unsorted events: the stream being read
	time   uint64 // of the last record
	first  uint64 // of the first record of several streams
	any    bool   // there is a first record
}

// OpenReader opens a trace by its master file. namestub may end in .otf.
func OpenReader(namestub string, manager *FileManager) (*Reader, error) {
	master, err := readMaster(namestub, manager)
	if err != nil {
		return nil, err
	}
	return openReader(namestub, master, manager, 1), nil
}

// OpenReaderOf opens the streams of some processes of a trace whose master file the caller has
// read. It behaves as if the trace had no other processes, and takes memory and time for these
// streams alone.
func OpenReaderOf(namestub string, master *MasterControl, processes []uint32,
	manager *FileManager,
) *Reader {
	some := NewMasterControl()
	for _, p := range processes {
		if s, known := master.StreamOf(p); known {
			some.Append(s, p)
		}
	}
	return openReader(namestub, some, manager, manyReaders)
}

// manyReaders is how many readers share the memory of buffers if each reads a part of a trace.
// Large buffers do not pay off for small files.
const manyReaders = 64

func openReader(namestub string, master *MasterControl, manager *FileManager, share int) *Reader {
	r := &Reader{
		namestub: stub(namestub), master: master, manager: manager, share: share,
		disabled: map[uint32]bool{},
	}
	r.wanted = window{max: MaxTime, off: r.isOff}
	r.open()
	return r
}

func (r *Reader) open() {
	entries := r.master.Entries()
	r.streams = r.streams[:0]
	for _, e := range entries {
		s := openRStream(r.namestub, e.Stream, r.manager, max(len(entries), r.share))
		s.wanted = r.wanted
		r.streams = append(r.streams, s)
	}
	r.global = openRStream(r.namestub, 0, r.manager, 1)
	r.passes = [fileKinds]pass{}
}

// isOff reports whether the records of a process are dropped: it is disabled, or not in the
// master file.
func (r *Reader) isOff(process uint32) bool {
	if _, known := r.master.StreamOf(process); !known {
		return true
	}
	return r.disabled[process]
}

// allOff reports whether all processes of a stream are disabled.
func (r *Reader) allOff(stream uint32) bool {
	e, _ := r.master.Entry(stream)
	return !slices.ContainsFunc(e.Processes, func(p uint32) bool { return !r.disabled[p] })
}

// MasterControl returns the trace's mapping of processes to streams.
func (r *Reader) MasterControl() *MasterControl { return r.master }

// Stream returns the stream with a number, or nil if the master file has none.
func (r *Reader) Stream(id uint32) *RStream {
	i := slices.IndexFunc(r.streams, func(s *RStream) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return r.streams[i]
}

// DisableProcess drops the records of a process from now on.
func (r *Reader) DisableProcess(process uint32) { r.SetProcessStatus(process, false) }

// EnableProcess undoes DisableProcess.
func (r *Reader) EnableProcess(process uint32) { r.SetProcessStatus(process, true) }

// SetProcessStatus sets whether the records of a process are delivered from now on.
func (r *Reader) SetProcessStatus(process uint32, enabled bool) {
	if enabled {
		delete(r.disabled, process)
	} else {
		r.disabled[process] = true
	}
	for _, s := range r.streams {
		for _, b := range s.buffers {
			if b != nil {
				b.disabled = b.ready && r.isOff(b.process)
			}
		}
	}
}

// ProcessStatus reports whether the records of a process are delivered.
func (r *Reader) ProcessStatus(process uint32) bool { return !r.isOff(process) }

// SetTimeInterval restricts reading to minTime <= time < maxTime. Reading starts again at the
// start of the interval, which a bisection finds.
func (r *Reader) SetTimeInterval(minTime, maxTime uint64) {
	r.wanted.min, r.wanted.max = minTime, max(minTime, maxTime)
	_ = r.Close()
	r.open()
}

// SetRecordLimit makes each call of a Read function return after limit records. The next call
// continues there. 0 is no limit.
func (r *Reader) SetRecordLimit(limit uint64) { r.limit = limit }

// Reset enables all processes, removes the time interval and starts again.
func (r *Reader) Reset() {
	clear(r.disabled)
	r.SetTimeInterval(0, MaxTime)
}

// Close closes all files and ends reading.
func (r *Reader) Close() error {
	err := r.global.Close()
	for kind := range r.passes {
		r.passes[kind].begun, r.passes[kind].heap, r.passes[kind].stream = true, nil,
			len(r.streams)+1
	}
	for _, s := range r.streams {
		err = errors.Join(err, s.Close())
	}
	return err
}

// ReadDefinitions reads the global definitions and then those of each stream. It returns the
// number of records.
func (r *Reader) ReadDefinitions(h *HandlerArray) (uint64, error) {
	return r.inTurn(Definitions, append([]*RStream{r.global}, r.streams...), h)
}

// ReadEvents reads the events of all streams in temporal order. It returns how many it delivered,
// including those without a handler.
//
// A stream without a file of events has none. The C library refuses the complete trace then, even
// one that it wrote itself.
func (r *Reader) ReadEvents(h *HandlerArray) (uint64, error) { return r.merged(Events, h) }

// EventTimes returns the times of the first and the last event that ReadEvents has read, and
// false if it has read none. It suits callers that read everything anyway: TimeRange searches the
// files.
func (r *Reader) EventTimes() (first, last uint64, found bool) {
	p := &r.passes[Events]
	return p.first, max(p.first, p.time), p.any
}

// ReadSnapshots reads snapshots as ReadEvents reads events.
func (r *Reader) ReadSnapshots(h *HandlerArray) (uint64, error) { return r.merged(Snapshots, h) }

// ReadStatistics reads summaries as ReadEvents reads events.
func (r *Reader) ReadStatistics(h *HandlerArray) (uint64, error) { return r.merged(Statistics, h) }

// ReadEventsUnsorted reads the events stream by stream, without temporal order between streams.
// As in the C library, it reads the first stream, and then the others from the last one down.
func (r *Reader) ReadEventsUnsorted(h *HandlerArray) (uint64, error) {
	order := slices.Clone(r.streams)
	slices.Reverse(order[min(1, len(order)):])
	return r.inTurn(Events, order, h)
}

// bound returns the record limit of one call.
func (r *Reader) bound() uint64 {
	if r.limit == 0 {
		return MaxTime
	}
	return r.limit
}

// inTurn reads one stream after another.
func (r *Reader) inTurn(kind FileKind, streams []*RStream, h *HandlerArray) (uint64, error) {
	p, limit, total := &r.passes[kind], r.bound(), uint64(0)
	for p.stream < len(streams) && total < limit {
		b, err := streams[p.stream].buffer(kind)
		if err != nil {
			return total, err
		}
		if b != nil {
			n, err := b.readAll(h, &r.record, limit-total)
			total += n
			p.time = b.time
			if errors.Is(err, ErrBreak) {
				return total, nil
			}
			if err != nil || total == limit {
				return total, err
			}
		}
		p.stream++
	}
	return total, nil
}

// begin builds the heap of a pass.
func (r *Reader) begin(kind FileKind) error {
	p := &r.passes[kind]
	p.begun, p.heap = true, p.heap[:0]
	for _, s := range r.streams {
		if r.allOff(s.id) {
			continue
		}
		b, err := s.buffer(kind)
		if err != nil {
			return err
		}
		if b != nil {
			p.heap = append(p.heap, waiting{0, b})
		}
	}
	for i := 0; i < len(p.heap); {
		b := p.heap[i].buffer
		more, err := b.next()
		if err != nil {
			return err
		}
		if more {
			p.heap[i].time = b.time
			i++
			continue
		}
		// The last stream takes the place of one without a record. This order is not stable
		// either, but it is the C library's.
		p.heap[i] = p.heap[len(p.heap)-1]
		p.heap = p.heap[:len(p.heap)-1]
	}
	p.heap.build()
	return nil
}

// merged reads the records of all streams in temporal order.
//
// The turns in the heap decide the order of records of the same time. So lines that are not
// delivered take a turn, too: records of disabled processes, and key-value lines. For the same
// reason a stream stays in the heap when its next record is after the interval.
func (r *Reader) merged(kind FileKind, h *HandlerArray) (n uint64, err error) {
	p, limit := &r.passes[kind], r.bound()
	if !p.begun {
		if err := r.begin(kind); err != nil {
			return 0, err
		}
		if p.any = len(p.heap) > 0; p.any {
			p.first = p.heap[0].time
		}
	}
	for len(p.heap) > 0 && n < limit && p.heap[0].time < r.wanted.max {
		b := p.heap[0].buffer
		if b.keys > 0 && len(p.heap) > 1 {
			b.keys--
			p.heap.sink(0)
			continue
		}
		k, more, err := b.run(h, &r.record, min(p.heap.second(), r.wanted.max), limit-n)
		n += k
		if k > 0 {
			p.time = b.delivered
		}
		p.advance(more)
		if err != nil {
			if errors.Is(err, ErrBreak) {
				err = nil
			}
			return n, err
		}
	}
	return n, nil
}

// advance takes the next record of the stream at the root, which has one if more is set. If it has
// none, the last stream of the heap takes the root's place.
func (p *pass) advance(more bool) {
	if more {
		p.heap[0].time = p.heap[0].buffer.time
	} else {
		last := len(p.heap) - 1
		p.heap[0] = p.heap[last]
		p.heap = p.heap[:last]
	}
	if len(p.heap) > 1 {
		p.heap.sink(0)
	}
}
