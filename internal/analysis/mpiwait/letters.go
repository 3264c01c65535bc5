package mpiwait

import (
	"encoding/binary"
	"slices"

	"opari/internal/spill"
)

// Address identifies a channel on which one rank notes times for another rank. Messages of a
// channel never overtake each other, so the nth time belongs to the nth message. The threads of a
// rank share the channel.
type Address struct {
	To       uint32 // the rank that needs the times
	Receiver bool   // the receiver of the messages wrote the letter
	From     uint32
	Group    uint32
	Tag      uint32
}

// Letter holds the times that one rank notes for another rank: when it sent each message, or when
// it entered the routine that waited for it. A time of 0 is unknown.
type Letter struct {
	Address
	times []int64
}

const (
	letterHeader = 20 // bytes: four words of the address and the number of times
	LetterBlock  = 16 << 10
	// letterBuckets is the largest number of buckets of letters. Where there are many ranks, only
	// the letters of a few buckets are in memory at a time.
	letterBuckets = 256
	// LetterMemory is how many bytes of letters stay in memory; the rest goes to a file.
	LetterMemory = 32 << 20
)

// Letters keeps the letters of all ranks until the ranks that need them are analysed.
type Letters struct {
	Width int // ranks per bucket
	size  int // number of ranks
	Lists *spill.Lists
	Count int // number of buckets
}

func NewLetters(size int) *Letters {
	l := &Letters{size: size, Width: max(1, (size+letterBuckets-1)/letterBuckets)}
	l.Count = (size + l.Width - 1) / l.Width
	l.Lists = spill.New(l.Count, LetterBlock, LetterMemory)
	return l
}

// Post stores letters. The letters of one rank must come in their order. text is a buffer, which
// post returns for the next call.
func (l *Letters) Post(list []Letter, text []byte) ([]byte, error) {
	for i := range list {
		m := &list[i]
		if int(m.To) >= l.size || len(m.times) == 0 {
			continue // the trace is damaged
		}
		text = m.encode(text[:0])
		if err := l.Lists.Append(int(m.To)/l.Width, text); err != nil {
			return text, err
		}
	}
	return text, nil
}

// encode appends the letter to text.
func (m *Letter) encode(text []byte) []byte {
	to := m.To
	if m.Receiver {
		to |= 1 << 31
	}
	for _, v := range [5]uint32{to, m.From, m.Group, m.Tag, uint32(len(m.times))} {
		text = binary.LittleEndian.AppendUint32(text, v)
	}
	for _, t := range m.times {
		text = binary.LittleEndian.AppendUint64(text, uint64(t))
	}
	return text
}

