package pomp

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// deviceTool builds the tool that traces devices.
func deviceTool(t *testing.T, mode int, options ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "device.so")
	command(t, "gcc", append([]string{
		"-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror",
		fmt.Sprintf("-DMODE=%d", mode), "-o", out, "testdata/device_tool.c", "-lm",
	}, options...)...)
	return out
}

// eachConstruct is the content of each construct's records. Data on the initial device stay in
// place.
const eachConstruct = `target 2 1
map 64:2 400:1 4:4
data_op 1 64 in place
data_op 1 400 in place
data_op 2 400 in place
data_op 1 4 in place
target 2 2
target 1 1
map 400:3 64:3 4:3
kernel 3 3
target 1 2
target 4 1
data_op 2 20 in place
target 4 2
target 1 1
map 400:1
data_op 2 400 in place
kernel 1 1
target 1 2
target 3 1
map 64:2 400:1 4:4
data_op 3 64 in place
data_op 4 4 in place
data_op 4 400 in place
data_op 4 64 in place
target 3 2
target 2 1
map 400:1 256:4
data_op 1 400 in place
data_op 2 400 in place
data_op 1 256 in place
target 2 2
target 3 1
map 400:2 256:10
data_op 3 400 in place
data_op 4 256 in place
data_op 4 400 in place
target 3 2
target 1 1
map 12:1
data_op 1 12 in place
data_op 2 12 in place
kernel 1 1
data_op 4 12 in place
target 1 2
target 9 1
map 4:3
data_op 1 4 in place
data_op 2 4 in place
kernel 1 1
data_op 3 4 in place
data_op 4 4 in place
target 9 2
target 1 1
map 256:3
data_op 1 256 in place
data_op 2 256 in place
kernel 0 1
data_op 3 256 in place
data_op 4 256 in place
target 1 2
data_op 1 16 moved
data_op 2 16 moved
data_op 2 12 moved
data_op 4 0 moved
data_op 2 24 moved
target 20 data_op 32 submit 5 map 9
errors 0
`

// TestDeviceTrace requires every record of target regions of the device tracing interface, OpenMP
// 5.1 [4.6.2], in order, through buffers of 64 KiB.
func TestDeviceTrace(t *testing.T) {
	expensive.Compilers(t)
	regions := 20_000
	if os.Getenv("OPARI_ALL") != "" {
		regions = 1_000_000
	}
	program := compileProgram(t, "targets", library(t).DynamicLibs()...)
	for _, c := range []struct {
		name, want string
		mode       int
		args       []string
	}{
		{
			"one thread", fmt.Sprintf("target %d data_op %d submit %d map %d\nnative %d %d 0 "+
				"%d\nerrors 0\n", 2*regions, 4*regions, regions, regions, regions,
				regions, regions-1),
			0,
			[]string{"regions", fmt.Sprint(regions)},
		},
		{
			"threads", fmt.Sprintf("target %d data_op %d submit %d map %d\nnative %d %d 0 "+
				"%d\nerrors 0\n", 6*regions+2, 12*regions+4, 3*regions+1, 3*regions+1, 3*regions+
				1, 3*regions+1, 3*regions-2),
			0,
			[]string{"threads", fmt.Sprint(regions)},
		},
		{"no buffer", "given 2, some lost\nerrors 0\n", 2, []string{"regions", "2000"}},
		{
			"paused", "target 2000 data_op 4000 submit 1000 map 1000\nerrors 0\n", 3,
			[]string{"regions", "2000"},
		},
		{"each", eachConstruct, 1, []string{"each"}},
	} {
		notes, printed, code := trial(t, program,
			[]string{"OMP_TOOL_LIBRARIES=" + deviceTool(t, c.mode)}, c.args...)
		if notes != c.want || printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%swant:\n%s", c.name, code, printed,
				notes, c.want)
		}
	}
}

