package analysis

// Location is a place where a program ran: the machine, a node of it, a process on a node, a thread
// of a process. Its times are those of its threads.
type Location struct {
	Name    string
	Kind    string // "machine", "node", "process" or "thread"
	Parent  int    // in the list; -1 of the machine
	Depth   int
	Threads []int
}

// Locations are all locations, each below the one that it is part of. Levels of which a run does
// not tell are left out: of a program without MPI there are the machine and its threads.
func (r *Result) Locations() []Location {
	all := []Location{{Name: "machine", Kind: "machine", Parent: -1}}
	type key struct {
		parent int
		name   string
	}
	known := map[key]int{}
	children := map[int][]int{}
	for i, t := range r.Threads {
		at := 0
		all[at].Threads = append(all[at].Threads, i)
		for _, level := range []struct{ kind, name string }{
			{"node", t.Node},
			{"process", t.Process},
		} {
			if level.name == "" {
				continue
			}
			k := key{at, level.name}
			if known[k] == 0 {
				known[k] = len(all)
				children[at] = append(children[at], len(all))
				all = append(all, Location{
					Name: level.name, Kind: level.kind, Parent: at,
					Depth: all[at].Depth + 1,
				})
			}
			at = known[k]
			all[at].Threads = append(all[at].Threads, i)
		}
		children[at] = append(children[at], len(all))
		all = append(all, Location{
			Name: t.Name, Kind: "thread", Parent: at,
			Depth: all[at].Depth + 1, Threads: []int{i},
		})
	}
	out := make([]Location, 0, len(all))
	var walk func(at, parent int)
	walk = func(at, parent int) {
		one := all[at]
		one.Parent = parent
		number := len(out)
		out = append(out, one)
		for _, c := range children[at] {
			walk(c, number)
		}
	}
	walk(0, -1)
	return out
}

// SumAt is the time of a property over all paths at a location.
func (r *Result) SumAt(p Property, l *Location) int64 {
	if len(l.Threads) == len(r.Threads) {
		return r.Sum(p, -1)
	}
	var sum int64
	for _, t := range l.Threads {
		sum += r.Sum(p, t)
	}
	return sum
}
