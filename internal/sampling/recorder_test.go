package sampling

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// built compiles a program of testdata.
func built(t *testing.T, name string, options ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	args := append([]string{"-std=gnu11", "-O1", "-Wall", "-Wextra", "-g", "-pthread"}, options...)
	args = append(args, "testdata/"+name+".c", "-o", program, "-ldl", "-lrt")
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %v: %v\n%s", args, err, out)
	}
	return program
}

// starting returns the function by which a Recorder starts a command.
func starting(cmd *exec.Cmd) func() (int, error) {
	return func() (int, error) {
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		return cmd.Process.Pid, nil
	}
}

// recorded runs a program and returns its output, its process and what was recorded of it. It
// skips the test where the kernel does not tell.
func recorded(t *testing.T, o Options, args ...string) (string, int, *Record) {
	t.Helper()
	r, err := Open(o)
	var out bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if failed := r.Start(starting(cmd)); failed != nil {
		t.Fatal(failed)
	}
	ended := cmd.Wait()
	record, machine := r.Stop()
	if ended != nil {
		t.Fatalf("%v: %v\n%s", args, ended, &out)
	}
	if len(machine) != 2 || !strings.HasPrefix(machine[0], "at=start cores=") ||
		!strings.HasPrefix(machine[1], "at=end cores=") {
		t.Errorf("facts of the machine: %q", machine)
	}
	if err != nil {
		mainThread(t, record, cmd.Process.Pid)
		if record.Rate != 0 || len(record.Stacks) != 0 {
			t.Errorf("samples although %v", err)
		}
		t.Skipf("the kernel does not tell: %v", err)
	}
	return out.String(), cmd.Process.Pid, record
}

// mainThread returns the first thread of a process.
func mainThread(t *testing.T, r *Record, pid int) *Thread {
	t.Helper()
	for i := range r.Threads {
		if th := &r.Threads[i]; th.PID == pid && th.TID == pid {
			return th
		}
	}
	t.Fatalf("no thread %d among %d", pid, len(r.Threads))
	return nil
}

// Times sums up the seconds that a thread was preempted and blocked, and checks their order.
func offTimes(t *testing.T, th *Thread) (preempted, blocked float64) {
	t.Helper()
	last := th.Begin
	for _, o := range th.Off {
		if o.From < last || o.To <= o.From || th.End != 0 && o.To > th.End {
			t.Fatalf("off from %d to %d, after %d, end %d", o.From, o.To, last, th.End)
		}
		last = o.To
		if o.Preempted {
			preempted += float64(o.To-o.From) * 1e-9
		} else {
			blocked += float64(o.To-o.From) * 1e-9
		}
	}
	return preempted, blocked
}

// TestTimes compares the record with what a program knows of itself: its processor time, and that
// it slept ten times 20 ms.
func TestTimes(t *testing.T) {
	program := built(t, "known", "-O0")
	out, pid, r := recorded(t, Options{Rate: 1000}, program)
	var used float64
	var faults, switches int
	if _, err := fmt.Sscan(out, &used, &faults, &switches); err != nil {
		t.Fatal(err)
	}
	th := mainThread(t, r, pid)
	if th.End == 0 {
		t.Fatal("the program's end was not noted")
	}
	preempted, blocked := offTimes(t, th)
	ran := float64(th.End-th.Begin)*1e-9 - preempted - blocked
	if sum := float64(th.Used) * 1e-9; sum < ran-0.001 || sum > ran+0.001 ||
		float64(th.Waited)*1e-9 > preempted+0.001 {
		t.Errorf("used %d ns and waited %d ns, not %.3f and %.3f s", th.Used, th.Waited, ran,
			preempted)
	}
	if ran < 0.9*used || ran > 1.1*used+0.02 {
		t.Errorf("it ran for %.3f s, by its own clock %.3f s", ran, used)
	}
	if blocked < 0.2 || blocked > 0.2+preempted+0.3*float64(len(th.Off)) {
		t.Errorf("blocked for %.3f s, but slept 0.2 s", blocked)
	}
	sleeps := 0
	for _, o := range th.Off {
		if !o.Preempted && o.To-o.From >= 20e6 {
			sleeps++
		}
	}
	if sleeps < 10 {
		t.Errorf("%d times blocked for 20 ms and more, not 10", sleeps)
	}
	if n := len(th.Off); n < switches-5 { // it had some before its exec
		t.Errorf("%d times off the processor, but %d context switches", n, switches)
	}
	if n := float64(len(th.Samples)); n < 800*used || n > 1100*used+20 {
		t.Errorf("%v samples in %.3f s of processor time", n, used)
	}
	if r.Lost != 0 {
		t.Errorf("%d notes lost", r.Lost)
	}
	checkStacks(t, r, th, program)
}

