package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"opari/internal/expensive"
)

// The programs sleep instead of working, so that threads need no processors of their own. Of the
// first, 200 ms are serial and 800 ms are shared out. The second takes turns in a critical region.
const (
	serialProgram = `#include <unistd.h>
int main(void)
{
    usleep(200000);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 8; i++)
        usleep(100000);
    return 0;
}
`
	lockProgram = `#include <unistd.h>
int main(void)
{
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < 8; i++) {
#pragma omp critical(gate)
        usleep(50000);
    }
    return 0;
}
`
)

// scaled is the part of the JSON of opari scale that the tests read.
type scaled struct {
	Pays   string `json:"pays_up_to"`
	Notes  []string
	Counts []struct {
		Count      string
		Efficiency struct{ Value float64 }
		Over       bool `json:"more_than_processors"`
	}
	Growth []struct {
		Property, Region, Verdict string
		Line                      int
	}
	Regions []struct {
		Name   string
		Counts []struct{ Efficiency *struct{ Value float64 } }
	}
	Run struct {
		Model  struct{ Term struct{ Power, Log float64 } }
		Serial *struct{ Value, Low, High float64 }
	}
}

// scale builds a program with a compiler, and returns what opari scale says of it.
func scale(t *testing.T, source, compiler string, args ...string) scaled {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "p.c"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(built(t), args...)
		var out, messages bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &out, &messages
		cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1",
			"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_rmaps_base_oversubscribe=1")
		if err := cmd.Run(); err != nil {
			t.Fatalf("opari %s: %v\n%s", strings.Join(args, " "), err, &messages)
		}
		return out.Bytes()
	}
	run("cc", compiler, "-fopenmp", "-g", "p.c", "-o", "p")
	var s scaled
	out := run(append([]string{"scale", "--format=json"}, args...)...)
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestScaleSerial checks a program with a known serial part: what Amdahl's law says of it.
func TestScaleSerial(t *testing.T) {
	s := scale(t, serialProgram, "gcc", "--processors=8", "./p", "1", "2", "4", "8")
	for i, p := range []float64{1, 2, 4, 8} {
		want := 1 / (0.8 + 0.2*p)
		if got := s.Counts[i].Efficiency.Value; got < 0.6*want || got > 1.3*want {
			t.Errorf("%v threads: efficiency %.2f, want %.2f", p, got, want)
		}
	}
	if len(s.Growth) == 0 || s.Growth[0].Property != "idle-serial" ||
		s.Growth[0].Verdict != "grows" {
		t.Errorf("what grows first is %+v", s.Growth)
	}
	if f := s.Run.Serial; s.Run.Model.Term.Power != 1 || f == nil || f.Value < 0.1 ||
		f.Value > 0.35 || f.Low > f.Value || f.High < f.Value {
		t.Errorf("the model of the run is %+v", s.Run)
	}
	if s.Pays == "8" || s.Pays == "1" { // steps gain 0.67, 0.42 and 0.21
		t.Errorf("it pays up to %s threads", s.Pays)
	}
}

// TestScaleLock checks a program whose threads wait for each other the more, the more there are.
func TestScaleLock(t *testing.T) {
	s := scale(t, lockProgram, "gcc", "--processors=2", "--trace", "./p", "1", "2", "4")
	if s.Counts[1].Over || !s.Counts[2].Over || s.Pays != "1" {
		t.Errorf("with 2 processors: %+v", s)
	}
	want := "4 threads: more threads than this machine's 2 processors: measured, not scaling"
	if !strings.Contains(strings.Join(s.Notes, "\n"), want) {
		t.Errorf("notes %q", s.Notes)
	}
	found := false
	for _, g := range s.Growth {
		found = found || g.Property == "critical" && g.Region == "critical(gate) p.c:6" &&
			g.Line == 6 && g.Verdict == "grows"
	}
	if !found {
		t.Errorf("what grows is %+v", s.Growth)
	}
}

// TestScaleStops checks that a signal ends the study and not only the run, and that nothing stays.
func TestScaleStops(t *testing.T) {
	folder, scratch := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "p.sh"),
		[]byte("#!/bin/sh\necho started\nexec sleep 600\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(built(t), "scale", "./p.sh", "1", "2")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "TMPDIR="+scratch)
	messages, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(messages)
	for lines.Scan() && lines.Text() != "started" {
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, messages)
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d: %v", code, err)
	}
	if left, _ := os.ReadDir(scratch); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}

// TestScaleRanks checks counts of ranks and threads.
func TestScaleRanks(t *testing.T) {
	expensive.MPI(t, "mpicc", "mpirun")
	source := strings.NewReplacer("#include", "#include <mpi.h>\n#include", "int main(void)\n{",
		"int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);", "    return 0;",
		"    MPI_Finalize();\n    return 0;").Replace(serialProgram)
	s := scale(t, source, "mpicc", "--processors=4", "1x1", "1x2", "2x2", "--", "./p")
	var counts []string
	for _, c := range s.Counts {
		counts = append(counts, c.Count)
	}
	if strings.Join(counts, " ") != "1x1 1x2 2x2" {
		t.Errorf("the counts are %q", counts)
	}
	// Each rank does all of the work, so a second one adds nothing.
	if a, b := s.Counts[1].Efficiency.Value, s.Counts[2].Efficiency.Value; b > 0.75*a {
		t.Errorf("efficiency %.2f, with a second rank %.2f", a, b)
	}
	for _, n := range s.Notes {
		if strings.Contains(n, "asked for") {
			t.Error(n)
		}
	}
}
