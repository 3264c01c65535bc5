package otf2

// waiting is a file together with its next record.
type waiting struct {
	file   *rfile
	record Record
}

// merger orders the records of several locations by time, and by number of location.
type merger []*waiting

func (m merger) before(i, j int) bool {
	a, b := m[i], m[j]
	if a.record.Time != b.record.Time {
		return a.record.Time < b.record.Time
	}
	return a.file.location < b.file.location
}

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
		if child+1 < len(m) && m.before(child+1, child) {
			child++
		}
		if !m.before(child, i) {
			return
		}
		m[i], m[child] = m[child], m[i]
		i = child
	}
}
