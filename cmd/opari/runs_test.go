package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"opari/internal/expensive"
)

// inTraces matches the names of a trace's files and of archives.
var inTraces = regexp.MustCompile(`^trace(-[0-9]+)*` +
	`(\.otf|\.[0-9a-f]+\.(def|events|snaps|stats)(\.z)?|\.otf2|\.def|\.marker)$`)

// together is a program that executes a number of parallel regions. With a folder and a number,
// it waits until as many of its kind have arrived there, but no longer than two minutes, because
// one of the others may have failed. With one more word, it does so in a child, and ends. With a
// file, it waits for the removal of the file.
const together = `#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int there(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (readdir(d) != NULL)
        n++;
    closedir(d);
    return n - 2;
}

int main(int argc, char **argv)
{
    long sum = 0;
    if (argc > 4 && fork() != 0)
        return 0;
    if (argc > 3) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%d", argv[2], (int)getpid());
        fclose(fopen(path, "w"));
        for (int turns = 0; there(argv[2]) < atoi(argv[3]); turns++) {
            if (turns == 120000)
                return 3;
            usleep(1000);
        }
    }
    for (int i = 0; i < atoi(argv[1]); i++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum++;
    }
    if (argc == 3) {
        puts("recorded");
        fflush(stdout);
        while (access(argv[2], F_OK) == 0)
            usleep(1000);
    }
    return sum != 2 * atoi(argv[1]);
}
`

// runsOf is opari and a program for the tests of several runs, in a folder of their own.
type runsOf struct {
	t                           *testing.T
	folder, opari, program, dir string // dir: folder of the traces
}

func newRunsOf(t *testing.T) *runsOf {
	t.Helper()
	folder := t.TempDir()
	r := &runsOf{
		t, folder, built(t), filepath.Join(folder, "program"),
		filepath.Join(folder, "traces"),
	}
	source := filepath.Join(folder, "together.c")
	if err := os.WriteFile(source, []byte(together), 0o666); err != nil {
		t.Fatal(err)
	}
	cc := exec.Command(r.opari, "cc", "gcc", "-fopenmp", source, "-o", r.program)
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return r
}

// command returns an opari command and its standard error.
func (r *runsOf) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd, said := exec.Command(r.opari, args...), new(bytes.Buffer)
	cmd.Stderr = said
	cmd.Env = append(os.Environ(), "OMP_DYNAMIC=false")
	return cmd, said
}

// done runs a command and returns its messages and exit code.
func (r *runsOf) done(args ...string) (string, int) {
	cmd, said := r.command(args...)
	_ = cmd.Run()
	return said.String(), cmd.ProcessState.ExitCode()
}

// waiting starts a command whose program has recorded something and waits for the removal of
// the file. The command's messages go to a file, because a pipe would stay open as long as the
// program runs.
func (r *runsOf) waiting(file string, args ...string) (cmd *exec.Cmd, said func() string) {
	r.t.Helper()
	messages := filepath.Join(r.folder, "messages")
	cmd, _ = r.command(append(args, r.program, "3", file)...)
	err := os.WriteFile(file, nil, 0o666)
	var out io.Reader
	if err == nil {
		cmd.Stderr, err = os.Create(messages)
	}
	if err == nil {
		out, err = cmd.StdoutPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 9))
	}
	if err != nil {
		r.t.Fatalf("%v: %v", args, err)
	}
	return cmd, func() string {
		text, _ := os.ReadFile(messages)
		return string(text)
	}
}

