package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestNoPlaceToRecord runs a program where it cannot record: on a full disk, which is a small
// one of its own, and in a folder that rejects files. The program does not start.
func TestNoPlaceToRecord(t *testing.T) {
	expensive.Test(t, "it mounts a disk of its own")
	opari, dir := built(t), t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.Mkdir(full, 0o777); err != nil {
		t.Fatal(err)
	}
	small := []string{
		"unshare", "--mount", "sh", "-c",
		`mount -t tmpfs -o size=64k none "$0" && head -c 40k /dev/zero >"$0/filled" && exec "$@"`,
		full,
	}
	if out, err := exec.Command(small[0],
		append(small[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("no disk of its own is permitted here: %v\n%s", err, out)
	}
	for _, c := range []struct{ option, environment, message string }{
		{"--trace=" + full + "/t", "A=", full + "/t: error: no space left on device\n"},
		{"--profile=" + full + "/p", "A=", full + ": error: no space left on device\n"},
		{"--format=table", "TMPDIR=" + full, full + ": error: no space left on device\n"},
		{"--trace=/proc/opari", "A=", "/proc/opari: error: no such file or directory\n"},
		{"--profile=/proc/opari", "A=", "/proc: error: no such file or directory\n"},
	} {
		started := filepath.Join(dir, "started")
		cmd := exec.Command(small[0],
			append(small[1:], "env", c.environment, opari, "run", c.option, "touch", started)...)
		var errors strings.Builder
		cmd.Stderr = &errors
		_ = cmd.Run()
		if got := errors.String(); cmd.ProcessState.ExitCode() != 125 || got != c.message {
			t.Errorf("%s %s: exit code %d, %q", c.environment, c.option,
				cmd.ProcessState.ExitCode(), got)
		}
		if _, err := os.Stat(started); err == nil {
			t.Fatalf("%s %s: the program was started", c.environment, c.option)
		}
	}
}
