package otf

import (
	"sync"
	"sync/atomic"
)

// ReadStreams reads the events of all streams, up to workers streams at a time. There is no order
// between the events of different streams; those of a stream are in the order of its file, as in
// RStream.ReadEvents. begin returns the handlers of a stream, and a function for its end, also by
// an error, or nil. Several goroutines call all of these at once; those of a stream, one.
//
// The interval and the processes that are switched off apply; neither may change meanwhile. After
// an error no other stream is begun. ErrBreak ends its stream alone. ReadStreams returns how many
// records it delivered, and the error of the first stream in the master file that had one.
func (r *Reader) ReadStreams(workers int,
	begin func(stream uint32) (h *HandlerArray, end func() error),
) (uint64, error) {
	workers = max(1, min(workers, len(r.streams)))
	errs := make([]error, len(r.streams))
	var next, total atomic.Uint64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range workers {
		// A FileManager serves one goroutine.
		manager := NewFileManagerOf(max(1, r.manager.limit/workers), r.manager.opener)
		group.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(r.streams) {
					return
				}
				id := r.streams[i].id
				s := openRStream(r.namestub, id, manager, max(workers, r.share))
				s.wanted = r.wanted
				h, end := begin(id)
				n, err := s.ReadEvents(h)
				total.Add(n)
				if end != nil {
					if failed := end(); err == nil {
						err = failed
					}
				}
				if errs[i] = err; err == nil {
					errs[i] = s.Close()
				} else {
					_ = s.Close()
				}
				if errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return total.Load(), err
		}
	}
	return total.Load(), nil
}
