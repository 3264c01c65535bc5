package run

import (
	"errors"
	"sync"

	"opari/internal/analysis/mpiwait"
	"opari/otf"
)

// readLogs finds out what the ranks of a bucket waited for.
func (w *ranks) readLogs(bucket int, readers map[int]*mpiwait.Reader, lock *sync.Mutex) error {
	list, err := w.letters.Fetch(bucket)
	if err != nil {
		return err
	}
	some := w.inBucket(bucket)
	for _, rank := range some {
		var own []mpiwait.Letter
		own, list = mpiwait.LettersTo(rank, list)
		readers[rank].Mail.Fill(own)
	}
	err = w.logs.Take(bucket, func(text []byte) error {
		mpiwait.Split(text, func(rank uint32, text []byte) {
			readers[int(rank)].Read(rank, w.meetings, text)
		})
		return nil
	})
	lock.Lock()
	for _, rank := range some {
		readers[rank].HandOver()
		err = errors.Join(err, w.crossing.late.Append(readers[rank].Index, readers[rank].Late.Text))
		*readers[rank] = mpiwait.Reader{}
	}
	lock.Unlock()
	for range some {
		w.step()
	}
	return err
}

// put moves the log to the spill lists if it has at least that many bytes.
func (w *ranks) put(l *mpiwait.Log, rank, least int) error {
	return l.Take(rank, least, func(text []byte) error {
		return w.logs.Append(rank/w.letters.Width, text)
	})
}

// chained returns the handlers of first, followed by those of then for the events that then
// handles.
func chained(first, then *otf.HandlerArray) *otf.HandlerArray {
	both := *first
	both.Enter = func(time uint64, function, process, source uint32) error {
		if err := first.Enter(time, function, process, source); err != nil {
			return err
		}
		return then.Enter(time, function, process, source)
	}
	both.SendMsg = func(time uint64, sender, receiver, group, tag, length, source uint32) error {
		if err := first.SendMsg(time, sender, receiver, group, tag, length, source); err != nil {
			return err
		}
		return then.SendMsg(time, sender, receiver, group, tag, length, source)
	}
	both.RecvMsg = func(time uint64, receiver, sender, group, tag, length, source uint32) error {
		if err := first.RecvMsg(time, receiver, sender, group, tag, length, source); err != nil {
			return err
		}
		return then.RecvMsg(time, receiver, sender, group, tag, length, source)
	}
	both.CollectiveOperation = func(time uint64, process, operation, group, root, sent,
		received uint32, duration uint64, source uint32,
	) error {
		if err := first.CollectiveOperation(time, process, operation, group, root, sent, received,
			duration, source); err != nil {
			return err
		}
		return then.CollectiveOperation(time, process, operation, group, root, sent, received,
			duration, source)
	}
	return &both
}
