package conversion

import (
	"math"

	"opari/otf2"
)

// stream writes the events of a location as those of a process of OTF.
type stream struct {
	trace   *trace
	process uint32
	held    []func() // events since the collective operation began that the thread is in
	begin   uint64   // time at which it began
	inside  bool
	started bool // it has a BeginProcess without an EndProcess
	last    uint64
	events  bool
}

// mostHeld is how many events may stand inside a collective operation. More are no such thing.
const mostHeld = 1 << 16

// event writes an event, now or when the collective operation is complete.
func (s *stream) event(time uint64, write func() error) error {
	if !s.events {
		s.events = true
		if s.trace.foreign {
			s.trace.do(s.trace.w.WriteBeginProcess(time, s.process))
			s.started = true
		}
	}
	s.last = time
	do := func() { s.trace.do(write()) }
	if !s.inside {
		do()
		return s.trace.errs
	}
	s.held = append(s.held, do)
	if len(s.held) > mostHeld {
		s.trace.losses.add("collective operations without an end", 1)
		s.release()
	}
	return s.trace.errs
}

// release writes the events that wait.
func (s *stream) release() {
	s.inside = false
	for _, do := range s.held {
		do()
	}
	s.held = s.held[:0]
}

// close ends a stream.
func (s *stream) close() {
	if s.inside {
		s.trace.losses.add("collective operations without an end", 1)
	}
	s.release()
	if s.started {
		s.trace.do(s.trace.w.WriteEndProcess(s.last, s.process))
	}
}

// handlers returns the handlers that convert the events.
func (t *trace) handlers() *otf2.HandlerArray {
	w := t.w
	h := &otf2.HandlerArray{
		Enter: func(location, time uint64, region uint32) error {
			s := t.stream(location)
			return s.event(time, func() error {
				return w.WriteEnter(time, functionOf(region), s.process, 0)
			})
		},
		Leave: func(location, time uint64, region uint32) error {
			s := t.stream(location)
			return s.event(time, func() error {
				return w.WriteLeave(time, functionOf(region), s.process, 0)
			})
		},
		Metric: t.metric,
		MpiSend: func(location, time uint64, to, comm, tag uint32, length uint64) error {
			return t.message(location, time, true, to, comm, tag, length, nil)
		},
		MpiIsend: func(location, time uint64, to, comm, tag uint32, length, request uint64) error {
			return t.message(location, time, true, to, comm, tag, length, &request)
		},
		MpiIsendComplete: func(location, time, request uint64) error {
			return t.point(location, time, requestComplete, request)
		},
		MpiIrecvRequest: func(location, time, request uint64) error {
			return t.point(location, time, requestBegun, request)
		},
		MpiRequestCancelled: func(location, time, request uint64) error {
			return t.point(location, time, requestCancelled, request)
		},
		MpiRecv: func(location, time uint64, from, comm, tag uint32, length uint64) error {
			return t.message(location, time, false, from, comm, tag, length, nil)
		},
		MpiIrecv: func(location, time uint64, from, comm, tag uint32, length, request uint64,
		) error {
			return t.message(location, time, false, from, comm, tag, length, &request)
		},
		MpiCollectiveBegin: func(location, time uint64) error {
			s := t.stream(location)
			if s.inside {
				t.losses.add("collective operations without an end", 1)
				s.release()
			}
			s.inside, s.begin, s.last = true, time, time
			return t.errs
		},
		MpiCollectiveEnd: t.collective,
		ThreadAcquireLock: func(location, time uint64, _ otf2.Paradigm, lock, _ uint32) error {
			return t.lock(location, time, lock, 0)
		},
		ThreadReleaseLock: func(location, time uint64, _ otf2.Paradigm, lock, _ uint32) error {
			return t.lock(location, time, lock, 1)
		},
		ProgramBegin: func(location, time uint64, _ uint32, _ []uint64) error {
			return t.alive(location, time, true)
		},
		ProgramEnd: func(location, time uint64, _ int64) error {
			return t.alive(location, time, false)
		},
		MeasurementOnOff: func(location, time uint64, mode otf2.MeasurementMode) error {
			return t.alive(location, time, mode == otf2.MeasurementModeOn)
		},
		UnknownRecord: func(uint64, uint64, uint8) error {
			t.losses.add("events of a later version", 1)
			return nil
		},
	}
	h.Any = func(r *otf2.Record) error {
		// What opari writes of teams and tasks stands in the names of functions, too.
		if t.foreign || !derived[r.Type] {
			t.losses.add("events "+r.Type.String(), 1)
		}
		return nil
	}
	h.Attributes = func(r *otf2.Record) error {
		t.losses.add("attributes of events", uint64(len(r.Attributes)))
		return nil
	}
	return h
}

