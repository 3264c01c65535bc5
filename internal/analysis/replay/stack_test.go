package replay

import (
	"runtime"
	"testing"
)

// TestStackMemory checks that an open frame takes at most 100 bytes, including growth, and that
// frames come back in their order.
func TestStackMemory(t *testing.T) {
	const frames = 1 << 20
	var s stack
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range frames {
		s.push(frame{enter: int64(i)})
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / frames; each > 100 {
		t.Errorf("%d bytes are allocated for each frame", each)
	}
	for i := frames - 1; i >= 0; i-- {
		if got := s.at(s.len() - 1).enter; got != int64(i) {
			t.Fatalf("frame %d is %d", i, got)
		}
		s.pop()
	}
	s.push(frame{enter: 7})
	if s.len() != 1 || s.at(0).enter != 7 {
		t.Error("an emptied stack takes no frame")
	}
}
