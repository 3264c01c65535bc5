package sampling

import (
	"slices"
	"sort"
	"strings"
)

// mapping is a range of a process's addresses that holds code of a file.
type mapping struct {
	from, to uint64
	offset   uint64 // of from in the file
	file     int32
}

// process is the address space of a process. A child begins with those of its parent.
type process struct {
	maps []mapping // in the order of addresses, without overlaps
	vdso mapping   // the kernel's own code for programs, which is in no file
}

func (p *process) clone() *process { return &process{slices.Clone(p.maps), p.vdso} }

// add maps a range anew. The kernel does not tell what is unmapped, but what takes its place.
func (p *process) add(m mapping) {
	var kept []mapping
	for _, old := range p.maps {
		if old.to <= m.from || old.from >= m.to {
			kept = append(kept, old)
			continue
		}
		if old.from < m.from {
			before := old
			before.to = m.from
			kept = append(kept, before)
		}
		if old.to > m.to {
			after := old
			after.from, after.offset = m.to, old.offset+(m.to-old.from)
			kept = append(kept, after)
		}
	}
	at := sort.Search(len(kept), func(i int) bool { return kept[i].from >= m.from })
	p.maps = slices.Insert(kept, at, m)
}

// find returns the place of an address in a file; its file is negative if that is unknown.
func (p *process) find(address uint64) Address {
	i := sort.Search(len(p.maps), func(i int) bool { return p.maps[i].to > address })
	if i == len(p.maps) || address < p.maps[i].from {
		return Address{File: -1, Offset: address}
	}
	m := p.maps[i]
	if m.file < 0 {
		return Address{File: -1, Offset: address}
	}
	return Address{File: m.file, Offset: address - m.from + m.offset}
}

// isFile tells the code of a file from code that a program has made.
func isFile(name string) bool {
	return strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "//") &&
		!strings.HasPrefix(name, "/dev/zero") && !strings.HasPrefix(name, "/memfd:") &&
		!strings.HasPrefix(name, "/SYSV")
}
