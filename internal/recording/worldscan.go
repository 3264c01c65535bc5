package recording

import (
	"cmp"
	"encoding/binary"
	"slices"

	"golang.org/x/sync/errgroup"
)

// scan is what the converter needs to know of a process before it writes the streams of the
// world. It is small, because there is one for each process.
type scan struct {
	uses       []use    // functions in the order of first use
	groups     []int    // communicators that messages use
	operations []doing  // collective operations
	messages   []uint64 // numbers of messages, by thread
}

// use is a function of a process: the low bits of its records, and whether it is the wait to
// enter.
type use struct {
	what    what
	waiting bool
	region  int32
}

// doing is a collective routine with the layer's code for it.
type doing struct {
	code uint64
	routine
}

// routine is a collective routine of MPI.
type routine struct {
	name    string
	pattern uint32
}

// scanAll scans all processes of the world, in parallel.
func (w *world) scanAll() ([]*scan, error) {
	scans := make([]*scan, len(w.processes))
	err := atOnce(len(w.processes), func(i int) error {
		scans[i] = &scan{messages: make([]uint64, len(w.processes[i].threads))}
		r := scanner{scan: scans[i], process: w.processes[i], seen: map[uint32]bool{}}
		for n, t := range r.process.threads {
			if err := r.thread(n, t); err != nil {
				return err
			}
		}
		return nil
	})
	return scans, err
}

// scanner scans the records of a process.
type scanner struct {
	*scan
	process *Process
	seen    map[uint32]bool // low bits of the records seen so far
	recent  [64]uint32      // a cache of seen, plus 1
	group   uint64          // communicator of the last message, plus 1
	words   [3]uint64       // the first data words since the last record
	inside  int             // the region that the thread entered last
}

const recordMask = 1<<timeShift - 1 // a record without its time

func (s *scanner) thread(n int, t *rawThread) error {
	f, err := t.open()
	if err != nil {
		return err
	}
	defer f.Close()
	given := 0
	s.inside = 0
	return words(f, t.chunks, func(text []byte, _ chunk) error {
		for ; len(text) >= 8; text = text[8:] {
			word := binary.LittleEndian.Uint64(text)
			switch what(word >> 1 & (allKinds - 1)) {
			case pause:
			case data:
				if given < len(s.words) {
					s.words[given] = word >> opBits
				}
				given++
			case sent, received:
				s.messages[n]++
				if number := word>>opBits&(1<<idBits-1) + 1; s.group != number {
					// Mostly the communicator is that of the message before.
					s.group = number
					s.message(word, given)
				}
				given = 0
			case collective, gotFrom, putInto, requested, complete, cancelled:
				s.message(word, given)
				given = 0
			default:
				key := uint32(word & recordMask)
				if last := &s.recent[(key^key>>opBits)&63]; *last != key+1 {
					*last = key + 1
					s.meet(key)
				}
				if given = 0; word&1 == 0 {
					s.inside = int(word >> opBits & (1<<idBits - 1))
				}
			}
		}
		return nil
	})
}

// message notes a message or a collective operation that has this number of data words before it.
func (s *scanner) message(word uint64, given int) {
	number := int(word >> opBits & (1<<idBits - 1))
	switch what(word >> 1 & (allKinds - 1)) {
	case sent, received, collective:
		if !slices.Contains(s.groups, number) {
			s.groups = append(s.groups, number)
		}
	}
	if what(word>>1&(allKinds-1)) != collective || given != 3 {
		return
	}
	code := s.words[0] >> rootBits
	if !slices.ContainsFunc(s.operations, func(o doing) bool { return o.code == code }) {
		s.operations = append(s.operations,
			doing{code, routine{s.process.regionName(s.inside), uint32(code & 15)}})
	}
}

// meet notes the functions of a record when it first occurs.
func (s *scanner) meet(key uint32) {
	w, number := what(key>>1&(allKinds-1)), int32(key>>opBits)
	if kinds[w].name == "" || kinds[w].point || s.seen[key|1] {
		return
	}
	s.seen[key|1] = true
	s.uses = append(s.uses, use{what: w, region: number})
	if w == mutex {
		s.uses = append(s.uses, use{what: w, waiting: true, region: number})
	}
}

// region returns a region by its number. All regions without a line are number 0, because a
// damaged recording may have any number of them.
func (p *Process) region(number int) *Region {
	if number >= len(p.regions) || p.regions[number] == nil {
		number = 0
	}
	return p.regions[number]
}

// regionName returns the name of a region's directive or routine.
func (p *Process) regionName(number int) string { return p.region(number).Name }

// atOnce calls do for 0 to n-1, as many at once as there are processors. It returns the error of
// the lowest number, whichever came first.
func atOnce(n int, do func(i int) error) error {
	var some errgroup.Group
	some.SetLimit(processors())
	errs := make([]error, n)
	for i := range n {
		some.Go(func() error {
			errs[i] = do(i)
			return nil
		})
	}
	_ = some.Wait()
	return cmp.Or(errs...)
}
