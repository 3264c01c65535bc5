package otf

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// TestReadStreams compares with reading stream by stream, whole and in parts.
func TestReadStreams(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	writeMany(t, stub, 9, 60_000, nil)
	for _, c := range []struct {
		workers  int
		min, max uint64
		off      uint32
	}{
		{1, 0, MaxTime, 0},
		{2, 0, MaxTime, 3},
		{8, 1_005_000_000, 1_006_000_000, 0},
		{100, 0, 5, 1},
	} {
		r := open(t, stub)
		r.SetTimeInterval(c.min, c.max)
		r.DisableProcess(c.off)
		var lock sync.Mutex
		sums := [2]map[uint32]uint64{{}, {}} // by stream; the order within a stream counts
		handlers := func(way int, stream uint32) *HandlerArray {
			event := func(time uint64, function, process, _ uint32) error {
				lock.Lock()
				defer lock.Unlock()
				sums[way][stream] = sums[way][stream]*31 + time ^ uint64(function)<<32 ^
					uint64(process)
				return nil
			}
			return &HandlerArray{Enter: event, Leave: event}
		}
		var ended atomic.Int32
		got, err := r.ReadStreams(c.workers,
			func(stream uint32) (*HandlerArray, func() error) {
				return handlers(0, stream), func() error { ended.Add(1); return nil }
			})
		if err != nil {
			t.Fatal(err)
		}
		want := uint64(0)
		for _, e := range r.MasterControl().Entries() {
			n, err := r.Stream(e.Stream).ReadEvents(handlers(1, e.Stream))
			if err != nil {
				t.Fatal(err)
			}
			want += n
		}
		if n := int(ended.Load()); n != len(r.MasterControl().Entries()) {
			t.Errorf("%+v: %d streams have ended", c, n)
		}
		if got != want || fmt.Sprint(sums[0]) != fmt.Sprint(sums[1]) {
			t.Errorf("%+v: %d records, want %d: %v, want %v", c, got, want, sums[0], sums[1])
		}
	}
}

// TestReadStreamsFails checks that the error of a stream arrives, and ErrBreak ends one alone.
func TestReadStreamsFails(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	writeMany(t, stub, 4, 4_000, nil)
	broken := errors.New("no more")
	for _, want := range []error{broken, ErrBreak} {
		r := open(t, stub)
		n, err := r.ReadStreams(2, func(stream uint32) (*HandlerArray, func() error) {
			seen := 0
			return &HandlerArray{Any: func(*Record) error {
				if seen++; seen == 10 && stream == 2 {
					return want
				}
				return nil
			}}, nil
		})
		switch {
		case want == broken && !errors.Is(err, broken):
			t.Error(err)
		case want == ErrBreak && (err != nil || n != 3_010):
			t.Errorf("%d records: %v", n, err)
		}
	}
}
