package recording

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"opari/internal/expensive"
)

// write writes the identity into a page of a recording.
func (who identity) write(page []byte) {
	b := page[len(page)-identityBytes:]
	clear(b)
	for i, v := range []uint64{who.started, who.processes, who.times} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	copy(b[24:], who.boot)
	copy(b[24+bootBytes:], who.host)
}

// unended writes the recording of a process with that number that did not end in order.
func unended(t *testing.T, pid int, who identity) (folder string) {
	t.Helper()
	folder = t.TempDir()
	var h handmade
	h.write(t, folder, chunkOf(0, 1000, begins, word(10, 1, work, false)))
	path := filepath.Join(folder, "1.meta")
	meta, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(meta[8:], uint64(pid))
	binary.LittleEndian.PutUint64(meta[48:], 0)
	who.write(meta[:metaBytes])
	put(t, path, meta)
	return folder
}

// files returns the recording's files in a folder with their contents.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	all, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if rawName.Get().MatchString(f.Name()) {
			text, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			found[f.Name()] = string(text)
		}
	}
	return found
}

// The number, start, boot, host and namespaces of a process decide whether it counts as running.
func TestReasonToLeave(t *testing.T) {
	own := ownIdentity()
	if own.boot == "" || own.host == "" || own.processes == 0 || own.started == 0 {
		t.Fatalf("this process does not know itself: %+v", own)
	}
	for name, c := range map[string]struct {
		change func(who *identity)
		why    string // "": it has ended
	}{
		"itself":      {func(*identity) {}, "is still running"},
		"other start": {func(who *identity) { who.started++ }, ""},
		"other boot":  {func(who *identity) { who.boot = "0" + who.boot[1:] + "x" }, ""},
		"other host": {
			func(who *identity) { who.host = "elsewhere" },
			"was recorded on host elsewhere, ",
		},
		"other machine": {
			func(who *identity) { who.host, who.boot = "elsewhere", "other" },
			"was recorded on host elsewhere, ",
		},
		"other PIDs": {
			func(who *identity) { who.processes = 7 },
			"was recorded in another PID namespace, pid:[7], ",
		},
		"other times": {
			func(who *identity) { who.times, who.started = 7, 1 },
			"is still running",
		},
		"without a start": {func(who *identity) { who.started = 0 }, "is still running"},
		"nothing known":   {func(who *identity) { *who = identity{} }, "is still running"},
	} {
		who := own
		c.change(&who)
		folder := unended(t, os.Getpid(), who)
		before := files(t, folder)
		made, left, err := ConvertAll(folder, folder, nil)
		if c.why == "" {
			if err != nil || len(made) != 1 || len(left) != 0 || len(files(t, folder)) != 0 {
				t.Errorf("%s: made %v, left %v: %v", name, made, left, err)
			}
			continue
		}
		if err != nil || len(made) != 0 || len(left) != 1 ||
			!strings.HasPrefix(left[0].Why, c.why) ||
			left[0].Runs != (c.why == "is still running") || left[0].PID != os.Getpid() {
			t.Errorf("%s: made %v, left %+v: %v", name, made, left, err)
		}
		made, left, err = Recover(folder, folder, Options{Force: true})
		if err != nil || len(made) != 1 || len(left) != 0 || !made[0].MayRun() {
			t.Fatalf("%s, forced: made %v, left %v: %v", name, made, left, err)
		}
		read(t, made[0].Path).expect(t, map[string]int{"for": 1})
		if !maps.Equal(files(t, folder), before) {
			t.Errorf("%s, forced: the recording did not stay as it was", name)
		}
	}
}

