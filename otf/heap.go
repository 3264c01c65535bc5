package otf

// waiting is a file with its next record.
type waiting struct {
	time   uint64
	buffer *RBuffer
}

// merger orders the records of several streams by time: a binary heap in which parent and child
// change places unless the parent is strictly earlier. It is not a stable order. It is that of the
// C library, which merges with just this heap, so records of the same time arrive in the same order
// as there (measured; the specification asks for temporal order only, section 2.2).
type merger []waiting

// build makes a heap of streams in the order of the master file.
func (m merger) build() {
	for i := len(m)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
}

// sink puts the entry at i in its place, after its time has changed.
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
