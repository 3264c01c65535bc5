package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"opari/internal/expensive"
)

// largeSource writes a C file of n regions, ten to a function.
func largeSource(t *testing.T, path string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("#include <omp.h>\nomp_lock_t lock;\n")
	for f := range n / 10 {
		fmt.Fprintf(&b, `void f%d(int n, double *a, double *b)
{
    int i;
    double s = 0.0;
    #pragma omp parallel private(i) shared(a, b, n) reduction(+:s)
    {
        #pragma omp for schedule(static) nowait
        for (i = 0; i < n; i++)
            a[i] = a[i] + 2.0 * b[i];
        #pragma omp critical(update)
        { a[0] += 1.0; }
        #pragma omp barrier
        #pragma omp master
        b[1] = a[1];
        #pragma omp atomic
        a[2] += 1.0;
    }
    #pragma omp parallel for private(i) schedule(dynamic, 16)
    for (i = 0; i < n; i++)
        b[i] = a[i] * 0.5;
    omp_set_lock(&lock);
    #pragma omp flush
}
`, f)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLarge runs files of many parts through the commands. The result is valid and
// deterministic, and strip undoes it. No other file remains, and memory grows little with the
// number of regions.
func TestLarge(t *testing.T) {
	expensive.Test(t, "it instruments 400,000 regions")
	dir, bin := t.TempDir(), built(t)
	run := func(name string, args ...string) *os.ProcessState {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", filepath.Base(name), args, err, firstBytes(out, 2000))
		}
		return cmd.ProcessState
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := largeSource(t, filepath.Join(dir, "in.c"), 20_000)
	run(bin, "in.c", "out.c")
	first := read("out.c")
	run(bin, "in.c", "out.c")
	if !bytes.Equal(read("out.c"), first) {
		t.Error("the second output differs")
	}
	run(bin, "strip", "-o", "back.c", "out.c")
	if !bytes.Equal(read("back.c"), text) {
		t.Error("strip does not give the input back")
	}
	run("gcc", "-fopenmp", "-fsyntax-only", "out.c")

	largeSource(t, filepath.Join(dir, "huge.c"), 400_000)
	state := run(bin, "huge.c", "out.c")
	if names, _ := filepath.Glob(filepath.Join(dir, ".opari-*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
	peak := state.SysUsage().(*syscall.Rusage).Maxrss >> 10
	t.Logf("400,000 regions: %d MB, %v", peak, state.UserTime()+state.SystemTime())
	if peak > 300 {
		t.Errorf("400,000 regions take %d MB", peak)
	}
}

func firstBytes(b []byte, n int) []byte { return b[:min(len(b), n)] }
