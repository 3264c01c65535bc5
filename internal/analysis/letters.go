package analysis

import (
	"encoding/binary"
	"slices"

	"opari/internal/spill"
)

// address identifies a channel on which one rank notes times for another rank. Messages of a
// channel never overtake each other, so the nth time belongs to the nth message. The threads of a
// rank share the channel.
type address struct {
	to       uint32 // the rank that needs the times
	receiver bool   // the receiver of the messages wrote the letter
	from     uint32
	group    uint32
	tag      uint32
}

// letter holds the times that one rank notes for another rank: when it sent each message, or when
// it entered the routine that waited for it. A time of 0 is unknown.
type letter struct {
	address
	times []int64
}

const (
	letterHeader = 20 // bytes: four words of the address and the number of times
	letterBlock  = 16 << 10
	// letterBuckets is the largest number of buckets of letters. Where there are many ranks, only
	// the letters of a few buckets are in memory at a time.
	letterBuckets = 256
	// letterMemory is how many bytes of letters stay in memory; the rest goes to a file.
	letterMemory = 32 << 20
)

// letters keeps the letters of all ranks until the ranks that need them are analysed.
type letters struct {
	width int // ranks per bucket
	size  int // number of ranks
	lists *spill.Lists
	count int // number of buckets
}

func newLetters(size int) *letters {
	l := &letters{size: size, width: max(1, (size+letterBuckets-1)/letterBuckets)}
	l.count = (size + l.width - 1) / l.width
	l.lists = spill.New(l.count, letterBlock, letterMemory)
	return l
}

// post stores letters. The letters of one rank must come in their order. text is a buffer, which
// post returns for the next call.
func (l *letters) post(list []letter, text []byte) ([]byte, error) {
	for i := range list {
		m := &list[i]
		if int(m.to) >= l.size || len(m.times) == 0 {
			continue // the trace is damaged
		}
		text = m.encode(text[:0])
		if err := l.lists.Append(int(m.to)/l.width, text); err != nil {
			return text, err
		}
	}
	return text, nil
}

// encode appends the letter to text.
func (m *letter) encode(text []byte) []byte {
	to := m.to
	if m.receiver {
		to |= 1 << 31
	}
	for _, v := range [5]uint32{to, m.from, m.group, m.tag, uint32(len(m.times))} {
		text = binary.LittleEndian.AppendUint32(text, v)
	}
	for _, t := range m.times {
		text = binary.LittleEndian.AppendUint64(text, uint64(t))
	}
	return text
}

// decodeLetters appends the letters of a block to list.
func decodeLetters(list []letter, text []byte) []letter {
	times := make([]int64, 0, len(text)/8)
	for len(text) >= letterHeader {
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(text[i:]) }
		m := letter{address: address{
			to: word(0) &^ (1 << 31), receiver: word(0)>>31 != 0,
			from: word(4), group: word(8), tag: word(12),
		}}
		n, first := int(word(16)), len(times)
		text = text[letterHeader:]
		for range n {
			times = append(times, int64(binary.LittleEndian.Uint64(text)))
			text = text[8:]
		}
		m.times = times[first:]
		list = append(list, m)
	}
	return list
}

// fetch removes the letters of a bucket and returns them by rank. The letters of each rank keep
// the order in which they were posted.
func (l *letters) fetch(bucket int) ([]letter, error) {
	var list []letter
	err := l.lists.Take(bucket, func(text []byte) error {
		list = decodeLetters(list, text)
		return nil
	})
	slices.SortStableFunc(list, func(x, y letter) int { return int(x.to) - int(y.to) })
	return list, err
}

// addresses is a hash table that numbers addresses from 1.
type addresses struct {
	slots []slot
	used  int
}

type slot struct {
	address
	number int32 // 0: the slot is empty
}

func (a *addresses) clear() {
	if a.used = 0; len(a.slots) == 0 {
		a.slots = make([]slot, 64)
	}
	clear(a.slots)
}

