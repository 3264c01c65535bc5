package graph

import "slices"

// Spent is time of a thread at a place. Places are the caller's numbers.
type Spent struct {
	Place  int32
	Thread int32 // AnyThread: of several
	Time   int64 // ns
}

// AnyThread stands for the threads of times that are known by place only.
const AnyThread = -1

// vector holds times by place and thread. Most have a few entries, so a search is enough for them.
type vector struct {
	list  []Spent
	index []uint16 // a hash table of positions in the list, from 1; nil while the list is short
}

// searched is the longest list without an index.
const searched = 12

// find returns the position of an entry in the list, or -1.
func (v *vector) find(place, thread int32) int {
	if v.index == nil {
		for i := range v.list {
			if e := &v.list[i]; e.Place == place && e.Thread == thread {
				return i
			}
		}
		return -1
	}
	return int(v.index[v.slot(place, thread)]) - 1
}

// slot returns the slot of the index that an entry has or could have.
func (v *vector) slot(place, thread int32) int {
	hash := uint64(uint32(place))*0x9e3779b97f4a7c15 ^ uint64(uint32(thread))*0xc2b2ae3d27d4eb4f
	mask := len(v.index) - 1
	for s := int(hash>>40) & mask; ; s = (s + 1) & mask {
		i := v.index[s]
		if i == 0 || v.list[i-1].Place == place && v.list[i-1].Thread == thread {
			return s
		}
	}
}

func (v *vector) add(place, thread int32, time int64) {
	if time == 0 {
		return
	}
	if i := v.find(place, thread); i >= 0 {
		v.list[i].Time += time
		return
	}
	v.list = append(v.list, Spent{place, thread, time})
	switch n := len(v.list); {
	case n > mostEntries:
		v.fold(mostEntries / 2)
	case n <= searched:
	case 2*n > len(v.index):
		v.rehash()
	default:
		v.index[v.slot(place, thread)] = uint16(n)
	}
}

// mostEntries is how many entries the index can number.
const mostEntries = 1<<16 - 1

func (v *vector) rehash() {
	size := 4 * searched
	for size < 4*len(v.list) {
		size *= 2
	}
	size = 1 << bits(size-1)
	v.index = make([]uint16, size)
	for i := range v.list {
		v.index[v.slot(v.list[i].Place, v.list[i].Thread)] = uint16(i + 1)
	}
}

func bits(n int) (b int) {
	for ; n > 0; n >>= 1 {
		b++
	}
	return b
}

// fold gives the times of all but so many entries, the longest ones, to any thread. The times of
// places stay as they are.
func (v *vector) fold(keep int) {
	slices.SortFunc(v.list, func(x, y Spent) int { return int(min(1, max(-1, y.Time-x.Time))) })
	keep = min(keep, len(v.list))
	rest := slices.Clone(v.list[keep:])
	v.list, v.index = v.list[:keep], nil
	if keep > searched {
		v.rehash()
	}
	for _, e := range rest {
		v.add(e.Place, AnyThread, e.Time)
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

// clear empties the vector and keeps a short list for reuse.
func (v *vector) clear() {
	if v.list = v.list[:0]; v.index != nil {
		*v = vector{}
	}
}
