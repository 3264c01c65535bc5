package analysis

// Location is a place where a program ran: the machine, a node, a process of a node or a thread
// of a process. Its times are those of its threads.
type Location struct {
	Name    string
	Kind    string // "machine", "node", "process" or "thread"
	Parent  int    // index in the list; -1 for the machine
	Depth   int
	Threads []int
}

// Locations returns all locations, parents before children. It omits levels that a run does not
// name: without MPI there are only the machine and its threads.
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

// SumAt returns the time of a property over all paths at a location.
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
