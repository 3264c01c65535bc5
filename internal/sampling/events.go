package sampling

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// events are the kernel's events of a program: one for each processor, because only those can
// write into a ring and be inherited by threads. They belong to a thread of this process, and are
// off there. A child that the thread starts inherits them, and its exec turns them on.
type events struct {
	rings    []*ring
	userOnly bool // samples in the kernel are not allowed
	counting
}

// ring is the memory into which the kernel writes notes of what happened on one processor.
type ring struct {
	fd     int
	memory []byte
	page   *unix.PerfEventMmapPage
	data   []byte
	more   []int // file descriptors of further events that write into it
}

const (
	ringMost  = 512 << 10 // bytes; what the kernel lends a user for each processor by default
	ringLeast = 32 << 10
	ringsMost = 64 << 20 // bytes for all processors
	// Samples with copies of stacks take more room: so many times as much, where the kernel has it.
	ringCopies = 8
	// stackCopy is how many bytes of a stack a sample has at most.
	stackCopy = 8 << 10
	// stackMost bounds the depth of a stack; the kernel's own limit is 127 by default.
	stackMost = 96
)

// attributes returns what all events have in common: each is for one thread, and inherited.
func (e *events) attributes(kind uint32, config uint64) unix.PerfEventAttr {
	a := unix.PerfEventAttr{
		Type: kind, Config: config,
		Sample_type: unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_CPU,
		Bits: unix.PerfBitInherit | unix.PerfBitExcludeHv | unix.PerfBitSampleIDAll |
			unix.PerfBitUseClockID,
		Clockid: unix.CLOCK_MONOTONIC,
	}
	a.Size = uint32(unsafe.Sizeof(a))
	if e.userOnly {
		a.Bits |= unix.PerfBitExcludeKernel
	}
	return a
}

// clock returns the event that takes samples, which the program's exec turns on.
func (e *events) clock(o Options) unix.PerfEventAttr {
	a := e.attributes(unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_DUMMY)
	a.Bits |= unix.PerfBitDisabled | unix.PerfBitEnableOnExec
	if o.Rate > 0 {
		a.Config = unix.PERF_COUNT_SW_CPU_CLOCK
		a.Sample = uint64(1e9 / o.Rate)
	}
	return a
}

// first returns the first event of a processor. It also notes what happens to threads.
func (e *events) first(o Options) unix.PerfEventAttr {
	a := e.clock(o)
	a.Bits |= unix.PerfBitContextSwitch | unix.PerfBitComm | unix.PerfBitCommExec |
		unix.PerfBitTask
	if o.Rate > 0 {
		a.Sample_type |= unix.PERF_SAMPLE_CALLCHAIN
		if sampledRegisters != 0 {
			a.Sample_type |= unix.PERF_SAMPLE_REGS_USER
			a.Sample_regs_user = sampledRegisters
		}
		a.Sample_max_stack = stackMost
		if o.Unwind {
			a.Sample_type |= unix.PERF_SAMPLE_STACK_USER
			a.Sample_stack_user = stackCopy
		}
		a.Bits |= unix.PerfBitMmap | unix.PerfBitMmap2 | unix.PerfBitExcludeCallchainKernel
	}
	return a
}

// openEvents opens the events of the program that the calling thread will start.
func openEvents(o Options) (*events, error) {
	processors, err := online()
	if err != nil {
		return nil, err
	}
	size := ringMost
	if o.Unwind && o.Rate > 0 {
		size *= ringCopies
	}
	for size > ringLeast && size*len(processors) > ringsMost {
		size /= 2
	}
	e := &events{}
	for ; ; size /= 2 {
		err := e.tryOpen(o, processors, size)
		if err == nil {
			return e, nil
		}
		var memory *memoryError
		if !errors.As(err, &memory) || size <= ringLeast {
			return nil, err
		}
	}
}

// tryOpen opens the events in the first way that the kernel takes: with a view into the kernel or
// without, and with the counters' values in samples or at threads' ends only.
func (e *events) tryOpen(o Options, processors []int, size int) (err error) {
	for _, read := range []bool{true, false} {
		for _, userOnly := range []bool{false, true} {
			e.userOnly = userOnly
			e.counting = counting{inSamples: read, of: map[uint64]counted{}}
			err = e.open(o, processors, size)
			if !errors.Is(err, unix.EACCES) && !errors.Is(err, unix.EPERM) {
				break
			}
		}
		if len(o.Counters) == 0 || !errors.Is(err, unix.EINVAL) {
			break
		}
	}
	return err
}

// memoryError says that the kernel does not lend the memory of a ring.
type memoryError struct{ why error }

func (e *memoryError) Error() string {
	return fmt.Sprintf("no memory for its notes (%v): ulimit -l, or perf_event_mlock_kb", e.why)
}

func (e *memoryError) Unwrap() error { return e.why }

func (e *events) open(o Options, processors []int, size int) (err error) {
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	e.find(o.Counters, processors[0])
	for _, cpu := range processors {
		attr := e.first(o)
		e.readIn(&attr)
		attr.Bits |= unix.PerfBitWatermark
		attr.Wakeup = uint32(size / 2)
		fd, err := unix.PerfEventOpen(&attr, 0, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if errors.Is(err, unix.ENODEV) {
			continue // the processor has just gone off line
		} else if err != nil {
			return err
		}
		r := &ring{fd: fd}
		e.rings = append(e.rings, r)
		page := os.Getpagesize()
		r.memory, err = unix.Mmap(fd, 0, page+size, unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_SHARED)
		if err != nil {
			return &memoryError{err}
		}
		r.page = (*unix.PerfEventMmapPage)(unsafe.Pointer(&r.memory[0]))
		r.data = r.memory[page:]
		if err := e.count(r, o, cpu); err != nil {
			return err
		}
	}
	if len(e.rings) == 0 {
		return unix.ENODEV
	}
	return nil
}

func (e *events) close() {
	for _, r := range e.rings {
		for _, fd := range r.more {
			_ = unix.Close(fd)
		}
		if r.memory != nil {
			_ = unix.Munmap(r.memory)
		}
		_ = unix.Close(r.fd)
	}
	e.rings = nil
}

// read takes what the kernel has written since, and gives the room back.
func (r *ring) read() []byte {
	head := atomic.LoadUint64(&r.page.Data_head)
	tail := r.page.Data_tail
	if head == tail {
		return nil
	}
	size := uint64(len(r.data))
	text := make([]byte, 0, head-tail)
	from, to := tail%size, head%size
	if from < to {
		text = append(text, r.data[from:to]...)
	} else {
		text = append(append(text, r.data[from:]...), r.data[:to]...)
	}
	atomic.StoreUint64(&r.page.Data_tail, head)
	return text
}

// explain says why the kernel does not tell about the program, and what helps.
func explain(err error) error {
	switch {
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		text, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
		level := strings.TrimSpace(string(text))
		var memory *memoryError
		if n, bad := strconv.Atoi(level); errors.As(err, &memory) {
			return err
		} else if bad == nil && n > 2 {
			return fmt.Errorf("kernel.perf_event_paranoid is %d, and must be at most 2", n)
		}
		return fmt.Errorf("perf_event_open: %w (is it kept from containers here?)", err)
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOENT), errors.Is(err, unix.EOPNOTSUPP):
		return fmt.Errorf("this kernel has no such events: perf_event_open: %w", err)
	}
	return fmt.Errorf("perf_event_open: %w", err)
}
