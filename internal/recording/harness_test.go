package recording

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "opari/internal/driver"
	"opari/internal/expensive"
	"opari/otf"
)

// command builds bin/opari of this tree once. It reads the folder, and imports what bin/opari
// consists of, so that go test knows what a cached result depends on.
var command = sync.OnceValues(func() (string, error) {
	if _, err := os.ReadDir("../../cmd/opari"); err != nil {
		return "", err
	}
	path := filepath.Join(scratch, "opari")
	if out, err := exec.Command("go", "build", "-o", path,
		"opari/cmd/opari").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "opari-recording-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

func opari(t *testing.T) string {
	t.Helper()
	path, err := command()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// build compiles a program of testdata with `opari cc` and more options. Options that begin with
// -- go before the compiler.
func build(t *testing.T, compiler, source string, options ...string) string {
	t.Helper()
	if compiler != "gcc" {
		expensive.Compilers(t, compiler)
	}
	program := filepath.Join(t.TempDir(), "program")
	args := append(append([]string{"cc"}, options...), compiler, "-O1", "-fopenmp",
		"testdata/"+source, "-o", program)
	if out, err := exec.Command(opari(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("opari %v: %v\n%s", args, err, out)
	}
	return program
}

// result is the outcome of a run.
type result struct {
	folder, errors string
	code           int
}

// traced runs `opari run --trace` with more flags.
func traced(t *testing.T, args ...string) result {
	t.Helper()
	r := result{folder: filepath.Join(t.TempDir(), "trace")}
	cmd := exec.Command(opari(t), append([]string{"run", "--trace=" + r.folder}, args...)...)
	cmd.Env = append(os.Environ(), "OMP_DYNAMIC=false", "OMP_WAIT_POLICY=passive")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	_ = cmd.Run()
	r.code, r.errors = cmd.ProcessState.ExitCode(), errs.String()
	return r
}

// threadTrace is what a process of a trace did.
type threadTrace struct {
	name    string
	entered map[string]int // calls by function
	begun   int
	ended   int
	waited  uint64 // the counter's last value
	longest map[string]uint64
	first   uint64
	last    uint64
}

// trace is a trace in the form that the tests use.
type trace struct {
	threads  map[uint32]*threadTrace
	groups   map[string]string // group by function
	places   map[string]string // file:line by function
	comments []string
}

// sum counts the calls of a function over all threads.
func (tr *trace) sum(function string) int {
	n := 0
	for _, t := range tr.threads {
		n += t.entered[function]
	}
	return n
}

// read reads a trace and checks it by the rules of its records: calls nest and end, time does not
// go back, and waiting time does not shrink. otf.Check must find nothing.
func read(t *testing.T, path string) *trace {
	t.Helper()
	manager := otf.NewFileManager(50)
	err := otf.Check(path, manager,
		func(p otf.Problem) { t.Errorf("%s:%d: %s", p.Path, p.Line, p.What) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := otf.OpenReader(path, manager)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	tr := &trace{
		threads: map[uint32]*threadTrace{}, groups: map[string]string{},
		places: map[string]string{},
	}
	names := tr.definitions(t, r)
	stacks := map[uint32][]uint32{}
	starts := map[uint32][]uint64{}
	thread := func(id uint32, time uint64) *threadTrace {
		th := tr.threads[id]
		if time < th.last {
			t.Fatalf("thread %d: time goes back from %d to %d", id, th.last, time)
		}
		th.last = time
		return th
	}
	_, err = r.ReadEvents(&otf.HandlerArray{
		BeginProcess: func(time uint64, process uint32) error {
			th := thread(process, time)
			if th.begun == 0 {
				th.first = time
			}
			th.begun++
			return nil
		},
		EndProcess: func(time uint64, process uint32) error {
			thread(process, time).ended++
			return nil
		},
		Enter: func(time uint64, function, process, _ uint32) error {
			th := thread(process, time)
			if th.begun != th.ended+1 {
				t.Fatalf("thread %d enters %s and is not there", process, names[function])
			}
			th.entered[names[function]]++
			stacks[process] = append(stacks[process], function)
			starts[process] = append(starts[process], time)
			return nil
		},
		Leave: func(time uint64, function, process, _ uint32) error {
			th := thread(process, time)
			n := len(stacks[process]) - 1
			if n < 0 || stacks[process][n] != function {
				t.Fatalf("thread %d leaves %s, in %v", process, names[function], stacks[process])
			}
			th.longest[names[function]] = max(th.longest[names[function]], time-starts[process][n])
			stacks[process], starts[process] = stacks[process][:n], starts[process][:n]
			return nil
		},
		Counter: func(time uint64, process, counter uint32, value uint64) error {
			th := thread(process, time)
			if counter != waitingTime {
				th.entered[points[counter]]++
				return nil
			}
			if value < th.waited {
				t.Fatalf("thread %d: the waiting time shrinks", process)
			}
			th.waited = value
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, th := range tr.threads {
		if len(stacks[id]) > 0 || th.begun != th.ended || th.begun == 0 {
			t.Errorf("thread %d: %d functions open at the end, begun %d, ended %d", id,
				len(stacks[id]), th.begun, th.ended)
		}
		if th.waited > th.last-th.first {
			t.Errorf("thread %d: waited %d of %d", id, th.waited, th.last-th.first)
		}
	}
	return tr
}

// definitions reads the definitions and returns the functions' names. In names with the file
// counts.*, it omits the place, the part after the last blank: tests name a function "for:21".
func (tr *trace) definitions(t *testing.T, r *otf.Reader) map[uint32]string {
	t.Helper()
	names, groups, files, places := map[uint32]string{}, map[uint32]string{}, map[uint32]string{},
		map[uint32]string{}
	_, err := r.ReadDefinitions(&otf.HandlerArray{
		DefProcess: func(_, process uint32, name string, _ uint32) error {
			tr.threads[process] = &threadTrace{
				name: name, entered: map[string]int{},
				longest: map[string]uint64{},
			}
			return nil
		},
		DefFunctionGroup: func(_, group uint32, name string) error {
			groups[group] = name
			return nil
		},
		DefSclFile: func(_, file uint32, name string) error {
			files[file] = filepath.Base(name)
			return nil
		},
		DefScl: func(_, source, file, line uint32) error {
			places[source] = fmt.Sprintf("%s:%d", files[file], line)
			return nil
		},
		DefFunction: func(_, function uint32, name string, group, source uint32) error {
			if at := strings.LastIndexByte(name, ' '); at >= 0 && strings.Contains(name[at:], ":") {
				name = name[:at]
			}
			names[function] = name
			tr.groups[name], tr.places[name] = groups[group], places[source]
			return nil
		},
		DefinitionComment: func(_ uint32, comment string) error {
			tr.comments = append(tr.comments, comment)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// expect compares the calls of all functions, over all threads, with the program's arithmetic.
func (tr *trace) expect(t *testing.T, want map[string]int) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got := tr.sum(name); got != want[name] {
			t.Errorf("%s: %d calls, want %d", name, got, want[name])
		}
	}
	for name := range tr.groups {
		if _, known := want[name]; !known {
			t.Errorf("%s: %d calls, want none", name, tr.sum(name))
		}
	}
}

// silent runs the tools of the C library, which must read the trace and write nothing to standard
// error.
func silent(t *testing.T, path string) {
	t.Helper()
	folder := t.TempDir()
	for _, args := range [][]string{
		{"otfprint", path},
		{"otfinfo-trace", "-l", "4", path},
		{"otfprofile", "-i", path},
		{"otfmerge", "-n", "3", "-o", filepath.Join(folder, "merged"), path},
		{"otfaux", "-n", "5", "-F", "--all", path},
	} {
		expensive.Need(t, args[0])
		var errs bytes.Buffer
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Stderr = folder, &errs
		if err := cmd.Run(); err != nil || errs.Len() > 0 {
			t.Errorf("%v: %v: %s", args, err, errs.String())
		}
	}
}

// calls returns the enters and leaves of a trace with the functions' names, in the order of
// reading.
func calls(t *testing.T, path string) (out []string) {
	t.Helper()
	r, err := otf.OpenReader(path, otf.NewFileManager(9))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	names := map[uint32]string{}
	if _, err := r.ReadDefinitions(
		&otf.HandlerArray{DefFunction: func(_, function uint32, name string, _, _ uint32) error {
			names[function] = name
			return nil
		}}); err != nil {
		t.Fatal(err)
	}
	_, err = r.ReadEvents(&otf.HandlerArray{
		Enter: func(_ uint64, function, _, _ uint32) error {
			out = append(out, "enter "+names[function])
			return nil
		},
		Leave: func(_ uint64, function, _, _ uint32) error {
			out = append(out, "leave "+names[function])
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
