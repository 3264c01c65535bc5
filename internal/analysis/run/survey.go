package run

import (
	"sync"

	"opari/internal/analysis/mpiwait"
	"opari/internal/analysis/replay"
	"opari/otf"
)

// survey reads what other ranks need to know of a rank: when it sent, when it was ready to
// receive, and when it came to meetings.
func (w *ranks) survey(rank int) error {
	r := w.open(rank)
	defer r.Close()
	var handlers *otf.HandlerArray
	s := newSurveyor(w, rank, nil)
	if w.Kernel { // what a thread has lost also depends on what its team does
		options := w.options
		options.Interval, options.Message, options.Counter = nil, nil, nil
		s.replay = w.single(rank, &rankResult{}, options)
		handlers = chained(s.replay.Handlers(), s.handlers())
	} else {
		handlers = s.handlers()
	}
	if _, err := r.ReadEvents(handlers); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	w.step()
	w.extend(r.EventTimes())
	return nil
}

// span finds the first and the last time of a rank.
func (w *ranks) span(rank int) error {
	r := w.open(rank)
	defer r.Close()
	first, last, found, err := r.TimeRange(otf.Events)
	w.extend(first, last, found)
	return err
}

func (w *ranks) extend(first, last uint64, found bool) {
	if !found {
		return
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	w.first, w.last, w.found = min(w.first, first), max(w.last, last), true
}

// open opens the streams of a rank.
func (w *ranks) open(rank int) *otf.Reader {
	return otf.OpenReaderOf(w.trace, w.master, w.ThreadsOf[rank], otf.NewFileManager(64))
}

// surveyor reads the events of a rank for its survey.
type surveyor struct {
	*ranks
	rank     uint32
	process  uint32                   // the last process that entered a function
	since    mpiwait.Since            // when, if that function waits for a message; else 0
	ready    map[uint32]mpiwait.Since // the same for the other processes
	met      map[uint32]uint32
	out      mpiwait.Outbox
	text     []byte
	attended []mpiwait.Participation
	replay   *replay.Replay // of the rank, up to the event at hand; nil: there is none
}

// surveyors keeps finished surveyors for the reuse of their buffers.
var surveyors = sync.Pool{New: func() any {
	return &surveyor{ready: map[uint32]mpiwait.Since{}, met: map[uint32]uint32{}}
}}

func newSurveyor(w *ranks, rank int, a *replay.Replay) *surveyor {
	s := surveyors.Get().(*surveyor)
	clear(s.ready)
	clear(s.met)
	s.ranks, s.rank, s.process, s.since, s.replay = w, uint32(rank), 0, mpiwait.Since{}, a
	return s
}

// end hands over the rest.
func (s *surveyor) end() error {
	err := s.handOver(0)
	s.ranks, s.replay = nil, nil
	surveyors.Put(s)
	return err
}

func (s *surveyor) handlers() *otf.HandlerArray {
	return &otf.HandlerArray{
		Enter: func(time uint64, function, process, _ uint32) error {
			if process != s.process {
				s.ready[s.process] = s.since
				s.process = process
			}
			if s.since = (mpiwait.Since{}); s.Find(function).Receives {
				s.since = s.at(time, process)
			}
			return nil
		},
		SendMsg: func(time uint64, process, receiver, group, tag, _, _ uint32) error {
			return s.writeTo(receiver, s.at(time, process),
				mpiwait.Address{From: s.rank, Group: group, Tag: tag})
		},
		RecvMsg: func(_ uint64, receiver, sender, group, tag, _, _ uint32) error {
			since := s.since
			if receiver != s.process {
				since = s.ready[receiver]
			}
			return s.writeTo(sender, since,
				mpiwait.Address{Receiver: true, From: s.rank, Group: group, Tag: tag})
		},
		CollectiveOperation: func(
			time uint64, process, operation, group, root, _, _ uint32, _ uint64, _ uint32,
		) error {
			if s.Alone[group] {
				return nil
			}
			n := s.met[group]
			s.met[group]++
			s.attended = append(s.attended,
				mpiwait.Participation{
					Group: group, N: n, Kind: s.Operations[operation], Root: root,
					Since: s.at(time, process), IsRoot: process == root,
				})
			return s.handOver(batch)
		},
	}
}

// at returns what others need to know of a process of the rank and the time of its event.
func (s *surveyor) at(time uint64, process uint32) mpiwait.Since {
	at := mpiwait.Since{Time: s.ns(time)}
	if s.Kernel {
		at.Behind, at.Lost = s.replay.Behind(process)
	}
	return at
}

// writeTo notes a time for the rank of a process. inbox.take reads it.
func (s *surveyor) writeTo(process uint32, at mpiwait.Since, k mpiwait.Address) error {
	to := s.RankNumber(process)
	if to < 0 {
		return nil
	}
	k.To = uint32(to)
	if s.out.Note(k, at.Time); s.Kernel {
		s.out.Note(k, at.Behind)
		s.out.Note(k, at.Lost)
	}
	return s.handOver(batch)
}

// HandOver hands over what is gathered if there is at least that much.
func (s *surveyor) handOver(least int) error {
	if len(s.attended) >= max(least, 1) {
		s.meetings.Attend(s.attended)
		s.attended = s.attended[:0]
	}
	if s.out.Held < max(least, 1) {
		return nil
	}
	var err error
	s.text, err = s.letters.Post(s.out.Letters, s.text)
	s.out.Empty()
	return err
}
