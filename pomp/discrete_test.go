package pomp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/internal/offload"
)

// targetProgram builds the program with target regions for devices with their own memory.
func targetProgram(t *testing.T) (program string, device offload.Device) {
	t.Helper()
	device, err := offload.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return compileProgram(t, "targets",
		slices.Concat(device.Flags(), library(t).DynamicLibs())...), device
}

// TestDeviceTraceDiscrete runs the device tracing interface on a device with its own memory. It
// requires every record, in order, with the addresses on both sides. The times of a record must
// lie within those in which the runtime's plugin did what it reports.
func TestDeviceTraceDiscrete(t *testing.T) {
	expensive.Compilers(t)
	const regions = 300
	program, device := targetProgram(t)
	tool := deviceTool(t, 0, "-DAPART=1")
	for _, c := range []struct {
		args        []string
		want        string
		kernels, to int // on the device
	}{
		{
			[]string{"regions", fmt.Sprint(regions)},
			fmt.Sprintf("target %d data_op %d submit %d map %d\nnative 0 %d 0 0\nerrors 0\n",
				2*regions, 4*regions, regions, regions, regions), regions, regions,
		},
		{
			[]string{"threads", fmt.Sprint(regions)},
			fmt.Sprintf("target %d data_op %d submit %d map %d\nnative 0 %d 0 0\nerrors 0\n",
				6*regions+2, 12*regions+4, 3*regions+1, 3*regions+1, 3*regions+1), 3*regions + 1,
			3*regions + 1,
		},
		{
			[]string{"later"},
			"target 12 data_op 16 submit 2 map 4\nnative 0 2 0 0\nerrors 0\n", 2, 4,
		},
	} {
		log := filepath.Join(t.TempDir(), "log")
		notes, printed, code := trial(t, program,
			append(device.Env(1, log), "OMP_TOOL_LIBRARIES="+tool), c.args...)
		if notes != c.want || printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%swant:\n%s", c.args, code, printed,
				notes, c.want)
		}
		text, _ := os.ReadFile(log)
		if ran, to := strings.Count(string(text), "\nran "),
			strings.Count(string(text), "\nto "); ran != c.kernels || to < c.to {
			t.Errorf("%s: the device executed %d kernels and was given data %d times",
				c.args, ran, to)
		}
	}
}

// TestProfileDiscrete requires that the profile contains the number of copied bytes and the time
// of copying.
func TestProfileDiscrete(t *testing.T) {
	expensive.Compilers(t)
	program, device := targetProgram(t)
	prefix := filepath.Join(t.TempDir(), "profile")
	if _, printed, code := trial(t, program, append(device.Env(2, ""), "OPARI_PROFILE="+prefix),
		"regions", "10"); printed != "" || code != 0 {
		t.Fatal(code, printed)
	}
	files, _ := filepath.Glob(prefix + ".*")
	if len(files) != 1 {
		t.Fatal(files)
	}
	text, _ := os.ReadFile(files[0])
	var line string
	for l := range strings.Lines(string(text)) {
		if strings.Contains(l, `"moving":`) {
			line = l
		}
	}
	for _, want := range []string{`"kernels":10`, `"to":4000`, `"from":4000`, `"in_place":0`} {
		if !strings.Contains(line, want) {
			t.Errorf("no %s in %s", want, line)
		}
	}
	if strings.Contains(line, `"moving":0,`) || strings.Contains(line, `"moving":0}`) {
		t.Error("no time of copying in", line)
	}
}
