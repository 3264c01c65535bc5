package otf

import (
	"cmp"
	"errors"
	"maps"
	"runtime"
	"slices"
	"sync"
)

// sampler writes the state of a replay to files of one kind, for all streams.
type sampler struct {
	replay
	master  *MasterControl
	streams map[uint32]*WStream
	only    *WStream // where all records go; nil: to the streams of their processes
	open    func(stream uint32) *WStream
}

// WriteStatistics adds the statistics that section 2.9 leaves to tools. They are, for each
// process, the calls and times of its functions, or of groups of functions with o.Groups, and its
// messages.
//
// Each sum is from the start to some time. The files are TO.x.stats of the trace's streams. Several
// goroutines call the manager's opener.
func WriteStatistics(trace, to string, manager *FileManager, o SampleOptions) error {
	return writeSamples(trace, to, manager, o, Statistics)
}

// WriteSnapshots adds the snapshots that section 2.8 leaves to tools. They are, for each process
// at some time, the functions on the stack and the messages sent but not yet received. The files
// are TO.x.snaps.
func WriteSnapshots(trace, to string, manager *FileManager, o SampleOptions) error {
	return writeSamples(trace, to, manager, o, Snapshots)
}

func writeSamples(trace, to string, manager *FileManager, o SampleOptions, kind FileKind) error {
	r, err := OpenReader(trace, manager)
	if err != nil {
		return err
	}
	defer r.Close()
	first, last, found, err := r.TimeRange(Events)
	if err != nil || !found {
		return err
	}
	at := points(first, last, o.Points)
	if kind == Statistics {
		return writeSums(r, to, manager, o, append(at, last+1))
	}
	s := newSampler(r, to, manager, o)
	s.sampleAt, s.sample, s.messages = at, s.snapshot, map[messageKey][]pending{}
	return errors.Join(s.run(r, o.Progress), s.close())
}

func newSampler(r *Reader, to string, manager *FileManager, o SampleOptions) *sampler {
	s := &sampler{master: r.MasterControl(), streams: map[uint32]*WStream{}}
	s.processes = map[uint32]*replayed{}
	s.open = func(stream uint32) *WStream {
		w := OpenWStream(to, stream, manager)
		w.SetFormat(o.Format)
		w.SetCompression(o.Level)
		return w
	}
	return s
}

func (s *sampler) close() (err error) {
	for _, w := range s.streams {
		err = errors.Join(err, w.Close())
	}
	return err
}

// writeSums writes the statistics of several streams at a time: none is about two processes.
func writeSums(r *Reader, to string, manager *FileManager, o SampleOptions, at []uint64) error {
	groups := map[uint32]uint32{}
	if o.Groups {
		if _, err := r.ReadDefinitions(
			&HandlerArray{DefFunction: func(_, function uint32, _ string, group, _ uint32) error {
				groups[function] = group
				return nil
			}}); err != nil {
			return err
		}
	}
	var lock sync.Mutex
	done := int64(0)
	workers := min(runtime.GOMAXPROCS(0), manager.limit/2) // each has two files
	_, err := r.ReadStreams(workers, func(stream uint32) (*HandlerArray, func() error) {
		s := newSampler(r, to, NewFileManagerOf(1, manager.opener), o)
		s.groups, s.sampleAt = groups, at
		s.only = s.open(stream)
		s.sample = func(time uint64) error { return s.summary(time, o.Groups) }
		return s.handlers(), func() error {
			lock.Lock()
			if done++; o.Progress != nil {
				o.Progress(Progress{BytesRead: done, BytesSize: int64(len(r.streams))})
			}
			lock.Unlock()
			return errors.Join(s.until(MaxTime), s.only.Close())
		}
	})
	return err
}

// stream returns the stream for a process's records.
func (s *sampler) stream(process uint32) *WStream {
	if s.only != nil {
		return s.only
	}
	id, _ := s.master.StreamOf(process)
	w := s.streams[id]
	if w == nil {
		w = s.open(id)
		s.streams[id] = w
	}
	return w
}

// snapshot writes stacks, outermost function first, and messages sent but not yet received.
func (s *sampler) snapshot(time uint64) error {
	sent := map[uint32][]messageKey{}
	for key := range s.messages {
		sent[key.sender] = append(sent[key.sender], key)
	}
	for _, q := range s.sorted() {
		w := s.stream(q.id)
		for _, f := range q.stack {
			if err := w.WriteEnterSnapshot(time, f.time, f.function, q.id, f.source); err != nil {
				return err
			}
		}
		keys := sent[q.id]
		slices.SortFunc(keys, func(a, b messageKey) int {
			return cmp.Or(cmp.Compare(a.receiver, b.receiver), cmp.Compare(a.group, b.group),
				cmp.Compare(a.tag, b.tag))
		})
		for _, k := range keys {
			for _, m := range s.messages[k] {
				if err := w.WriteSendSnapshot(time, m.time, q.id, k.receiver, k.group, k.tag,
					m.length, m.source); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// summary writes sums. A running function counts up to now, so that p(b) - p(a) is right for any
// interval (section 2.9).
func (s *sampler) summary(time uint64, groups bool) error {
	for _, q := range s.sorted() {
		q.account(time)
		w := s.stream(q.id)
		var err error
		if groups {
			err = q.writeGroups(w, time, s.groups)
		} else {
			err = q.writeFunctions(w, time)
		}
		if err != nil {
			return err
		}
		kinds := slices.SortedFunc(maps.Keys(q.sums), func(a, b messageKind) int {
			return cmp.Or(cmp.Compare(a.peer, b.peer), cmp.Compare(a.group, b.group),
				cmp.Compare(a.tag, b.tag))
		})
		for _, k := range kinds {
			m := q.sums[k]
			if err := w.WriteMessageSummary(time, q.id, k.peer, k.group, k.tag, m.sent, m.received,
				m.bytesSent, m.bytesReceived); err != nil {
				return err
			}
		}
	}
	return nil
}

// inclusiveAt returns the inclusive time up to now.
func (c *callSums) inclusiveAt(time uint64) uint64 {
	if c.open > 0 {
		return c.inclusive + time - c.since
	}
	return c.inclusive
}

func (q *replayed) writeFunctions(w *WStream, time uint64) error {
	for _, f := range slices.Sorted(maps.Keys(q.calls)) {
		c := q.calls[f]
		if err := w.WriteFunctionSummary(time, f, q.id, c.count, c.exclusive,
			c.inclusiveAt(time)); err != nil {
			return err
		}
	}
	return nil
}

// writeGroups adds up the functions of a group.
func (q *replayed) writeGroups(w *WStream, time uint64, groups map[uint32]uint32) error {
	sums := map[uint32]callSums{}
	for f, c := range q.calls {
		g := sums[groups[f]]
		g.count += c.count
		g.exclusive += c.exclusive
		g.inclusive += c.inclusiveAt(time)
		sums[groups[f]] = g
	}
	for _, g := range slices.Sorted(maps.Keys(sums)) {
		if err := w.WriteFunctionGroupSummary(time, g, q.id, sums[g].count, sums[g].exclusive,
			sums[g].inclusive); err != nil {
			return err
		}
	}
	return nil
}