// decodeLetters appends the letters of a block to list.
func decodeLetters(list []Letter, text []byte) []Letter {
	times := make([]int64, 0, len(text)/8)
	for len(text) >= letterHeader {
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(text[i:]) }
		m := Letter{Address: Address{
			To: word(0) &^ (1 << 31), Receiver: word(0)>>31 != 0,
			From: word(4), Group: word(8), Tag: word(12),
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

// Fetch removes the letters of a bucket and returns them by rank. The letters of each rank keep
// the order in which they were posted.
func (l *Letters) Fetch(bucket int) ([]Letter, error) {
	var list []Letter
	err := l.Lists.Take(bucket, func(text []byte) error {
		list = decodeLetters(list, text)
		return nil
	})
	slices.SortStableFunc(list, func(x, y Letter) int { return int(x.To) - int(y.To) })
	return list, err
}

// addresses is a hash table that numbers addresses from 1.
type addresses struct {
	slots []slot
	used  int
}

type slot struct {
	Address
	number int32 // 0: the slot is empty
}

func (a *addresses) clear() {
	if a.used = 0; len(a.slots) == 0 {
		a.slots = make([]slot, 64)
	}
	clear(a.slots)
}

// find returns the slot of an address, or the empty slot where it belongs.
func (a *addresses) find(k *Address) *slot {
	hash := uint64(k.From+k.To)*0x9e3779b97f4a7c15 ^ uint64(k.Tag)*0xc2b2ae3d27d4eb4f ^ uint64(
		k.Group)*0x165667b19e3779f9
	if k.Receiver {
		hash ^= 1 << 40
	}
	mask := len(a.slots) - 1
	for i := int(hash>>40) & mask; ; i = (i + 1) & mask {
		if s := &a.slots[i]; s.number == 0 || s.Address == *k {
			return s
		}
	}
}

// add gives the next number to a new address.
func (a *addresses) add(k *Address) int32 {
	if a.used++; 2*a.used > len(a.slots) {
		old := a.slots
		a.slots = make([]slot, 2*len(old))
		for i := range old {
			if old[i].number > 0 {
				*a.find(&old[i].Address) = old[i]
			}
		}
	}
	*a.find(k) = slot{*k, int32(a.used)}
	return int32(a.used)
}

// Outbox gathers the letters of one rank.
type Outbox struct {
	addresses
	Letters []Letter // by number
	Held    int      // times in all letters
}

// Note appends a time to the letter for an address.
func (b *Outbox) Note(k Address, time int64) {
	if len(b.slots) == 0 {
		b.clear()
	}
	number := b.find(&k).number
	if number == 0 {
		if number = b.add(&k); len(b.Letters) < cap(b.Letters) {
			b.Letters = b.Letters[:number]
			b.Letters[number-1].Address = k // this reuses the buffer of a posted letter
		} else {
			b.Letters = append(b.Letters, Letter{Address: k})
		}
	}
	m := &b.Letters[number-1]
	m.times = append(m.times, time)
	b.Held++
}

// Empty removes the posted letters and keeps their buffers.
func (b *Outbox) Empty() {
	b.clear()
	for i := range b.Letters {
		b.Letters[i].times = b.Letters[i].times[:0]
	}
	b.Letters, b.Held = b.Letters[:0], 0
}

// Inbox holds the letters to a rank, by address.
type Inbox struct {
	addresses
	letters []Letter
	next    []int32 // by letter: the next letter of the same address, from 1; 0: none
	ends    []ends  // by number of the address
}

// ends are the first and the last letter of an address that are not used up, from 1.
type ends struct {
	first, last int32
	lost        int64 // what the other rank had lost in all at the time that was taken last
}

// Fill replaces the contents with the letters to a rank.
func (b *Inbox) Fill(list []Letter) {
	b.clear()
	b.letters, b.ends = list, b.ends[:0]
	b.next = slices.Grow(b.next[:0], len(list))[:len(list)]
	clear(b.next)
	for i := range list {
		at := int32(i + 1)
		s := b.find(&list[i].Address)
		if s.number == 0 {
			b.add(&list[i].Address)
			b.ends = append(b.ends, ends{first: at, last: at})
			continue
		}
		e := &b.ends[s.number-1]
		b.next[e.last-1] = at
		e.last = at
	}
}

// Take removes and returns the next time of an address; 0: unknown. If the trace says when threads
// were off the CPU, it also returns how much the other rank was behind since the time before.
func (b *Inbox) Take(k Address, off bool) (time, behind int64) {
	return b.takeOf(b.find(&k).number, off)
}

// takeOf does the same for an address by its number; 0: there is no such address.
func (b *Inbox) takeOf(number int32, off bool) (time, behind int64) {
	if time = b.takeOne(number); !off || number == 0 {
		return time, 0
	}
	behind, lost := b.takeOne(number), b.takeOne(number)
	e := &b.ends[number-1]
	behind = min(behind, lost-e.lost)
	e.lost = lost
	return time, behind
}

func (b *Inbox) takeOne(number int32) int64 {
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

// LettersTo splits the sorted list into the letters to a rank and the letters to later ranks.
func LettersTo(rank int, list []Letter) (own, rest []Letter) {
	n := 0
	for n < len(list) && int(list[n].To) <= rank { // earlier letters go to ranks without threads
		n++
	}
	own = list[:n]
	for len(own) > 0 && int(own[0].To) < rank {
		own = own[1:]
	}
	return own, list[n:]
}
