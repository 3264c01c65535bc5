package ompt

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What threads do that a tool starts in a callback is not told to it, though its text is
// instrumented: else the callback would be called within itself. Its regions, in a pool of the
// runtime's, do not hide the program's own threads afterwards.
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
		// 4 threads begin; each of 4 meets 3 loops of both ends and 3 critical sections
		if got := strings.TrimSpace(string(out)); err != nil ||
			got != "worked 40 times, told 0 times" {
			t.Errorf("with %s levels %v: %s", levels, err, got)
		}
	}
}