// derived are the events that ToOTF2 makes of functions and counters, which stay.
var derived = map[otf2.RecordType]bool{
	otf2.ThreadForkRecord: true, otf2.ThreadJoinRecord: true, otf2.ThreadTeamBeginRecord: true,
	otf2.ThreadTeamEndRecord: true, otf2.ThreadTaskCreateRecord: true,
	otf2.ThreadTaskSwitchRecord: true, otf2.ThreadTaskCompleteRecord: true,
}

// alive begins or ends a process. Streams of other writers begin with their first event.
func (t *trace) alive(location, time uint64, begins bool) error {
	s := t.stream(location)
	if t.foreign {
		t.losses.add("events about the program or the measurement", 1)
		return nil
	}
	return s.event(time, func() error {
		if begins {
			return t.w.WriteBeginProcess(time, s.process)
		}
		return t.w.WriteEndProcess(time, s.process)
	})
}

func (t *trace) metric(location, time uint64, class uint32, types, values []uint64) error {
	s := t.stream(location)
	for i := range values {
		id, is := t.counters[counterKey{class, i}]
		if !is {
			t.losses.add("values of metrics that no definition has", 1)
			continue
		}
		v := t.number(otf2.Type(types[i]), values[i])
		if err := s.event(time, func() error {
			return t.w.WriteCounter(time, s.process, id, v)
		}); err != nil {
			return err
		}
	}
	return t.errs
}

// point writes what became of a request.
func (t *trace) point(location, time uint64, counter string, request uint64) error {
	s, id := t.stream(location), t.request(counter)
	return s.event(time, func() error { return t.w.WriteCounter(time, s.process, id, request) })
}

// message writes one end of a message, after the number of its request.
func (t *trace) message(location, time uint64, sent bool, rank, comm, tag uint32, length uint64,
	request *uint64,
) error {
	s := t.stream(location)
	c := t.archive.byComm[comm]
	if c == nil || int(rank) >= len(c.members) || c.members[rank] == 0 {
		t.losses.add("ends of messages whose other end is no location", 1)
		return nil
	}
	if length > math.MaxUint32 {
		t.losses.add("messages of 4 GiB and more: OTF has 4 GiB less a byte", 1)
		length = math.MaxUint32
	}
	if request != nil {
		if err := t.point(location, time, requestNumber, *request); err != nil {
			return err
		}
	}
	return s.event(time, func() error {
		if sent {
			return t.w.WriteSendMsg(time, s.process, c.members[rank], commOf(comm), tag,
				uint32(length), 0)
		}
		return t.w.WriteRecvMsg(time, s.process, c.members[rank], commOf(comm), tag,
			uint32(length), 0)
	})
}

// collective writes a collective operation, which OTF says at its beginning, with its duration.
func (t *trace) collective(location, time uint64, op otf2.CollectiveOp, comm, root uint32,
	sent, received uint64,
) error {
	s := t.stream(location)
	if !s.inside {
		t.losses.add("collective operations without a beginning", 1)
		return nil
	}
	process := uint32(0)
	if c := t.archive.byComm[comm]; c != nil && int(root) < len(c.members) {
		process = c.members[root]
	}
	t.operations[op] = true
	t.do(t.w.WriteCollectiveOperation(s.begin, s.process, uint32(op)+1, commOf(comm), process,
		uint32(min(sent, math.MaxUint32)), uint32(min(received, math.MaxUint32)), time-s.begin, 0))
	s.release()
	return t.errs
}

// lock writes the counter of a lock; that of opari's own archives is there already.
func (t *trace) lock(location, time uint64, lock, released uint32) error {
	if !t.foreign || t.locks {
		return nil
	}
	s := t.stream(location)
	return s.event(time, func() error {
		return t.w.WriteCounter(time, s.process, ownCounters+released, uint64(lock))
	})
}
