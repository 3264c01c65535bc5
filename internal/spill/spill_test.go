package spill

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestLists checks that lists come back in their order, from memory and from the file, with each
// text in one piece.
func TestLists(t *testing.T) {
	for _, memory := range []int{0, 1000, 1 << 20} {
		const n = 17
		l := New(n, 64, memory)
		var workers sync.WaitGroup
		want := make([][]byte, n)
		for number := range n { // each list has one goroutine, so its order is known
			workers.Go(func() {
				random := rand.New(rand.NewPCG(1, uint64(number)))
				for range random.IntN(200) {
					text := bytes.Repeat([]byte{byte(random.IntN(256))}, 3)
					want[number] = append(want[number], text...)
					if err := l.Append(number, text); err != nil {
						t.Error(err)
					}
				}
			})
		}
		workers.Wait()
		if spilled := l.file != nil; spilled != (memory < 1<<20) {
			t.Errorf("%d bytes of memory: there is a file: %v", memory, spilled)
		}
		for number := range n {
			read := func(how func(int, func([]byte) error) error) (got []byte) {
				if err := how(number, func(piece []byte) error {
					if len(piece)%3 != 0 {
						t.Errorf("a piece of %d bytes", len(piece))
					}
					got = append(got, piece...)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				return got
			}
			for _, how := range []func(int, func([]byte) error) error{l.Visit, l.Take} {
				if got := read(how); !bytes.Equal(got, want[number]) {
					t.Errorf("%d bytes of memory: list %d is another one", memory, number)
				}
			}
			if got := read(l.Take); len(got) > 0 {
				t.Errorf("%d bytes are left in list %d", len(got), number)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
