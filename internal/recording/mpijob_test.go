package recording

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// ringMessages returns the messages of testdata/mpi_ring.c.
func ringMessages(size uint32) map[end]int {
	want := map[end]int{}
	for r := range size {
		want[end{r, (r + 1) % size, "MPI_COMM_WORLD", 7, 4}] = 3
		want[end{r, (r + 1) % size, "twin", 7, 4}] = 2
	}
	return want
}

func ringSum(size int) string { return fmt.Sprintf("sum %d\n", 5*size*(size-1)/2) }

// A job ends with its result even if some ranks are linked without the layer, or are not
// recorded. One trace has what the other ranks have sent and received.
func TestMixedJob(t *testing.T) {
	expensive.MPI(t)
	for _, m := range []implementation{openMPI, mpich} {
		plain := filepath.Join(t.TempDir(), "plain")
		if out, err := exec.Command("mpicc"+string(m), "-w", "-O1", "-fopenmp",
			"testdata/mpi_ring.c", "-o", plain).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		layered := buildMPI(t, "mpicc"+string(m), "mpi_ring.c", "-w")
		for name, c := range map[string]struct {
			without  []string // how the unrecorded ranks are started
			first    bool     // the first rank is one of them
			each     bool     // each rank has its own opari run
			recorded uint32
		}{
			"behind":         {[]string{plain}, false, true, 2},
			"in front":       {[]string{plain}, true, true, 2},
			"one":            {[]string{plain}, true, true, 1},
			"around":         {[]string{plain}, false, false, 2},
			"not recorded":   {[]string{layered}, true, true, 2},
			"opari run both": {[]string{opari(t), "run", "--trace=FOLDER", plain}, false, true, 2},
		} {
			t.Run(name+string(m), func(t *testing.T) {
				folder := filepath.Join(t.TempDir(), "trace")
				run := []string{opari(t), "run", "--trace=" + folder}
				with := []string{"-n", strconv.Itoa(int(c.recorded))}
				if c.each {
					with = append(with, run...)
				}
				with = append(with, layered)
				without := []string{"-n", "2"}
				for _, w := range c.without {
					without = append(without, strings.Replace(w, "FOLDER", folder, 1))
				}
				if c.first {
					with, without = without, with
				}
				cmd := m.start(t, append(append(with, ":"), without...)...)
				if !c.each {
					cmd.Path, cmd.Args = run[0], append(run, cmd.Args...)
				}
				said, code := finished(cmd)
				size := c.recorded + 2
				if code != 0 || !strings.Contains(said, ringSum(int(size))) ||
					strings.Count(said, "trace.otf: "+strconv.Itoa(int(size))+" ranks, ") != 1 ||
					strings.Contains(said, "not all") {
					t.Fatalf("exit code %d: %s", code, said)
				}
				from := uint32(0)
				if c.first {
					from = 2
				}
				there := func(rank uint32) bool { return rank >= from && rank < from+c.recorded }
				compareParts(t, filepath.Join(folder, "trace"), size, there)
				left, err := filepath.Glob(filepath.Join(folder, ".opari*"))
				if err != nil || len(left) > 0 {
					t.Errorf("%v: %v is left", err, left)
				}
			})
		}
	}
}

// compareParts compares the messages of the recorded ranks with the expected ones. Only the rank
// that named a communicator knows the name.
func compareParts(t *testing.T, path string, size uint32, there func(uint32) bool) {
	t.Helper()
	x := exchanged(t, path, size)
	sent, received := map[end]int{}, map[end]int{}
	for e, n := range ringMessages(size) {
		if e.group == "twin" && !there(size-1) {
			e.group = "communicator"
		}
		if there(e.from) {
			sent[e] += n
		}
		if there(e.to) {
			received[e] += n
		}
	}
	if !there(size - 1) {
		x.sent, x.received = plain(x.sent), plain(x.received)
	}
	if d := differences(x.sent, sent) + differences(x.received, received); d != "" {
		t.Error(d)
	}
}

