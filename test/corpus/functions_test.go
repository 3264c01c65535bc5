package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// functionsGoal is the share of function definitions that must become regions; there are reasons
// for the rest.
const functionsGoal = 0.7

// TestFunctions checks that each program that passes plain passes with all functions as regions,
// while the library measures. Each function that is entered must be left, in order.
func TestFunctions(t *testing.T) {
	programs := some(suiteC.runnable(t), 9)
	withFunctions(t, suiteC, programs)
	w := Wrapper(opariBinary, "gcc", filepath.Join(t.TempDir(), "coverage"))
	w.Name, w.Link, w.Libs = "opari cc --functions=*, balanced", []string{"gcc"},
		[]string{balanceChecker(t, "balance.c"), "-lpthread"}
	balance(t, w, some(programs, 3), 100)
}

// TestCxxFunctions does the same in C++.
func TestCxxFunctions(t *testing.T) { withFunctions(t, suiteCxx, some(suiteCxx.runnable(t), 2)) }

// TestFortranFunctions does the same in Fortran.
func TestFortranFunctions(t *testing.T) {
	withFunctions(t, suiteFortran, some(suiteFortran.runnable(t), 6))
}

func withFunctions(t *testing.T, s *suite, programs []Program) {
	t.Setenv("OPARI_FLAGS", "--functions=*")
	dir := t.TempDir()
	coverage := filepath.Join(dir, "coverage")
	w := Wrapper(opariBinary, s.compiler, coverage)
	w.Name = "opari cc --functions=*, measured"
	w.Env = []string{"OPARI_PROFILE=" + dir + "/profile"}
	for class, n := range conformance(t, w, programs) {
		if class != Pass {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	text, err := os.ReadFile(coverage)
	if err != nil {
		t.Fatal(err)
	}
	seen, done := 0, 0
	reasons := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var c struct {
			Directive, Reason string
			Instrumented      bool
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("coverage: %v in %q", err, line)
		}
		if !strings.HasPrefix(c.Directive, "function ") {
			continue
		}
		if seen++; c.Instrumented {
			done++
		} else {
			reasons[c.Reason]++
		}
	}
	t.Logf("%d functions, %d instrumented; left alone: %v", seen, done, reasons)
	if reasons[""] > 0 || float64(done) < functionsGoal*float64(seen) {
		t.Errorf("only %d of %d functions are instrumented, %d are left alone without a reason",
			done, seen, reasons[""])
	}
}
