package sampling

import (
	"errors"
	"slices"

	"golang.org/x/sys/unix"
)

// counting is what the events count beside taking samples.
//
// The kernel's own counters are in the group of the first event, whose samples have their values.
// Those of the processor are in groups of their own, each led by a further clock: a processor may
// have too few counters for all of them at once. Then groups take turns, and the clock of a group
// without a turn takes no samples. All clocks tick together, so they cost one interrupt.
type counting struct {
	counters  []counter // that are there
	missing   []string  // names of counters that are not
	inSamples bool      // samples have their values; else they are known at a thread's end only
	of        map[uint64]counted
}

// counted is what an event counts, by the number that the kernel gave the event.
type counted struct {
	counter int // index in counters; negative: it is the clock of a group
	stacks  bool
}

// groupMost bounds a group of the processor's counters. Each has that many, if nobody else uses
// them.
const groupMost = 4

// find sets counters and missing.
func (e *events) find(names []string, processor int) {
	for _, c := range countersOf(names) {
		if c.kind != fromNotes {
			attr := e.attributes(c.kind, c.config)
			fd, err := unix.PerfEventOpen(&attr, 0, processor, -1, unix.PERF_FLAG_FD_CLOEXEC)
			if err != nil {
				e.missing = append(e.missing, c.name)
				continue
			}
			_ = unix.Close(fd)
		}
		e.counters = append(e.counters, c)
	}
}

// reads reports whether there are counters that have an event.
func (c *counting) reads() bool {
	return slices.ContainsFunc(c.counters, func(k counter) bool { return k.kind != fromNotes })
}

// valued reports whether the samples have values.
func (c *counting) valued() bool { return c.inSamples && c.reads() }

const readFormat = unix.PERF_FORMAT_GROUP | unix.PERF_FORMAT_ID |
	unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING

// readIn makes the samples of a clock have the values of its group.
func (e *events) readIn(a *unix.PerfEventAttr) {
	if e.valued() {
		a.Read_format = readFormat
		a.Sample_type |= unix.PERF_SAMPLE_READ
	}
}

// count opens the counters of a processor.
func (e *events) count(r *ring, o Options, cpu int) error {
	leader, size := -1, 0
	for i, c := range e.counters {
		switch {
		case c.kind == fromNotes:
			continue
		case c.kind == software && !o.apart:
			if err := e.member(r, i, cpu, r.fd); err != nil {
				return err
			}
			continue
		}
		err := error(unix.EINVAL)
		if size > 0 && size < groupMost {
			err = e.member(r, i, cpu, leader)
		}
		if errors.Is(err, unix.EINVAL) { // the group is full
			if leader, err = e.lead(r, o, cpu); err != nil {
				return err
			}
			size, err = 0, e.member(r, i, cpu, leader)
		}
		if err != nil {
			return err
		}
		size++
	}
	return e.name(r.fd, counted{counter: -1, stacks: o.Rate > 0})
}

// lead opens the clock of a further group.
func (e *events) lead(r *ring, o Options, cpu int) (fd int, err error) {
	attr := e.clock(o)
	e.readIn(&attr)
	return e.add(r, attr, cpu, -1, counted{counter: -1})
}

// member opens the event of a counter in the group of a clock. It notes the sum when a thread ends.
func (e *events) member(r *ring, index, cpu, leader int) error {
	c := e.counters[index]
	attr := e.attributes(c.kind, c.config)
	attr.Read_format = readFormat
	attr.Bits |= unix.PerfBitInheritStat
	_, err := e.add(r, attr, cpu, leader, counted{counter: index})
	return err
}

// add opens an event that writes into the ring.
func (e *events) add(r *ring, a unix.PerfEventAttr, cpu, leader int, is counted) (int, error) {
	fd, err := unix.PerfEventOpen(&a, 0, cpu, leader, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return -1, err
	}
	r.more = append(r.more, fd)
	if err := unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_OUTPUT, r.fd); err != nil {
		return -1, err
	}
	return fd, e.name(fd, is)
}

// name notes what an event counts.
func (e *events) name(fd int, is counted) error {
	id, err := unix.IoctlGetInt(fd, unix.PERF_EVENT_IOC_ID)
	if err == nil {
		e.of[uint64(id)] = is
	}
	return err
}
