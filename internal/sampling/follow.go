package sampling

import (
	"cmp"
	"slices"

	"golang.org/x/sys/unix"

	"opari/internal/unwind"
)

// follower makes a record of the kernel's notes, which it gets in the order of their times.
type follower struct {
	stacks    *stacks
	processes map[int]*process
	live      map[int]*thread // by TID
	all       []*thread
	lost      uint64
	looked    bool // the threads were looked at from time to time only
	counting  *counting
	ending    map[int]*thread // by TID; the sums of its counters are still to come
	added     int             // values of counters
	scaled    int             // of those, how many of a group that had no turn for some time
	buffer    []uint64        // of the chain at hand
	places    []unwind.Place  // the same, if it is unwound
	cut       uint64          // stacks that were not unwound to their end
}

// thread is a thread while it is followed.
type thread struct {
	Thread
	cpu       int    // the last that it was seen on; negative: none yet
	off       uint64 // since when it has been off the processor; 0: it runs
	preempted bool
	since     uint64 // since when it runs; 0: it does not, or that is unknown
	sums
}

func newFollower() *follower {
	return &follower{
		stacks: newStacks(), processes: map[int]*process{}, live: map[int]*thread{},
		counting: &counting{}, ending: map[int]*thread{},
	}
}

// follow takes the next note.
func (f *follower) follow(n note) {
	switch n.kind() {
	case unix.PERF_RECORD_SAMPLE:
		if s, ok := n.sample(f.counting, f.buffer); ok {
			f.buffer = s.chain
			f.sampled(n.time, s)
		}
	case unix.PERF_RECORD_READ:
		f.readAtEnd(n)
	case unix.PERF_RECORD_SWITCH:
		f.switched(n)
	case unix.PERF_RECORD_MMAP2:
		if m, ok := n.mapping(); ok {
			here := mapping{m.from, m.to, m.offset, -1}
			if isFile(m.file) {
				here.file = f.stacks.file(m.file)
			} else if m.file == vdsoName {
				f.process(m.pid).vdso = here
			}
			f.process(m.pid).add(here)
		}
	case unix.PERF_RECORD_FORK:
		f.forked(n)
	case unix.PERF_RECORD_EXIT:
		if who, _, ok := n.family(); ok {
			f.ended(n.time, who)
		}
	case unix.PERF_RECORD_COMM:
		if n.misc()&unix.PERF_RECORD_MISC_COMM_EXEC != 0 {
			who := n.trailer()
			f.processes[who.pid] = &process{}
			f.on(n.time, who).runs(n.time)
		}
	case unix.PERF_RECORD_LOST, unix.PERF_RECORD_LOST_SAMPLES:
		f.lose(n)
	}
}

func (f *follower) process(pid int) *process {
	p := f.processes[pid]
	if p == nil {
		p = &process{}
		f.processes[pid] = p
	}
	return p
}

// thread returns the thread of a note; one that is new has begun at the time, or before.
func (f *follower) thread(time uint64, who origin) *thread {
	t := f.live[who.tid]
	if t == nil || t.PID != who.pid {
		t = &thread{Thread: Thread{PID: who.pid, TID: who.tid, Begin: time}, cpu: -1}
		f.live[who.tid] = t
		f.all = append(f.all, t)
	}
	return t
}

// on notes that a thread is on a processor.
func (f *follower) on(time uint64, who origin) *thread {
	t := f.thread(time, who)
	if t.cpu != who.cpu {
		if t.cpu >= 0 {
			t.Migrations++
		}
		t.cpu = who.cpu
		if at, found := slices.BinarySearch(t.Ran, who.cpu); !found {
			t.Ran = slices.Insert(t.Ran, at, who.cpu)
		}
	}
	return t
}

func (f *follower) sampled(time uint64, s taken) {
	t := f.on(time, s.origin)
	if t.off != 0 {
		t.off = 0 // the note that it runs again was lost, so the time off is unknown
	}
	t.runs(time)
	f.add(t, s.values)
	if !s.stands {
		return
	}
	is := Sample{Time: time, Stack: -1, Values: f.values(t, time)}
	if chain := inUser(s.chain); len(chain) > 0 {
		p := f.process(s.pid)
		if places := f.unwound(p, chain[0], s); places != nil {
			is.Stack = f.stacks.numberOf(p, places)
		} else {
			is.Stack = f.stacks.number(p, chain)
		}
		if s.inUser {
			is.Access = f.stacks.access(p, chain[0], s.registers)
		}
	}
	t.Samples = append(t.Samples, is)
}

func (f *follower) switched(n note) {
	t := f.on(n.time, n.trailer())
	switch {
	case n.misc()&unix.PERF_RECORD_MISC_SWITCH_OUT != 0:
		t.leaves(n.time)
		t.switches++
		t.off = n.time
		t.preempted = n.misc()&unix.PERF_RECORD_MISC_SWITCH_OUT_PREEMPT != 0
	default:
		t.back(n.time)
		t.runs(n.time)
	}
}

// back ends a time off the processor.
func (t *thread) back(time uint64) {
	if t.off != 0 && time > t.off {
		t.Off = append(t.Off, Off{t.off, time, t.preempted})
		if t.preempted {
			t.Waited += time - t.off
		}
	}
	t.off = 0
}

// runs notes that the thread is on a processor, at the time or since before.
func (t *thread) runs(time uint64) {
	if t.since == 0 {
		t.since = time
	}
}

// leaves notes that the thread has been on a processor up to the time.
func (t *thread) leaves(time uint64) {
	if t.since != 0 && time > t.since {
		t.Used += time - t.since
	}
	t.since = 0
}

// forked notes a new thread. Until it is first on a processor, it could have run.
func (f *follower) forked(n note) {
	who, parent, ok := n.family()
	if !ok {
		return
	}
	delete(f.live, who.tid)
	t := f.thread(n.time, who)
	t.off, t.preempted = n.time, true
	if who.pid != parent.pid {
		f.processes[who.pid] = f.process(parent.pid).clone()
	}
}

func (f *follower) ended(time uint64, who origin) {
	t := f.live[who.tid]
	if t == nil {
		return
	}
	t.back(time)
	t.leaves(time)
	t.End = time
	delete(f.live, who.tid)
	f.ending[who.tid] = t
}

// lose counts notes that the kernel had no room for. What the threads did meanwhile is unknown.
func (f *follower) lose(n note) {
	b := n.body()
	if n.kind() == unix.PERF_RECORD_LOST && len(b) >= 16 {
		b = b[8:]
	}
	if len(b) < 8 {
		return
	}
	f.lost += word(b)
}

// record returns what has been noted until the time.
func (f *follower) record(time uint64) *Record {
	r := &Record{Files: f.stacks.files, Stacks: f.stacks.frames, Lost: f.lost, Cut: f.cut}
	for _, c := range f.counting.counters {
		r.Counters = append(r.Counters, c.name)
	}
	for _, t := range f.all {
		t.back(time)
		if len(r.Counters) > 0 {
			last := time
			if t.End != 0 {
				last = t.End
			}
			t.Samples = append(t.Samples,
				Sample{Time: last, Stack: OnlyValues, Values: f.values(t, last)})
		}
		t.leaves(time)
		r.Threads = append(r.Threads, t.Thread)
	}
	slices.SortStableFunc(r.Threads, func(a, b Thread) int { return cmp.Compare(a.Begin, b.Begin) })
	f.stacks.close()
	return r
}
