package sharing

import (
	"testing"

	"opari/internal/analysis"
)

// TestSharingMemory checks that lines of few samples are forgotten, and others are not.
func TestSharingMemory(t *testing.T) {
	r := analysis.New("p", 1, []analysis.Thread{{}, {}})
	var s Accesses
	for i := range uint64(3 * mostSpots) {
		thread, address := int(i%2), 1<<30+analysis.LineSize*i
		if i%1000 < 2 {
			address = 4096 + 8*(i%2)
		}
		s.Add(r.Paths[0], 1, thread, address, true)
		if s.spots > mostSpots || len(s.lines) > mostSpots {
			t.Fatalf("%d spots in %d lines", s.spots, len(s.lines))
		}
	}
	if s.Find(); r.Sharing(r.Paths[0]) == nil {
		t.Error("the line with many samples was forgotten, too")
	}
}
