package ompt

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"opari/internal/expensive"
	"opari/pomp"
)

// TestRandomPrograms checks that random programs give the same sum instrumented as plain. It runs
// them with nothing active, with the profile, and with the tool that checks OMPT's protocol,
// which must find no violation. Their constructs nest and follow each other as in no handwritten
// test.
//
// It tries a dozen, the same each time. OPARI_ALL=1 tries many others, and OPARI_SEED=n tries
// one.
func TestRandomPrograms(t *testing.T) {
	expensive.Compilers(t, "gcc", "g++", "gfortran")
	dir := t.TempDir()
	opari := filepath.Join(dir, "opari")
	output(t, "go", "build", "-o", opari, "opari/cmd/opari")
	tool, err := pomp.BuildTool(pomp.ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	events, ran, seeds := 0, 0, randomSeeds(t)
	for _, seed := range seeds {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			if n := randomRun(t, opari, tool, seed); n > 0 {
				events, ran = events+n, ran+1
			}
		})
	}
	if ran < len(seeds)*4/5 || events < 20*ran {
		t.Errorf("%d of %d programs ran, %d events in all", ran, len(seeds), events)
	}
	t.Logf("%d programs, %d events", ran, events)
}

func randomSeeds(t *testing.T) []uint64 {
	t.Helper()
	if one := os.Getenv("OPARI_SEED"); one != "" {
		seed, err := strconv.ParseUint(one, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return []uint64{seed}
	}
	var seeds []uint64
	for seed := range uint64(12) {
		seeds = append(seeds, seed+1)
	}
	if os.Getenv("OPARI_ALL") != "" {
		for range 200 {
			seeds = append(seeds, uint64(rand.Uint32()))
		}
	}
	return seeds
}

// randomRun runs a program in all ways and returns how many events the checker got.
func randomRun(t *testing.T, opari, tool string, seed uint64) int {
	t.Helper()
	dir := t.TempDir()
	compiler := [][]string{
		{"gcc"},
		{"gcc", "-O2"},
		{"gfortran"},
		{"gcc", "-Og"},
		{"g++", "-O2", "-xc++"},
		{"gfortran", "-O2"},
	}[seed%6]
	text, source := randomProgram(seed, compiler[0] == "gfortran"), filepath.Join(dir, "random.c")
	if compiler[0] == "gfortran" {
		source = filepath.Join(dir, "random.f90")
		compiler = append(compiler, "-J", dir)
	}
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	flags := append(compiler[1:len(compiler):len(compiler)], "-w", "-fopenmp", source, "-o")
	plain, instrumented := filepath.Join(dir, "plain"), filepath.Join(dir, "instrumented")
	output(t, compiler[0], append(flags, plain)...)
	barrier := "--parallel-barrier=" + []string{"explicit", "implicit"}[seed/2%2]
	output(t, opari,
		append(append([]string{"cc", barrier, compiler[0]}, flags...), instrumented)...)
	env := []string{
		"OMP_CANCELLATION=true", "OMP_DYNAMIC=false",
		"OMP_WAIT_POLICY=" + []string{"passive", "active"}[seed/6%8/7],
	}
	want, err := run(t, plain, env)
	if err != nil {
		// This runtime has faults where teams and target meet tasks and nested regions.
		t.Logf("left out: GCC's runtime alone: %v", err)
		return 0
	}
	violations := filepath.Join(dir, "violations")
	for _, how := range [][]string{
		nil,
		{"OPARI_PROFILE=" + filepath.Join(dir, "profile")},
		{"OMP_TOOL_LIBRARIES=" + tool, "OPARI_OMPT_CHECK=" + violations},
	} {
		if got := within(t, text, instrumented, slices.Concat(env, how)); got != want {
			t.Errorf("seed %d with %s: %q, plain %q\n%s", seed, how, got, want, text)
		}
	}
	return checked(t, seed, violations, text)
}

// run runs a program, which must not hang.
func run(t *testing.T, program string, env []string) (string, error) {
	t.Helper()
	limit, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(limit, program)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// within returns a program's output; the program must neither fail nor hang.
func within(t *testing.T, text, program string, env []string) string {
	t.Helper()
	out, err := run(t, program, env)
	if err != nil {
		t.Fatalf("%s: %v\n%s\n%s", filepath.Base(program), err, out, text)
	}
	return out
}

// checked reads the checker's output, see ompt_check.c.
func checked(t *testing.T, seed uint64, file, text string) (events int) {
	t.Helper()
	report, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	for line := range strings.Lines(string(report)) {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch first {
		case "violation":
			t.Errorf("seed %d: %s", seed, rest)
		case "finalized":
			ended = true
			_, _ = fmt.Sscanf(rest, "%d", &events)
		}
	}
	if !ended {
		t.Errorf("seed %d: the checker has not been finalized: %s", seed, report)
	}
	if t.Failed() {
		t.Log(text)
	}
	return events
}

// TestWaits checks tasks that wait within a construct while their thread executes others. The
// waiting task must have an enter frame, which the checker verifies, and the wait must be
// reported.
func TestWaits(t *testing.T) {
	k := setup(t)
	tool, err := pomp.BuildTool(pomp.ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	program, violations := filepath.Join(k.dir, "waits"), filepath.Join(k.dir, "waits.violations")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "testdata/waits.c", "-o", program)
	if out := within(t, "", program, []string{
		"OMP_TOOL_LIBRARIES=" + tool,
		"OPARI_OMPT_CHECK=" + violations,
	}); out != "3 4 24\n" {
		t.Errorf("%q", out)
	}
	if events := checked(t, 0, violations, ""); events < 50 {
		t.Errorf("%d events", events)
	}
	log := output(t, k.opari, "tool-log", program)
	if n := strings.Count(log, "sync_region_wait begin barrier_implementation"); n != 2 {
		t.Errorf("%d threads wait in the barrier behind the reduction:\n%s", n, log)
	}
	_, group, _ := strings.Cut(log, "sync_region_wait begin taskgroup")
	group, _, _ = strings.Cut(group, "sync_region_wait end taskgroup")
	if n := strings.Count(group, "taskloop_chunk"); n != 3 {
		t.Errorf("%d chunks of the taskloop are executed while it waits:\n%s", n, log)
	}
}

// TestWithinTarget checks that an uninstrumented cancel directive or taskwait is not reported,
// and above all not as the region around it.
func TestWithinTarget(t *testing.T) {
	k := setup(t)
	tool, err := pomp.BuildTool(pomp.ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	program, violations := filepath.Join(k.dir, "within_target"), filepath.Join(k.dir, "violations")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "testdata/within_target.c", "-o", program)
	env := []string{
		"OMP_CANCELLATION=true", "OMP_TOOL_LIBRARIES=" + tool,
		"OPARI_OMPT_CHECK=" + violations,
	}
	if out := within(t, "", program, env); out != "2\n" {
		t.Errorf("%q", out)
	}
	if events := checked(t, 0, violations, ""); events < 20 {
		t.Errorf("%d events", events)
	}
	t.Setenv("OMP_CANCELLATION", "true")
	log := output(t, k.opari, "tool-log", program)
	for _, what := range []string{" cancel ", "taskwait"} {
		if strings.Contains(log, what) {
			t.Errorf("%s gets:\n%s", what, log)
		}
	}
}
