package recording

import (
	"cmp"
	"os"
	"slices"
	"sync"
)

// scan is what has to be known of a process before the streams of its world are written.
type scan struct {
	names      *names
	groups     map[int]bool // numbers of communicators in messages
	operations map[uint64]routine
	crossings  []crossing
	sent, got  uint64 // messages
}

// routine is one for collective operations.
type routine struct {
	name    string
	pattern uint32
}

// scanAll looks at all processes of the world, in parallel.
func (w *world) scanAll(clocks map[*Process]clock, groupOf func(*communicator) uint32) ([]*scan, error) {
	nodes := map[int]bool{}
	for _, p := range w.processes {
		nodes[p.mpi.Node] = true
	}
	scans := make([]*scan, len(w.processes))
	err := atOnce(len(w.processes), func(i int) error {
		p := w.processes[i]
		s := &scan{names: newNames(p.regions), groups: map[int]bool{}, operations: map[uint64]routine{}}
		scans[i] = s
		for _, t := range p.threads {
			if err := s.thread(p, t, clocks[p], func(peer int, c *communicator) (uint32, bool) {
				return groupOf(c), len(nodes) > 1 && w.there[peer]
			}); err != nil {
				return err
			}
		}
		slices.SortStableFunc(s.crossings, func(a, b crossing) int { return cmp.Compare(a.time, b.time) })
		return nil
	})
	return scans, err
}

// thread looks at the records of a thread. crosses says whether there are clocks that may differ, and names the communicator's group: then all messages
// count, for one that is moved moves others.
func (s *scan) thread(p *Process, t *rawThread, k clock, crosses func(peer int, c *communicator) (uint32, bool)) error {
	f, err := os.Open(t.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var words []uint64
	inside, receives := 0, 0
	for _, segment := range t.segments() {
		words = words[:0]
		err := segment.each(f, func(r *record) (bool, error) {
			switch r.what {
			case data:
				words = append(words, r.word)
				return true, nil
			case collective:
				s.groups[r.number] = true
				if len(words) == 3 {
					code := words[0] >> rootBits
					s.operations[code] = routine{s.names.regionName(inside), uint32(code & 15)}
				}
			case sent, received:
				s.groups[r.number] = true
				m, good := p.mpi.message(r.number, words)
				if r.what == received {
					receives++
					s.got++
				} else {
					s.sent++
				}
				if !good {
					break
				}
				if group, far := crosses(m.peer, m.communicator); far {
					c := crossing{time: k.ns(r.time), receive: r.what == received, thread: t.number, index: receives}
					c.channel = channel{group: group, from: p.mpi.Rank, to: m.peer, tag: m.tag}
					if c.receive {
						c.channel.from, c.channel.to = m.peer, p.mpi.Rank
					}
					s.crossings = append(s.crossings, c)
				}
			default:
				if !kinds[r.what].point {
					s.names.function(r.what, r.number)
					if r.what == mutex {
						s.names.waitFunction(r.number)
					}
					if !r.leave {
						inside = r.number
					}
				}
			}
			words = words[:0]
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// atOnce calls do for 0 to n-1, as many at once as there are processors. The error is the one of the lowest number.
func atOnce(n int, do func(i int) error) error {
	errs := make([]error, n)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(n, processors()) {
		workers.Go(func() {
			for i := range next {
				errs[i] = do(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