// holds lists the folder of the traces, with only the master files of traces.
func (r *runsOf) holds() (names []string) {
	r.t.Helper()
	files, err := os.ReadDir(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".otf") || !inTraces.MatchString(f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names
}

func (r *runsOf) expect(when string, want ...string) {
	r.t.Helper()
	if got := strings.Join(r.holds(), " "); !regexp.MustCompile("^" + strings.Join(want, " ") +
		"$").MatchString(got) {
		r.t.Errorf("%s: the folder holds %s, want %s", when, got, want)
	}
}

// TestRunsAtOnce starts six runs at once, in a folder where six were before. Each makes the
// trace of its own program, under its own name, and prints nothing else.
func TestRunsAtOnce(t *testing.T) {
	expensive.Test(t, "it starts runs in numbers")
	r := newRunsOf(t)
	one := regexp.MustCompile(`^opari: ` + r.dir +
		`/(trace(-[0-9]+)?)\.otf: 2 threads, ([0-9]+) events\n$`)
	for round := range 20 {
		here := filepath.Join(r.folder, fmt.Sprint("here", round))
		if err := os.Mkdir(here, 0o777); err != nil {
			t.Fatal(err)
		}
		var runs [6]*exec.Cmd
		var said [6]*bytes.Buffer
		for i := range runs {
			runs[i], said[i] = r.command("run", "--trace="+r.dir, r.program,
				strconv.Itoa(i+1), here, "6")
			if err := runs[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		names, events := map[string]bool{}, [6]int{}
		for i, cmd := range runs {
			err := cmd.Wait()
			m := one.FindStringSubmatch(said[i].String())
			if err != nil || m == nil {
				t.Fatalf("round %d, run %d: %v: %s", round, i, err, said[i])
			}
			names[m[1]] = true
			events[i], _ = strconv.Atoi(m[3])
			if i > 1 && events[i]-events[i-1] != events[1]-events[0] {
				t.Errorf("round %d: the traces have %v events", round, events[:i+1])
			}
		}
		if len(names) != 6 || !names["trace"] || len(r.holds()) != 6 {
			t.Fatalf("round %d: the traces are %v, the folder holds %v", round, names, r.holds())
		}
		for name := range names {
			if out, err := exec.Command(r.opari, "trace", "check",
				filepath.Join(r.dir, name)).CombinedOutput(); err != nil {
				t.Errorf("round %d: %v\n%s", round, err, out)
			}
		}
	}
}

// TestProfilesAtOnce writes six profiles at once to one file. The file is complete, and is one
// of them.
func TestProfilesAtOnce(t *testing.T) {
	expensive.Test(t, "it starts runs in numbers")
	r := newRunsOf(t)
	kept := filepath.Join(r.folder, "kept", "profile")
	if err := os.Mkdir(filepath.Dir(kept), 0o777); err != nil {
		t.Fatal(err)
	}
	for round := range 20 {
		var runs [6]*exec.Cmd
		var said [6]*bytes.Buffer
		for i := range runs {
			runs[i], said[i] = r.command("run", "--profile="+kept, r.program, strconv.Itoa(i+1))
			if err := runs[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for i, cmd := range runs {
			if err := cmd.Wait(); err != nil || strings.Contains(said[i].String(), "warning") ||
				!strings.Contains(said[i].String(), " wall time, 2 threads") {
				t.Fatalf("round %d, run %d: %v: %s", round, i, err, said[i])
			}
		}
		if out, err := exec.Command(r.opari, "report", kept).CombinedOutput(); err != nil ||
			!bytes.Contains(out, []byte(" wall time, 2 threads")) {
			t.Fatalf("round %d: %v\n%s", round, err, out)
		}
		if files, _ := os.ReadDir(filepath.Dir(kept)); len(files) != 1 {
			t.Fatalf("round %d: beside the profile there is %v", round, files)
		}
	}
}

// TestRunsOverlap checks that a run which begins during another one keeps all traces. A run
// that begins alone replaces them.
func TestRunsOverlap(t *testing.T) {
	r := newRunsOf(t)
	file := filepath.Join(r.folder, "file")
	run, said := r.waiting(file, "run", "--trace="+r.dir)
	folder := ".opari-run-" + strconv.Itoa(run.Process.Pid)
	for range 2 {
		if said, code := r.done("run", "--trace="+r.dir, r.program, "1"); code != 0 ||
			strings.Contains(said, "warning") {
			t.Fatalf("exit code %d: %s", code, said)
		}
	}
	r.expect("one goes on", folder, `trace-\d+.otf`, "trace.otf")

	// Another command does not make the run's trace, unless --force asks for it.
	if said, code := r.done("trace", "recover", r.dir); code != 1 || !strings.Contains(said,
		"a run of opari goes on there, and makes its trace itself; --force") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if said, code := r.done("trace", "recover", "--force", r.dir); code != 0 ||
		!strings.HasSuffix(said, " until now; the recording stays\n") {
		t.Errorf("exit code %d: %s", code, said)
	}
	r.expect("recovered", folder, `trace-\d+.otf`, `trace-\d+.otf`, "trace.otf")
	_ = os.Remove(file)
	if err := run.Wait(); err != nil || strings.Contains(said(), "warning") {
		t.Fatalf("%v: %s", err, said())
	}
	r.expect("all have ended", `trace-\d+-1.otf`, `trace-\d+.otf`, `trace-\d+.otf`, "trace.otf")
	if said, code := r.done("run", "--trace="+r.dir, r.program, "1"); code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	r.expect("alone", "trace.otf")
}

// TestRecordingsSurvive checks that a recording remains if its process outlives the run, or if
// the run was killed. No run begins then, until recover has made the traces.
func TestRecordingsSurvive(t *testing.T) {
	r := newRunsOf(t)
	file := filepath.Join(r.folder, "file")
	for _, how := range []string{"left", "killed"} {
		run, said := r.waiting(file, "run", "--trace="+r.dir, "sh", "-c", `"$@" & echo $! >`+
			r.folder+`/pid; until [ -e $OPARI_TRACE/$!.1 ]; do sleep 0.01; done; `+
			map[string]string{"left": "exit", "killed": "wait"}[how], "sh")
		text, err := os.ReadFile(filepath.Join(r.folder, "pid"))
		if err != nil {
			t.Fatal(err)
		}
		pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		if how == "killed" {
			_ = run.Process.Kill()
		}
		err = run.Wait()
		if note := fmt.Sprintf("opari: warning: process %d is still running; opari trace recover "+
			"%s makes its trace when it has ended\n", pid, r.dir); how == "left" && said() != note {
			t.Fatalf("%v: %s", err, said())
		}
		r.expect(how, ".opari-run-"+strconv.Itoa(run.Process.Pid))
		if said, code := r.done("run", "--trace="+r.dir, r.program, "1"); code != 1 ||
			!strings.Contains(said, "the folder holds a recording; opari trace recover") {
			t.Errorf("%s: exit code %d: %s", how, code, said)
		}
		if said, code := r.done("trace", "recover", r.dir); code != 1 || !strings.Contains(said,
			fmt.Sprintf("no trace was made: process %d (program) is still running; --force", pid)) {
			t.Errorf("%s: exit code %d: %s", how, code, said)
		}
		_ = os.Remove(file)
		ended(pid)
		if said, code := r.done("trace", "recover", r.dir); code != 0 ||
			!strings.Contains(said, "/trace.otf: 2 threads") {
			t.Errorf("%s: exit code %d: %s", how, code, said)
		}
		r.expect(how+", recovered", "trace.otf")
		if said, code := r.done("run", "--trace="+r.dir, r.program, "1"); code != 0 {
			t.Errorf("%s: exit code %d: %s", how, code, said)
		}
		r.expect(how+", replaced", "trace.otf")
		if err := os.RemoveAll(r.dir); err != nil {
			t.Fatal(err)
		}
	}
}

// ended waits for a process to end. The process is a zombie until its parent waits for it.
func ended(pid int) {
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TestForkAfterRun checks that a forked child which first records after its run has ended still
// finds a place.
func TestForkAfterRun(t *testing.T) {
	r := newRunsOf(t)
	here := filepath.Join(r.folder, "here")
	if err := os.Mkdir(here, 0o777); err != nil {
		t.Fatal(err)
	}
	run, _ := r.command("run", "--trace="+r.dir, r.program, "3", here, "2", "fork")
	run.Stderr = nil
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	r.expect("run has ended", "trace.otf")
	files, err := os.ReadDir(here)
	for len(files) == 0 && err == nil {
		time.Sleep(time.Millisecond)
		files, err = os.ReadDir(here)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(here, "2"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(files[0].Name())
	ended(pid)
	if said, code := r.done("trace", "recover", r.dir); code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
	r.expect("recovered", `trace-\d+.otf`, "trace.otf")
}
