package run

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/whatif"
	"opari/internal/expensive"
)

// whatIfOf reads a change.
func whatIfOf(t *testing.T, text string) *whatif.Change {
	t.Helper()
	w, err := whatif.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// unchanged checks that a run is as long as it was if nothing changes.
func unchanged(t *testing.T, trace string, r *analysis.Result) {
	t.Helper()
	p, err := Predict(trace, r, whatIfOf(t, "scale work of program by 1"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Wall != r.Wall {
		t.Errorf("the run takes %d ns, and %d if nothing changes", r.Wall, p.Wall)
	}
}

// TestWhatIf runs programs of bench/whatif, predicts what they would take with a change, and runs
// them with the change. They sleep, so a busy machine disturbs them little; still each has some
// tries, of which one must be within 10 % of the saving.
func TestWhatIf(t *testing.T) {
	expensive.Compilers(t)
	for _, name := range []string{"loop", "single", "critical", "ordered", "chain"} {
		t.Run(name, func(t *testing.T) {
			source := "../../../bench/whatif/" + name + ".c"
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			change := changeOf(string(text), name+".c")
			program := build(t, source)
			changed := filepath.Join(t.TempDir(), "changed")
			out, err := exec.Command("gcc", "-fopenmp", "-O1", "-DCHANGED", source, "-o",
				changed).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			tries(t, func() string {
				folder := filepath.Join(t.TempDir(), "trace")
				if out, err := exec.Command(opari(t), "run", "--trace="+folder,
					program).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				trace := filepath.Join(folder, "trace")
				r, err := FromTrace(trace, Options{})
				if err != nil {
					t.Fatal(err)
				}
				unchanged(t, trace, r)
				remedied(t, trace, r)
				p, err := Predict(trace, r, whatIfOf(t, change), Options{})
				if err != nil {
					t.Fatal(err)
				}
				saving := elapsed(t, program) - elapsed(t, changed)
				if math.Abs(float64(p.Saving()-saving)) > 0.1*float64(saving) {
					return fmt.Sprintf("%s would save %d ns, and saves %d", change, p.Saving(),
						saving)
				}
				return ""
			})
		})
	}
}

// remedied checks that remedies begin with the run as it was, and end with what is predicted for
// the change that they name.
func remedied(t *testing.T, trace string, r *analysis.Result) {
	t.Helper()
	if err := AddRemedies(r, trace, finding.Of(r, 0.1), Options{}); err != nil {
		t.Fatal(err)
	}
	if len(r.Remedies) == 0 {
		t.Fatal("no finding has a remedy")
	}
	for _, x := range r.Remedies {
		text := x.What
		if place, is := strings.CutPrefix(text, "less work in "); is {
			text = "scale work of " + place + " by 0"
		}
		p, err := Predict(trace, r, whatIfOf(t, text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if last := x.Walls[len(x.Walls)-1]; x.Walls[0] != r.Wall || last != p.Wall {
			t.Errorf("%s: from %d to %d ns, want from %d to %d", x.What, x.Walls[0], last, r.Wall,
				p.Wall)
		}
		for i := range x.Walls[1:] {
			if x.Walls[i+1] > x.Walls[i] {
				t.Errorf("%s: %d ns", x.What, x.Walls)
			}
		}
	}
}

// changeOf returns the change that the first line of a program names. HERE stands for the line
// that has it in a comment.
func changeOf(text, file string) string {
	first, _, _ := strings.Cut(text, "\n")
	before, _, _ := strings.Cut(text, "/* HERE */")
	return strings.ReplaceAll(strings.TrimPrefix(first, "// "), "HERE",
		fmt.Sprintf("%s:%d", file, 1+strings.Count(before, "\n")))
}

// elapsed returns how long a program takes, in ns.
func elapsed(t *testing.T, program string) int64 {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(program)
	cmd.Stderr = &errs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	return int64(time.Since(start))
}
