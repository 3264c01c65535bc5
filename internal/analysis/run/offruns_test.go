package run

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/expensive"
)

// offTries is how often a program may run: other programs, and the host of a virtual machine, may
// disturb one run more than the kernel says.
const offTries = 6

// TestOffRuns runs programs that lose time by being off the CPU. The first finding must name
// property, line and cause. Its time must be within 10 % of what the program learns from the
// kernel or from the clock.
func TestOffRuns(t *testing.T) {
	expensive.Compilers(t)
	if _, err := os.Stat("/proc/thread-self/schedstat"); err != nil {
		t.Skipf("the kernel does not tell: %v", err)
	}
	sources, err := filepath.Glob("testdata/off/*.c")
	if err != nil || len(sources) < 4 {
		t.Fatalf("%d programs, %v", len(sources), err)
	}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".c")
		if name == "healthy" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if name == "crowd" && runtime.NumCPU() == 1 {
				t.Skip("one processor: threads are bound to it before they are too many")
			}
			program := build(t, source)
			tries(t, func() string {
				r, out := sampled(t, program)
				return wrongOff(r, out)
			})
		})
	}
}

// TestOffHealthy runs a program in which nothing is wrong beside others that use all processors.
// Every finding must be about being off the CPU, and one of them name the other programs.
func TestOffHealthy(t *testing.T) {
	expensive.Compilers(t)
	if runtime.NumCPU() == 1 {
		t.Skip("one processor: its two threads are more than there are")
	}
	program := build(t, "testdata/off/healthy.c")
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	tries(t, func() string {
		r, _ := sampled(t, program)
		named := false
		for _, f := range finding.Of(r, 0.02) {
			if !f.Property.Of(analysis.OffCPU) {
				return "a finding where nothing is wrong: " + f.String(r)
			}
			named = named || f.Property == analysis.Preempted &&
				strings.Contains(f.Why, "preempted by other programs")
		}
		if !named {
			return fmt.Sprintf("no finding names the other programs; threads were preempted for "+
				"%s of %s", analysis.Duration(r.Sum(analysis.Preempted, -1)),
				analysis.Duration(r.Total()))
		}
		return ""
	})
}

// tries calls run until it finds nothing wrong.
func tries(t *testing.T, run func() string) {
	t.Helper()
	var failed []string
	for range offTries {
		wrong := run()
		if wrong == "" {
			return
		}
		t.Log(wrong)
		failed = append(failed, wrong)
	}
	t.Error(strings.Join(failed, "\n"))
}

// wrongOff says what is wrong with the first finding of a program that printed the truth.
func wrongOff(r *analysis.Result, out string) string {
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
		return fmt.Sprintf("the severities are %d ns together, of %d", got, want)
	}
	fields := strings.Fields(out)
	if len(fields) < 5 {
		return "the program says " + out
	}
	line, bad := strconv.Atoi(fields[2])
	truth, worse := strconv.ParseFloat(fields[3], 64)
	if bad != nil || worse != nil {
		return "the program says " + out
	}
	findings := finding.Of(r, 0.02)
	if len(findings) == 0 {
		return "no finding; it is " + out
	}
	f := findings[0]
	if f.Property.Key() != fields[1] || f.Region.Line != line ||
		!strings.Contains(f.Why, strings.Join(fields[4:], " ")) ||
		math.Abs(float64(f.Time)-truth) > 0.1*truth {
		return fmt.Sprintf("%s; it is %s", f.String(r), out)
	}
	for _, f := range findings {
		if !f.Property.Of(analysis.OffCPU) {
			return "a finding where nothing is wrong but that: " + f.String(r)
		}
	}
	return ""
}

// sampled runs a program, asks the kernel about it, and analyses its trace. It returns the output
// of the program, too.
func sampled(t *testing.T, program string) (*analysis.Result, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command(opari(t), "run", "--sample", "--trace="+folder, program)
	cmd.Env = append(os.Environ(), "OMP_DYNAMIC=false")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	if _, why, is := strings.Cut(errs.String(), "warning: no samples: "); is {
		why, _, _ = strings.Cut(why, "\n")
		t.Skipf("the kernel does not tell: %s", why)
	}
	r, err := FromTrace(filepath.Join(folder, "trace"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Scheduled {
		t.Fatalf("the trace does not say when threads were off the CPU\n%s", &errs)
	}
	return r, strings.TrimSpace(string(out))
}
