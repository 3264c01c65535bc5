package analysis

import (
	"math/rand/v2"
	"testing"
)

// TestLetters checks that the times of each address come back in the order of noting, from memory
// and from a file. The order of ranks and addresses does not matter.
func TestLetters(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 2))
		size := 1 + random.IntN(700)
		l := newLetters(size)
		want, addresses := map[uint32]map[address][]int64{}, 0
		boxes := make([]outbox, size)
		var text []byte
		post := func(b *outbox) {
			var err error
			if text, err = l.post(b.letters, text); err != nil {
				t.Fatal(err)
			}
			b.empty()
		}
		for range 20_000 {
			from := random.IntN(size)
			k := address{
				to: uint32(random.IntN(size)), receiver: random.IntN(2) == 0, from: uint32(from),
				group: uint32(random.IntN(3)), tag: uint32(random.IntN(40)),
			}
			time := random.Int64()
			if want[k.to] == nil {
				want[k.to] = map[address][]int64{}
			}
			if want[k.to][k] == nil {
				addresses++
			}
			want[k.to][k] = append(want[k.to][k], time)
			b := &boxes[from]
			if b.note(k, time); b.held >= 30 {
				post(b)
			}
		}
		for i := range boxes {
			post(&boxes[i])
		}
		left := 0
		var mail inbox
		for bucket := range l.count {
			list, err := l.fetch(bucket)
			if err != nil {
				t.Fatal(err)
			}
			for len(list) > 0 {
				n := 0
				for n < len(list) && list[n].to == list[0].to {
					n++
				}
				rank := list[0].to
				mail.fill(list[:n])
				for k, times := range want[rank] {
					for i, time := range times {
						if got, _ := mail.take(k, false); got != time {
							t.Fatalf("seed %d: %+v: time %d is %d, want %d", seed, k, i, got, time)
						}
					}
					if got, _ := mail.take(k, false); got != 0 {
						t.Fatalf("seed %d: %+v: %d behind the last", seed, k, got)
					}
					left++
				}
				list = list[n:]
			}
		}
		if left != addresses {
			t.Errorf("seed %d: %d of %d addresses", seed, left, addresses)
		}
		if err := l.lists.Close(); err != nil {
			t.Error(err)
		}
	}
}
