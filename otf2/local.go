package otf2

import "math"

// maps has the global numbers of a location's own numbers, by MappingType.
type maps struct {
	dense  [][]uint64
	sparse []map[uint64]uint64
}

// add takes over a MappingTable.
func (m *maps) add(r *Record) {
	kind := int(r.Values[0])
	for len(m.dense) <= kind {
		m.dense, m.sparse = append(m.dense, nil), append(m.sparse, nil)
	}
	if r.Values[1] == MapDense {
		m.dense[kind], m.sparse[kind] = append([]uint64(nil), r.Lists[0]...), nil
		return
	}
	m.dense[kind], m.sparse[kind] = nil, map[uint64]uint64{}
	for i := 0; i+1 < len(r.Lists[0]); i += 2 {
		m.sparse[kind][r.Lists[0][i]] = r.Lists[0][i+1]
	}
}

// global returns the global number of v. A number that the location has no other one for is the
// global one.
func (m *maps) global(kind uint8, v uint64) uint64 {
	if int(kind) >= len(m.dense) {
		return v
	}
	if list := m.dense[kind]; v < uint64(len(list)) {
		return list[v]
	}
	if to, is := m.sparse[kind][v]; is {
		return to
	}
	return v
}

// narrow returns the global number of v in the width of its kind: all but locations have 32 bits.
func (m *maps) narrow(kind uint8, v uint64) uint64 {
	to := m.global(kind, v)
	if kind != uint8(MappingTypeLocation) {
		to &= Undefined32
	}
	return to
}

// apply replaces all numbers of a record that the location numbers itself.
func (m *maps) apply(k *RecordKind, r *Record) {
	for i := range k.Fields {
		f := &k.Fields[i]
		if f.Mapping != unmapped {
			r.Values[f.Slot] = m.narrow(f.Mapping, r.Values[f.Slot])
		}
		for _, c := range f.Columns {
			if c.Mapping != unmapped {
				for j, v := range r.Lists[c.Slot] {
					r.Lists[c.Slot][j] = m.narrow(c.Mapping, v)
				}
			}
		}
	}
	for i := range r.Attributes {
		a := &r.Attributes[i]
		a.Attribute = uint32(m.global(uint8(MappingTypeAttribute), uint64(a.Attribute)))
		if a.Type >= typeString {
			a.Value = m.narrow(uint8(a.Type-typeString), a.Value)
		}
	}
}

// clock corrects the times of a location, by linear interpolation between the moments at which its
// offset to the global clock was measured.
type clock struct {
	at  []moment
	now int // interval of the last time
}

// moment is one measurement. slope is how the offset changes until the next one.
type moment struct {
	time   uint64
	offset int64
	slope  float64
}

// add takes over a ClockOffset. One that is not later than the one before is left out.
func (c *clock) add(r *Record) {
	m := moment{time: r.Values[0], offset: int64(r.Values[1])}
	if n := len(c.at); n > 0 {
		before := &c.at[n-1]
		if m.time <= before.time {
			return
		}
		before.slope = float64(m.offset-before.offset) / float64(m.time-before.time)
	}
	c.at = append(c.at, m)
}

// global returns the global time of a time of the location. Times outside all intervals continue
// the nearest one. One measurement alone changes nothing, as in the C library.
func (c *clock) global(time uint64) uint64 {
	last := len(c.at) - 2
	if last < 0 {
		return time
	}
	for c.now < last && time > c.at[c.now+1].time {
		c.now++
	}
	for c.now > 0 && time <= c.at[c.now].time {
		c.now--
	}
	m := &c.at[c.now]
	since := float64(time - m.time)
	if time < m.time {
		since = -float64(m.time - time)
	}
	return time + uint64(m.offset+int64(math.RoundToEven(m.slope*since)))
}