// TestDeviceTrace2016 requires the same of the interface of the report of May 2016. That report
// defines operations on data only if they result in activity, and no records of constructs and
// mapping.
func TestDeviceTrace2016(t *testing.T) {
	expensive.Compilers(t)
	tool := filepath.Join(t.TempDir(), "device2016.so")
	command(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", tool,
		"testdata/device_tool_2016.c")
	program := compileProgram(t, "targets", library(t).DynamicLibs()...)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"target 20 data 5 submit 5 map 9\nerrors 0\n", []string{"each"}},
		{"target 20000 data 0 submit 10000 map 10000\nerrors 0\n", []string{"regions", "10000"}},
	} {
		notes, printed, code := trial(t, program, []string{"OMP_TOOL_LIBRARIES=" + tool}, c.args...)
		if notes != c.want || printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%swant:\n%s", c.args, code, printed,
				notes, c.want)
		}
	}
}

// TestTargetText requires that the construct of a target region is reported from the text where
// the library is not between the program and the runtime. In that case, nothing that the
// construct maps is reported.
func TestTargetText(t *testing.T) {
	expensive.Compilers(t)
	tool := filepath.Join(t.TempDir(), "device.so")
	command(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-DMODE=1",
		"-DTEXT", "-o", tool, "testdata/device_tool.c", "-lm")
	const want = `target 2 1
target 2 2
target 1 1
target 1 2
target 4 1
target 4 2
target 1 1
target 1 2
target 3 1
target 3 2
target 2 1
target 2 2
target 3 1
target 3 2
target 1 1
target 1 2
target 1 1
target 1 2
target 1 1
target 1 2
target 20 data_op 0 submit 0 map 0
errors 0
`
	program := compileProgram(t, "targets", library(t).Libs(false)...)
	notes, printed, code := trial(t, program, []string{"OMP_TOOL_LIBRARIES=" + tool}, "each")
	if notes != want || printed != "" || code != 0 {
		t.Errorf("exit code %d, printed %q, noted:\n%swant:\n%s", code, printed, notes, want)
	}
}

// TestDeviceTraceSanitized runs the library under AddressSanitizer. It does not search for leaks,
// because that sanitizer itself crashed while it stopped the threads.
func TestDeviceTraceSanitized(t *testing.T) {
	expensive.Compilers(t)
	flags := sanitized(t, "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
		"-DPOMP_INTERPOSE")
	program := compileProgram(t, "targets", append(flags, "-pthread", "-ldl")...)
	for mode, args := range map[int][]string{
		0: {"threads", "500"}, 1: {"each"},
		2: {"regions", "2000"}, 3: {"regions", "1000"},
	} {
		notes, printed, code := trial(t, program, []string{
			"ASAN_OPTIONS=detect_leaks=0",
			"OMP_TOOL_LIBRARIES=" + deviceTool(t, mode),
		}, args...)
		if !strings.HasSuffix(notes, "\nerrors 0\n") || printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%s", args, code, printed, notes)
		}
	}
}

// TestDeviceTraceRaces runs the library under ThreadSanitizer. The program is compiled without
// it, like GCC's runtime: the sanitizer would not see that the runtime's joins order the
// program's accesses.
func TestDeviceTraceRaces(t *testing.T) {
	expensive.Compilers(t)
	flags := sanitized(t, "-fsanitize=thread", "-DPOMP_INTERPOSE")
	dir := t.TempDir()
	object, program := filepath.Join(dir, "targets.o"), filepath.Join(dir, "targets")
	command(t, "gcc", "-O1", "-g", "-fopenmp", "-Isrc", "-w", "-c", "testdata/targets.c",
		"-o", object)
	command(t, "gcc",
		append([]string{"-fopenmp", object, "-o", program, "-ldl", "-pthread"}, flags...)...)
	for _, c := range []struct {
		mode int
		args []string
	}{
		{0, []string{"threads", "300"}},
		{1, []string{"each"}},
		{1, []string{"later"}},
		{2, []string{"regions", "2000"}},
		{3, []string{"regions", "1000"}},
	} {
		env := []string{
			"OMP_WAIT_POLICY=passive", "OMP_TOOL_LIBRARIES=" + deviceTool(t, c.mode),
			"TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_signal_unsafe=0",
		}
		notes, printed, code := trial(t, program, env, c.args...)
		if !strings.HasSuffix(notes, "\nerrors 0\n") || printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%s", c.args, code, printed, notes)
		}
	}
}
