package corpus

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

// sourceModeGoal is the share of programs that `opari file.c` must instrument correctly. It may
// refuse the rest, with a message.
const sourceModeGoal = 0.97

// TestWrapper checks that each program that passes plain passes through `opari cc`.
func TestWrapper(t *testing.T) {
	programs := goodPrograms(t)
	w := Wrapper(opariBinary, "gcc", os.DevNull)
	tally := conformance(t, w, programs)
	for class, n := range tally {
		if class != Pass {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	logCoverage(t, w.Coverage)
}

// logCoverage logs how many directives were instrumented, and why the others were not. Each of
// those must have a reason.
func logCoverage(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	seen, done := 0, 0
	reasons, known := map[string]int{}, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var c struct {
			File, Directive, Reason string
			Line                    int
			Instrumented            bool
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Errorf("coverage: %v in %q", err, line)
			return
		}
		if known[line] {
			continue
		}
		known[line] = true
		seen++
		switch {
		case c.Instrumented:
			done++
		case c.Reason == "":
			t.Errorf("coverage: %s:%d: %s was left alone without a reason", c.File, c.Line,
				c.Directive)
		default:
			reasons[c.Reason]++
		}
	}
	t.Logf("%d directives, %d instrumented", seen, done)
	for _, r := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%7d left alone: %s", reasons[r], r)
	}
	if done < seen/2 {
		t.Errorf("only %d of %d directives are instrumented", done, seen)
	}
}

// TestWrapperMeasuring does the same as TestWrapper while the library measures.
func TestWrapperMeasuring(t *testing.T) {
	programs := suiteC.runnable(t)
	w := Wrapper(opariBinary, "gcc", os.DevNull)
	w.Name = "opari cc, measured"
	w.Env = []string{"OPARI_PROFILE=" + t.TempDir() + "/profile"}
	for class, n := range conformance(t, w, programs) {
		if class != Pass {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
}

// TestSourceMode checks that `opari file.c` instruments nearly all programs, gives a reason for
// the rest, and breaks none. It tries every third one, or all with OPARI_ALL: TestWrapper, which
// tries all, has the same insertions.
func TestSourceMode(t *testing.T) {
	programs := some(goodPrograms(t), 3)
	tally := conformance(t, SourceMode(opariBinary, "gcc", config(t, "--cflags"),
		config(t, "--libs"), config(t, "--libs", "--shared")), programs)
	for class, n := range tally {
		if class != Pass && class != Refused {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	if share := float64(tally[Pass]) / float64(len(programs)); share < sourceModeGoal {
		t.Errorf("%.1f %% pass, the goal is %.0f %%", 100*share, 100*sourceModeGoal)
	}
}

// conformance tries every program one way, logs failures and totals, and returns the totals.
func conformance(t *testing.T, w *Way, programs []Program) map[Class]int {
	t.Helper()
	results := make([]Result, len(programs))
	each(t, len(programs), func(i int, dir string) {
		results[i] = tryAgain(w, &programs[i], dir, w.Try(&programs[i], dir))
	})
	tally := map[Class]int{}
	for i, r := range results {
		tally[r.Class]++
		if r.Class != Pass {
			t.Logf("%-12s %s: %.300s", r.Class, programs[i].ID, r.Why)
		}
	}
	t.Logf("%s: %s", w.Name, summary(tally, len(programs)))
	return tally
}

// summary returns the line with the totals.
func summary(tally map[Class]int, total int) string {
	parts := []string{fmt.Sprintf("%d of %d pass (%.1f %%)", tally[Pass], total,
		100*float64(tally[Pass])/float64(max(total, 1)))}
	for _, c := range []Class{
		Refused, Crashed, CompileError, LinkError, WrongResult, RunCrash,
		RunTimeout,
	} {
		if tally[c] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", tally[c], c))
		}
	}
	return strings.Join(parts, ", ")
}

func ran(c Class) bool { return c == WrongResult || c == RunCrash || c == RunTimeout }

// tryAgain returns r, or, if the run failed, the result of repeating it.
func tryAgain(w *Way, p *Program, dir string, r Result) Result {
	if ran(r.Class) {
		return again(w, p, dir, r)
	}
	return r
}

var noise sync.Mutex

// again judges a failed run. Some programs of the corpus race or watch the clock, and fail plain,
// too, on a busy machine. So again runs the program five more times with nothing else running,
// and a single failure counts.
func again(w *Way, p *Program, dir string, first Result) Result {
	noise.Lock()
	defer noise.Unlock()
	for range 5 {
		if r := w.Run(p, dir); r.Class != Pass {
			return r
		}
	}
	fmt.Printf("    %s: %s passed five times after it failed once (%s)\n", p.ID, w.Name, first.Why)
	return Result{Class: Pass}
}

// TestPlain checks that the corpus, the basis of the other tests, is complete.
func TestPlain(t *testing.T) {
	if n := len(goodPrograms(t)); n < 550 && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("%d programs pass when built plain, with gcc 12 it is 557", n)
	}
}
