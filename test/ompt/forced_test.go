package ompt

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestForcedBridge checks the bridge where a variable makes it provide the interface although the
// runtime has it. A tool, wherever it is, starts once and gets no event twice. The program's
// environment must stay unchanged.
func TestForcedBridge(t *testing.T) {
	k := setup(t)
	tool, program := filepath.Join(k.dir, "frames.so"), filepath.Join(k.dir, "works")
	include := "-I" + filepath.Join(k.dir, "include")
	output(t, "gcc", "-shared", "-fPIC", "-O1", "-w", include, "-o", tool, "testdata/frames.c")
	output(t, k.opari, "cc", "clang-19", "-fopenmp", "-O1", "testdata/works.c", "-o", program)
	within := program + "_tool"
	output(t, k.opari, "cc", "clang-19", "-fopenmp", "-O1", "-w", include, "testdata/works.c",
		"testdata/frames.c", "-rdynamic", "-o", within)
	for _, provider := range []string{"bridge", "native", "off"} {
		for _, c := range []struct {
			program, libraries, preload,
			setting string
		}{
			{program, tool, "", ""},
			{program, tool, "", "enabled"},
			{program, "", tool, ""},
			{within, "", "", "enabled"},
		} {
			t.Run(provider+" "+filepath.Base(c.program)+" "+filepath.Base(c.libraries)+" "+
				c.setting, func(t *testing.T) {
				arguments := []string{"60", "env", "OPARI_OMPT=" + provider, "OMP_TOOL_LIBRARIES=" +
					c.libraries, "LD_PRELOAD=" + c.preload, "OMP_NUM_THREADS=3"}
				if c.setting != "" {
					arguments = append(arguments, "OMP_TOOL="+c.setting)
				}
				out, err := exec.Command("timeout",
					append(arguments, c.program, c.setting)...).CombinedOutput()
				if n := strings.Count(string(out), "acquired_critical"); err != nil || n != 12 {
					t.Errorf("%v: %d critical sections, not 12\n%.300s", err, n, out)
				}
			})
		}
	}
}
