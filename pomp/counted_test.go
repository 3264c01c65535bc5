package pomp

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestCounted requires that POMP_Counted_enter reports a loop's iterations as POMP_Iterations and
// its enter do, and that calls that the unit omits would report nothing.
func TestCounted(t *testing.T) {
	const loop, taskloop, distribute = 1, 7, 6 // ompt_work_t
	var want strings.Builder
	for i, work := range []int{loop, distribute, taskloop, loop} {
		fmt.Fprintf(&want, "%d: %d\n%d: %d\n%d: 0\n", work, 10+i, work, 20+i, work)
	}
	want.WriteString(strings.Repeat(fmt.Sprintf("%d: 30\n", loop), 200))
	want.WriteString(strings.Repeat("flush\nmutex\nmutex\n", 2))
	eachLinkage(t, func(t *testing.T, libs []string) {
		cmd := program(compileProgram(t, "counted", append(libs, "-rdynamic")...))
		cmd.Env = append(os.Environ(), "OPARI_OMPT=bridge")
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != want.String() {
			t.Errorf("%v, printed:\n%s", err, out)
		}
	})
}
