package ompt_bridge

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestToolsSeeEventsAndStates attaches two tools to one bridge. It requires the order of events,
// the states that the tools see, and each tool's own words. The log is that of the first tool.
func TestToolsSeeEventsAndStates(t *testing.T) {
	expensive.Compilers(t)
	const golden = "testdata/tools.log"
	program := filepath.Join(t.TempDir(), "tools")
	for _, flags := range []string{
		"-O2",
		"-O1 -fsanitize=address,undefined -fno-sanitize-recover=all", "-O1 -fsanitize=thread",
	} {
		args := append(strings.Fields(flags), "-g", "-std=gnu11", "-Wall", "-Wextra",
			"-Wno-missing-field-initializers",
			"-Wno-unused-function", "-Werror", "-o", program, "testdata/tools.c", "-pthread")
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", flags, err, out)
		}
		got, err := exec.Command(program).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", flags, err, got)
		}
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s: the log differs from %s:\n%s", flags, golden, got)
		}
	}
}