// eventually waits until the system's data on a process fulfil a condition.
func eventually(t *testing.T, pid int, is func(stat) bool) {
	t.Helper()
	for {
		s, err := readStat(strconv.Itoa(pid))
		if err != nil {
			t.Fatal(err)
		}
		if is(s) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func zombie(s stat) bool { return s.state == 'Z' }

// A killed process that its parent has not waited for has ended.
func TestZombie(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command(build(t, "gcc", "counts.c"), "10", "kill")
	cmd.Env = append(os.Environ(), "OPARI_TRACE="+folder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	eventually(t, cmd.Process.Pid, zombie)
	if out, err := exec.Command(opari(t), "trace", "recover", folder).CombinedOutput(); err !=
		nil || !strings.Contains(string(out), "did not end in order") {
		t.Errorf("%v: %s", err, out)
	}
	if got := read(t, filepath.Join(folder, "trace.otf")).sum("region(mine)"); got != 10 {
		t.Errorf("%d calls of mine, want 10", got)
	}
	if left := files(t, folder); len(left) > 0 {
		t.Errorf("%d files of the recording are left", len(left))
	}
}

// A process whose first thread has ended runs although it looks like a zombie.
func TestFirstThreadEnded(t *testing.T) {
	program := filepath.Join(t.TempDir(), "leader")
	if out, err := exec.Command("gcc", "-pthread", "testdata/leader.c", "-o",
		program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(program)
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, cmd.Process.Pid, zombie)
	if !runs(cmd.Process.Pid, 0) {
		t.Error("it is taken for a process that has ended")
	}
	_ = input.Close()
	eventually(t, cmd.Process.Pid, func(s stat) bool { return s.threads < 2 })
	if runs(cmd.Process.Pid, 0) {
		t.Error("it has ended, and nobody has waited for it: it is taken for one that runs")
	}
	_ = cmd.Wait()
}

// waits starts waits.c, which records into the folder, and returns the numbers of its processes.
func waits(t *testing.T, folder string, processes int, args ...string) (pids []int, end func()) {
	t.Helper()
	cmd := exec.Command(build(t, "gcc", "waits.c"), args...)
	cmd.Env = append(os.Environ(), "OPARI_TRACE="+folder, "OMP_DYNAMIC=false")
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	end = func() {
		_ = input.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	lines := bufio.NewScanner(output)
	for range processes {
		if !lines.Scan() {
			t.Fatal("the program has ended")
		}
		pid, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids, end
}

// The library writes the identity of a process, and a new one in a forked child. While they run,
// recover makes no trace; with --force it makes traces and does not touch the recordings.
func TestStillRunning(t *testing.T) {
	folder := t.TempDir()
	pids, end := waits(t, folder, 2)
	for _, pid := range pids {
		p, err := readProcess(filepath.Join(folder, strconv.Itoa(pid)), newPool(openSystem))
		if err != nil {
			t.Fatal(err)
		}
		want := ownIdentity()
		s, err := readStat(strconv.Itoa(pid))
		if want.started = s.started; err != nil || p.identity != want || want.started == 0 {
			t.Errorf("process %d is %+v, want %+v: %v", pid, p.identity, want, err)
		}
	}
	before := files(t, folder)
	recover := func(flags ...string) (string, int) {
		cmd := exec.Command(opari(t),
			append(append([]string{"trace", "recover"}, flags...), folder)...)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	out, code := recover()
	if code != 1 || !strings.HasPrefix(out, folder+": error: no trace was made: process ") {
		t.Errorf("exit code %d: %s", code, out)
	}
	for _, pid := range pids {
		if !strings.Contains(out, fmt.Sprintf("process %d (program) is still running; ", pid)) {
			t.Errorf("process %d is not named: %s", pid, out)
		}
	}
	out, code = recover("--force")
	if code != 0 || strings.Count(out, " until now; the recording stays\n") != 2 {
		t.Errorf("forced: exit code %d: %s", code, out)
	}
	if !maps.Equal(files(t, folder), before) {
		t.Error("forced: the recordings did not stay as they were")
	}
	end()
	if out, code = recover(); code != 0 || strings.Count(out, "\n") != 2 ||
		len(files(t, folder)) > 0 {
		t.Errorf("ended: exit code %d: %s", code, out)
	}
	made, _ := filepath.Glob(filepath.Join(folder, "*.otf"))
	if len(made) != 4 {
		t.Errorf("the traces are %v, want four", made)
	}
	for _, path := range made {
		read(t, path)
	}
}

// Each trace of a process that goes on writing is valid and includes the previous trace's events.
// The recording stays complete.
func TestSnapshots(t *testing.T) {
	expensive.Test(t, "its program records all the time")
	folder, to := t.TempDir(), t.TempDir()
	_, end := waits(t, folder, 1, "spin")
	const atLeast = 20000
	last := 0
	snapshot := func(o Options) (path string) {
		t.Helper()
		made, left, err := Recover(folder, to, o)
		if err != nil || len(made) != 1 || len(left) > 0 {
			t.Fatalf("made %v, left %v: %v", made, left, err)
		}
		if now := read(t, made[0].Path).sum("parallel"); now < last || now < atLeast {
			t.Errorf("%d regions, %d before", now, last)
		} else {
			last = now
		}
		return made[0].Path
	}
	// Each snapshot takes longer than the one before, because the program goes on recording.
	for range 4 {
		remove(t, snapshot(Options{Force: true}))
	}
	end()
	snapshot(Options{})
	if left := files(t, folder); len(left) > 0 {
		t.Errorf("%d files of the recording are left", len(left))
	}
}

// remove removes a trace.
func remove(t *testing.T, path string) {
	t.Helper()
	all, err := filepath.Glob(strings.TrimSuffix(path, "otf") + "*")
	if err != nil || len(all) == 0 {
		t.Fatalf("no files of %s: %v", path, err)
	}
	for _, f := range all {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
}

// A rank on another host that did not end in order delays the trace of its job, unless the caller
// has waited for it. With --force, none of the job's recordings is removed.
func TestRankElsewhere(t *testing.T) {
	folder := t.TempDir()
	if err := (Ring{Ranks: 3, Rounds: 2, PerNode: 1}).Record(folder); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "100001.meta")
	meta, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	who := ownIdentity()
	who.host = "elsewhere"
	who.write(meta[:metaBytes])
	binary.LittleEndian.PutUint64(meta[48:], 0)
	put(t, path, meta)
	before := files(t, folder)
	made, left, err := ConvertAll(folder, folder, nil)
	if err != nil || len(made) != 0 || len(left) != 1 || left[0].Runs {
		t.Errorf("made %v, left %v: %v", made, left, err)
	}
	made, left, err = Recover(folder, folder, Options{Force: true})
	if err != nil || len(made) != 1 || len(left) != 0 || !made[0].MayRun() || made[0].Ranks != 3 ||
		!maps.Equal(files(t, folder), before) {
		t.Errorf("forced: made %v, left %v: %v", made, left, err)
	}
	made, left, err = Recover(folder, folder, Options{Waited: true})
	if err != nil || len(made) != 1 || len(left) != 0 || made[0].Ranks != 3 ||
		len(files(t, folder)) != 0 {
		t.Errorf("waited for: made %v, left %v: %v", made, left, err)
	}
}

// The trace of a process that goes on writing has what existed when its first chunk was read. It
// has neither what came into that chunk later, nor what was appended after it.
func TestCapture(t *testing.T) {
	folder := unended(t, os.Getpid(), ownIdentity())
	path := filepath.Join(folder, "1.0")
	entered := chunkOf(0, 1000, begins, word(1, 1, work, false))
	front := chunkOf(1, 2000, word(1, 1, work, true), word(1, 2, region, false),
		word(1, 2, region, true))
	full := chunkOf(1, 2000, word(1, 1, work, true), word(1, 2, region, false),
		word(1, 2, region, true), word(1, 3, mutex, false))
	next := chunkOf(2, 3000, word(1, 3, mutex, true), word(1, 2, region, false),
		word(1, 2, region, true), word(1, 1, work, false))
	put(t, path, slices.Concat(front, entered, full, next))
	for _, appended := range []bool{true, false} {
		// The other chunks are appended either before the length is read, or after it.
		if !appended {
			put(t, path, slices.Concat(front, entered))
		}
		processes, left, err := recorded(folder, Options{Force: true})
		if err != nil || len(processes) != 1 || len(left) > 0 {
			t.Fatalf("%v, left %v: %v", processes, left, err)
		}
		put(t, path, slices.Concat(next, entered, full))
		made, err := processes[0].Convert(filepath.Join(t.TempDir(), "trace"), nil)
		if err != nil {
			t.Fatal(err)
		}
		read(t, made.Path).expect(t, map[string]int{"for": 1, "region": 1})
	}
}
