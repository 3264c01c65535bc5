package mpiwait

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
		l := NewLetters(size)
		want, addresses := map[uint32]map[Address][]int64{}, 0
		boxes := make([]Outbox, size)
		var text []byte
		post := func(b *Outbox) {
			var err error
			if text, err = l.Post(b.Letters, text); err != nil {
				t.Fatal(err)
			}
			b.Empty()
		}
		for range 20_000 {
			from := random.IntN(size)
			k := Address{
				To: uint32(random.IntN(size)), Receiver: random.IntN(2) == 0, From: uint32(from),
				Group: uint32(random.IntN(3)), Tag: uint32(random.IntN(40)),
			}
			time := random.Int64()
			if want[k.To] == nil {
				want[k.To] = map[Address][]int64{}
			}
			if want[k.To][k] == nil {
				addresses++
			}
			want[k.To][k] = append(want[k.To][k], time)
			b := &boxes[from]
			if b.Note(k, time); b.Held >= 30 {
				post(b)
			}
		}
		for i := range boxes {
			post(&boxes[i])
		}
		left := 0
		var mail Inbox
		for bucket := range l.Count {
			list, err := l.Fetch(bucket)
			if err != nil {
				t.Fatal(err)
			}
			for len(list) > 0 {
				n := 0
				for n < len(list) && list[n].To == list[0].To {
					n++
				}
				rank := list[0].To
				mail.Fill(list[:n])
				for k, times := range want[rank] {
					for i, time := range times {
						if got, _ := mail.Take(k, false); got != time {
							t.Fatalf("seed %d: %+v: time %d is %d, want %d", seed, k, i, got, time)
						}
					}
					if got, _ := mail.Take(k, false); got != 0 {
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
		if err := l.Lists.Close(); err != nil {
			t.Error(err)
		}
	}
}
