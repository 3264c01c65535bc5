package conversion

import (
	"fmt"
	"slices"

	"opari/otf"
)

// survey is what must be known of the events before they can be converted.
type survey struct {
	source      *source
	first, last uint64
	any         bool
	teams       map[teamKey]map[uint32]bool // members, by number of the team
	forks       [][]uint32                  // threads of each parallel region that is not nested
	open        []int                       // index in forks of the region that is open; -1: none
	next        map[uint32]uint64           // number of the team that a process enters next
	numbers     map[uint32]bool             // counters that say it
	used        map[uint32]bool             // groups that are communicators
	ends        map[uint32]bool             // processes at the ends of messages without a group
	losses      Losses
}

type teamKey struct {
	group  int // location group
	number uint64
}

// look reads all events of a trace.
func look(r *otf.Reader, s *source) (*survey, error) {
	v := &survey{
		source: s, teams: map[teamKey]map[uint32]bool{}, next: map[uint32]uint64{},
		numbers: map[uint32]bool{}, used: map[uint32]bool{}, ends: map[uint32]bool{},
		losses: Losses{}, forks: make([][]uint32, len(s.owners)), open: make([]int, len(s.owners)),
	}
	for i := range v.open {
		v.open[i] = -1
	}
	for _, c := range s.counters {
		if c.name == teamNumber {
			v.numbers[c.id] = true
		}
	}
	message := func(a, b, group uint32) {
		if group == 0 {
			v.ends[a], v.ends[b] = true, true
		}
		v.used[group] = true
	}
	_, err := r.ReadEvents(&otf.HandlerArray{
		Enter: v.enter,
		Leave: func(_ uint64, f, process, _ uint32) error {
			if d := s.byNumber[f]; d != nil && d.kind == forks {
				v.open[s.byID[process].group] = -1
			}
			return nil
		},
		Counter: func(_ uint64, process, counter uint32, value uint64) error {
			if v.numbers[counter] {
				v.next[process] = value
			}
			return nil
		},
		SendMsg: func(_ uint64, from, to, group, _, _, _ uint32) error {
			message(from, to, group)
			return nil
		},
		RecvMsg: func(_ uint64, to, from, group, _, _, _ uint32) error {
			message(from, to, group)
			return nil
		},
		CollectiveOperation: func(_ uint64, process, _, group, _, _, _ uint32, _ uint64, _ uint32,
		) error {
			message(process, process, group)
			return nil
		},
		Any: func(*otf.Record) error { return nil },
		UnknownRecord: func(uint64, uint32, string) error {
			v.losses.add("records of libotf 1.12: not in OTF 1.1", 1)
			return nil
		},
	})
	v.first, v.last, v.any = r.EventTimes()
	return v, err
}

func (v *survey) enter(_ uint64, f, process, _ uint32) error {
	d, p := v.source.byNumber[f], v.source.byID[process]
	if d == nil || p == nil || d.kind != forks && d.kind != teamWork {
		return nil
	}
	team := v.next[process]
	delete(v.next, process)
	switch {
	case d.kind == forks && team == 0:
		v.open[p.group] = len(v.forks[p.group])
		v.forks[p.group] = append(v.forks[p.group], 0)
	case d.kind == teamWork:
		if at := v.open[p.group]; at >= 0 && team == 0 {
			v.forks[p.group][at]++
		}
		key := teamKey{p.group, team}
		if v.teams[key] == nil {
			v.teams[key] = map[uint32]bool{}
		}
		v.teams[key][process] = true
	}
	return nil
}

// team is a communicator of threads.
type team struct {
	group   int
	members []uint32          // processes, sorted
	ranks   map[uint32]uint32 // numbers in the team
}

// compose returns the teams, each once, and which one each number means.
func (v *survey) compose() (all []team, numbers map[teamKey]int) {
	numbers = map[teamKey]int{}
	known := map[string]int{}
	var keys []teamKey
	for key := range v.teams {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b teamKey) int {
		if a.group != b.group {
			return a.group - b.group
		}
		if a.number < b.number {
			return -1
		}
		return 1
	})
	for _, key := range keys {
		t := team{group: key.group}
		for p := range v.teams[key] {
			t.members = append(t.members, p)
		}
		slices.Sort(t.members)
		name := fmt.Sprint(t.group, t.members)
		i, is := known[name]
		if !is {
			t.ranks = map[uint32]uint32{}
			for rank, p := range t.members {
				t.ranks[p] = uint32(rank)
			}
			i = len(all)
			known[name] = i
			all = append(all, t)
		}
		numbers[key] = i
	}
	return all, numbers
}
