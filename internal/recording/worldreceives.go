package recording

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"syscall"

	"opari/internal/spill"
)

// flowMemory is the memory for reading ahead, of all threads together.
const flowMemory = 64 << 20

// movedReceive is a receive that moves to a later time than its own clock gives.
type movedReceive struct {
	index uint32 // number among the receives of its thread, from 1
	by    uint64 // ns
}

// findMoved finds the receives that have to move, and returns a list of them for each process. It
// returns nil if all processes have the same clock.
func (w *world) findMoved(clocks map[*Process]clock, scans []*scan,
	numbers map[string]uint32,
) (*spill.Lists, error) {
	nodes := map[int]bool{}
	var threads int
	for i, p := range w.processes {
		nodes[p.mpi.Node] = true
		for _, n := range scans[i].messages {
			if n > 0 {
				threads++
			}
		}
	}
	if len(nodes) < 2 || threads == 0 {
		return nil, nil
	}
	piece := min(max(flowMemory/threads&^7, 4<<10), chunkBytes-headerBytes)
	there := make([]bool, w.size)
	for rank := range w.there {
		there[rank] = true
	}
	f := &floors{ranks: make([]*rankFlow, w.size)}
	byRank := make([]int, w.size)
	most := mayKeepOpen()
	var open []*current
	defer func() {
		for _, c := range open {
			c.close()
		}
	}()
	for rank := range f.ranks {
		f.ranks[rank] = &rankFlow{next: func() (*crossing, error) { return nil, nil }}
	}
	for i, p := range w.processes {
		byRank[p.mpi.Rank] = i
		groups := p.groups(numbers)
		var list []*current
		for n, t := range p.threads {
			if scans[i].messages[n] > 0 {
				c := &current{
					process: p, raw: t, clock: clocks[p], groups: groups, there: there,
					piece: piece, keep: len(open) < most,
				}
				list, open = append(list, c), append(open, c)
			}
		}
		f.ranks[p.mpi.Rank].next = merged(list)
	}
	lists := spill.New(len(w.processes), lateBlock, lateMemory)
	var text []byte
	f.moved = func(rank int, c *crossing, at uint64) error {
		text = binary.AppendUvarint(text[:0], uint64(c.thread))
		text = binary.AppendUvarint(text, uint64(c.index))
		text = binary.AppendUvarint(text, at-c.time)
		return lists.Append(byRank[rank], text)
	}
	if err := f.run(); err != nil {
		return nil, errors.Join(err, lists.Close())
	}
	return lists, nil
}

const (
	lateBlock  = 1 << 10
	lateMemory = 32 << 20
)

// movedReceives reads the list of a process, by number of the thread.
func movedReceives(lists *spill.Lists, process int) (map[int][]movedReceive, error) {
	if lists == nil {
		return nil, nil
	}
	all := map[int][]movedReceive{}
	err := lists.Take(process, func(text []byte) error {
		for len(text) > 0 {
			var v [3]uint64
			for i := range v {
				value, n := binary.Uvarint(text)
				v[i], text = value, text[n:]
			}
			all[int(v[0])] = append(all[int(v[0])], movedReceive{uint32(v[1]), v[2]})
		}
		return nil
	})
	return all, err
}

// groups returns the groups of a process's communicators, by the process's own numbers; 0: none.
func (p *Process) groups(numbers map[string]uint32) []uint32 {
	var list []uint32
	for number, c := range p.mpi.communicators {
		for number >= len(list) {
			list = append(list, 0)
		}
		list[number] = numbers[c.key()]
	}
	return list
}

// current reads the crossings of a thread, one piece at a time. If there are more threads than
// files may be open, it opens some files anew for each piece.
type current struct {
	process *Process
	raw     *rawThread
	clock   clock
	groups  []uint32 // groups by number of the communicator
	there   []bool   // ranks with a recording
	piece   int      // bytes to read at a time

	keep     bool     // the file stays open
	file     *rawFile // nil: closed
	chunk    int      // the chunk that it reads
	at       uint64   // the next word in the chunk
	room     []byte   // the memory of a piece
	text     []byte   // the part of room that is not decoded yet
	base     uint64
	words    [2]uint64
	given    int
	receives uint32
	head     crossing
	ahead    bool // head is valid and comes next
}