// find returns the slot of an address, or the empty slot where it belongs.
func (a *addresses) find(k *address) *slot {
	hash := uint64(k.from+k.to)*0x9e3779b97f4a7c15 ^ uint64(k.tag)*0xc2b2ae3d27d4eb4f ^ uint64(
		k.group)*0x165667b19e3779f9
	if k.receiver {
		hash ^= 1 << 40
	}
	mask := len(a.slots) - 1
	for i := int(hash>>40) & mask; ; i = (i + 1) & mask {
		if s := &a.slots[i]; s.number == 0 || s.address == *k {
			return s
		}
	}
}

// add gives the next number to a new address.
func (a *addresses) add(k *address) int32 {
	if a.used++; 2*a.used > len(a.slots) {
		old := a.slots
		a.slots = make([]slot, 2*len(old))
		for i := range old {
			if old[i].number > 0 {
				*a.find(&old[i].address) = old[i]
			}
		}
	}
	*a.find(k) = slot{*k, int32(a.used)}
	return int32(a.used)
}

// outbox gathers the letters of one rank.
type outbox struct {
	addresses
	letters []letter // by number
	held    int      // times in all letters
}

// note appends a time to the letter for an address.
func (b *outbox) note(k address, time int64) {
	if len(b.slots) == 0 {
		b.clear()
	}
	number := b.find(&k).number
	if number == 0 {
		if number = b.add(&k); len(b.letters) < cap(b.letters) {
			b.letters = b.letters[:number]
			b.letters[number-1].address = k // this reuses the buffer of a posted letter
		} else {
			b.letters = append(b.letters, letter{address: k})
		}
	}
	m := &b.letters[number-1]
	m.times = append(m.times, time)
	b.held++
}

// empty removes the posted letters and keeps their buffers.
func (b *outbox) empty() {
	b.clear()
	for i := range b.letters {
		b.letters[i].times = b.letters[i].times[:0]
	}
	b.letters, b.held = b.letters[:0], 0
}

// inbox holds the letters to a rank, by address.
type inbox struct {
	addresses
	letters []letter
	next    []int32 // by letter: the next letter of the same address, from 1; 0: none
	ends    []ends  // by number of the address
}

// ends are the first and the last letter of an address that are not used up, from 1.
type ends struct {
	first, last int32
	lost        int64 // what the other rank had lost in all at the time that was taken last
}

// fill replaces the contents with the letters to a rank.
func (b *inbox) fill(list []letter) {
	b.clear()
	b.letters, b.ends = list, b.ends[:0]
	b.next = slices.Grow(b.next[:0], len(list))[:len(list)]
	clear(b.next)
	for i := range list {
		at := int32(i + 1)
		s := b.find(&list[i].address)
		if s.number == 0 {
			b.add(&list[i].address)
			b.ends = append(b.ends, ends{first: at, last: at})
			continue
		}
		e := &b.ends[s.number-1]
		b.next[e.last-1] = at
		e.last = at
	}
}

// take removes and returns the next time of an address; 0: unknown. If the trace says when threads
// were off the CPU, it also returns how much the other rank was behind since the time before.
func (b *inbox) take(k address, off bool) (time, behind int64) {
	return b.takeOf(b.find(&k).number, off)
}

// takeOf does the same for an address by its number; 0: there is no such address.
func (b *inbox) takeOf(number int32, off bool) (time, behind int64) {
	if time = b.takeOne(number); !off || number == 0 {
		return time, 0
	}
	behind, lost := b.takeOne(number), b.takeOne(number)
	e := &b.ends[number-1]
	behind = min(behind, lost-e.lost)
	e.lost = lost
	return time, behind
}

func (b *inbox) takeOne(number int32) int64 {
	if number == 0 {
		return 0
	}
	e := &b.ends[number-1]
	if e.first == 0 {
		return 0
	}
	m := &b.letters[e.first-1]
	time := m.times[0]
	if m.times = m.times[1:]; len(m.times) == 0 {
		e.first = b.next[e.first-1]
	}
	return time
}
