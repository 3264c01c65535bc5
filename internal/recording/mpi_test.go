package recording

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"opari/internal/expensive"
	"opari/otf"
)

// implementation is an implementation of MPI, by the ending of Debian's names.
type implementation string

const (
	openMPI implementation = ""
	mpich   implementation = ".mpich"
)

// mpirun returns a command that starts n MPI processes, also as root and on fewer processors.
func mpirun(t *testing.T, n int, args ...string) *exec.Cmd {
	t.Helper()
	return openMPI.start(t, append([]string{"-n", strconv.Itoa(n)}, args...)...)
}

// start returns a command for mpirun with the given arguments.
func (i implementation) start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	expensive.MPI(t, "mpirun"+string(i))
	if i == openMPI {
		args = append([]string{"--oversubscribe", "--mca", "mpi_yield_when_idle", "1"}, args...)
	}
	cmd := exec.Command("mpirun"+string(i), args...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
		"OMP_NUM_THREADS=2", "OMP_DYNAMIC=false", "OMP_WAIT_POLICY=passive")
	cmd.WaitDelay = 30 * time.Second // mpirun may end before its ranks
	return cmd
}

// buildMPI compiles a program of testdata with `opari cc` and an MPI compiler.
func buildMPI(t *testing.T, compiler, source string, options ...string) string {
	t.Helper()
	expensive.MPI(t, compiler)
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{
		"cc", compiler, "-g", "-O1", "-fopenmp", "testdata/" + source, "-o",
		program,
	}, options...)
	if out, err := exec.Command(opari(t), args...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("opari %v: %v\n%s", args, err, out)
	}
	return program
}

// tracedRanks runs a program under `mpirun opari run --trace` and returns the folder, the output
// and the exit code.
func tracedRanks(t *testing.T, n int, args ...string) (folder, said string, code int) {
	t.Helper()
	return openMPI.traced(t, n, args...)
}

func (i implementation) traced(t *testing.T, n int, args ...string) (folder,
	said string, code int,
) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "trace")
	said, code = finished(i.start(t,
		append([]string{"-n", strconv.Itoa(n), opari(t), "run", "--trace=" + folder}, args...)...))
	return folder, said, code
}

// finished runs a command with a time limit and returns its output and exit code.
func finished(cmd *exec.Cmd) (said string, code int) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	watch := time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() })
	defer watch.Stop()
	_ = cmd.Run()
	return out.String(), cmd.ProcessState.ExitCode()
}

// end is one end of messages, by ranks, group, tag and length.
type end struct {
	from, to uint32
	group    string
	tag, len uint32
}

// exchange is what a trace says of messages. Ranks count from 0.
type exchange struct {
	sent, received map[end]int
	operations     map[string]map[uint32][2]uint64 // by name and rank: bytes sent, received
	calls          map[string]int
	groups         map[uint32]string
	members        map[uint32][]uint32
	early          int // receives before their sends
}

// exchanged reads a trace. If several threads send, their ranks count.
func exchanged(t *testing.T, path string, size uint32) *exchange {
	t.Helper()
	x := &exchange{
		sent: map[end]int{}, received: map[end]int{}, operations: map[string]map[uint32][2]uint64{},
		calls:  map[string]int{},
		groups: map[uint32]string{}, members: map[uint32][]uint32{},
	}
	manager := otf.NewFileManager(50)
	if err := otf.Check(path, manager,
		func(p otf.Problem) { t.Errorf("%s:%d: %s", p.Path, p.Line, p.What) }, nil); err != nil {
		t.Fatal(err)
	}
	r, err := otf.OpenReader(path, manager)
	if err != nil {
		t.Fatal(err)
	}
	names := map[uint32]string{}
	flying := map[end]int{}
	rank := func(process uint32) uint32 { return (process - 1) % size }
	handlers := &otf.HandlerArray{
		DefProcessGroup: func(_, group uint32, name string, members []uint32) error {
			x.groups[group], x.members[group] = name, slices.Clone(members)
			return nil
		},
		DefCollectiveOperation: func(_, op uint32, name string, _ uint32) error {
			names[op] = name
			return nil
		},
		SendMsg: func(_ uint64, sender, receiver, group, tag, length, _ uint32) error {
			e := end{rank(sender), rank(receiver), x.groups[group], tag, length}
			x.sent[e]++
			flying[e]++
			return nil
		},
		RecvMsg: func(_ uint64, receiver, sender, group, tag, length, _ uint32) error {
			e := end{rank(sender), rank(receiver), x.groups[group], tag, length}
			x.received[e]++
			if flying[e]--; flying[e] < 0 {
				x.early++
			}
			return nil
		},
		CollectiveOperation: func(
			_ uint64, process, op, group, _, sent, received uint32, _ uint64, _ uint32,
		) error {
			name := names[op] + " " + x.groups[group]
			if x.operations[name] == nil {
				x.operations[name] = map[uint32][2]uint64{}
			}
			was := x.operations[name][rank(process)]
			x.operations[name][rank(process)] = [2]uint64{
				was[0] + uint64(sent),
				was[1] + uint64(received),
			}
			x.calls[names[op]]++
			return nil
		},
	}
	if _, err := r.ReadDefinitions(handlers); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadEvents(handlers); err != nil {
		t.Fatal(err)
	}
	return x
}

