package sampling

import (
	"errors"
	"fmt"
	"os"
	"slices"
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
	rings      []*ring
	members    []int // file descriptors of further events, which write into the same rings
	userOnly   bool  // samples in the kernel are not allowed
	sampleType uint64
}

// ring is the memory into which the kernel writes notes of what happened on one processor.
type ring struct {
	fd     int
	memory []byte
	page   *unix.PerfEventMmapPage
	data   []byte
}

const (
	ringMost  = 512 << 10 // bytes; what the kernel lends a user for each processor by default
	ringLeast = 32 << 10
	ringsMost = 64 << 20 // bytes for all processors
	// stackMost bounds the depth of a stack; the kernel's own limit is 127 by default.
	stackMost = 96
)

// clockEvent returns the event that takes samples and notes what happens to threads. Without a
// rate it only notes.
func clockEvent(rate int, userOnly bool) unix.PerfEventAttr {
	a := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_DUMMY,
		Sample_type: unix.PERF_SAMPLE_TID | unix.PERF_SAMPLE_TIME | unix.PERF_SAMPLE_CPU,
		Bits: unix.PerfBitDisabled | unix.PerfBitInherit | unix.PerfBitEnableOnExec |
			unix.PerfBitExcludeHv | unix.PerfBitSampleIDAll | unix.PerfBitWatermark |
			unix.PerfBitUseClockID | unix.PerfBitContextSwitch |
			unix.PerfBitComm | unix.PerfBitCommExec | unix.PerfBitTask,
		Clockid: unix.CLOCK_MONOTONIC,
	}
	a.Size = uint32(unsafe.Sizeof(a))
	if userOnly {
		a.Bits |= unix.PerfBitExcludeKernel
	}
	if rate > 0 {
		a.Config = unix.PERF_COUNT_SW_CPU_CLOCK
		a.Sample = uint64(1e9 / rate)
		a.Sample_type |= unix.PERF_SAMPLE_CALLCHAIN
		a.Sample_max_stack = stackMost
		a.Bits |= unix.PerfBitMmap | unix.PerfBitMmap2 | unix.PerfBitExcludeCallchainKernel
	}
	return a
}

// openEvents opens the events of the program that the calling thread will start.
func openEvents(rate int) (*events, error) {
	processors, err := online()
	if err != nil {
		return nil, err
	}
	size := ringMost
	for size > ringLeast && size*len(processors) > ringsMost {
		size /= 2
	}
	e := &events{}
	for ; ; size /= 2 {
		e.userOnly = false
		err := e.open(rate, processors, size)
		if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
			e.userOnly = true
			err = e.open(rate, processors, size)
		}
		if err == nil {
			return e, nil
		}
		var memory *memoryError
		if !errors.As(err, &memory) || size <= ringLeast {
			return nil, err
		}
	}
}

// memoryError says that the kernel does not lend the memory of a ring.
type memoryError struct{ why error }

func (e *memoryError) Error() string {
	return fmt.Sprintf("no memory for its notes (%v): ulimit -l, or perf_event_mlock_kb", e.why)
}

func (e *memoryError) Unwrap() error { return e.why }

func (e *events) open(rate int, processors []int, size int) (err error) {
	defer func() {
		if err != nil {
			e.close()
		}
	}()
	for _, cpu := range processors {
		attr := clockEvent(rate, e.userOnly)
		attr.Wakeup = uint32(size / 2)
		e.sampleType = attr.Sample_type
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
	}
	if len(e.rings) == 0 {
		return unix.ENODEV
	}
	return nil
}

func (e *events) close() {
	for _, fd := range e.members {
		_ = unix.Close(fd)
	}
	for _, r := range e.rings {
		if r.memory != nil {
			_ = unix.Munmap(r.memory)
		}
		_ = unix.Close(r.fd)
	}
	e.rings, e.members = nil, nil
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

// online returns the numbers of the processors that are on line.
func online() ([]int, error) {
	const path = "/sys/devices/system/cpu/online"
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all := processorList(strings.TrimSpace(string(text)))
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no processors in %q", path, text)
	}
	return all, nil
}

// processorList reads a list such as 0-3,8.
func processorList(text string) []int {
	var all []int
	for _, part := range strings.Split(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if isRange && err == nil {
			to, err = strconv.Atoi(last)
		}
		if err != nil || to-from > 1<<16 {
			return nil
		}
		for ; from <= to; from++ {
			all = append(all, from)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
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
