package recording

import (
	"math"
	"math/bits"
	"slices"
)

// crossing is one end of a message, a send or a receive, in a world of several nodes.
type crossing struct {
	time    uint64 // ns
	tag     uint64
	peer    uint32 // the other rank, in the world
	group   uint32
	index   uint32 // number among the receives of the thread, from 1
	thread  uint32 // number in its process
	receive bool
}

// channel is what messages share that never overtake each other.
type channel struct {
	tag      uint64
	group    uint32
	from, to uint32 // ranks of the world
}

// floors finds the receives whose clocks place them before their sends, and computes the earliest
// possible time of each: one ns after the send. Nothing that a process does after such a receive
// is earlier either, so a send can move, too.
//
// All ranks advance together, in windows of time. A rank whose next receive has no send yet waits
// for it. So memory holds only the next crossing of each rank, and the messages that are sent and
// not received.
type floors struct {
	ranks    []*rankFlow
	inFlight inFlight
	ready    []uint32 // ranks that no longer wait
	passed   int      // crossings handled in this window
	moved    func(rank int, c *crossing, at uint64) error
}

// rankFlow is the state of a rank.
type rankFlow struct {
	// the next crossing, nil at the end; valid until the next call
	next    func() (*crossing, error)
	head    *crossing
	now     uint64
	wants   channel
	waiting bool
	begun   bool
}

// run advances all ranks to their ends.
func (f *floors) run() error {
	step := uint64(1e6)
	for limit := uint64(0); ; {
		f.passed = 0
		first, going := uint64(math.MaxUint64), false
		for i, r := range f.ranks {
			if r.waiting || r.begun && r.head == nil {
				continue
			}
			if err := f.follow(uint32(i), limit); err != nil {
				return err
			}
		}
		for _, r := range f.ranks {
			if !r.waiting && r.head != nil {
				first, going = min(first, r.head.time), true
			}
		}
		if !going {
			break
		}
		switch {
		case f.passed > 32*len(f.ranks):
			step = max(step/2, 1)
		case f.passed < 4*len(f.ranks):
			step = min(2*step, 1e12)
		}
		limit = max(first, limit) + step
	}
	// A receive whose send was lost stays at its time, and its rank goes on.
	for {
		i := slices.IndexFunc(f.ranks, func(r *rankFlow) bool { return r.waiting })
		if i < 0 {
			return nil
		}
		r := f.ranks[i]
		r.waiting, r.now = false, max(r.now, r.head.time)
		if err := f.advance(r); err != nil {
			return err
		}
		if err := f.follow(uint32(i), math.MaxUint64); err != nil {
			return err
		}
	}
}

// follow advances a rank, and the ranks that it wakes, up to a time.
func (f *floors) follow(rank uint32, limit uint64) error {
	f.ready = append(f.ready[:0], rank)
	for len(f.ready) > 0 {
		rank = f.ready[len(f.ready)-1]
		f.ready = f.ready[:len(f.ready)-1]
		if err := f.one(rank, limit); err != nil {
			return err
		}
	}
	return nil
}

func (f *floors) one(rank uint32, limit uint64) error {
	r := f.ranks[rank]
	if !r.begun {
		r.begun = true
		if err := f.advance(r); err != nil {
			return err
		}
	}
	for r.head != nil && r.head.time <= limit {
		e := r.head
		at := max(e.time, r.now)
		c := channel{tag: e.tag, group: e.group, from: rank, to: e.peer}
		if e.receive {
			c.from, c.to = e.peer, rank
			sent, found := f.inFlight.take(&c)
			if !found {
				r.wants, r.waiting = c, true
				return nil
			}
			if sent >= at {
				at = sent + 1
				if err := f.moved(int(rank), e, at); err != nil {
					return err
				}
			}
		} else {
			f.inFlight.put(&c, at)
			if int(e.peer) < len(f.ranks) {
				if p := f.ranks[e.peer]; p.waiting && p.wants == c {
					p.waiting = false
					f.ready = append(f.ready, e.peer)
				}
			}
		}
		r.now = at
		f.passed++
		if err := f.advance(r); err != nil {
			return err
		}
	}
	return nil
}

func (f *floors) advance(r *rankFlow) error {
	var err error
	r.head, err = r.next()
	return err
}

// inFlight holds the messages that are sent and not yet received. It is a hash table of chains, in
// which the messages of a channel keep their order.
type inFlight struct {
	heads, tails []int32 // numbers of messages, from 1
	pool         []sentMessage
	free         int32
	count        int
}

type sentMessage struct {
	channel
	time uint64
	next int32
}

func (f *inFlight) chain(c *channel) int {
	return hash(c.tag^uint64(c.from)<<40^uint64(c.to)<<20^uint64(c.group)*0xff51afd7ed558ccd,
		sizeFor(len(f.heads)-1))
}

func (f *inFlight) put(c *channel, time uint64) {
	if f.count >= len(f.heads) {
		f.grow()
	}
	at := f.free
	if at == 0 {
		f.pool = append(f.pool, sentMessage{})
		at = int32(len(f.pool))
	} else {
		f.free = f.pool[at-1].next
	}
	f.pool[at-1] = sentMessage{channel: *c, time: time}
	f.count++
	f.link(f.chain(c), at)
}

func (f *inFlight) link(chain int, at int32) {
	if last := f.tails[chain]; last > 0 {
		f.pool[last-1].next = at
	} else {
		f.heads[chain] = at
	}
	f.tails[chain] = at
}

// grow doubles the table. It keeps the order in each chain.
func (f *inFlight) grow() {
	old := f.heads
	n := max(1024, 2*len(old))
	f.heads, f.tails = make([]int32, n), make([]int32, n)
	for _, at := range old {
		for at > 0 {
			m := &f.pool[at-1]
			next := m.next
			m.next = 0
			f.link(f.chain(&m.channel), at)
			at = next
		}
	}
}

// take removes the oldest message of a channel and returns its time; false: there is none.
func (f *inFlight) take(c *channel) (uint64, bool) {
	if f.count == 0 {
		return 0, false
	}
	chain := f.chain(c)
	before := int32(0)
	for at := f.heads[chain]; at > 0; before, at = at, f.pool[at-1].next {
		m := &f.pool[at-1]
		if m.channel != *c {
			continue
		}
		if before > 0 {
			f.pool[before-1].next = m.next
		} else {
			f.heads[chain] = m.next
		}
		if f.tails[chain] == at {
			f.tails[chain] = before
		}
		m.next, f.free = f.free, at
		f.count--
		return m.time, true
	}
	return 0, false
}

// hash returns the place of a number in a table of 2^size entries.
func hash(v uint64, size int) int { return int(v * 0x9e3779b97f4a7c15 >> (64 - uint(size))) }

// sizeFor returns the binary logarithm of the size of a table for n entries.
func sizeFor(n int) int { return bits.Len(uint(n)) }
