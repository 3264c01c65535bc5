package ompt

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestControlAsLLVM checks that omp_control_tool passes to the tool what LLVM's runtime passes,
// and returns the same: with a callback, with a tool that has none, and without a tool.
//
// ompt_finalize_tool does nothing on LLVM's runtime. Here it ends the tool at once, even in a
// callback, and only once.
//
// Where LLVM's runtime serves the instrumented program, too, the library's routine hands over to
// the runtime's, which has started the tool.
func TestControlAsLLVM(t *testing.T) {
	k := setup(t)
	flags := strings.Fields("-fopenmp -O2 -Wall -Werror testdata/control.c -I" +
		filepath.Join(k.dir, "include") + " -o")
	ours, theirs := filepath.Join(k.dir, "control"), filepath.Join(k.dir, "control-llvm")
	handed := filepath.Join(k.dir, "control-handed")
	output(t, k.opari, append(append(append([]string{"cc", "gcc"}, flags...), ours, "-include",
		"omp_control.h"), k.cflags...)...)
	output(t, "clang-19", append(slices.Clone(flags), theirs)...)
	output(t, k.opari, append(append([]string{"cc", "clang-19"}, flags...), handed)...)
	for _, how := range []string{"", "deaf", "none"} {
		t.Setenv("CONTROL", how)
		want := output(t, theirs)
		for _, program := range []string{ours, handed} {
			if got := output(t, program); got != want || strings.Count(want, "\n") < 8 {
				t.Errorf("%s, %q: got\n%s\nwant\n%s", program, how, got, want)
			}
		}
	}
	t.Setenv("CONTROL", "")
	const want = "  4 0 null\nfinalized\n7\n-2\nfinalized 1 times, 0 events behind that\nend"
	if got := output(t, ours, "end"); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", got, want)
	}
}
