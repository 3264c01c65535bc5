package pomp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestProtocol requires that the library follows the protocol of OMPT. It runs programs under the
// tool that checks that.
func TestProtocol(t *testing.T) {
	expensive.Compilers(t)
	tool, err := BuildTool(ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	for _, name := range []string{"counts", "nested", "waits", "imbalance", "pipeline", "cancels"} {
		t.Run(name, func(t *testing.T) {
			program := compileProgram(t, name, lib.DynamicLibs()...)
			file := filepath.Join(t.TempDir(), "violations")
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "OMP_TOOL_LIBRARIES="+tool, "OPARI_OMPT_CHECK="+file,
				"OMP_NUM_THREADS=2", "OMP_WAIT_POLICY=passive",
				"OMP_CANCELLATION=true")
			out, err := cmd.CombinedOutput()
			text, missing := os.ReadFile(file)
			switch {
			case missing != nil:
				t.Fatalf("the program did not start the checker: %v", missing)
			case err != nil && cmd.ProcessState.ExitCode() != 3:
				// Exit code 3 means that the program's memory grows, which the checker's own
				// memory does.
				t.Fatalf("%v\n%s", err, out)
			case strings.Contains(string(text), "\nviolation "):
				t.Errorf("%s", text)
			case !strings.Contains(string(text), "\nfinalized "):
				t.Errorf("the tool was not finalized: %s", text)
			}
		})
	}
}

// TestBuildTool requires that a tool is built only once.
func TestBuildTool(t *testing.T) {
	expensive.Compilers(t)
	expensive.Need(t, "nm")
	dir := t.TempDir()
	first, err := BuildTool(ToolLog, []string{"gcc"}, dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := BuildTool(ToolLog, []string{"gcc"}, dir)
	if err != nil || again != first {
		t.Errorf("%s, then %s: %v", first, again, err)
	}
	if out, err := exec.Command("nm", "-D", "--defined-only", first).Output(); err != nil ||
		strings.Count(string(out), "\n") != 1 ||
		!strings.Contains(string(out), " T ompt_start_tool") {
		t.Errorf("%v: symbols %s", err, out)
	}
}