// expectMessages returns the messages of testdata/mpi_messages.c by its arithmetic.
func expectMessages(size uint32, threads bool) map[end]int {
	want := map[end]int{}
	half := map[uint32]string{0: "even", 1: "odd"}
	for r := range size {
		right := (r + 1) % size
		world := func(tag, length uint32, n int) {
			want[end{r, right, "MPI_COMM_WORLD", tag, length}] += n
		}
		world(1, 800, 3)
		for tag := uint32(10); tag <= 18; tag++ {
			for i := uint32(1); i <= 5; i++ {
				world(tag, 4*i, 1)
			}
		}
		world(20, 56, 4)
		if r > 0 {
			want[end{r, 0, "MPI_COMM_WORLD", 30 + r, 4}]++
		}
		world(40, 4, 1)
		for tag := uint32(50); tag <= 53; tag++ {
			world(tag, 12, 1)
		}
		next := (r + 2) % size // in its half of the ranks
		want[end{r, next, half[r%2], 60, 4}]++
		want[end{r, next, "communicator", 61, 4}] += 3
		want[end{r, r ^ 1, "communicator", 70, 4}]++
		world(80, 4, 1)
		world(82, 4, 1)
		for tag := uint32(100); threads && tag < 104; tag++ {
			world(tag, 4, 75)
		}
	}
	return want
}

// plain removes the numbers of communicators without a name.
func plain(ends map[end]int) map[end]int {
	out := map[end]int{}
	for e, n := range ends {
		e.group, _, _ = strings.Cut(e.group, " ")
		out[e] += n
	}
	return out
}

func differences(got, want map[end]int) string {
	var b strings.Builder
	for e, n := range want {
		if got[e] != n {
			fmt.Fprintf(&b, "%v: %d, want %d\n", e, got[e], n)
		}
	}
	for e, n := range got {
		if want[e] == 0 {
			fmt.Fprintf(&b, "%v: %d, want none\n", e, n)
		}
	}
	return b.String()
}

// The trace has both ends of every message of every kind, and no other message. The bytes of
// collective operations are those of the arguments.
func TestMessages(t *testing.T) {
	expensive.MPI(t)
	// MPICH's header warns of its own constants
	compilers := map[implementation][]string{openMPI: {"mpicc"}, mpich: {"mpicc.mpich", "-w"}}
	for _, c := range []struct {
		mpi     implementation
		threads bool
	}{{openMPI, false}, {openMPI, true}, {mpich, false}, {mpich, true}} {
		t.Run(fmt.Sprintf("%s threads=%v", c.mpi, c.threads), func(t *testing.T) {
			threads := c.threads
			compiler := compilers[c.mpi]
			args := []string{buildMPI(t, compiler[0], "mpi_messages.c", compiler[1:]...)}
			if threads {
				args = append(args, "threads")
			}
			folder, said, code := c.mpi.traced(t, 4, args...)
			if code != 0 || !strings.Contains(said, "trace.otf: 4 ranks, ") {
				t.Fatalf("exit code %d: %s", code, said)
			}
			x := exchanged(t, filepath.Join(folder, "trace"), 4)
			want := expectMessages(4, threads && strings.Contains(said, "threads 1"))
			if d := differences(plain(x.sent), want); d != "" {
				t.Errorf("sent:\n%s", d)
			}
			for e := range want { // their end was not measured
				if e.tag == 80 {
					delete(want, e)
				}
			}
			if d := differences(plain(x.received), want); d != "" {
				t.Errorf("received:\n%s", d)
			}
			if x.early > 0 {
				t.Errorf("%d messages are received before they are sent", x.early)
			}
			compareOperations(t, x)
		})
	}
}

