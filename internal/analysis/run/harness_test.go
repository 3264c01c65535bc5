package run

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "opari-analysis-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// command returns the path of this tree's bin/opari, which it builds once.
var command = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "opari")
	if out, err := exec.Command("go", "build", "-o", path,
		"opari/cmd/opari").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func opari(t *testing.T) string {
	t.Helper()
	path, err := command()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compile compiles a program with `opari cc` and returns its path.
func compile(t *testing.T, args ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	out, err := exec.Command(opari(t), append(append([]string{"cc"}, args...), "-o",
		program)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", args, err, out)
	}
	return program
}

// job runs a program as two ranks, with a trace in folder. It returns what the program has printed,
// and what opari has.
func job(t *testing.T, folder, program string, flags ...string) (out, errs string) {
	t.Helper()
	return jobOf(t, 2, folder, program, flags...)
}

// jobOf does the same for a number of ranks.
func jobOf(t *testing.T, ranks int, folder, program string, flags ...string) (out, errs string) {
	t.Helper()
	args := []string{
		"--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n", strconv.Itoa(ranks),
		opari(t), "run", "--trace=" + folder,
	}
	cmd := exec.Command("mpirun", append(append(args, flags...), program)...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMP_DYNAMIC=false")
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 30 * time.Second // mpirun may end before its ranks do
	watch := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
	defer watch.Stop()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return stdout.String(), stderr.String()
}
