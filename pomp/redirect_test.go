package pomp

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"opari/internal/expensive"
	"opari/internal/offload"
)

// way is one way to use the shared library, with the options to link and the environment.
type way struct {
	name      string
	libs, env []string
}

func ways(t *testing.T) []way {
	t.Helper()
	lib := library(t)
	preload := []string{"LD_PRELOAD=" + lib.Shared()}
	return []way{
		{"linked", lib.Libs(true), nil},
		{
			"linked behind the runtime",
			slices.Concat([]string{"-Wl,--no-as-needed", "-lgomp"}, lib.Libs(true)), nil,
		},
		{"preloaded", nil, preload},
		{"preloaded, lazy", []string{"-Wl,-z,lazy"}, preload},
		{"preloaded, bound for good", []string{"-Wl,-z,relro", "-Wl,-z,now"}, preload},
		{"preloaded, without a table of calls", []string{"-fno-plt"}, preload},
		{"preloaded, at a fixed address", []string{"-no-pie"}, preload},
		{"preloaded, and linked", lib.DynamicLibs(), preload},
	}
}

// TestRedirected requires that a tool gets the same events from the shared library as from the
// library in the program. It covers the initial device and a device with its own memory.
func TestRedirected(t *testing.T) {
	expensive.Compilers(t)
	tool, away := deviceTool(t, 1), deviceTool(t, 0, "-DAPART=1")
	device, err := offload.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range ways(t) {
		t.Run(way.name, func(t *testing.T) {
			notes, printed, code := trial(t, compileProgram(t, "targets", way.libs...),
				append(way.env, "OMP_TOOL_LIBRARIES="+tool), "each")
			if notes != eachConstruct || printed != "" || code != 0 {
				t.Errorf("exit code %d, printed %q, noted:\n%swant:\n%s", code, printed, notes,
					eachConstruct)
			}
			program := compileProgram(t, "targets", slices.Concat(device.Flags(), way.libs)...)
			env := slices.Concat(way.env, device.Env(1, ""), []string{"OMP_TOOL_LIBRARIES=" + away})
			const n = 300
			want := fmt.Sprintf("target %d data_op %d submit %d map %d\nnative 0 %d 0 0\nerrors "+
				"0\n", 2*n, 4*n, n, n, n)
			if notes, printed, code := trial(t, program, env, "regions",
				fmt.Sprint(n)); notes != want || printed != "" || code != 0 {
				t.Errorf("on a device: exit code %d, printed %q, noted:\n%swant:\n%s", code,
					printed, notes, want)
			}
		})
	}
}

// TestRedirectedOnlyWhereWanted requires that the program calls its runtime directly where
// nothing is measured.
func TestRedirectedOnlyWhereWanted(t *testing.T) {
	program, preload := compileProgram(t, "redirected"), "LD_PRELOAD="+library(t).Shared()
	for _, c := range []struct {
		env  []string
		want string
	}{
		{nil, "0\n"},
		{[]string{preload}, "0\n"},
		{[]string{preload, "OPARI=off", "OPARI_PROFILE=" + filepath.Join(t.TempDir(), "p")}, "0\n"},
		{[]string{preload, "OPARI=state"}, "3\n"},
	} {
		if _, printed, code := trial(t, program, c.env); printed != c.want || code != 0 {
			t.Errorf("%v: exit code %d, printed %q, want %q", c.env, code, printed, c.want)
		}
	}
}

// TestNotRedirected requires that a program with another runtime keeps calling it. An object
// whose runtime the loader finds only for the object itself is not measured, because the library
// would call another copy of the runtime. If the runtime is preloaded too, the object is
// measured.
func TestNotRedirected(t *testing.T) {
	expensive.Compilers(t)
	tool := deviceTool(t, 1, "-DTEXT")
	env := []string{
		"LD_PRELOAD=" + library(t).Shared(), "OMP_TOOL_LIBRARIES=" + tool,
		"OPARI_OMPT=bridge",
	}
	loaded := compileProgram(t, "targets", "-shared", "-fPIC", "-Dmain=loaded")
	host := filepath.Join(t.TempDir(), "host")
	command(t, "gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", host, "testdata/host.c")
	if notes, printed, code := trial(t, host, env, loaded, "each"); notes != "" ||
		printed != "" || code != 0 {
		t.Errorf("loaded: exit code %d, printed %q, noted:\n%s", code, printed, notes)
	}
	beside := []string{env[0] + ":libgomp.so.1", "OMP_TOOL_LIBRARIES=" + deviceTool(t, 1), env[2]}
	if notes, printed, code := trial(t, host, beside, loaded, "each"); notes != eachConstruct ||
		printed != "" || code != 0 {
		t.Errorf("loaded beside the runtime: exit code %d, printed %q, noted:\n%s", code,
			printed, notes)
	}
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: not tried with its runtime")
	}
	other := filepath.Join(t.TempDir(), "other")
	command(t, "clang-19", "-O1", "-fopenmp", "-Isrc", "-o", other, "testdata/redirected.c")
	if _, printed,
		code := trial(t, other, []string{env[0], "OPARI=state"}); printed != "0\n" || code != 0 {
		t.Errorf("clang: exit code %d, printed %q", code, printed)
	}
}