// compareOperations compares the collective operations of mpi_messages.c with its arithmetic: 3
// doubles, 4 ranks; b has the bytes of rank 0 and of the others.
func compareOperations(t *testing.T, x *exchange) {
	t.Helper()
	const d = 24
	all := func(sent, received uint64) [4][2]uint64 {
		return [4][2]uint64{{sent, received}, {sent, received}, {sent, received}, {sent, received}}
	}
	rooted := func(sent, received, others, othersReceived uint64) [4][2]uint64 {
		w := all(others, othersReceived)
		w[0] = [2]uint64{sent, received}
		return w
	}
	bcast := all(0, d)
	bcast[1] = [2]uint64{d, 0}
	exscan := all(d, d)
	exscan[0] = [2]uint64{d, 0}
	for name, want := range map[string][4][2]uint64{
		"MPI_Barrier": all(0, 0), "MPI_Ibarrier": all(0, 0), "MPI_Bcast": bcast,
		"MPI_Gather": rooted(d, 8*d, 2*d, 0), "MPI_Gatherv": rooted(d, 4*d, d, 0),
		"MPI_Scatter": rooted(4*d, d, 0, d), "MPI_Scatterv": rooted(4*d, d, 0, d),
		"MPI_Allgather": all(d, 4*d), "MPI_Allgatherv": all(d, 4*d),
		"MPI_Alltoall": all(4*d, 4*d), "MPI_Alltoallv": all(4*d, 4*d), "MPI_Reduce": rooted(d, d, d,
			0), "MPI_Allreduce": all(d, d),
		"MPI_Reduce_scatter": all(4*d, d), "MPI_Reduce_scatter_block": all(4*d, d),
		"MPI_Scan": all(d, d), "MPI_Exscan": exscan, "MPI_Iallreduce": all(d, d),
	} {
		got := x.operations[name+" MPI_COMM_WORLD"]
		for rank, w := range want {
			if g, there := got[uint32(rank)]; !there || g != w {
				t.Errorf("%s, rank %d: sent and received %v (%v), want %v", name, rank, g, there, w)
			}
		}
	}
	if n := x.calls["MPI_Allreduce"]; n != 8 {
		t.Errorf("%d calls of MPI_Allreduce, want 8: one between two groups", n)
	}
	for name := range x.operations {
		if strings.HasPrefix(name, "MPI_Allreduce communicator") {
			return
		}
	}
	t.Errorf("no operation between two groups among %v", slices.Sorted(maps.Keys(x.operations)))
}

