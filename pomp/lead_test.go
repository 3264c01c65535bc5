package pomp

import (
	"fmt"

	"slices"

	"testing"

	"opari/internal/offload"
)

// led are the ways to the shared library, with the options to link and the environment.
func led(t *testing.T) []struct {
	name       string
	libs, env  []string
	preloading bool
} {
	t.Helper()
	lib := library(t)
	preload := []string{"LD_PRELOAD=" + lib.Shared()}
	return []struct {
		name       string
		libs, env  []string
		preloading bool
	}{
		{"linked", lib.Libs(true), nil, false},
		{"linked behind the runtime", slices.Concat([]string{"-Wl,--no-as-needed", "-lgomp"}, lib.Libs(true)), nil, false},
		{"preloaded", nil, preload, true},
		{"preloaded, lazy", []string{"-Wl,-z,lazy"}, preload, true},
		{"preloaded, bound for good", []string{"-Wl,-z,relro", "-Wl,-z,now"}, preload, true},
		{"preloaded, without a table of calls", []string{"-fno-plt"}, preload, true},
		{"preloaded, at a fixed address", []string{"-no-pie"}, preload, true},
		{"preloaded, and linked", lib.DynamicLibs(), preload, true},
	}
}

// Of the shared library a tool hears what it hears of the one that is part of the program, on the initial device and on one with memory of its own.
func TestLed(t *testing.T) {
	tool, away := deviceTool(t, 1), deviceTool(t, 0, "-DAPART=1")
	device, err := offload.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range led(t) {
		t.Run(way.name, func(t *testing.T) {
			notes, printed, code := trial(t, compileProgram(t, "targets", way.libs...), append(way.env, "OMP_TOOL_LIBRARIES="+tool), "each")
			if notes != eachConstruct || printed != "" || code != 0 {
				t.Errorf("exit code %d, printed %q, noted:\n%swant:\n%s", code, printed, notes, eachConstruct)
			}
			program := compileProgram(t, "targets", slices.Concat(device.Flags(), way.libs)...)
			env := slices.Concat(way.env, device.Env(1, ""), []string{"OMP_TOOL_LIBRARIES=" + away})
			const n = 300
			want := fmt.Sprintf("target %d data_op %d submit %d map %d\nnative 0 %d 0 0\nerrors 0\n", 2*n, 4*n, n, n, n)
			if notes, printed, code := trial(t, program, env, "regions", fmt.Sprint(n)); notes != want || printed != "" || code != 0 {
				t.Errorf("on a device: exit code %d, printed %q, noted:\n%swant:\n%s", code, printed, notes, want)
			}
		})
	}
}
