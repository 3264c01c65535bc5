package eventlog

import (
	"container/heap"
	"io"
	"maps"
	"slices"
)

// streams is a heap by time. Of two events at the same time, the event of the lower thread comes
// first.
type streams []*stream

func (s streams) Len() int      { return len(s) }
func (s streams) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *streams) Push(x any)   { *s = append(*s, x.(*stream)) }

func (s streams) Less(i, j int) bool {
	a, b := &s[i].next, &s[j].next
	return a.time < b.time || a.time == b.time && a.thread < b.thread
}

func (s *streams) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

// records calls visit for each record in the order of time.
func (l *Log) records(visit func(r *record) error) error {
	var all streams
	for _, thread := range slices.Sorted(maps.Keys(l.chunks)) {
		s := &stream{log: l, thread: thread, rest: l.chunks[thread]}
		if err := s.advance(); err == io.EOF {
			continue
		} else if err != nil {
			return err
		}
		all = append(all, s)
	}
	heap.Init(&all)
	for len(all) > 0 {
		if err := visit(&all[0].next); err != nil {
			return err
		}
		if err := all[0].advance(); err == io.EOF {
			heap.Pop(&all)
		} else if err != nil {
			return err
		} else {
			heap.Fix(&all, 0)
		}
	}
	return nil
}
