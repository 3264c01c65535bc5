package ompt

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"opari/internal/expensive"
)

// TestEZTrace loads EZTrace, an unmodified tool by others, before an instrumented program built
// by gcc. Its trace must be complete: its reader finds as many of each event as the program has.
func TestEZTrace(t *testing.T) {
	expensive.Compilers(t, "gcc", "apt-get", "dpkg")
	script := exec.Command("../../scripts/eztrace.sh")
	script.Stderr = os.Stderr
	root, err := script.Output()
	if err != nil {
		t.Skipf("Debian's packages of EZTrace cannot be had: %v", err)
	}
	packages := string(root[:len(root)-1])
	libraries, err := filepath.Glob(filepath.Join(packages, "usr/lib/*/libeztrace-ompt.so"))
	if err != nil || len(libraries) != 1 {
		t.Fatalf("libeztrace-ompt.so: %v %v", libraries, err)
	}
	dir := t.TempDir()
	opari, program := filepath.Join(dir, "opari"), filepath.Join(dir, "traced")
	output(t, "go", "build", "-o", opari, "opari/cmd/opari")
	output(t, opari, "cc", "gcc", "-O1", "-fopenmp", "testdata/traced.c", "-o", program)
	run := exec.Command(program)
	run.Dir = dir
	path := "LD_LIBRARY_PATH=" + filepath.Dir(libraries[0])
	run.Env = append(os.Environ(), path, "EZTRACE_TRACE=ompt", "LD_PRELOAD="+libraries[0],
		"OMP_NUM_THREADS=2")
	if out, err := run.Output(); err != nil || string(out) != "12\n" {
		t.Fatalf("%v: %s", err, out)
	}
	printer := exec.Command(filepath.Join(packages, "usr/bin/otf2-print"),
		filepath.Join(dir, "traced_trace", "eztrace_log.otf2"))
	printer.Env = append(os.Environ(), path)
	trace, err := printer.Output()
	if err != nil {
		t.Fatalf("otf2-print: %v", err)
	}
	for _, c := range []struct {
		what, pattern string
		want          int
	}{
		{"threads", `(?m)^THREAD_BEGIN `, 2},
		{"threads that end", `(?m)^THREAD_END `, 2},
		{"parallel regions", `(?m)^ENTER .*"OpenMP parallel"`, 3},
		{"ends of them", `(?m)^LEAVE .*"OpenMP parallel"`, 3},
		{"loops", `(?m)^ENTER .*"OpenMP loop"`, 6},
		{"ends of them", `(?m)^LEAVE .*"OpenMP loop"`, 6},
		{"critical and lock", `(?m)^THREAD_ACQUIRE_LOCK `, 12},
		{"releases", `(?m)^THREAD_RELEASE_LOCK `, 12},
		{"tasks", `(?m)^THREAD_TASK_CREATE `, 15},
	} {
		if got := len(regexp.MustCompile(c.pattern).FindAll(trace, -1)); got != c.want {
			t.Errorf("%s: %d in the trace, %d in the program", c.what, got, c.want)
		}
	}
	if t.Failed() {
		t.Logf("%s", trace)
	}
}