// Each call of Fortran's routines counts once, with mpif.h, module mpi and module mpi_f08.
func TestMPIFortran(t *testing.T) {
	expensive.MPI(t)
	for _, c := range []struct {
		mpi     implementation
		binding string
		option  string
	}{
		{openMPI, "MPIF", "-w"},
		{openMPI, "MPI", "-w"},
		{openMPI, "MPI_F08", "-w"},
		{mpich, "MPIF", "-w"},
		{mpich, "MPI", "-w"},
		{mpich, "MPI_F08", "-DFIRST=0"}, // MPICH 4.0's first index
	} {
		t.Run(c.binding+string(c.mpi), func(t *testing.T) {
			program := buildMPI(t, "mpifort"+string(c.mpi), "mpi_fortran.F90",
				"-DBINDING_"+c.binding, c.option)
			folder, said, code := c.mpi.traced(t, 2, program)
			if code != 0 || !strings.Contains(said, "all is well") {
				t.Fatalf("exit code %d: %s", code, said)
			}
			x := exchanged(t, filepath.Join(folder, "trace"), 2)
			want := map[end]int{}
			for r := range uint32(2) {
				for tag := uint32(1); tag <= 9; tag++ {
					want[end{r, 1 - r, "MPI_COMM_WORLD", tag, 8}] = 3
				}
				want[end{r, 1 - r, "MPI_COMM_WORLD", 10, 8}] = 2
				want[end{r, 1 - r, "a name", 20, 8}] = 1
			}
			if d := differences(x.sent, want); d != "" {
				t.Errorf("sent:\n%s", d)
			}
			if d := differences(x.received, want); d != "" {
				t.Errorf("received:\n%s", d)
			}
			for name, bytes := range map[string]uint64{
				"MPI_Allreduce MPI_COMM_WORLD": 16,
				"MPI_Allgather MPI_COMM_WORLD": 8,
			} {
				if got := x.operations[name][1]; got[0] != bytes {
					t.Errorf("%s: %v bytes, want %d", name, got, bytes)
				}
			}
			tr := read(t, filepath.Join(folder, "trace"))
			for function, n := range map[string]int{
				"MPI_Init": 2, "MPI_Finalize": 2,
				"MPI_Waitall": 4, "MPI_Send": 8,
			} {
				if found := tr.sum(function); found != n {
					t.Errorf("%d calls of %s, want %d", found, function, n)
				}
				if c.mpi == mpich && c.binding == "MPI_F08" && function == "MPI_Send" {
					continue // MPICH calls it, which has no debugging information
				}
				if !strings.Contains(tr.places[function], "mpi_fortran.F90:") {
					t.Errorf("%s is at %q", function, tr.places[function])
				}
			}
		})
	}
}

// The example gives, in C and Fortran, the same result with and without opari and on one rank.
// The number and bytes of its messages are those of its arithmetic.
func TestOcean(t *testing.T) {
	expensive.MPI(t)
	const rows, columns, steps = 120, 90, 50
	size := []string{strconv.Itoa(rows), strconv.Itoa(columns), strconv.Itoa(steps)}
	for compiler, source := range map[string]string{"mpicc": "ocean.c", "mpifort": "ocean.f90"} {
		t.Run(source, func(t *testing.T) {
			plain := filepath.Join(t.TempDir(), "plain")
			if out, err := exec.Command(compiler, "-O1", "-fopenmp", "../../examples/ocean/"+source,
				"-o", plain, "-lm").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			want, err := mpirun(t, 1, append([]string{plain}, size...)...).Output()
			if err != nil || !strings.Contains(string(want), "left, last change") {
				t.Fatalf("%v: %s", err, want)
			}
			program := buildMPI(t, compiler, "../../../examples/ocean/"+source, "-lm")
			folder, said, code := tracedRanks(t, 3, append([]string{program}, size...)...)
			if code != 0 || !strings.Contains(said, string(want)) {
				t.Fatalf("exit code %d, want %s:\n%s", code, want, said)
			}
			x := exchanged(t, filepath.Join(folder, "trace"), 3)
			messages := map[end]int{
				{0, 1, "MPI_COMM_WORLD", 1, 8 * columns}: steps, {
					1, 2, "MPI_COMM_WORLD", 1,
					8 * columns,
				}: steps,
				{1, 0, "MPI_COMM_WORLD", 2, 8 * columns}: steps, {
					2, 1, "MPI_COMM_WORLD", 2,
					8 * columns,
				}: steps,
			}
			if d := differences(x.sent, messages) + differences(x.received, messages); d != "" ||
				x.early > 0 {
				t.Errorf("%d early\n%s", x.early, d)
			}
			for rank := range uint32(3) {
				if got := x.operations["MPI_Allreduce MPI_COMM_WORLD"][rank]; got !=
					[2]uint64{8 * steps, 8 * steps} {
					t.Errorf("rank %d reduces %v bytes", rank, got)
				}
			}
			for _, tool := range [][]string{
				{"otfprint", filepath.Join(folder, "trace.otf")},
				{
					"otfprofile", "-i", filepath.Join(folder, "trace.otf"), "-o",
					filepath.Join(t.TempDir(), "profile"),
				},
			} {
				if _, err := exec.LookPath(tool[0]); err != nil {
					t.Logf("%s is not there: not tried", tool[0])
					continue
				}
				cmd := exec.Command(tool[0], tool[1:]...)
				cmd.Dir = t.TempDir()
				if out, err := cmd.CombinedOutput(); err != nil ||
					bytes.Contains(bytes.ToLower(out[:min(len(out), 400)]), []byte("error")) {
					t.Errorf("%v: %v\n%.400s", tool, err, out)
				}
			}
		})
	}
}

