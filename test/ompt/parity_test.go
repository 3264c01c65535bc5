// Package ompt compares the bridge with another implementation of OpenMP's tool interface: the
// same programs, the same tool, the same log.
//
// The programs, the tool and the other implementation's logs are in ../shared/ompt, beside the
// checkout. Without them there is nothing to test.
package ompt

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"opari/internal/expensive"
)

const neighbour = "../../../shared/ompt"

// grades are the results of cmp_logs.py, best first.
var grades = []string{"strict", "args", "nobar", "mandatory", "DIFFERS"}

// tools is what a test run has built, and where.
type tools struct {
	dir, opari, logger string
	cflags             []string
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// setup builds the command and the logger.
func setup(t *testing.T) tools {
	t.Helper()
	expensive.Compilers(t, "gcc", "gfortran", "python3", "clang-19")
	if _, err := os.Stat(neighbour); err != nil {
		t.Skip("the programs and logs of the parity suite do not lie beside the checkout in " +
			"../shared/ompt")
	}
	header := filepath.Join(output(t, "clang-19", "-print-resource-dir"), "include", "omp-tools.h")
	if _, err := os.Stat(header); err != nil {
		t.Skip("omp-tools.h is not installed")
	}
	k := tools{dir: t.TempDir()}
	k.opari = filepath.Join(k.dir, "opari")
	output(t, "go", "build", "-o", k.opari, "opari/cmd/opari")
	k.cflags = strings.Fields(output(t, k.opari, "config", "--cflags"))
	include := filepath.Join(k.dir, "include") // without the compiler's own headers
	if err := os.Mkdir(include, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(header, filepath.Join(include, "omp-tools.h")); err != nil {
		t.Fatal(err)
	}
	k.logger = filepath.Join(k.dir, "logger.so")
	output(t, "gcc", "-shared", "-fPIC", "-O1", "-w", "-I"+include, "-o", k.logger,
		filepath.Join(neighbour, "ompt_log.c"))
	return k
}

// build instruments a program. It returns false if the bare compiler refuses the program, too.
func (k tools) build(t *testing.T, source string) (program string, ok bool) {
	t.Helper()
	extension := filepath.Ext(source)
	program = filepath.Join(k.dir, strings.TrimSuffix(filepath.Base(source), extension))
	compiler, flags := "gcc", []string{
		"-fopenmp", "-O2", "-w", "-I" + filepath.Join(neighbour, "c"), source, "-o", program,
	}
	if extension == ".f90" { // fdet.c makes the outcome deterministic
		module := t.TempDir()
		compiler, flags = "gfortran", append(flags, "-J", module,
			filepath.Join(neighbour, "c", "fdet.c"))
	}
	if text, err := os.ReadFile(source); err == nil &&
		bytes.Contains(text, []byte("omp_control_tool")) {
		flags = append(append(flags, k.cflags...), "-include", "omp_control.h")
	}
	out, err := exec.Command(k.opari,
		append([]string{"cc", compiler}, flags...)...).CombinedOutput()
	if err == nil {
		return program, true
	}
	if exec.Command(compiler, "-fopenmp", "-O2", "-w", "-c", source, "-o",
		os.DevNull).Run() == nil {
		t.Errorf("%s: %s", source, out)
	}
	return "", false
}

// run runs a program, which writes its log to file.
func (k tools) run(t *testing.T, program, file string, env ...string) {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(append(os.Environ(), "OMP_NUM_THREADS=2", "OMP_CANCELLATION=true",
		"OMP_DYNAMIC=false", "OPARI_OMPT_DIALECT=5.2",
		"OMP_TOOL_LIBRARIES="+k.logger, "OMPT_LOG_FILE="+file), env...)
	timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", program, err, out)
	}
}

// violations returns what the logger's checker found.
func violations(log string) string {
	_, after, _ := strings.Cut(log, "== violations\n")
	return after
}

// wanted reads the grades that the programs must reach: "01_parallel strict".
func wanted(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open("testdata/parity.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if f := strings.Fields(s.Text()); len(f) >= 2 && f[0] != "#" {
			want[f[0]] = f[1]
		}
	}
	return want
}

// TestParity checks that no program falls below its grade, and that the checker finds no
// violation of the protocol.
func TestParity(t *testing.T) {
	k := setup(t)
	want := wanted(t)
	logs := filepath.Join(k.dir, "logs")
	if err := os.Mkdir(logs, 0o777); err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Glob(filepath.Join(neighbour, "c", "[0-9]*.c"))
	if err != nil || len(sources) < 40 {
		t.Fatalf("programs: %v, %v", sources, err)
	}
	fortran, err := filepath.Glob(filepath.Join(neighbour, "f90", "f*.f90"))
	if err != nil || len(fortran) < 11 {
		t.Fatalf("programs: %v, %v", fortran, err)
	}
	for _, s := range append(sources, fortran...) {
		program, ok := k.build(t, s)
		if !ok {
			continue
		}
		log := filepath.Join(logs, filepath.Base(program)+".log")
		k.run(t, program, log)
		text, err := os.ReadFile(log)
		if err != nil {
			t.Errorf("%s: no log", program)
		} else if v := violations(string(text)); v != "" {
			t.Errorf("%s: the checker says:\n%s", filepath.Base(program), v)
		}
	}
	hold(t, filepath.Join(neighbour, "ref"), logs, want)
}

