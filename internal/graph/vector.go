package graph

// Spent is time of a thread at a place. Places are the caller's numbers.
type Spent struct {
	Place, Thread int32
	Time          int64 // ns
}

// vector holds times by place and thread. Most have a few entries, so a search is enough for them.
type vector struct {
	list  []Spent
	index map[uint64]int32 // by key; nil while the list is short
}

// searched is the longest list without an index.
const searched = 12

func key(place, thread int32) uint64 { return uint64(uint32(place))<<32 | uint64(uint32(thread)) }

func (v *vector) add(place, thread int32, time int64) {
	if time == 0 {
		return
	}
	if v.index != nil {
		if i, known := v.index[key(place, thread)]; known {
			v.list[i].Time += time
			return
		}
		v.index[key(place, thread)] = int32(len(v.list))
		v.list = append(v.list, Spent{place, thread, time})
		return
	}
	for i := range v.list {
		if e := &v.list[i]; e.Place == place && e.Thread == thread {
			e.Time += time
			return
		}
	}
	v.list = append(v.list, Spent{place, thread, time})
	if len(v.list) > searched {
		v.index = make(map[uint64]int32, 2*len(v.list))
		for i, e := range v.list {
			v.index[key(e.Place, e.Thread)] = int32(i)
		}
	}
}

// absorb adds another vector, which it empties.
func (v *vector) absorb(w *vector) {
	if len(w.list) > len(v.list) {
		*v, *w = *w, *v
	}
	for _, e := range w.list {
		v.add(e.Place, e.Thread, e.Time)
	}
	w.clear()
}

// clear empties the vector and keeps its short list.
func (v *vector) clear() {
	v.list = v.list[:0]
	if v.index != nil {
		*v = vector{}
	}
}

// move gives the times of a thread at one place to another place.
func (v *vector) move(thread, from, to int32) {
	for i := range v.list {
		if e := v.list[i]; e.Place == from && e.Thread == thread && e.Time != 0 {
			v.list[i].Time = 0
			v.add(to, thread, e.Time)
			return
		}
	}
}
