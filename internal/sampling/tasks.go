package sampling

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// tasks looks at a process's threads from time to time, which costs the program nothing. It is
// what is left where nothing more was asked for, or the kernel does not tell more.
type tasks struct {
	follower *follower
	pid      int
}

// look reads what /proc has of each thread. Threads that are gone have ended.
func (p *tasks) look(time uint64) {
	folder := fmt.Sprintf("/proc/%d/task", p.pid)
	files, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	there := map[int]bool{}
	for _, f := range files {
		tid, err := strconv.Atoi(f.Name())
		if err != nil {
			continue
		}
		cpu, begin, err := state(filepath.Join(folder, f.Name(), "stat"))
		if err != nil {
			continue
		}
		there[tid] = true
		t := p.follower.on(min(time, begin), origin{p.pid, tid, cpu})
		t.Migrations = 0 // those between two looks are unknown
		t.Used, t.Waited = schedule(filepath.Join(folder, f.Name(), "schedstat"))
	}
	for tid, t := range p.follower.live {
		if !there[tid] {
			t.End = time
			delete(p.follower.live, tid)
		}
	}
}

// schedule reads how long a thread was on a processor, and how long it waited for one, in ns.
func schedule(path string) (used, waited uint64) {
	words := strings.Fields(firstLine(path))
	if len(words) < 2 {
		return 0, 0
	}
	used, _ = strconv.ParseUint(words[0], 10, 64)
	waited, _ = strconv.ParseUint(words[1], 10, 64)
	return used, waited
}

// state reads the processor that a thread was last on, and when it began, or up to 10 ms before.
func state(path string) (cpu int, begin uint64, err error) {
	line := firstLine(path)
	const started, processor = 19, 36 // among the words after the name in parentheses
	words := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(words) <= processor {
		return 0, 0, os.ErrNotExist
	}
	ticks, bad := strconv.ParseUint(words[started], 10, 64)
	cpu, err = strconv.Atoi(words[processor])
	return cpu, fromBoot(ticks * 1e7), errors.Join(bad, err)
}

// fromBoot turns a time since the boot, in ns, into one of CLOCK_MONOTONIC, which stands still
// while the machine is suspended.
func fromBoot(time uint64) uint64 {
	var boot unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &boot) != nil {
		return time
	}
	awake := now()
	asleep := max(uint64(boot.Nano()), awake) - awake
	return max(time, asleep) - asleep
}

// allowed asks where the threads that live may run.
func (f *follower) allowed() {
	for _, t := range f.live {
		if on := allowedOn(t.TID); on != nil {
			t.Allowed = on
		}
	}
}