// hold compares the logs of two runtimes: no program may fall below its grade.
func hold(t *testing.T, ref, logs string, want map[string]string) {
	t.Helper()
	// The script's exit code is the number of programs that differ, so it is no error here.
	table, _ := exec.Command("python3", filepath.Join(neighbour, "cmp_logs.py"), ref, logs).Output()
	t.Logf("\n%s", table)
	seen := 0
	for line := range strings.SplitSeq(string(table), "\n") {
		f := strings.Fields(line)
		if len(f) < 2 || f[1] == "absent" || !slices.Contains(grades, f[1]) {
			continue
		}
		seen++
		if slices.Index(grades, f[1]) > slices.Index(grades, want[f[0]]) {
			t.Errorf("%s: %s, want %s", f[0], f[1], want[f[0]])
		}
	}
	if seen < len(want) {
		t.Errorf("%d programs were compared, want %d", seen, len(want))
	}
}

// TestParityTargetTask compares the logs of target constructs on the initial device. There LLVM's
// runtime reports only the target task of nowait and the wait for it, on a hidden team of its
// own.
//
// The logs are the same without the events of that team, and without our events of target
// constructs.
func TestParityTargetTask(t *testing.T) {
	const name = "43_target_host"
	k := setup(t)
	program, ok := k.build(t, filepath.Join(neighbour, "c", name+".c"))
	if !ok {
		t.Fatal("not compiled")
	}
	k.run(t, program, program+".log")
	var logs [2]string
	for i, file := range []string{program + ".log", filepath.Join(neighbour, "ref", name+".log")} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range strings.SplitAfter(string(text), "\n== ") {
			if strings.HasPrefix(task, "== threads ") || strings.HasPrefix(task, "task I1") {
				continue
			}
			for line := range strings.Lines(task) {
				if !strings.HasPrefix(line, "  target") && !strings.HasPrefix(line, "  device_") {
					logs[i] += line
				}
			}
		}
	}
	if logs[0] != logs[1] || !strings.Contains(logs[1], "task_create I/t1 flags=target|untied") {
		t.Errorf("got\n%s\nwant\n%s", logs[0], logs[1])
	}
}

// TestParityButForWords compares workshare and sections with flang on LLVM's runtime. The logs
// differ only in the kind of work and the count, where flang does not follow the specification.
func TestParityButForWords(t *testing.T) {
	k := setup(t)
	word := regexp.MustCompile(`(  work (?:begin|end)) type=\w+ count=\d+`)
	for name, ours := range map[string]string{
		"f02_workshare": "type=workshare count=0",
		"f03_sections":  "type=sections count=3",
	} {
		program, ok := k.build(t, filepath.Join(neighbour, "f90", name+".f90"))
		if !ok {
			t.Fatal("not compiled")
		}
		k.run(t, program, program+".log")
		var logs [2]string
		for i, file := range []string{
			program + ".log",
			filepath.Join(neighbour, "ref", name+".log"),
		} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tasks, _, _ := strings.Cut(string(text), "\n== team")
			tasks, _, _ = strings.Cut(tasks, "\n== violations")
			logs[i] = tasks
		}
		if n := strings.Count(logs[0], ours); n < 2 {
			t.Errorf("%s: %d times %s:\n%s", name, n, ours, logs[0])
		}
		if got, want := word.ReplaceAllString(logs[0], "$1"),
			word.ReplaceAllString(logs[1], "$1"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestParityLeague compares the logs of a league. LLVM's runtime reports an additional parallel
// region within each initial task; without that region the logs are the same.
func TestParityLeague(t *testing.T) {
	const name = "44_teams_distribute"
	k := setup(t)
	program, ok := k.build(t, filepath.Join(neighbour, "c", name+".c"))
	if !ok {
		t.Fatal("not compiled")
	}
	theirs, ours := t.TempDir(), t.TempDir()
	ref, err := os.ReadFile(filepath.Join(neighbour, "ref", name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(theirs, name+".log"), ref, 0o666); err != nil {
		t.Fatal(err)
	}
	foldLeague(t, filepath.Join(theirs, name+".log"))
	k.run(t, program, filepath.Join(ours, name+".log"))
	hold(t, theirs, ours, map[string]string{name: "args"})
}

// TestInquiryInSignalHandler checks that each inquiry function of a tool gives a sound answer in
// a signal handler at any moment.
func TestInquiryInSignalHandler(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "sampled")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "-O2", "-Wall",
		"-I"+filepath.Join(k.dir, "include"), "testdata/sampled.c", "-o", program)
	for range 3 {
		if got := output(t, program); got != "samples, deep, no faults" {
			t.Error(got)
		}
	}
}

// TestNativeRuntime checks that a runtime with the interface of its own is the only provider: no
// event comes twice, with the profile or without.
func TestNativeRuntime(t *testing.T) {
	k := setup(t)
	for _, name := range []string{"01_parallel", "26_task", "21_lock"} {
		program, log := filepath.Join(k.dir, name), filepath.Join(k.dir, name+".log")
		output(t, k.opari, "cc", "--parallel-barrier=implicit", "clang-19", "-fopenmp", "-w",
			filepath.Join(neighbour, "c", name+".c"), "-o", program)
		want, err := os.ReadFile(filepath.Join(neighbour, "ref", name+".log"))
		if err != nil {
			t.Fatal(err)
		}
		for _, profile := range []string{"", filepath.Join(k.dir, "profile")} {
			k.run(t, program, log, "OPARI_PROFILE="+profile)
			if got, _ := os.ReadFile(log); string(got) != string(want) {
				t.Errorf("%s, profile %q: got\n%s", name, profile, got)
			}
		}
	}
}
