package pomp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestEventCost requires that the head of a profile gives the cost of an event, and that the
// profile contains no events of that measurement.
func TestEventCost(t *testing.T) {
	eachLinkage(t, func(t *testing.T, libs []string) {
		program := compileProgram(t, "counts", libs...)
		p := measure(t, program, nil)
		if p.Head.Cost <= 0 {
			t.Errorf("an event costs %d ns", p.Head.Cost)
		}
		for _, want := range counts {
			if got := p.Regions[want.line].sum().Count; got != want.count {
				t.Errorf("region %d (%s): met %d times, want %d", want.line, want.kind,
					got, want.count)
			}
		}
		if len(p.Regions) != len(counts) {
			t.Errorf("%d regions, want %d", len(p.Regions), len(counts))
		}
		if both := measure(t, program,
			[]string{"OPARI_TRACE=" + t.TempDir()}); both.Head.Cost <= 0 {
			t.Errorf("an event costs %d ns where there is a trace, too", both.Head.Cost)
		}
	})
}

// TestNotCalibrated requires that the cost of recording is not measured where nothing is
// recorded. Callgrind lists the called functions.
func TestNotCalibrated(t *testing.T) {
	expensive.Test(t, "it starts valgrind", "valgrind")
	program := compileProgram(t, "counts", library(t).Libs(false)...)
	for env, want := range map[string]bool{
		"OPARI=off": false, "OPARI=state": false, "OPARI=": false, "OPARI_TRACE=" +
			t.TempDir(): true,
	} {
		out := filepath.Join(t.TempDir(), "out")
		cmd := exec.Command("valgrind", "-q", "--tool=callgrind",
			"--callgrind-out-file="+out, program)
		cmd.Env = append(os.Environ(), env)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", env, err, text)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), " rec_calibrate\n"); got != want {
			t.Errorf("%s: rec_calibrate was called: %v, want %v", env, got, want)
		}
	}
}
