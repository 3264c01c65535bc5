package recording

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/internal/sampling"
	"opari/otf"
)

// sampled counts a trace's samples by their stacks: "function file:line", the innermost first.
func sampled(t *testing.T, path string) (counts map[string]int, all int) {
	t.Helper()
	r, err := otf.OpenReader(path, otf.NewFileManager(9))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, places, functions := map[uint32]string{}, map[uint32]string{}, map[uint32]string{}
	stacks, caller := map[uint64]uint32{}, map[uint64]uint64{}
	_, err = r.ReadDefinitions(&otf.HandlerArray{
		DefSclFile: func(_, file uint32, name string) error {
			files[file] = name
			return nil
		},
		DefScl: func(_, source, file, line uint32) error {
			places[source] = fmt.Sprintf(" %s:%d", files[file], line)
			return nil
		},
		DefFunction: func(_, function uint32, name string, _, source uint32) error {
			functions[function] = name + places[source]
			return nil
		},
		DefinitionComment: func(_ uint32, comment string) error {
			var number, from uint64
			var function uint32
			if n, _ := fmt.Sscanf(comment, "stack %d: %d %d", &number, &from, &function); n == 3 {
				if from >= number {
					t.Errorf("%s: the caller does not stand before", comment)
				}
				stacks[number], caller[number] = function, from
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	counts = map[string]int{}
	_, err = r.ReadEvents(&otf.HandlerArray{
		Counter: func(_ uint64, _, counter uint32, value uint64) error {
			if counter == sampleStack {
				text := ""
				for ; value > 0; value = caller[value] {
					text += functions[stacks[value]] + "\n"
				}
				counts[text]++
				all++
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts, all
}

// takesSamples skips a test where the kernel takes no samples.
func takesSamples(t *testing.T) {
	t.Helper()
	probe, err := sampling.Open(sampling.Options{Rate: 1000})
	probe.Stop()
	if err != nil {
		t.Skipf("the kernel takes no samples: %v", err)
	}
}

// The run of each rank takes samples, and that of the last puts them all into the trace.
func TestSamplesOfRanks(t *testing.T) {
	program := buildMPI(t, "mpicc", "mpi_ring.c")
	takesSamples(t)
	folder := filepath.Join(t.TempDir(), "trace")
	said, code := finished(mpirun(t, 2, opari(t), "run", "--sample", "--trace="+folder, program))
	path := filepath.Join(folder, "trace.otf")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	tr := read(t, path)
	for rank := range uint32(2) {
		all := lines(t, path, rank+1)
		if !slices.ContainsFunc(all,
			func(s string) bool { return strings.Contains(s, " sample ") }) {
			t.Errorf("rank %d has no samples in %d events", rank, len(all))
		}
	}
	if !slices.Contains(tr.comments, "samples: 1000 a second") {
		t.Errorf("comments %q", tr.comments)
	}
	left, err := filepath.Glob(filepath.Join(folder, "*.kernel"))
	if err != nil || len(left) > 0 {
		t.Errorf("left %v: %v", left, err)
	}
}

// The samples of a program stand in its hot line, with the calls that were inlined there, and with
// the function around.
func TestSamplesOfProgram(t *testing.T) {
	expensive.Compilers(t)
	takesSamples(t)
	const source = "testdata/hot.c"
	for _, flags := range []string{"-no-pie", "-pie -fPIE", "shared object"} {
		folder := t.TempDir()
		program := filepath.Join(folder, "program")
		options := strings.Fields(flags)
		if flags == "shared object" {
			library := filepath.Join(folder, "libhot.so")
			gcc := exec.Command("gcc", "-O2", "-g", "-fPIC", "-shared", "-DSHARED",
				"-fno-omit-frame-pointer", source, "-o", library)
			if out, err := gcc.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			options = []string{"-DPROGRAM", library, "-Wl,-rpath," + folder}
		}
		cmd := exec.Command(opari(t), append([]string{
			"cc", "gcc", "-O2", "-g", "-fopenmp", "-fno-omit-frame-pointer",
			source, "-o", program,
		}, options...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		r := traced(t, "--sample", program)
		if r.code != 0 {
			t.Fatalf("exit code %d: %s", r.code, r.errors)
		}
		counts, all := sampled(t, filepath.Join(r.folder, "trace.otf"))
		hot, called := 0, 0
		for stack, n := range counts {
			frames := strings.Split(stack, "\n")
			for i := range frames {
				name, place, _ := strings.Cut(frames[i], " ")
				frames[i] = name + " " + filepath.Base(place)
			}
			text := strings.Join(frames, "\n")
			// The loop's own instructions count for the line of the call.
			if strings.HasPrefix(text, "step hot.c:11\nsteps hot.c:17\nhot hot.c:24\n") ||
				strings.HasPrefix(text, "steps hot.c:16\nhot hot.c:24\n") {
				hot += n
				if strings.Contains(text, "\nmain hot.c:34\n") {
					called += n
				}
			}
		}
		if all < 50 {
			t.Errorf("%s: %d samples", flags, all)
		}
		if float64(hot) < 0.9*float64(all) || float64(called) < 0.9*float64(hot) {
			t.Errorf("%s: %d of %d samples in the hot line, %d with their caller: %v", flags, hot,
				all, called, counts)
		}
	}
}
