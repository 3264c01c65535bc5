package run

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/expensive"
)

// TestOffRanks runs ranks with the same work beside programs that use all processors. What they
// wait for each other must mostly be waiting for one off the CPU: five times as long as the rest.
func TestOffRanks(t *testing.T) {
	expensive.MPI(t, "mpicc", "mpirun")
	program := compile(t, "mpicc", "-g", "-O1", "-fopenmp", "testdata/ranks/even.c")
	for range 2 * runtime.NumCPU() {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	tries(t, func() string { return offRanks(t, program) })
}

func offRanks(t *testing.T, program string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "trace")
	_, errs := job(t, folder, program, "--sample")
	if _, why, is := strings.Cut(errs, "warning: no samples: "); is {
		why, _, _ = strings.Cut(why, "\n")
		t.Skipf("the kernel does not tell: %s", why)
	}
	stub := filepath.Join(folder, "trace")
	r, err := FromTrace(stub, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want || !r.Scheduled {
		t.Fatalf("the severities are %d ns together, not %d; scheduled: %v", got, want,
			r.Scheduled)
	}
	twice, err := FromTrace(stub, Options{Message: func(analysis.Message) {}})
	if err != nil {
		t.Fatal(err)
	}
	sameResults(t, r, twice)
	off, other := int64(0), r.Sum(analysis.MPI, -1)-r.Sum(analysis.MPICall, -1)
	for _, q := range r.Paths {
		if q.Region != nil && strings.HasPrefix(q.Name, "MPI_") {
			off += q.Severity(analysis.OffWait, -1)
		}
	}
	if off < 5*other || off == 0 {
		return fmt.Sprintf("ranks wait %s for one off the CPU, and %s else", analysis.Duration(off),
			analysis.Duration(other))
	}
	return ""
}
