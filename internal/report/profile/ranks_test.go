package profile

import (
	"bytes"
	"testing"
)

// TestRankHeader checks that a profile has its rank, and that its report names threads by it.
func TestRankHeader(t *testing.T) {
	text := []byte(header + region + path + sample)
	with := WithRank(text, 3, 8)
	if rank, ranks := HeaderRank(bytes.NewReader(with)); rank != 3 || ranks != 8 {
		t.Errorf("rank %d of %d", rank, ranks)
	}
	if rank, ranks := HeaderRank(bytes.NewReader(text)); rank != 0 || ranks != 0 {
		t.Errorf("rank %d of %d", rank, ranks)
	}
	if again := WithRank(with, 5, 9); !bytes.Equal(again, with) {
		t.Errorf("changed again: %s", again)
	}
	p, err := Read("p", bytes.NewReader(with))
	if err != nil {
		t.Fatal(err)
	}
	if name := p.Result().ThreadName(1); name != "rank 3 thread 1" {
		t.Errorf("a thread is called %q", name)
	}
	if _, err := Read("p", bytes.NewReader(WithRank(text, 8, 8))); err == nil {
		t.Error("rank 8 of 8 is read")
	}
}
