package recording

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis/run"
	"opari/internal/expensive"
)

var ownNamespaces = []string{
	"unshare", "--net", "--uts", "--mount", "--pid", "--fork",
	"--kill-child", "--mount-proc",
}

// onTwoMachines returns a command that starts four MPI processes, two on each machine of
// testdata/two_machines.sh.
func (i implementation) onTwoMachines(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	try := append(slices.Clone(ownNamespaces), "unshare", "--net", "--uts", "--time", "--monotonic",
		"1000", "--fork", "ip", "link", "set", "lo", "up")
	if out, err := exec.Command(try[0], try[1:]...).CombinedOutput(); err != nil {
		t.Skipf("two machines need namespaces of network, host name and time: %v: %v\n%s",
			try, err, out)
	}
	folder := t.TempDir()
	agent := filepath.Join(folder, "agent")
	if i == mpich {
		args = append([]string{
			"-launcher", "rsh", "-launcher-exec", agent, "-hosts",
			"10.77.0.1:2,10.77.0.2:2", "-n", "4",
		}, args...)
	} else {
		args = append([]string{
			"--mca", "plm_rsh_agent", agent, "--host", "10.77.0.1:2,10.77.0.2:2",
			"-x", "OMP_NUM_THREADS", "-n", "4",
		}, args...)
	}
	cmd := i.start(t, args...)
	all := append(append(slices.Clone(ownNamespaces), "sh", "testdata/two_machines.sh", folder),
		cmd.Args...)
	outer := exec.Command(all[0], all[1:]...)
	outer.Env, outer.WaitDelay = cmd.Env, cmd.WaitDelay
	return outer
}

// The trace of a job on two machines whose clocks differ by 1000 s has both machines and one
// time. It has both ends of each message, in order.
func TestTwoMachines(t *testing.T) {
	expensive.MPI(t)
	for _, m := range []implementation{openMPI, mpich} {
		program := buildMPI(t, "mpicc"+string(m), "mpi_ring.c", "-w")
		t.Run("opari run"+string(m), func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "trace")
			said, code := finished(m.onTwoMachines(t, opari(t), "run", "--trace="+folder, program))
			if code != 0 || !strings.Contains(said, ringSum(4)) ||
				strings.Count(said, "trace.otf: 4 ranks, ") != 1 {
				t.Fatalf("exit code %d: %s", code, said)
			}
			compareMachines(t, filepath.Join(folder, "trace"))
		})
		t.Run("profile"+string(m), func(t *testing.T) {
			folder := t.TempDir() // each machine has its own folder for temporary files
			said, code := finished(m.onTwoMachines(t, "sh", "-c", "mkdir -p "+folder+
				"/$(hostname) && TMPDIR="+folder+"/$(hostname) exec "+opari(t)+" run "+program))
			if code != 0 || !strings.Contains(said, ringSum(4)) ||
				strings.Count(said, " wall time, 2 ranks") != 2 {
				t.Fatalf("exit code %d: %s", code, said)
			}
		})
		t.Run("clocks"+string(m), func(t *testing.T) {
			folder := t.TempDir()
			said, code := finished(m.onTwoMachines(t, "env", "OPARI_TRACE="+folder, program))
			if code != 0 || !strings.Contains(said, ringSum(4)) {
				t.Fatalf("exit code %d: %s", code, said)
			}
			processes, running, err := Read(folder)
			if err != nil || len(processes) != 4 || len(running) > 0 {
				t.Fatalf("%v: %d processes, running: %v", err, len(processes), running)
			}
			for _, p := range processes {
				host, ahead := "alpha", int64(0)
				if p.mpi.Rank >= 2 {
					host, ahead = "beta", -1000e9
				}
				if p.mpi.Host != host || p.mpi.Node != p.mpi.Rank/2*2 || len(p.mpi.clocks) != 2 {
					t.Errorf("rank %d: host %s, node %d, %d clocks", p.mpi.Rank, p.mpi.Host,
						p.mpi.Node, len(p.mpi.clocks))
				}
				for _, c := range p.mpi.clocks {
					if apart := c.Ahead - ahead; max(apart, -apart) > 1e9 || c.Error > 1e9 {
						t.Errorf("rank %d: the clock of rank 0 is %d ns ahead, give or take %d",
							p.mpi.Rank, c.Ahead, c.Error)
					}
				}
			}
			if _, _, err := ConvertAll(folder, folder, nil); err != nil {
				t.Fatal(err)
			}
			compareMachines(t, filepath.Join(folder, "trace"))
		})
	}
}

// compareMachines checks a trace of the ring on two machines.
func compareMachines(t *testing.T, path string) {
	t.Helper()
	x := exchanged(t, path, 4)
	if d := differences(x.sent, ringMessages(4)) +
		differences(x.received, ringMessages(4)); d != "" || x.early > 0 {
		t.Errorf("%s%d receives before their sends", d, x.early)
	}
	r, err := run.FromTrace(path, run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Wall > 500e9 { // half the difference of the clocks
		t.Errorf("the run took %d ns", r.Wall)
	}
	var tree []string
	for _, l := range r.Locations() {
		if l.Kind != "thread" {
			tree = append(tree, strings.Repeat(" ", l.Depth)+l.Kind+": "+l.Name)
		}
	}
	want := "machine: machine, node: node alpha,  process: rank 0,  process: rank 1, node: node " +
		"beta,  process: rank 2,  process: rank 3"
	if got := strings.Join(tree, ","); got != want {
		t.Errorf("the locations are %q, want %q", got, want)
	}
}
