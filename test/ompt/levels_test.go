package ompt

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestLevelsAsLLVM checks that each level of serialized and nested regions, and of tasks within
// them, has the task, region, thread number and frames that it has under LLVM's runtime.
func TestLevelsAsLLVM(t *testing.T) {
	k := setup(t)
	include := "-I" + filepath.Join(k.dir, "include")
	// LLVM's runtime takes the frame of a task from its caller's frame pointer.
	for _, how := range []string{"-O0", "-O2 -fno-omit-frame-pointer"} {
		flags := strings.Fields(how + " -fopenmp -Wall -Werror testdata/levels.c " +
			include + " -o")
		ours, theirs := filepath.Join(k.dir, "levels"), filepath.Join(k.dir, "levels-llvm")
		output(t, k.opari, append(append([]string{"cc", "gcc"}, flags...), ours)...)
		output(t, "clang-19", append(flags, theirs)...)
		got, want := output(t, "timeout", "60", ours), output(t, "timeout", "60", theirs)
		if got != want || strings.Count(want, "task ") < 70 {
			t.Errorf("%s: got\n%s\nwant\n%s", how, got, want)
		}
	}
}
