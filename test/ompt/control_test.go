package ompt

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestControlAsLLVM checks that omp_control_tool passes to the tool what LLVM's runtime passes,
// and returns the same: with a callback, with a tool that has none, and without a tool.
//
// ompt_finalize_tool does nothing on LLVM's runtime. Here it ends the tool at once, even in a
// callback, and only once.
func TestControlAsLLVM(t *testing.T) {
	k := setup(t)
	flags := strings.Fields("-fopenmp -O2 -Wall -Werror testdata/control.c -I" +
		filepath.Join(k.dir, "include") + " -o")
	ours, theirs := filepath.Join(k.dir, "control"), filepath.Join(k.dir, "control-llvm")
	output(t, k.opari, append(append(append([]string{"cc", "gcc"}, flags...), ours, "-include",
		"omp_control.h"), k.cflags...)...)
	output(t, "clang-19", append(flags, theirs)...)
	for _, how := range []string{"", "deaf", "none"} {
		t.Setenv("CONTROL", how)
		if got, want := output(t, ours), output(t, theirs); got != want ||
			strings.Count(want, "\n") < 8 {
			t.Errorf("%q: got\n%s\nwant\n%s", how, got, want)
		}
	}
	t.Setenv("CONTROL", "")
	const want = "  4 0 null\nfinalized\n7\n-2\nfinalized 1 times, 0 events behind that\nend"
	if got := output(t, ours, "end"); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", got, want)
	}
}
