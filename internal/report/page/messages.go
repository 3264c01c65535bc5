package page

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"opari/internal/analysis"
)

// MessageLimit is the largest number of messages on a page.
const MessageLimit = 1 << 16

// messages holds the messages of a timeline. If there are too many, it keeps those whose hashed
// number is below a bound, and halves the bound until there is room. So the choice is random,
// but the same each time.
type messages struct {
	read   uint64
	halved int
	list   []numbered
}

type numbered struct {
	analysis.Message
	mixed uint64
}

// AddMessage adds a message. It fits analysis.Options.Message.
func (t *Timeline) AddMessage(m analysis.Message) {
	s := &t.messages
	s.read++
	mixed := s.read * 0x9e3779b97f4a7c15
	mixed ^= mixed >> 32
	mixed *= 0xd6e8feb86659fd93
	if mixed>>(64-s.halved) != 0 {
		return
	}
	s.list = append(s.list, numbered{m, mixed})
	for len(s.list) > MessageLimit {
		s.halved++
		s.list = slices.DeleteFunc(s.list,
			func(n numbered) bool { return n.mixed>>(64-s.halved) != 0 })
	}
}

// messagesJSON describes the messages to the page. Messages are in classes by the time they
// took: each class reaches to twice the time of the class before.
type messagesJSON struct {
	Read    uint64 `json:"read"`
	Classes []int  `json:"classes"` // number of messages in each
}

// pack appends six unsigned varints for each message: sender, receiver, time between the
// sending of the class's message before and its own, duration, tag, bytes.
func (s *messages) pack(raw []byte, start int64) ([]byte, *messagesJSON) {
	if len(s.list) == 0 {
		return raw, nil
	}
	out := &messagesJSON{Read: s.read}
	class := func(m *analysis.Message) int { return bits.Len64(uint64(max(0, m.Received-m.Sent))) }
	slices.SortStableFunc(s.list, func(a, b numbered) int {
		return cmp.Or(class(&a.Message)-class(&b.Message), cmp.Compare(a.Sent, b.Sent),
			cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	before := start
	for i := range s.list {
		m := &s.list[i]
		for class(&m.Message) >= len(out.Classes) {
			out.Classes = append(out.Classes, 0)
			before = start
		}
		out.Classes[class(&m.Message)]++
		for _, v := range [6]int64{
			int64(m.From), int64(m.To), max(0, m.Sent-before),
			max(0, m.Received-m.Sent), int64(m.Tag), int64(m.Bytes),
		} {
			raw = binary.AppendUvarint(raw, uint64(v))
		}
		before = max(before, m.Sent)
	}
	return raw, out
}
