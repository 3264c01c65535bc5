package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/offload"
	"opari/pomp"
)

// TestTargetsOnDevices runs the programs with constructs of the target family on devices with
// memory of their own: every sixth program, or all with OPARI_ALL.
//
// Their results must be the plain ones. Each execution of a construct that the profile counts
// must be reported and recorded. The reported data operations and kernels must be those that the
// devices executed.
func TestTargetsOnDevices(t *testing.T) {
	device, err := offload.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tool := targetsTool(t)
	for _, s := range []*suite{suiteC, suiteCxx, suiteFortran} {
		discreteTargets(t, s, some(s.withTargets(t), 6), tool, device)
	}
}

func discreteTargets(t *testing.T, s *suite, programs []Program, tool string,
	device offload.Device,
) {
	t.Helper()
	w, plain := Wrapper(opariBinary, s.compiler, filepath.Join(t.TempDir(), "coverage")),
		Plain(s.compiler)
	outcomes, constructs, ran := make([]offload.Outcome, len(programs)), make([]int, len(programs)),
		make([]bool, len(programs))
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
		counts, profile, log := filepath.Join(dir, "counts"), filepath.Join(dir, "profile"),
			filepath.Join(dir, "log")
		local.Env = slices.Concat(device.Env(1, log), []string{
			"OMP_TOOL_LIBRARIES=" + tool,
			"OPARI_TARGETS=" + counts, "OPARI_PROFILE=" + profile,
		})
		if r := local.Try(&p, dir); r.Class != Pass {
			t.Errorf("%s: %s on a device: %s", p.ID, r.Class, r.Why)
			return
		}
		_, constructs[i] = targetsCounted(t, &p, counts, profile)
		ran[i] = true
		text, _ := os.ReadFile(log)
		outcomes[i] = offload.Compare(string(text))
		if m := outcomes[i].Mistakes; len(m) != 0 {
			t.Errorf("%s: what was reported is not what the device did: %s", p.ID,
				strings.Join(m[:min(len(m), 5)], "; "))
		}
	})
	done, reported, sum, n := 0, 0, 0, 0
	for i, o := range outcomes {
		if ran[i] {
			n++
		}
		done, reported, sum = done+o.Done, reported+o.Reported, sum+constructs[i]
	}
	t.Logf("%s: %d programs of %d that have target constructs run on the device; %d constructs, "+
		"%d operations and kernels reported; %d kernels and copies back of the device",
		s.compiler, n, len(programs), sum, reported, done)
}

// TestTargetsPreloaded links the programs with constructs of the target family with the bare
// compiler and preloads the library: every twelfth program, or all with OPARI_ALL.
//
// A tool must get as many events of each kind as in the same program linked by `opari cc`. The
// devices are the initial one and one with memory of its own.
func TestTargetsPreloaded(t *testing.T) {
	device, err := offload.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lib, err := pomp.Build([]string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	tool := targetsTool(t)
	for _, s := range []*suite{suiteC, suiteCxx, suiteFortran} {
		linked, preloaded := Wrapper(opariBinary, s.compiler, os.DevNull), Wrapper(opariBinary,
			s.compiler, os.DevNull)
		preloaded.Name, preloaded.Link = "opari cc, linked bare", []string{s.compiler}
		programs := some(s.withTargets(t), 12)
		reported := make([]int, len(programs))
		each(t, len(programs), func(i int, dir string) {
			p := programs[i]
			p.Flags = slices.Concat(p.Flags, device.Flags())
			for devices := range 2 {
				env := append(device.Env(devices, ""), "OMP_TOOL_LIBRARIES="+tool)
				reported[i] += targetsAlike(t, &p, filepath.Join(dir, fmt.Sprint(devices)), *linked,
					*preloaded, env, lib.Shared())
			}
		})
		sum := 0
		for _, n := range reported {
			sum += n
		}
		t.Logf("%s: %d programs, %d constructs, operations and kernels reported of both",
			s.compiler, len(programs), sum)
	}
}

// targetsAlike runs a program both ways below dir and returns the number of events; 0 if the
// program fails as `opari cc` links it.
func targetsAlike(t *testing.T, p *Program, dir string, linked, preloaded Way, env []string,
	lib string,
) int {
	t.Helper()
	counted := func(w *Way, name string, more ...string) (string, Result) {
		folder := filepath.Join(dir, name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Error(err)
		}
		counts := filepath.Join(folder, "counts")
		w.Env = slices.Concat(env, more, []string{
			"OPARI_TARGETS=" + counts,
			"OPARI_PROFILE=" + filepath.Join(folder, "profile"),
		})
		r := w.Try(p, folder)
		if r.Class != Pass {
			return "", r
		}
		reported, _ := targetsCounted(t, p, counts, filepath.Join(folder, "profile"))
		text, _ := os.ReadFile(counts)
		return fmt.Sprint(reported, " ", string(text)), r
	}
	want, r := counted(&linked, "linked")
	if r.Class != Pass {
		t.Logf("%s: %s: %s", p.ID, r.Class, r.Why)
		return 0
	}
	got, r := counted(&preloaded, "preloaded", "LD_PRELOAD="+lib)
	if r.Class != Pass || got != want {
		t.Errorf("%s: %s %s preloaded; reported %q, linked %q", p.ID, r.Class, r.Why, got, want)
	}
	reported := 0
	_, _ = fmt.Sscan(got, &reported)
	return reported
}
