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

// identity says which process it is, of which system: ompt_bridge/src/trace/identity.c. What is
// not known is 0 or "".
type identity struct {
	started          uint64 // ticks of the system, since the boot
	processes, times uint64 // numbers of the namespaces
	boot, host       string
}

const (
	identityBytes = 136 // at the end of a recording's first page
	bootBytes     = 40
	ticksOfSecond = 100 // USER_HZ, in which Linux shows times
)

func readIdentity(page []byte) identity {
	text := func(b []byte) string { return string(b[:max(bytes.IndexByte(b, 0), 0)]) }
	b := page[len(page)-identityBytes:]
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return identity{word(0), word(1), word(2), text(b[24 : 24+bootBytes]), text(b[24+bootBytes:])}
}

// ownIdentity is that of this process.
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

// stat is what the system says of a process.
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

// Left is a process whose recording was left as it is.
type Left struct {
	PID     int
	Program string
	Runs    bool   // false: it cannot be told from here whether it does
	Why     string // what there is to say of the process
}

// standing says why a recorded process has to be left alone; nil: it has ended.
func (p *Process) standing(own identity) *Left {
	const unknown = ", and it cannot be told from here whether it still runs"
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
		who.started = 0 // the times of two time namespaces cannot be compared
	}
	if !runs(p.PID, who.started) {
		return nil
	}
	left.Runs, left.Why = true, "is still running"
	return left
}

// MayRun reports whether the process may have gone on when its trace was made: Options.Force.
func (p *Process) MayRun() bool { return p.running }

// runs reports whether there is a process with that number that started at that time (0: at any)
// and is no zombie. Where the first thread alone has ended the process looks like a zombie, but has
// more threads than one.
func runs(pid int, started uint64) bool {
	if pid <= 0 { // which stand for many processes
		return false
	}
	// Where /proc is missing, or shows another namespace, the number alone has to do.
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

// Began is when this process started, at the latest: what others had done before it started has an
// earlier time.
var Began = sync.OnceValue(func() time.Time {
	text, err := os.ReadFile("/proc/uptime")
	now, started := time.Now(), ownIdentity().started
	up, _, _ := strings.Cut(string(text), " ")
	seconds, failed := strconv.ParseFloat(up, 64)
	if err != nil || failed != nil || started == 0 {
		return now
	}
	// The start lies somewhere in a tick, which is long: the end of it counts.
	age := time.Duration(seconds*1e9) - time.Duration(started+1)*time.Second/ticksOfSecond
	return now.Add(-max(age, 0))
})
