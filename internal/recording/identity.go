package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// identity identifies a process and its system (ompt_bridge/src/trace/identity.c). Unknown values
// are 0 or "".
type identity struct {
	started          uint64 // system ticks since the boot
	processes, times uint64 // numbers of the namespaces
	boot, host       string
}

const (
	identityBytes = 136 // at the end of a recording's first page
	bootBytes     = 40
	ticksOfSecond = 100 // USER_HZ, the unit in which Linux shows times
)

func readIdentity(page []byte) identity {
	text := func(b []byte) string { return string(b[:max(bytes.IndexByte(b, 0), 0)]) }
	b := page[len(page)-identityBytes:]
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return identity{word(0), word(1), word(2), text(b[24 : 24+bootBytes]), text(b[24+bootBytes:])}
}

// ownIdentity returns the identity of this process.
var ownIdentity = sync.OnceValue(func() identity {
	var own identity
	own.host, _ = os.Hostname()
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	own.boot = strings.TrimSpace(string(boot))
	own.processes, own.times = namespace("/proc/self/ns/pid"), namespace("/proc/self/ns/time")
	if s, err := readStat("self"); err == nil {
		own.started = s.started
	}
	return own
})

func namespace(path string) uint64 {
	is, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return is.Sys().(*syscall.Stat_t).Ino
}

// stat is what the system shows of a process.
type stat struct {
	state   byte
	threads int
	started uint64
}

// readStat reads /proc/PROCESS/stat. Field 2, the program's name, may hold blanks and parentheses.
func readStat(process string) (stat, error) {
	text, err := os.ReadFile("/proc/" + process + "/stat")
	if err != nil {
		return stat{}, err
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return stat{}, fmt.Errorf("/proc/%s/stat: error: too short", process)
	}
	s := stat{state: fields[0][0]}
	s.threads, err = strconv.Atoi(fields[17])
	started, failed := strconv.ParseUint(fields[19], 10, 64)
	s.started = started
	return s, errors.Join(err, failed)
}

// Left is a process whose recording opari has not touched.
type Left struct {
	PID     int
	Program string
	Runs    bool   // false: it cannot be seen from here whether it runs
	Why     string // the reason, as a predicate of the process
}

// reasonToLeave returns why opari must leave a recording alone; nil: its process has ended.
func (p *Process) reasonToLeave(own identity) *Left {
	const unknown = ", and it is not known here whether it still runs"
	who, left := p.identity, &Left{PID: p.PID, Program: p.Program}
	known := func(a, b string) bool { return a != "" && b != "" }
	switch {
	case p.Complete:
		return nil
	case known(who.host, own.host) && who.host != own.host:
		left.Why = "was recorded on host " + who.host + unknown
		return left
	case known(who.boot, own.boot) && who.boot != own.boot:
		return nil
	case who.processes != 0 && who.processes != own.processes:
		left.Why = fmt.Sprintf("was recorded in another PID namespace, pid:[%d]", who.processes) +
			unknown
		return left
	}
	if who.times != own.times {
		who.started = 0 // times of different time namespaces are not comparable
	}
	if !runs(p.PID, who.started) {
		return nil
	}
	left.Runs, left.Why = true, "is still running"
	return left
}

// MayRun reports whether the process may have run on when its trace was made (Options.Force).
func (p *Process) MayRun() bool { return p.running }

// runs reports whether a process with that number runs that started at that time (0: any) and is
// no zombie. If only the first thread has ended, the process looks like a zombie, but has more
// than one thread.
func runs(pid int, started uint64) bool {
	if pid <= 0 { // numbers that stand for many processes
		return false
	}
	// If /proc is missing or shows another namespace, only the number is left to go by.
	self, err := os.Readlink("/proc/self")
	if err == nil && self == strconv.Itoa(os.Getpid()) {
		s, err := readStat(strconv.Itoa(pid))
		if err == nil {
			zombie := s.state == 'Z' && s.threads < 2 || s.state == 'X' || s.state == 'x'
			return !zombie && (started == 0 || s.started == started)
		}
	}
	err = syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// Began returns the time by which this process had surely started. Files that others wrote before
// it started have earlier times.
var Began = sync.OnceValue(func() time.Time {
	text, err := os.ReadFile("/proc/uptime")
	now, started := time.Now(), ownIdentity().started
	up, _, _ := strings.Cut(string(text), " ")
	seconds, failed := strconv.ParseFloat(up, 64)
	if err != nil || failed != nil || started == 0 {
		return now
	}
	// A tick is long, and the process started somewhere in it, so the tick's end counts.
	age := time.Duration(seconds*1e9) - time.Duration(started+1)*time.Second/ticksOfSecond
	return now.Add(-max(age, 0))
})
