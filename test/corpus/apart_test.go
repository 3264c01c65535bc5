package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/offload"
)

// TestTargetsApart runs the programs with constructs of the target family on devices with memory of their own: their results are as plain, each execution of
// a construct that the profile counts is told and recorded, and what is told of data and kernels is what the devices did. Every sixth program, all with
// OPARI_ALL set.
func TestTargetsApart(t *testing.T) {
	device, err := offload.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tool := targetsTool(t)
	for _, s := range []*suite{suiteC, suiteCxx, suiteFortran} {
		targetsApart(t, s, some(s.withTargets(t), 6), tool, device)
	}
}

func targetsApart(t *testing.T, s *suite, programs []Program, tool string, device offload.Device) {
	t.Helper()
	w, plain := Wrapper(opariBinary, s.compiler, filepath.Join(t.TempDir(), "coverage")), Plain(s.compiler)
	outcomes, constructs, ran := make([]offload.Outcome, len(programs)), make([]int, len(programs)), make([]bool, len(programs))
	each(t, len(programs), func(i int, dir string) {
		p := programs[i]
		p.Flags = slices.Concat(p.Flags, device.Flags())
		bare, folder := *plain, filepath.Join(dir, "plain")
		bare.Env = device.Env(1, "")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Error(err)
		}
		if r := bare.Try(&p, folder); r.Class != Pass {
			t.Logf("%s: %s without us: %s", p.ID, r.Class, r.Why)
			return
		}
		local := *w
		counts, profile, log := filepath.Join(dir, "counts"), filepath.Join(dir, "profile"), filepath.Join(dir, "log")
		local.Env = slices.Concat(device.Env(1, log), []string{"OMP_TOOL_LIBRARIES=" + tool, "OPARI_TARGETS=" + counts, "OPARI_PROFILE=" + profile})
		if r := local.Try(&p, dir); r.Class != Pass {
			t.Errorf("%s: %s on a device: %s", p.ID, r.Class, r.Why)
			return
		}
		_, constructs[i] = targetsCounted(t, &p, counts, profile)
		ran[i] = true
		text, _ := os.ReadFile(log)
		outcomes[i] = offload.Compare(string(text))
		if m := outcomes[i].Mistakes; len(m) != 0 {
			t.Errorf("%s: what was told is not what the device did: %s", p.ID, strings.Join(m[:min(len(m), 5)], "; "))
		}
	})
	done, told, sum, n := 0, 0, 0, 0
	for i, o := range outcomes {
		if ran[i] {
			n++
		}
		done, told, sum = done+o.Done, told+o.Told, sum+constructs[i]
	}
	t.Logf("%s: %d programs of %d that have target constructs run on the device; %d constructs, %d operations and kernels told; %d kernels and copies back of the device",
		s.compiler, n, len(programs), sum, told, done)
}
