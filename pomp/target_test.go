package pomp

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/eventlog"
	"opari/internal/expensive"
)

// TestTargetStatic requires the same events in a static program, whose calls the linker redirects
// to the library, as in a dynamic one. The tool is part of the program, because nothing is
// loaded.
func TestTargetStatic(t *testing.T) {
	expensive.Compilers(t)
	wrapping, err := BuildWrapping([]string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	program := compileProgram(t, "targets",
		slices.Concat([]string{"-DMODE=1", "-Wno-error", "testdata/device_tool.c", "-static"},
			wrapping.Libs(), []string{"-lm"})...)
	notes, printed, code := trial(t, program, nil, "each")
	if notes != eachConstruct || printed != "" || code != 0 {
		t.Errorf("exit code %d, printed %q, noted:\n%swant:\n%s", code, printed, notes,
			eachConstruct)
	}
	// A static program must have the same definitions between it and its runtime as a dynamic
	// one. Their names are those of the weak definitions there.
	out, err := exec.Command("nm", "--defined-only", library(t).Interposing()).Output()
	if err != nil {
		t.Fatal(err)
	}
	options, err := os.ReadFile(filepath.Join(wrapping.Dir, "lib", "pomp_wrap.options"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range regexp.MustCompile(`(?m) W (GOMP_\w+|omp_target_\w+)$`).FindAllSubmatch(out,
		-1) {
		n++
		if !strings.Contains(string(options), "-u "+string(m[1])+" --wrap="+string(m[1])+"\n") {
			t.Errorf("%s is not wrapped", m[1])
		}
	}
	if n < 80 {
		t.Errorf("%d routines stand between a program and its runtime", n)
	}
}

// TestTargetTasks requires the events of target tasks, in order: the creation of the task, its
// begin, the construct inside, and its end.
func TestTargetTasks(t *testing.T) {
	tool, err := BuildTool(ToolLog, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(compileProgram(t, "targets", library(t).DynamicLibs()...), "later")
	cmd.Env = append(os.Environ(), "OMP_TOOL_LIBRARIES="+tool, "OPARI_TOOL_LOG="+path)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log := printed(t, path)
	created := regexp.MustCompile(
		`task_create t\d+ new=(t\d+) flags=target(?:\|undeferred)?\|untied dependences=[01]`).FindAllStringSubmatch(log, -1)
	if len(created) != 6 {
		t.Errorf("%d target tasks, want 6, in\n%s", len(created), log)
	}
	for _, m := range created {
		var life []string
		for _, line := range regexp.MustCompile(`(?m)^.* (task_schedule|target_emi) .*\b`+m[1]+
			`\b.*$`).FindAllString(log, -1) {
			life = append(life, strings.Join(strings.Fields(line)[2:4], " "))
		}
		if got, want := strings.Join(life, ", "), "task_schedule switch, target_emi begin, "+
			"target_emi end, task_schedule complete"; got != want {
			t.Errorf("target task %s: %s, want %s", m[1], got, want)
		}
	}
}

// printed returns the log of the one process that wrote logs at path.
func printed(t *testing.T, path string) string {
	t.Helper()
	logs, _ := filepath.Glob(path + ".*[0-9]")
	if len(logs) != 1 {
		t.Fatalf("logs: %v", logs)
	}
	l, err := eventlog.Open(logs[0], "/")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var text strings.Builder
	if err := l.Text(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
