package sampling

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// Options say what to ask the kernel for. Without any of them a Recorder looks at the program's
// threads once a second, which gives their sums of time and costs the program nothing.
type Options struct {
	Rate int  // samples per second of a thread's processor time; 0: none
	Off  bool // note each time off the processor
	// Counters are names of CounterNames, whose values the samples have.
	Counters []string
	// Unwind finds callers by the call frame information of the code, from copies of the stacks,
	// and not by frame pointers. Open fails if Unwinds is false.
	Unwind bool

	apart bool // the kernel's counters are in groups of their own, as the processor's are
}

// Recorder asks the kernel about a program that this process starts, and about the processes
// that it starts in turn. All of it happens outside of the program.
type Recorder struct {
	options  Options
	events   *events // nil: the kernel does not tell
	follower *follower
	pending  []note // not followed yet: older ones may still come
	start    chan func() (int, error)
	started  chan error
	pid      int // of the program; 0: it did not start
	wake     int // event file: its thread is to end
	done     chan *Record
	machine  []string
}

// Open prepares the recording of one program. The error says why the kernel does not tell what was
// asked for. The Recorder works all the same, as without options.
func Open(o Options) (*Recorder, error) {
	r := &Recorder{
		options: o, follower: newFollower(), wake: -1,
		start: make(chan func() (int, error)), started: make(chan error), done: make(chan *Record),
	}
	opened := make(chan error)
	go func() {
		// The events belong to this thread, and what it starts inherits them.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		opened <- r.open()
		r.run()
	}()
	return r, <-opened
}

func (r *Recorder) open() (err error) {
	if r.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC); err != nil {
		return err
	}
	if r.options.Rate == 0 && !r.options.Off {
		return nil
	}
	if r.options.Unwind && !Unwinds {
		return errors.New("callers are found by call frame information on amd64 alone")
	}
	if r.events, err = openEvents(r.options); err != nil {
		return explain(err)
	}
	r.follower.counting = &r.events.counting
	return nil
}

// Missing returns the names of counters that this machine, or its kernel, has not.
func (r *Recorder) Missing() []string {
	if r.events == nil {
		return nil
	}
	return r.events.missing
}

// AtEnd reports whether the counters' values are known at the threads' ends only, as before
// Linux 6.13.
func (r *Recorder) AtEnd() bool {
	return r.events != nil && r.events.reads() && !r.events.inSamples
}

// Start calls start, which starts the program and returns its number, and returns its error. Call
// it once.
func (r *Recorder) Start(start func() (pid int, err error)) error {
	r.start <- start
	return <-r.started
}

// Stop returns what was recorded, and facts of the machine at the start and at the end. The
// program has ended, or Start was never called; processes that it left behind are followed until
// now. Call it once.
func (r *Recorder) Stop() (record *Record, machine []string) {
	if r.wake >= 0 {
		_, _ = unix.Write(r.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0})
	}
	close(r.start)
	record = <-r.done
	end := facts("end")
	if f := r.follower; f.scaled > 0 {
		end += fmt.Sprintf(" scaled=%d%%", (100*f.scaled+f.added-1)/f.added)
	}
	r.machine = append(r.machine, end)
	return record, r.machine
}

const (
	firstRound = 5 * time.Millisecond
	longRound  = time.Second
)

// run starts the program and reads what the kernel notes until Stop.
func (r *Recorder) run() {
	if start, ok := <-r.start; ok {
		r.machine = append(r.machine, facts("start"))
		pid, err := start()
		if err == nil {
			r.pid = pid
		}
		r.started <- err
	}
	if r.events != nil {
		r.rounds()
		r.events.close()
	} else {
		r.looks()
	}
	if r.wake >= 0 {
		_ = unix.Close(r.wake)
	}
	record := r.follower.record(now())
	if r.events != nil {
		record.Rate = r.options.Rate
	}
	r.done <- record
}

// looks looks at the threads at growing intervals.
func (r *Recorder) looks() {
	if r.wake < 0 || r.pid == 0 {
		return
	}
	r.follower.looked = true
	t := tasks{r.follower, r.pid}
	for round := firstRound; ; round = min(2*round, longRound) {
		t.look(now())
		r.follower.allowed()
		if r.poll(nil, round) {
			return
		}
	}
}

// rounds reads all rings whenever one is half full, and from time to time: short at first, so
// that short-lived programs are seen, too.
func (r *Recorder) rounds() {
	var rings []unix.PollFd
	for _, g := range r.events.rings {
		rings = append(rings, unix.PollFd{Fd: int32(g.fd), Events: unix.POLLIN})
	}
	horizon := uint64(0)
	for round := firstRound; ; round = min(2*round, longRound) {
		stop := r.poll(rings, round)
		began := now()
		r.read()
		if stop {
			r.follow(^uint64(0))
			return
		}
		// A note that is older than the round before has been read by now.
		r.follow(horizon)
		horizon = began
		r.follower.allowed()
	}
}

// poll waits for a ring, the time or Stop. It returns whether it was Stop.
func (r *Recorder) poll(rings []unix.PollFd, most time.Duration) (stop bool) {
	wait := append(slices.Clone(rings), unix.PollFd{Fd: int32(r.wake), Events: unix.POLLIN})
	_, _ = unix.Poll(wait, int(most/time.Millisecond))
	for i := range rings {
		if wait[i].Revents&(unix.POLLHUP|unix.POLLERR) != 0 {
			rings[i].Fd = -1 // no process is left that could write
		}
	}
	return wait[len(rings)].Revents != 0
}

func (r *Recorder) read() {
	for _, g := range r.events.rings {
		r.pending = split(r.pending, g.read())
	}
}

// follow follows all notes up to a time, in their order.
func (r *Recorder) follow(horizon uint64) {
	slices.SortStableFunc(r.pending, func(a, b note) int { return cmp.Compare(a.time, b.time) })
	done := 0
	for done < len(r.pending) && r.pending[done].time <= horizon {
		r.follower.follow(r.pending[done])
		done++
	}
	r.pending = append([]note(nil), r.pending[done:]...)
}

// allowedOn returns the processors on which a thread may run; nil: it is gone.
func allowedOn(tid int) []int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(tid, &set) != nil {
		return nil
	}
	return processorsOf(&set)
}

func processorsOf(set *unix.CPUSet) []int {
	var all []int
	for cpu := 0; len(all) < set.Count(); cpu++ {
		if set.IsSet(cpu) {
			all = append(all, cpu)
		}
	}
	return all
}

// now is the time of CLOCK_MONOTONIC.
func now() uint64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t)
	return uint64(t.Nano())
}
