package ompt

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// logged is an event of the target family in the output of `opari tool-log --format=json`.
type logged struct {
	Event, Endpoint, Kind, Target, Op, Source, Destination string
	Bytes, Teams                                           int
}

// TestTargetsAsLLVM compares target regions under GCC's runtime, where the host is the device,
// with LLVM's and its copying plugin for the host. Both must report the same constructs, data
// operations in order with their variables and sizes, and kernels with their teams.
func TestTargetsAsLLVM(t *testing.T) {
	expensive.Compilers(t, "gcc", "clang-19")
	llvm := output(t, "clang-19", "-print-file-name=libomptarget.so")
	if !filepath.IsAbs(llvm) {
		t.Skip("libomptarget.so is not installed (package libomp-19-dev)")
	}
	dir := t.TempDir()
	opari, ours, theirs := filepath.Join(dir, "opari"), filepath.Join(dir, "ours"),
		filepath.Join(dir, "theirs")
	output(t, "go", "build", "-o", opari, "opari/cmd/opari")
	output(t, opari, "cc", "gcc", "-fopenmp", "testdata/mapped.c", "-o", ours)
	output(t, "clang-19", "-fopenmp", "-fopenmp-targets=x86_64-pc-linux-gnu", "testdata/mapped.c",
		"-o", theirs)
	got, want := targetLog(t, opari, ours), targetLog(t, opari, theirs,
		"LD_LIBRARY_PATH="+filepath.Dir(llvm))
	if len(want) < 50 || !strings.Contains(strings.Join(want, "\n"), "transfer_to_device") {
		t.Fatalf("%s reports too little:\n%s", llvm, strings.Join(want, "\n"))
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("from line %d on they differ:\n%s\nwant\n%s", i+1,
				strings.Join(got[min(i, len(got)):], "\n"),
				strings.Join(want[min(i, len(want)):], "\n"))
		}
	}
	t.Logf("%d events", len(got))
}

// targetLog runs a program and returns a line for each begin and end of a construct, and each
// begin of an operation or a kernel. Variables are named by their first construct and their size,
// which are unique.
//
// The compiler chooses the order in which one construct maps variables, so these lines are sorted
// by variable, but keep their order for one variable. Two known differences of the runtimes are
// omitted: whether a construct has nowait, and the number of bytes of a deletion.
func targetLog(t *testing.T, opari, program string, env ...string) []string {
	t.Helper()
	cmd := exec.Command(opari, "tool-log", "--format=json", "--events=target", program)
	cmd.Env = append(append(os.Environ(), "OMP_NUM_THREADS=2"), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	host := map[string]string{}      // the host's address for one of the device
	variables := map[string]string{} // names
	constructs := 0
	name := func(address string, bytes int) string {
		if variables[address] == "" {
			variables[address] = fmt.Sprintf("v%d/%d", constructs, bytes)
		}
		return variables[address]
	}
	var lines, operations []string
	for line := range strings.Lines(string(out)) {
		var e logged
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		kind := strings.TrimSuffix(e.Kind, "_nowait")
		if e.Event != "target_data_op_emi" {
			slices.SortStableFunc(operations, func(a, b string) int {
				return strings.Compare(strings.Fields(a)[0], strings.Fields(b)[0])
			})
			lines, operations = append(lines, operations...), nil
		}
		switch {
		case e.Event == "target_emi":
			if e.Endpoint == "begin" {
				constructs++
			}
			lines = append(lines, fmt.Sprintf("%s %s", kind, e.Endpoint))
		case e.Event == "target_submit_emi" && e.Endpoint == "begin":
			lines = append(lines, fmt.Sprintf("  submit teams=%d", e.Teams))
		case e.Event != "target_data_op_emi":
		case e.Endpoint == "end":
			if kind == "alloc" {
				host[e.Destination] = e.Source
			}
		case kind == "delete":
			operations = append(operations, fmt.Sprintf("  %s delete", name(host[e.Source], 0)))
		case kind == "transfer_from_device":
			operations = append(operations,
				fmt.Sprintf("  %s %s bytes=%d", name(e.Destination, e.Bytes), kind, e.Bytes))
		default:
			operations = append(operations,
				fmt.Sprintf("  %s %s bytes=%d", name(e.Source, e.Bytes), kind, e.Bytes))
		}
	}
	return lines
}
