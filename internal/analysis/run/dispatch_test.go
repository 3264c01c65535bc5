package run

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/expensive"
)

// TestDispatch runs a loop in small chunks with a runtime that takes long to hand them out. The
// first finding must name the loop, and the cost must be within 10 % of what the program measures
// itself. The advice must follow from that and the work of the run. The machine may disturb a run,
// so there are twelve.
func TestDispatch(t *testing.T) {
	expensive.Compilers(t)
	folder := t.TempDir()
	slow := filepath.Join(folder, "libslow.so")
	program := filepath.Join(folder, "program")
	for _, words := range [][]string{
		{"gcc", "-O1", "-shared", "-fPIC", "testdata/dispatch/slow.c", "-o", slow},
		{
			opari(t), "cc", "gcc", "-O1", "-fopenmp", "testdata/dispatch/loop.c", "-o", program,
			"-Wl,--no-as-needed", slow,
		},
	} {
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", words, err, out)
		}
	}
	var failed []string
	for range 12 {
		r, out := traced(t, program)
		wrong := dispatched(t, r, out)
		if wrong == "" {
			return
		}
		failed = append(failed, wrong)
	}
	t.Error(strings.Join(failed, "\n"))
}

var dynamic = regexp.MustCompile(`schedule\(dynamic, (\d+)\) would make it 1 %`)

// dispatched says what is wrong with the analysis of the program.
func dispatched(t *testing.T, r *analysis.Result, out string) string {
	var property string
	var line int
	var truth, work float64
	if _, err := fmt.Sscanf(out, "truth %s %d %g", &property, &line, &truth); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
		t.Fatalf("the severities are %d ns together, %d threads of %d ns are %d", got,
			len(r.Threads), r.Wall, want)
	}
	for _, q := range r.Paths {
		if q.Region.Line != line {
			continue
		}
		if want := (analysis.Chunks{Number: 21 * 2000, Iterations: 21 * 4000}); q.Chunks != want {
			t.Fatalf("the trace has %+v, want %+v", q.Chunks, want)
		}
		work = float64(q.Severity(analysis.Work, -1))
	}
	findings := finding.Of(r, 0.02)
	if len(findings) == 0 {
		return "no finding; it is " + out
	}
	f := findings[0]
	size := dynamic.FindStringSubmatch(f.Advice(r))
	if f.Property.Key() != property || f.Region.Line != line || size == nil ||
		!strings.HasPrefix(f.Why, "42000 chunks of 2 iterations, with ") ||
		math.Abs(float64(f.Time)-truth) > 0.1*truth {
		return fmt.Sprintf("%s; it is %s", f.String(r), out)
	}
	chunk, _ := strconv.ParseFloat(size[1], 64)
	if got := float64(f.Time) / (float64(f.Time) + work*chunk/2); got < 0.005 || got > 0.01 {
		t.Errorf("%s: %s: that makes it %.2f %%", f.String(r), f.Advice(r), 100*got)
	}
	t.Logf("%s; truth %s: %+.1f %%", f.String(r), analysis.Duration(int64(truth)),
		100*(float64(f.Time)/truth-1))
	return ""
}
