package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"opari/internal/expensive"
	"opari/internal/scaling"
)

// The programs sleep instead of working, so that threads need no processors of their own. Of the
// first, 200 ms are serial and 800 ms are shared out. It prints how long both took, in ns, since
// sleeps are longer on a busy machine. The second takes turns in a critical region.
const (
	serialProgram = `#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}
int main(void)
{
    long long start = now();
    usleep(200000);
    long long middle = now();
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 8; i++)
        usleep(100000);
    printf("took %lld %lld\n", middle - start, now() - middle);
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
	Notes  []string
	Counts []struct {
		Count   string
		Speedup struct{ Value float64 }
		Over    bool `json:"more_than_processors"`
	}
	Growth []struct {
		Property, Region, Verdict string
		Line                      int
	}
	Regions []struct {
		Name   string
		Counts []struct {
			Wall       float64 `json:"wall_ns"`
			Efficiency *struct{ Value float64 }
		}
	}
	Run struct {
		Serial *struct{ Value, Low, High float64 }
	}

	took [][2]float64 // what the program's runs print: ns of serial code and of the loop
}

// wall returns the wall time of a region by count; nil if it is unknown.
func (s *scaled) wall(name string) (all []float64) {
	for _, g := range s.Regions {
		if g.Name == name {
			for _, c := range g.Counts {
				all = append(all, c.Wall)
			}
		}
	}
	return all
}

// runScale builds a program with a compiler, and returns what opari scale says of it.
func runScale(t *testing.T, source, compiler string, args ...string) scaled {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "p.c"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	run := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command(built(t), args...)
		var out bytes.Buffer
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
	for line := range strings.Lines(messages.String()) {
		var took [2]float64
		if n, _ := fmt.Sscanf(line, "took %f %f", &took[0], &took[1]); n == 2 {
			s.took = append(s.took, took)
		}
	}
	return s
}

// TestScaleSerial checks a program with a known serial part against what the program measures
// itself, and the model of the run against one of these times.
func TestScaleSerial(t *testing.T) {
	s := runScale(t, serialProgram, "gcc", "--processors=8", "./p", "1", "2", "4", "8")
	serial, loop, fork := s.wall("program"), s.wall("for p.c:15"), s.wall("parallel p.c:15")
	if len(s.took) != 4 || len(serial) != 4 || len(loop) != 4 || len(fork) != 4 {
		t.Fatalf("the program says %v: %+v", s.took, s)
	}
	// The program may lose the processor between its own clock and the library's.
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.1*max(a, b)+50e6 }
	var samples []scaling.Sample
	for i, p := range []float64{1, 2, 4, 8} {
		took := s.took[i]
		if !near(serial[i], took[0]) || !near(loop[i]+fork[i], took[1]) {
			t.Errorf("%v threads: %v of serial code and %v of the loop, the program says %v", p,
				serial[i], loop[i]+fork[i], took)
		}
		want := (s.took[0][0] + s.took[0][1]) / (took[0] + took[1])
		if got := s.Counts[i].Speedup.Value; got < 0.75*want || got > 1.25*want {
			t.Errorf("%v threads: speedup %.2f, want %.2f", p, got, want)
		}
		samples = append(samples, scaling.Sample{Processors: p, Time: p * (took[0] + took[1])})
	}
	grows := false
	for _, g := range s.Growth {
		grows = grows || g.Property == "idle-serial" && g.Region == "program" &&
			g.Verdict == "grows"
	}
	if !grows {
		t.Errorf("what grows is %+v", s.Growth)
	}
	part, low, _, known := scaling.Fit(samples).Serial()
	t.Logf("serial part %.3f, at least %.3f, known: %v; opari says %+v", part, low, known, s.Run)
	if known && low > 0.05 && (s.Run.Serial == nil || math.Abs(s.Run.Serial.Value-part) > 0.1) {
		t.Errorf("the serial part is %.3f, opari says %+v", part, s.Run.Serial)
	}
}

// TestScaleLock checks a program whose threads wait for each other the more, the more there are.
func TestScaleLock(t *testing.T) {
	s := runScale(t, lockProgram, "gcc", "--processors=2", "--trace", "./p", "1", "2", "4")
	if s.Counts[1].Over || !s.Counts[2].Over {
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
	s := runScale(t, source, "mpicc", "--processors=4", "1x1", "1x2", "2x2", "--", "./p")
	var counts []string
	for _, c := range s.Counts {
		counts = append(counts, c.Count)
	}
	if strings.Join(counts, " ") != "1x1 1x2 2x2" {
		t.Errorf("the counts are %q", counts)
	}
	// Each rank does all of the work, so the loop takes twice the processor time with two.
	if loop := s.wall("for p.c:19"); len(loop) != 3 || 4*loop[2] < 1.2*loop[0] {
		t.Errorf("the loop takes %v: %+v", loop, s.Regions)
	}
	for _, n := range s.Notes {
		if strings.Contains(n, "asked for") {
			t.Error(n)
		}
	}
}
