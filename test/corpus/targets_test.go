package corpus

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var targetDirective = regexp.MustCompile(`(?im)^\s*(#\s*pragma|[!c*]\$)\s*omp\s+(?:target|begin\s+target)\b`)

// TestTargets runs the programs with constructs of the target family under a tool that traces
// devices. Their results must be the plain ones. Each execution of a construct that the profile
// counts must be reported and recorded, and so must kernels and operations on data.
func TestTargets(t *testing.T) {
	tool := targetsTool(t)
	for _, s := range []*suite{suiteC, suiteCxx, suiteFortran} {
		targetsReported(t, s, s.withTargets(t), tool)
	}
}

func targetsTool(t *testing.T) string {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "targets.so")
	source, err := filepath.Abs("testdata/targets/tool.c")
	if err != nil {
		t.Fatal(err)
	}
	if o := Execute(t.TempDir(), nil, buildLimit, "gcc", "-shared", "-fPIC", "-O1", "-Wall",
		"-Wextra", "-Werror", "-o", tool, source); !o.OK() {
		t.Fatal(o.Output)
	}
	return tool
}

// withTargets returns the programs of the suite that have constructs of the target family.
func (s *suite) withTargets(t *testing.T) []Program {
	t.Helper()
	var programs []Program
	for _, p := range s.runnable(t) {
		if text, err := os.ReadFile(p.Path); err == nil && p.Kind == "run" &&
			targetDirective.Match(text) {
			programs = append(programs, p)
		}
	}
	return programs
}

func targetsReported(t *testing.T, s *suite, programs []Program, tool string) {
	t.Helper()
	w := Wrapper(opariBinary, s.compiler, os.DevNull)
	reported, constructs := make([]int, len(programs)), make([]int, len(programs))
	each(t, len(programs), func(i int, dir string) {
		p := &programs[i]
		local := *w
		counts, profile := filepath.Join(dir, "counts"), filepath.Join(dir, "profile")
		local.Env = []string{
			"OMP_TOOL_LIBRARIES=" + tool, "OPARI_TARGETS=" + counts,
			"OPARI_PROFILE=" + profile,
		}
		if r := local.Try(p, dir); r.Class != Pass {
			t.Errorf("%s: %s under a tool that traces devices: %s", p.ID, r.Class, r.Why)
			return
		}
		reported[i], constructs[i] = targetsCounted(t, p, counts, profile)
	})
	events, sum := 0, 0
	for i := range reported {
		events += reported[i]
		sum += constructs[i]
	}
	t.Logf("%s: %d programs, %d constructs, %d events with operations and kernels", s.compiler,
		len(programs), sum, events)
}

// targetsCounted compares the tool's counts with the profile. It returns the number of events
// that the tool got, and of constructs.
func targetsCounted(t *testing.T, p *Program, counts, profile string) (reported, constructs int) {
	t.Helper()
	text, _ := os.ReadFile(counts)
	var n [10]int
	for j, field := range strings.Fields(string(text)) {
		_, _ = fmt.Sscan(field, &n[j])
	}
	want := targetsExecuted(t, profile)
	if n[0] != n[1] || 2*n[0] != n[2] || n[0] != want || n[3] != n[4] || n[3] != n[5] ||
		n[6] != n[7] || n[6] != n[8] || n[9] != 0 {
		t.Errorf("%s: %d constructs in the profile; reported, ended, recorded: constructs "+
			"%v (with two records each), operations %v, kernels %v; %d mistakes",
			p.ID, want, n[0:3], n[3:6], n[6:9], n[9])
	}
	return n[0] + n[3] + n[6], want
}

// targetsExecuted returns how often the constructs of the target family were executed, by the
// profiles of a program and its children. A target data construct counts as an entry and an exit.
func targetsExecuted(t *testing.T, prefix string) int {
	t.Helper()
	files, _ := filepath.Glob(prefix + ".*")
	sum := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		weight, paths := map[int]int{}, map[int]int{}
		for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
			var l struct {
				Region, Path, Thread, Count *int
				Kind                        string
			}
			if json.Unmarshal(lines.Bytes(), &l) != nil {
				continue
			}
			switch {
			case l.Thread != nil && l.Path != nil && l.Count != nil:
				sum += *l.Count * weight[paths[*l.Path]]
			case l.Path != nil && l.Region != nil:
				paths[*l.Path] = *l.Region
			case l.Kind == "target data":
				weight[*l.Region] = 2
			case strings.HasPrefix(l.Kind, "target"):
				weight[*l.Region] = 1
			}
		}
	}
	return sum
}
