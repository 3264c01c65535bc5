package otf

// waiting is a file together with its next record's time.
type waiting struct {
	time   uint64
	buffer *RBuffer
}

// merger orders the records of several streams by time. It is a binary heap in which parent and
// child change places unless the parent is strictly earlier.
//
// The order is not stable. The C library merges with exactly this heap, so records of the same
// time arrive in the same order in both. This was measured; section 2.2 requires temporal order
// only.
type merger []waiting

// build makes a heap from streams in the order of the master file.
func (m merger) build() {
	for i := len(m)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
}

// sink moves the entry at i to its place after its time has changed.
func (m merger) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(m) {
			return
		}
		if child+1 < len(m) && m[child+1].time < m[child].time {
			child++
		}
		if m[i].time < m[child].time {
			return
		}
		m[i], m[child] = m[child], m[i]
		i = child
	}
}

// second returns the earliest time of the streams below the root. As long as the root is before
// it, the root stays where it is.
func (m merger) second() uint64 {
	switch len(m) {
	case 1:
		return MaxTime
	case 2:
		return m[1].time
	}
	return min(m[1].time, m[2].time)
}
