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

// TestSeeds runs programs with a defect of a known size. The first finding must name the defect
// and its line. The loss must be within 5 % of what the program measures itself. The machine may
// disturb a run, so each program has twelve.
func TestSeeds(t *testing.T) {
	expensive.Compilers(t)
	sources, err := filepath.Glob("testdata/seeds/*.c")
	if err != nil || len(sources) < 26 {
		t.Fatalf("%d programs, %v", len(sources), err)
	}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".c")
		t.Run(name, func(t *testing.T) {
			if name == "fine" && runtime.NumCPU() == 1 {
				t.Skip("one processor: a task of 7 us takes as long as the other thread's time " +
					"slice, so it is none that is too small")
			}
			program := build(t, source)
			several(t, func() string {
				r, out := traced(t, program)
				return seeded(t, r, out)
			})
		})
	}
}

// several tries something until nothing is wrong with it, a dozen times.
func several(t *testing.T, try func() (wrong string)) {
	t.Helper()
	var failed []string
	for range 12 {
		wrong := try()
		if wrong == "" {
			return
		}
		failed = append(failed, wrong)
	}
	t.Error(strings.Join(failed, "\n"))
}

// seeded says what is wrong with the analysis of a program that has printed the truth.
func seeded(t *testing.T, r *analysis.Result, out string) string {
	t.Helper()
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
		t.Fatalf("the severities are %d ns together, %d threads of %d ns are %d", got,
			len(r.Threads), r.Wall, want)
	}
	var critical int64
	for _, q := range r.Paths {
		critical += q.Critical
	}
	if math.Abs(float64(critical-r.Wall)) > 0.001*float64(r.Wall) {
		t.Errorf("the critical path is %d ns, the run %d ns", critical, r.Wall)
	}
	findings := finding.Of(r, 0.02)
	fields := strings.Fields(out)
	if len(fields) == 0 {
		if len(findings) > 0 {
			return "a finding where nothing is wrong: " + findings[0].String(r)
		}
		return ""
	}
	line, err := strconv.Atoi(fields[2])
	if err != nil {
		t.Fatal(err)
	}
	truth, err := strconv.ParseFloat(fields[3], 64)
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) == 0 {
		return "no finding; it is " + out
	}
	f := findings[0]
	if f.UpperBound {
		return f.String(r) + ": it is no bound"
	}
	t.Logf("%s; truth %s: %+.1f %%", f.String(r), analysis.Duration(int64(truth)),
		100*(float64(f.Time)/truth-1))
	for cause := range strings.SplitSeq(strings.Join(fields[4:], " "), " & ") {
		if !strings.Contains(f.Why, cause) {
			return fmt.Sprintf("%s; the cause is %s", f.String(r), cause)
		}
	}
	if f.Property.Key() != fields[1] || f.Region.Line != line ||
		math.Abs(float64(f.Time)-truth) > 0.05*truth {
		return fmt.Sprintf("%s; it is %s", f.String(r), out)
	}
	return ""
}

// build compiles a program with `opari cc`.
func build(t *testing.T, source string) string {
	t.Helper()
	return compile(t, "gcc", "-O1", "-fopenmp", source)
}

// traced runs a program and analyses its trace. It returns the output of the program, too.
func traced(t *testing.T, program string) (*analysis.Result, string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command(opari(t), "run", "--trace="+folder, program)
	cmd.Env = append(os.Environ(), "OMP_DYNAMIC=false", "OMP_WAIT_POLICY=passive")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	r, err := FromTrace(filepath.Join(folder, "trace"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, strings.TrimSpace(string(out))
}