// agreedTrace converts a recording. It returns the trace's files, and the number of processes
// with definitions from a table.
func agreedTrace(t *testing.T, folder string) (files map[string][]byte, agreed int) {
	t.Helper()
	processes, _, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range processes {
		if p.mpi != nil && p.mpi.rows > 0 {
			agreed++
		}
	}
	if _, _, err := ConvertAll(folder, folder, nil); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	for _, f := range list {
		if files[f.Name()], err = os.ReadFile(filepath.Join(folder, f.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files, agreed
}

// The processes agree on numbers of their definitions. The trace is the same without: if the
// table is missing or cut off, or the numbers of a rank are.
func TestAgreedDefinitions(t *testing.T) {
	expensive.MPI(t)
	for _, c := range []struct {
		mpi    implementation
		source string
		size   int
	}{
		{openMPI, "mpi_messages.c", 4},
		{mpich, "mpi_messages.c", 4},
		{openMPI, "mpi_ring.c", 5},
		{openMPI, "mpi_ring.c", 64},
	} {
		t.Run(fmt.Sprintf("%s%s-%d", c.source, c.mpi, c.size), func(t *testing.T) {
			program := buildMPI(t, "mpicc"+string(c.mpi), c.source, "-w")
			folder := t.TempDir()
			cmd := c.mpi.start(t, "-n", strconv.Itoa(c.size), program)
			cmd.Env = append(cmd.Env, "OPARI_TRACE="+folder, "OMP_NUM_THREADS=1")
			if said, code := finished(cmd); code != 0 {
				t.Fatalf("exit code %d: %s", code, said)
			}
			spoil := map[string]func(path string, text []byte) []byte{
				"none": func(_ string, text []byte) []byte { return text },
				"missing": func(path string, text []byte) []byte {
					return keepUnless(filepath.Ext(path) == ".table", text)
				},
				"cut": func(path string, text []byte) []byte {
					return cutIf(filepath.Ext(path) == ".table", text)
				},
				"other": func(path string, text []byte) []byte {
					if filepath.Ext(path) == ".table" {
						return bytes.Replace(text, []byte(`{"table":"`), []byte(`{"table":"0`), 1)
					}
					return text
				},
				"no numbers": func(path string, text []byte) []byte {
					return cutIf(filepath.Ext(path) == ".mpi" &&
						bytes.Contains(text, []byte(`"rank":1,`)), text)
				},
			}
			want := map[string]int{"none": c.size, "no numbers": c.size - 1}
			var complete map[string][]byte
			for _, name := range []string{"none", "missing", "cut", "other", "no numbers"} {
				files, agreed := agreedTrace(t, copied(t, folder, spoil[name]))
				if agreed != want[name] {
					t.Errorf("%s: %d processes have common numbers, want %d", name,
						agreed, want[name])
				}
				if complete == nil {
					complete = files
				}
				if len(files) != len(complete) || len(files) < c.size+2 {
					t.Errorf("%s: %d files, %d with the table", name, len(files), len(complete))
				}
				for file, text := range complete {
					if !bytes.Equal(files[file], text) {
						t.Errorf("%s: %s is another one", name, file)
					}
				}
			}
			if c.source != "mpi_ring.c" {
				return
			}
			if _, err := exec.Command(opari(t), "trace", "recover",
				folder).CombinedOutput(); err != nil {
				t.Fatal(err)
			}
			x := exchanged(t, filepath.Join(folder, "trace"), uint32(c.size))
			if d := differences(x.sent, ringMessages(uint32(c.size))) +
				differences(x.received, ringMessages(uint32(c.size))); d != "" || x.early > 0 {
				t.Errorf("%d early\n%s", x.early, d)
			}
		})
	}
}

func keepUnless(gone bool, text []byte) []byte {
	if gone {
		return nil
	}
	return text
}

func cutIf(cut bool, text []byte) []byte {
	if cut {
		return text[:len(text)-2]
	}
	return text
}

// copied copies a folder and changes its files; it omits files that become nil.
func copied(t *testing.T, folder string, change func(path string, text []byte) []byte) string {
	t.Helper()
	to := t.TempDir()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if text = change(f.Name(), text); text != nil {
			put(t, filepath.Join(to, f.Name()), text)
		}
	}
	return to
}

// opari install installs the layer so that a program linked by hand, with pkg-config's options,
// records its messages. Without an MPI compiler it installs no layer.
func TestInstalledLayer(t *testing.T) {
	expensive.MPI(t)
	for _, m := range []implementation{openMPI, mpich} {
		t.Run("mpicc"+string(m), func(t *testing.T) {
			prefix, none := t.TempDir(), t.TempDir()
			for folder, mpicc := range map[string]string{prefix: "mpicc" + string(m), none: "-"} {
				if out, err := exec.Command(opari(t), "install", "--prefix="+folder,
					"--mpicc="+mpicc).CombinedOutput(); err != nil || len(out) > 0 {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			layer := filepath.Join("lib", "libopari_mpi.a")
			if _, err := os.Stat(filepath.Join(none, layer)); !os.IsNotExist(err) {
				t.Errorf("it is there without MPI: %v", err)
			}
			flags := exec.Command("pkg-config", "--libs", "opari_mpi")
			flags.Env = append(os.Environ(),
				"PKG_CONFIG_PATH="+filepath.Join(prefix, "lib", "pkgconfig"))
			libs, err := flags.Output()
			if err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(t.TempDir(), "ring")
			build := append([]string{"-w", "-g", "-fopenmp", "testdata/mpi_ring.c", "-o", program},
				strings.Fields(string(libs))...)
			if out, err := exec.Command("mpicc"+string(m), build...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			folder, said, code := m.traced(t, 3, program)
			if code != 0 || !strings.Contains(said, ringSum(3)) {
				t.Fatalf("exit code %d: %s", code, said)
			}
			compareParts(t, filepath.Join(folder, "trace"), 3, func(uint32) bool { return true })
		})
	}
	if out, err := exec.Command(opari(t), "install", "--prefix="+t.TempDir(),
		"--mpicc=nosuchcc").CombinedOutput(); err == nil ||
		!bytes.Contains(out, []byte("opari: error: the MPI layer: ")) {
		t.Errorf("%v: %s", err, out)
	}
}
