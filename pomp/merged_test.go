package pomp

import (
	"os"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestMergedCalls requires that merged calls report the same as the calls that they replace, and
// that a program with a tool makes merged calls. Three of its tasks are plain: two equal ones, and
// the one in the single. One of the seven constructs with a barrier is a single in which measuring
// begins.
func TestMergedCalls(t *testing.T) {
	eachLinkage(t, func(t *testing.T, libs []string) {
		cmd := program(compileProgram(t, "merged", append(libs, "-rdynamic")...))
		cmd.Env = append(os.Environ(), "OPARI_OMPT=bridge")
		out, err := cmd.CombinedOutput()
		parts := strings.Split(string(out), "--")
		if err != nil || len(parts) != 4 {
			t.Fatalf("%v, printed:\n%s", err, out)
		}
		const waits = "sync 8, 1: 1, state 0x1, entered\nsync 8, 1: 1, state 0x12, entered\n"
		if parts[1] != parts[2] || strings.Count(parts[1], "create") != 9 ||
			strings.Count(parts[1], "work") != 18 || strings.Count(parts[1], "work 4") != 4 ||
			strings.Count(parts[1], waits) != 7 || strings.Contains(parts[1], "old") {
			t.Errorf("printed:\n%s", out)
		}
		if parts[3] != "1 3\n" {
			t.Errorf("asked for merged calls, tasks without a call behind them: %s", parts[3])
		}
	})
}

// TestLazy requires that a tool gets the same events of a construct whether or not it has an
// entry on the thread's stack.
func TestLazy(t *testing.T) {
	expensive.Compilers(t)
	eachLinkage(t, func(t *testing.T, libs []string) {
		cmd := program(compileProgram(t, "lazy", append(libs, "-rdynamic")...))
		cmd.Env = append(os.Environ(), "OPARI_OMPT=bridge")
		out, err := cmd.CombinedOutput()
		parts := strings.Split(string(out), "--\n")
		if err != nil || len(parts) != 4 {
			t.Fatalf("%v, printed:\n%s", err, out)
		}
		const critical = "acquire 5, 0: state 0x42, waits, id\nbehind Critical_enter 0, 0: state " +
			"0x42, waits\nacquired 5, 0: state 0x1, id\n"
		if strings.Count(parts[1], critical) != 2 || strings.Count(parts[1], "\nmasked") != 13 ||
			strings.Count(parts[1], "\nsync") != 20 {
			t.Errorf("printed:\n%s", parts[1])
		}
		for i, within := range []string{"an event", "a handler"} {
			if parts[i+2] != parts[1] {
				t.Errorf("with %s within:\n%s\nwithout:\n%s", within, parts[i+2], parts[1])
			}
		}
	})
}
