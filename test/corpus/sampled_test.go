package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSampled runs every third program, or all with OPARI_ALL, under a tool that calls all
// inquiry functions of OMPT from a signal handler. It does so a thousand times a second, or as
// often as the system's clock ticks.
//
// The programs must behave as without it, and no answer may be impossible.
func TestSampled(t *testing.T) { sampled(t, suiteC, some(suiteC.runnable(t), 3)) }

func sampled(t *testing.T, s *suite, programs []Program) {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "sampler.so")
	if o := Execute(".", nil, buildLimit, "gcc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror",
		"-fPIC", "-shared",
		"-I../../ompt_bridge/src", "testdata/sampler.c", "-o", tool); !o.OK() {
		t.Fatal(o.Output)
	}
	type count struct {
		result                         Result
		samples, inside, faults, which int
	}
	counts := make([]count, len(programs))
	w := Wrapper(opariBinary, s.compiler, os.DevNull)
	each(t, len(programs), func(i int, dir string) {
		file := filepath.Join(dir, "samples")
		local := *w
		local.Env = []string{
			"OMP_TOOL_LIBRARIES=" + tool, "OPARI_SAMPLES=" + file,
			"OMP_WAIT_POLICY=passive",
		}
		c := &counts[i]
		c.result = tryAgain(&local, &programs[i], dir, local.Try(&programs[i], dir))
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) { // one for each process and each run
			var samples, inside, faults, which int
			if _, err := fmt.Sscanf(line, "%d %d %d %v", &samples, &inside, &faults,
				&which); err != nil {
				t.Errorf("%s: %q: %v", programs[i].ID, line, err)
			}
			c.samples, c.inside, c.faults, c.which = c.samples+samples, c.inside+inside, c.faults+
				faults, c.which|which
		}
	})
	samples, inside := 0, 0
	for i, c := range counts {
		if c.result.Class != Pass {
			t.Errorf("%s: %s under the sampler: %s", programs[i].ID, c.result.Class, c.result.Why)
		}
		if c.faults > 0 {
			t.Errorf("%s: %d answers in %d samples cannot be, of kind %#x", programs[i].ID,
				c.faults, c.samples, c.which)
		}
		samples, inside = samples+c.samples, inside+c.inside
	}
	t.Logf("%d programs, %d samples, %d of them in parallel regions", len(programs),
		samples, inside)
	if os.Getenv("OPARI_ONLY") == "" && (samples < 10 || inside < samples/20) {
		t.Errorf("%d samples, %d of them in regions: that is too few to decide", samples, inside)
	}
}
