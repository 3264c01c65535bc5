package ompt

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestToolThatWorksInParallel checks threads that a tool starts in a callback. Their instrumented
// code is not reported to the tool, because the callback would then call itself. Their regions,
// in a pool of the runtime's, must not hide the program's own threads afterwards.
func TestToolThatWorksInParallel(t *testing.T) {
	k := setup(t)
	tool, program := filepath.Join(k.dir, "recurses.so"), filepath.Join(k.dir, "program")
	include := "-I" + filepath.Join(k.dir, "include")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "-shared", "-fPIC", "-O1", "-Wall", include,
		"testdata/recurses.c", "-o", tool)
	output(t, k.opari, "cc", "gcc", "-fopenmp", "-O1", "testdata/works.c", "-o", program)
	t.Setenv("OMP_TOOL_LIBRARIES", tool)
	for _, levels := range []string{"1", "4"} {
		t.Setenv("OMP_MAX_ACTIVE_LEVELS", levels)
		out, err := exec.Command("timeout", "60", program).CombinedOutput()
		// 4 threads begin; each of 4 has 3 loops with begin and end, and 3 critical sections
		if got := strings.TrimSpace(string(out)); err != nil ||
			got != "worked 40 times, called 0 times" {
			t.Errorf("with %s levels %v: %s", levels, err, got)
		}
	}
}
