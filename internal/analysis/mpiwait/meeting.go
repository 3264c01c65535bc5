package mpiwait

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

// Participation notes that a rank takes part in the nth meeting of a group.
type Participation struct {
	Group, N, Kind, Root uint32
	Since
	IsRoot bool
}

// Meetings are the meetings of each group in their order. The nth meeting of a member is the
// nth of its group.
type Meetings struct {
	lock   sync.Mutex
	groups map[uint32][]meeting
}

// NewMeetings returns a table without meetings.
func NewMeetings() *Meetings { return &Meetings{groups: map[uint32][]meeting{}} }

// Attend notes the meetings that one rank took part in.
func (m *Meetings) Attend(list []Participation) {
	m.lock.Lock()
	defer m.lock.Unlock()
	for i := range list {
		a := &list[i]
		of := m.groups[a.Group]
		for int(a.N) >= len(of) {
			of = append(of, meeting{})
		}
		k := &of[a.N]
		k.kind, k.last = a.Kind, max(k.last, a.Time)
		k.undelayed = max(k.undelayed, a.Time-a.Behind)
		if k.root = a.Root; a.IsRoot {
			k.rootBegins, k.rootUndelayed = a.Time, a.Time-a.Behind
		}
		m.groups[a.Group] = of
	}
}

// At returns the nth meeting of a group, and false if there is none.
func (m *Meetings) At(group, n uint32) (meeting, bool) {
	if of := m.groups[group]; int(n) < len(of) {
		return of[n], true
	}
	return meeting{}, false
}

// Since is when a process became ready to receive, how much it was behind, and what it had lost in
// all.
type Since struct{ Time, Behind, Lost int64 }
