package process

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
)

// TestInterrupt: the processes that a step has started get the signal, too, and no other child of
// the test does. Both ways to find them agree.
func TestInterrupt(t *testing.T) {
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	// The last line comes when all processes have started; the pipe ends when all have ended.
	// "wait $!" fails if the child was interrupted, in case a shell gets its own signal too late.
	step := exec.Command("sh", "-c", "sh -c 'sleep 600 & echo started; wait $!' & wait $!")
	pipe, err := step.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := step.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	if line, err := out.ReadString('\n'); line != "started\n" {
		t.Fatal(line, err)
	}
	tree := descendants(step.Process.Pid)
	if len(tree) != 2 || slices.Contains(tree, other.Process.Pid) {
		t.Errorf("%d has started %v", step.Process.Pid, tree)
	}
	children := childrenByParent()
	if got := children(step.Process.Pid); len(got) != 1 || got[0] != tree[0] {
		t.Errorf("children of %d: %v; %v", step.Process.Pid, got, tree)
	} else if got := children(tree[0]); len(got) != 1 || got[0] != tree[1] {
		t.Errorf("children of %d: %v; %v", tree[0], got, tree)
	}
	// A shell in the background makes its children ignore SIGINT.
	interrupt(step.Process, syscall.SIGTERM)
	if line, err := out.ReadString('\n'); err == nil {
		t.Error(line)
	}
	if err := step.Wait(); err == nil {
		t.Error("it was not interrupted")
	}
}

// TestParentOf: a process's name may contain what ends a name.
func TestParentOf(t *testing.T) {
	for stat, want := range map[string]int{
		"71 (cc1) S 70 70 70 0":     70,
		"71 (a) R 3) b) S 70 70 70": 70,
		"71 (cc1)":                  0,
		"":                          0,
	} {
		if got := parentOf(stat); got != want {
			t.Errorf("parentOf(%q) = %d, want %d", stat, got, want)
		}
	}
	if stat, err := os.ReadFile("/proc/self/stat"); err == nil &&
		parentOf(string(stat)) != os.Getppid() {
		t.Errorf("%s: our parent is %d", stat, os.Getppid())
	}
}