// The other ways to build work: opari cc after MPI's compilers, with MPI's libraries given by
// hand, and without OpenMP. All ranks make one profile.
func TestMPIWays(t *testing.T) {
	expensive.MPI(t)
	linked, err := exec.Command("mpicc", "--showme:link").Output()
	if err != nil {
		t.Skip("mpicc is not Open MPI's")
	}
	source := "testdata/mpi_killed.c"
	for name, c := range map[string]struct {
		variable string
		args     []string
	}{
		"OMPI_CC": {
			"OMPI_CC=" + opari(t) + " cc gcc",
			[]string{"mpicc", "-g", "-fopenmp", source},
		},
		"OMPI_FC": {
			"OMPI_FC=" + opari(t) + " cc gfortran",
			[]string{"mpifort", "-g", "-fopenmp", "-DBINDING_MPI_F08", "testdata/mpi_fortran.F90"},
		},
		"libraries": {
			"",
			append([]string{
				opari(t), "cc", "gcc", "-g", "-fopenmp",
				"-I/usr/lib/x86_64-linux-gnu/openmpi/include", source,
			},
				strings.Fields(string(linked))...),
		},
		"no OpenMP": {"", []string{opari(t), "cc", "mpicc", "-g", source}},
	} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			build := exec.Command(c.args[0], append(c.args[1:], "-o", program)...)
			build.Env = append(os.Environ(), c.variable)
			if out, err := build.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v\n%s", err, out)
			}
			symbols, err := exec.Command("nm", program).Output()
			if err != nil || !bytes.Contains(symbols, []byte(" T MPI_Send\n")) {
				t.Errorf("the layer is not in the program: %v", err)
			}
			if name != "OMPI_FC" {
				return
			}
			profile := filepath.Join(t.TempDir(), "profile")
			out, err := mpirun(t, 2, opari(t), "run", "--profile="+profile,
				program).CombinedOutput()
			for _, want := range []string{"all is well", "2 ranks, 4 threads", "MPI_Recv"} {
				if err != nil || !strings.Contains(string(out), want) {
					t.Errorf("%v, no %q in\n%s", err, want, out)
				}
			}
			if n := strings.Count(string(out), "wall time"); n != 1 {
				t.Errorf("%d tables", n)
			}
			// The name without a rank means the profiles of all ranks.
			text, err := exec.Command(opari(t), "report", "--tables=threads,properties",
				"--min-share=0", "--threads", profile).CombinedOutput()
			for _, want := range []string{
				"rank 0 thread 1 (worker)", "rank 1 thread 0 (initial)",
				"communication",
			} {
				if err != nil || !strings.Contains(string(text), want) {
					t.Errorf("%v, no %q in\n%s", err, want, text)
				}
			}
		})
	}
}

// After the kill of a rank one trace has what all ranks have recorded; the killed rank's part
// ends at the kill.
func TestKilledRank(t *testing.T) {
	expensive.MPI(t)
	program := buildMPI(t, "mpicc", "mpi_killed.c")
	folder := filepath.Join(t.TempDir(), "trace")
	cmd := mpirun(t, 3, program)
	cmd.Env = append(cmd.Env, "OPARI_TRACE="+folder)
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("it ended well:\n%s", out)
	}
	var out []byte
	err := error(nil)
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		// mpirun does not wait for all ranks
		out, err = exec.Command(opari(t), "trace", "recover", folder).CombinedOutput()
		if !strings.Contains(string(out), "still running") || time.Now().After(end) {
			break
		}
	}
	if err != nil || !strings.Contains(string(out), "3 ranks") ||
		!strings.Contains(string(out), "not all ranks ended in order") {
		t.Fatalf("%v: %s", err, out)
	}
	x := exchanged(t, filepath.Join(folder, "trace"), 3)
	for r := range uint32(3) {
		if e := (end{r, (r + 1) % 3, "MPI_COMM_WORLD", 1, 4}); x.sent[e] != 10 ||
			x.received[e] != 10 {
			t.Errorf("%v: %d sent, %d received, want 10", e, x.sent[e], x.received[e])
		}
	}
}
