package recording

import (
	"math"
	"runtime"
)

// These are the widths of fields in the words of a message; pomp_messages.h packs them.
const (
	peerBits = 27
	rootBits = 28
)

func processors() int { return runtime.GOMAXPROCS(0) }

// message is a message as one of its ends records it.
type message struct {
	communicator *communicator
	peer         int // rank of the world
	tag, bytes   uint64
}

// message reads the words of a message; a third one is its request. It returns false if they are
// invalid, or if the other end is in another world.
func (m *membership) message(number int, words []uint64) (message, bool) {
	if m == nil || len(words) != 2 && len(words) != 3 {
		return message{}, false
	}
	c := m.communicator(number)
	if c == nil {
		return message{}, false
	}
	peer := int(words[0] & (1<<peerBits - 1))
	if peer >= len(c.members) || c.members[peer] < 0 {
		return message{}, false
	}
	return message{c, c.members[peer], words[0] >> peerBits, words[1]}, true
}

// pending is a collective operation that has begun and not ended.
type pending struct {
	time           uint64
	operation      uint32 // 0: none
	group, root    uint32
	sent, received uint64
}

// length cuts a number of bytes to what OTF has room for.
func length(bytes uint64) uint32 { return uint32(min(bytes, math.MaxUint32)) }

// message converts a record of a message.
func (c *converter) message(r *record, now uint64) error {
	words, in := c.words, c.world
	c.words = c.words[:0]
	if in == nil {
		return nil
	}
	switch r.what {
	case requested, complete, cancelled:
		if len(words) != 1 {
			return nil
		}
		return c.point(requestBegun+uint32(r.what-requested), words[0], now)
	case collective:
		k := c.process.mpi.communicator(r.number)
		if k == nil || len(words) != 3 {
			return nil
		}
		if err := c.advance(now); err != nil {
			return err
		}
		c.pending = pending{
			time: now, operation: in.operations[words[0]>>rootBits],
			group: c.groups[r.number], sent: words[1], received: words[2],
		}
		if root := int(words[0]&(1<<rootBits-1)) - 1; root >= 0 && root < len(k.members) &&
			k.members[root] >= 0 {
			c.pending.root = in.id(k.members[root], 0)
		}
		return nil
	case sent, received:
		if r.what == received {
			c.receives++
			if len(c.moved) > 0 && c.moved[0].index == c.receives {
				now = max(now, c.clock.ns(r.time)+c.moved[0].by)
				c.moved = c.moved[1:]
			}
		}
		m, good := c.process.mpi.message(r.number, words)
		if !good {
			return nil
		}
		if len(words) == 3 {
			if err := c.point(requestNumber, words[2], now); err != nil {
				return err
			}
		} else if err := c.advance(now); err != nil {
			return err
		}
		c.events++
		peer, group, tag := in.id(m.peer, 0), c.groups[r.number], uint32(m.tag)
		if r.what == sent {
			return c.out.WriteSendMsg(now, c.id, peer, group, tag, length(m.bytes), 0)
		}
		return c.out.WriteRecvMsg(now, c.id, peer, group, tag, length(m.bytes), 0)
	}
	return nil // OTF 1.1 has no record for access to another process's memory
}

// collect writes the collective operation of the thread, which ends now.
func (c *converter) collect(now uint64) error {
	p := c.pending
	c.pending = pending{}
	c.events++
	return c.out.WriteCollectiveOperation(p.time, c.id, p.operation, p.group, p.root,
		length(p.sent), length(p.received), now-p.time, 0)
}
