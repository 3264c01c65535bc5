package running

import (
	"sync"
	"testing"
)

// TestInTurn has several runs enter a folder again and again. Each removes the file by which they
// meet, while others look at it.
func TestInTurn(t *testing.T) {
	folder := t.TempDir()
	inside := 0
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for range 5000 {
				err := inTurn(folder, func() error {
					inside++
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if inside != 6*5000 {
		t.Errorf("%d were inside, want %d", inside, 6*5000)
	}
}