// checkStacks wants most samples in the function hot, which turn called, which main called.
func checkStacks(t *testing.T, r *Record, th *Thread, program string) {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	in := func(a Address) string {
		if a.File < 0 || r.Files[a.File] != program {
			return "elsewhere"
		}
		at := a.Offset
		for _, p := range f.Progs {
			if p.Type == elf.PT_LOAD && a.Offset >= p.Off && a.Offset < p.Off+p.Filesz {
				at = a.Offset - p.Off + p.Vaddr
			}
		}
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && at >= s.Value && at < s.Value+s.Size {
				return s.Name
			}
		}
		return "unknown"
	}
	found := map[string]int{}
	for _, s := range th.Samples {
		if s.Time < th.Begin || s.Time > th.End {
			t.Fatalf("a sample at %d, of a thread from %d to %d", s.Time, th.Begin, th.End)
		}
		var names []string
		for i := s.Stack; i >= 0; i = r.Stacks[i].Caller {
			if c := r.Stacks[i].Caller; c >= i {
				t.Fatalf("frame %d has caller %d, which does not stand before it", i, c)
			}
			names = append(names, in(r.Stacks[i].Code))
		}
		found[strings.Join(names[:min(3, len(names))], " ")]++
	}
	if n := found["hot turn main"]; n*10 < len(th.Samples)*8 {
		t.Errorf("%d of %d samples are in hot, called by turn, called by main: %v", n,
			len(th.Samples), found)
	}
}

// TestLooks records a program without any events, as where the kernel tells nothing.
func TestLooks(t *testing.T) {
	cpus, err := online()
	if err != nil {
		t.Fatal(err)
	}
	last := cpus[len(cpus)-1]
	out, pid, r := recorded(t, Options{}, built(t, "known"), fmt.Sprint(last))
	var used float64
	if _, err := fmt.Sscan(out, &used); err != nil {
		t.Fatal(err)
	}
	th := mainThread(t, r, pid)
	// The last look was some time before the end.
	if sum := float64(th.Used) * 1e-9; sum == 0 || sum > 1.1*used+0.02 {
		t.Errorf("it used %.3f s, by its own clock %.3f s", sum, used)
	}
	if !slices.Equal(th.Allowed, []int{last}) || !slices.Contains(th.Ran, last) {
		t.Errorf("allowed on %v, ran on %v, not on %d alone", th.Allowed, th.Ran, last)
	}
	if len(th.Off) != 0 || len(th.Samples) != 0 {
		t.Errorf("%d times off the processor, %d samples", len(th.Off), len(th.Samples))
	}
}

// TestBound runs a program that stays on one processor.
func TestBound(t *testing.T) {
	cpus, err := online()
	if err != nil {
		t.Fatal(err)
	}
	last := cpus[len(cpus)-1]
	_, pid, r := recorded(t, Options{Off: true}, built(t, "known"), fmt.Sprint(last))
	th := mainThread(t, r, pid)
	if !slices.Equal(th.Allowed, []int{last}) {
		t.Errorf("allowed on %v, not on %d alone", th.Allowed, last)
	}
	if !slices.Contains(th.Ran, last) || th.Migrations > 2 {
		t.Errorf("ran on %v with %d migrations", th.Ran, th.Migrations)
	}
	if len(th.Samples) != 0 || len(r.Stacks) != 0 || r.Rate != 0 {
		t.Errorf("%d samples without a rate", len(th.Samples))
	}
	if len(th.Off) < 10 {
		t.Errorf("%d times off the processor, but it slept 10 times", len(th.Off))
	}
}

// TestStorm records a program whose threads, children, signals and libraries come and go.
func TestStorm(t *testing.T) {
	out, pid, r := recorded(t, Options{Rate: 4000}, built(t, "storm"))
	var begun, ticks, beats int
	if _, err := fmt.Sscanf(out, "begun %d ticks %d beats %d", &begun, &ticks, &beats); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	if begun != 200 || ticks < 10 || beats < 10 {
		t.Errorf("%d threads, and %d and %d signals of its own", begun, ticks, beats)
	}
	threads, children := 0, map[int]bool{}
	for i := range r.Threads {
		th := &r.Threads[i]
		offTimes(t, th)
		if th.PID == pid {
			threads++
		} else {
			children[th.PID] = true
		}
		if th.End == 0 || th.End < th.Begin {
			t.Errorf("thread %d of process %d began at %d and ended at %d", th.TID, th.PID,
				th.Begin, th.End)
		}
	}
	// main, 4, and 200 that exit at once; 20 children
	if r.Lost == 0 && (threads != 205 || len(children) != 20) {
		t.Errorf("%d threads and %d children", threads, len(children))
	}
}

// TestNoProgram starts nothing: Stop must not wait for a program.
func TestNoProgram(t *testing.T) {
	r, _ := Open(Options{Rate: 1000})
	if err := r.Start(starting(exec.Command("/nowhere/at/all"))); err == nil {
		t.Error("no error")
	}
	if record, _ := r.Stop(); record != nil && len(record.Threads) != 0 {
		t.Errorf("%d threads of a program that did not start", len(record.Threads))
	}
}

// TestExplain wants a reason that says what to do.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&memoryError{unix.EPERM}, "ulimit -l"},
		{unix.ENOSYS, "this kernel has no such events"},
		{unix.EMFILE, "too many open files"},
		{unix.EACCES, "perf_event"},
	} {
		if text := explain(c.err).Error(); !strings.Contains(text, c.want) {
			t.Errorf("%v is explained by %q, without %q", c.err, text, c.want)
		}
	}
}
