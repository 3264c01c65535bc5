package analysis

import "sync"

// meeting is a collective operation of all members of a group.
type meeting struct {
	kind       uint32
	root       uint32 // a process; 0: none
	last       int64  // when the last member arrived
	rootBegins int64
	// When these would have been, had no process been off the CPU.
	undelayed, rootUndelayed int64
}

// participation notes that a rank takes part in the nth meeting of a group.
type participation struct {
	group, n, kind, root uint32
	since
	isRoot bool
}

// meetingTable are the meetings of each group in their order. The nth meeting of a member is the
// nth of its group.
type meetingTable struct {
	lock   sync.Mutex
	groups map[uint32][]meeting
}

// attend notes the meetings that one rank took part in.
func (m *meetingTable) attend(list []participation) {
	m.lock.Lock()
	defer m.lock.Unlock()
	for i := range list {
		a := &list[i]
		of := m.groups[a.group]
		for int(a.n) >= len(of) {
			of = append(of, meeting{})
		}
		k := &of[a.n]
		k.kind, k.last = a.kind, max(k.last, a.time)
		k.undelayed = max(k.undelayed, a.time-a.behind)
		if k.root = a.root; a.isRoot {
			k.rootBegins, k.rootUndelayed = a.time, a.time-a.behind
		}
		m.groups[a.group] = of
	}
}

// at returns the nth meeting of a group, and false if there is none.
func (m *meetingTable) at(group, n uint32) (meeting, bool) {
	if of := m.groups[group]; int(n) < len(of) {
		return of[n], true
	}
	return meeting{}, false
}
