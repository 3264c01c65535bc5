package otf

// Progress is how far the reading of one kind of records has come. Times are ticks. Min and Max
// are those of the trace, or of the time interval if it is narrower.
type Progress struct {
	Min, Current, Max    uint64
	BytesRead, BytesSize int64 // of the files on disk
}

// EventProgress is how far ReadEvents has come.
func (r *Reader) EventProgress() (Progress, error) { return r.progress(Events) }

// SnapshotProgress is how far ReadSnapshots has come.
func (r *Reader) SnapshotProgress() (Progress, error) { return r.progress(Snapshots) }

// StatisticProgress is how far ReadStatistics has come.
func (r *Reader) StatisticProgress() (Progress, error) { return r.progress(Statistics) }

func (r *Reader) progress(kind FileKind) (Progress, error) {
	first, last, _, err := r.TimeRange(kind)
	p := Progress{Min: max(first, r.wanted.min), Max: min(last, r.wanted.max)}
	p.Current = max(p.Min, r.passes[kind].time)
	read, size := r.Bytes(kind)
	p.BytesRead, p.BytesSize = read, size
	return p, err
}

// Bytes returns how many bytes of a kind's files were read, and how many they have. A file counts
// once it has been opened.
func (r *Reader) Bytes(kind FileKind) (read, size int64) {
	for _, s := range r.streams {
		if b := s.buffers[kind]; b != nil {
			read += b.src.tell()
			size += b.src.size()
		}
	}
	return read, size
}

// TimeRange returns the first and the last time of all records of a kind, regardless of the time
// interval. It returns false if there are none.
func (r *Reader) TimeRange(kind FileKind) (first, last uint64, found bool, err error) {
	for _, s := range r.streams {
		from, to, some, err := s.TimeRange(kind)
		if err != nil {
			return 0, 0, false, err
		}
		if !some {
			continue
		}
		if !found || from < first {
			first = from
		}
		last = max(last, to)
		found = true
	}
	return first, last, found, nil
}

// TimeRange returns the first and the last time of the stream's records of a kind.
func (s *RStream) TimeRange(kind FileKind) (first, last uint64, found bool, err error) {
	if b := s.buffers[kind]; b != nil && b.ranged {
		return b.firstTime, b.lastTime, true, nil
	}
	// The search takes a buffer of its own, so that the reader's keeps its position.
	other := openRStream(s.namestub, s.id, s.manager, manyFiles+1)
	defer other.Close()
	b, err := other.buffer(kind)
	if b == nil || err != nil {
		return 0, 0, false, err
	}
	first, last, found, err = b.timeRange()
	if mine := s.buffers[kind]; mine != nil && found {
		mine.firstTime, mine.lastTime, mine.ranged = first, last, true
	}
	return first, last, found, err
}