// peek returns the next crossing; nil at the end. It decodes one at a time, since the crossings
// of a piece would take more memory than the piece.
func (c *current) peek() (*crossing, error) {
	for !c.ahead {
		if len(c.text) == 0 {
			if c.chunk == len(c.raw.chunks) {
				c.close()
				c.room = nil
				return nil, nil
			}
			if err := c.refill(); err != nil {
				return nil, err
			}
		}
		c.decode()
	}
	return &c.head, nil
}

// refill reads the next piece of the thread's file.
func (c *current) refill() error {
	k := c.raw.chunks[c.chunk]
	if c.at == 0 {
		c.base = k.first
	}
	if c.room == nil {
		c.room = make([]byte, c.piece)
	}
	c.text = c.room[:min(uint64(c.piece), 8*(k.used-c.at))]
	if err := c.read(c.text, k.offset+headerBytes+8*int64(c.at)); err != nil {
		return err
	}
	c.at += uint64(len(c.text)) / 8
	if c.at >= k.used {
		c.chunk, c.at = c.chunk+1, 0
	}
	return nil
}

// decode advances to the next crossing of the piece.
func (c *current) decode() {
	text := c.text
	for len(text) >= 8 && !c.ahead {
		word := binary.LittleEndian.Uint64(text)
		text = text[8:]
		switch w := what(word >> 1 & (allKinds - 1)); w {
		case pause:
			if word&1 != 0 {
				c.base = word >> opBits
			}
			continue
		case data:
			if c.given < 2 {
				c.words[c.given] = word >> opBits
			}
			c.given++
			continue
		case sent, received:
			c.message(word, w == received)
		}
		c.given = 0
	}
	c.text = text
}

func (c *current) message(word uint64, receive bool) {
	if receive {
		c.receives++
	}
	number := int(word >> opBits & (1<<idBits - 1))
	m, good := c.process.mpi.message(number, c.words[:min(c.given, 2)])
	if !good || c.given > 3 || !c.there[m.peer] {
		return
	}
	c.ahead = true
	c.head = crossing{
		time: c.clock.ns(near(word, c.base)), tag: m.tag, peer: uint32(m.peer),
		group: c.groups[number],
		index: c.receives, thread: uint32(c.raw.number), receive: receive,
	}
}

// read reads a part of the thread's file.
func (c *current) read(text []byte, at int64) error {
	if c.file == nil {
		var err error
		if c.file, err = c.raw.open(); err != nil {
			return err
		}
	}
	if !c.keep {
		defer c.close()
	}
	_, err := c.file.ReadAt(text, at)
	if errors.Is(err, io.EOF) {
		err = &os.PathError{Op: "read", Path: c.raw.path, Err: io.ErrUnexpectedEOF}
	}
	return err
}

func (c *current) close() {
	if c.file != nil {
		_ = c.file.Close() // nothing was written, so there is no error to report
		c.file = nil
	}
}

// mayKeepOpen returns how many files may stay open: half of the system's limit.
func mayKeepOpen() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return int(min(limit.Cur/2, 1<<16))
}

// merged returns an iterator over the crossings of a process's threads in the order of time; at
// equal times, in the order of threads.
func merged(threads []*current) func() (*crossing, error) {
	if len(threads) == 1 {
		return func() (*crossing, error) {
			threads[0].ahead = false
			return threads[0].peek()
		}
	}
	var last *current
	return func() (*crossing, error) {
		if last != nil {
			last.ahead = false
		}
		last = nil
		var first *crossing
		for _, c := range threads {
			e, err := c.peek()
			if err != nil {
				return nil, err
			}
			if e != nil && (first == nil || e.time < first.time) {
				first, last = e, c
			}
		}
		return first, nil
	}
}
