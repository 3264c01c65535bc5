package ompt

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestArcher runs Archer, an unmodified tool by others, which gives ThreadSanitizer the order of
// threads. A program without a race must have no report, though ThreadSanitizer alone reports
// one, and a race must be found. Both hold while a profile or a trace is recorded.
func TestArcher(t *testing.T) {
	expensive.Compilers(t, "gcc", "clang-19")
	archer := filepath.Join(output(t, "clang-19", "-print-resource-dir"), "..", "..",
		"libarcher.so")
	if _, err := os.Stat(archer); err != nil {
		t.Skip("libarcher.so is not installed")
	}
	dir := t.TempDir()
	opari := filepath.Join(dir, "opari")
	output(t, "go", "build", "-o", opari, "opari/cmd/opari")
	for _, c := range []struct {
		name  string
		clean bool
	}{{"ordered", true}, {"target_tasks", true}, {"reductions", true}, {"race", false}} {
		program := filepath.Join(dir, c.name)
		args := []string{
			"-g", "-O1", "-fopenmp", "-fsanitize=thread", "testdata/" + c.name + ".c",
			"-o", program,
		}
		if exec.Command("gcc", args...).Run() != nil {
			t.Skip("gcc has no ThreadSanitizer")
		}
		plain, _ := exec.Command(program).CombinedOutput()
		if strings.Contains(string(plain), "FATAL: ThreadSanitizer") {
			t.Skip("ThreadSanitizer does not run here")
		}
		output(t, opari, append([]string{"cc", "gcc"}, args...)...)
		for _, beside := range []string{
			"", "OPARI_PROFILE=" + program + ".profile",
			"OPARI_TRACE=" + program + ".trace",
		} {
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "OMP_TOOL_LIBRARIES="+archer,
				"TSAN_OPTIONS=ignore_noninstrumented_modules=1", beside)
			out, err := cmd.CombinedOutput()
			found := strings.Count(string(out), "WARNING: ThreadSanitizer: data race")
			t.Logf("%s: %d reports alone, %d with Archer %s", c.name,
				strings.Count(string(plain), "WARNING: ThreadSanitizer: data race"), found, beside)
			if c.clean && (found > 0 || err != nil) || !c.clean && found == 0 {
				t.Errorf("%s %s: %v\n%s", c.name, beside, err, out)
			}
		}
	}
}
