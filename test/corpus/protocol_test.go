package corpus

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/pomp"
)

// libompBreaks lists the rules that LLVM's runtime (19) breaks, and how. It keeps all others over
// the entire corpus.
var libompBreaks = map[string]string{
	"code_pair":     "ends without a code pointer, after a taskwait outside of regions",
	"frame_enter":   "teams and regions of one thread begin without an enter frame",
	"frame_exit":    "none in teams on the host",
	"frame_flags":   "0 in the initial task, never set in regions of one thread",
	"frame_order":   "in teams on the host",
	"info_ancestor": "as info_task; levels by what the thread ran, not by what created the task",
	"info_region":   "as info_task",
	"info_switch":   "while a task that was discarded ends",
	"info_task": "a worker ends its last barrier when it has left the region, or is in the " +
		"next one",
	"region_pair": "in teams on the host",
	"scope_open":  "the end of masked is missing where teams lie in target",
	"state_set": "the state is set behind the begin and taken back before the end, or not at " +
		"all",
	"state_work": "work_parallel stays behind regions and tasks of one thread",
	"task_current": "tasks that are discarded complete without having begun; untied ones are " +
		"switched from what does not run",
	"task_data":    "in teams on the host",
	"task_region":  "in teams on the host",
	"team_size":    "in teams on the host; indexes change in nested regions",
	"thread_first": "a thread of the user's that fulfills an event has no thread_begin",
	"thread_open":  "as thread_first",
}

// libompFollows maps rules that LLVM's runtime seems to break to those that it has broken before.
//
// If the switch between untied tasks names a task that does not run, the checker takes the wrong
// one for the current task. A scope that ends in the right one then has no begin there. It
// depends on which thread takes the task, and happens in one of some dozen runs.
var libompFollows = map[string]string{"scope_pair": "task_current"}

// libompHangs are programs that never end on LLVM's runtime (19), with a tool or without. Threads
// wait in a barrier for others that a cancel has taken past it. Each program would take its full
// time limit.
var libompHangs = []string{
	"libgomp.c/cancel-parallel-3.c",
	"libgomp.c-c++-common/cancel-parallel-1.c",
}

// libompExcuses reports whether v's violation of rule is a known fault of LLVM's runtime.
func libompExcuses(v *verdict, rule string) bool {
	first := libompFollows[rule]
	return libompBreaks[rule] != "" || first != "" && v.counts[first] > 0
}

// TestProtocol runs every third program, or all with OPARI_ALL, on GCC's runtime with our library,
// under the tool that checks the protocol of OMPT.
func TestProtocol(t *testing.T) { keepsProtocol(t, suiteC, some(suiteC.runnable(t), 3)) }

func keepsProtocol(t *testing.T, s *suite, programs []Program) {
	t.Helper()
	w := Wrapper(opariBinary, s.compiler, os.DevNull)
	if probe := protocol(t, w, programs[:min(10, len(programs))]); probe.started == 0 {
		t.Fatal("none of ten programs started the checker")
	}
	all := protocol(t, w, programs)
	all.report(t, w.Name)
	all.complain(t)
}

// TestProtocolPreloaded links the programs with the bare compiler and preloads the library: every
// twelfth program, or all with OPARI_ALL.
func TestProtocolPreloaded(t *testing.T) {
	lib, err := pomp.Build([]string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*suite{suiteC, suiteFortran} {
		w := Wrapper(opariBinary, s.compiler, os.DevNull)
		w.Name, w.Link, w.Env = "opari cc, preloaded", []string{s.compiler},
			[]string{"LD_PRELOAD=" + lib.Shared()}
		all := protocol(t, w, some(s.runnable(t), 12))
		all.report(t, w.Name)
		all.complain(t)
	}
}

// complain reports each program that fails under the checker, and each violation.
func (all *verdicts) complain(t *testing.T) {
	t.Helper()
	for _, v := range all.verdicts {
		if v.result.Class != Pass {
			t.Errorf("%s: %s under the checker: %s", v.id, v.result.Class, v.result.Why)
			continue
		}
		for _, line := range v.violations {
			t.Errorf("%s: %s", v.id, line)
		}
	}
}

// checkerEnv returns the environment in which the checker of OMPT's protocol writes to file.
func checkerEnv(file string) []string {
	// One program has two hundred million events, all of one recursion. Two million took the
	// checker a minute on a busy machine.
	return []string{
		"OPARI_OMPT_CHECK=" + file, "OMP_WAIT_POLICY=passive",
		"OPARI_OMPT_CHECK_EVENTS=300000",
	}
}

// TestProtocolNative runs programs on LLVM's runtime, which implements OMPT itself. It tests the
// checker with a provider that is not ours; every fifth program suffices.
func TestProtocolNative(t *testing.T) {
	programs := suiteC.runnable(t)
	if os.Getenv("OPARI_ONLY") == "" {
		programs = everyNth(programs, 5)
		programs = slices.DeleteFunc(programs, func(p Program) bool {
			return slices.Contains(libompHangs, p.ID)
		})
	}
	all := protocol(t, Plain("clang-19"), programs)
	all.report(t, "clang-19")
	for _, v := range all.verdicts {
		for _, line := range v.violations {
			rule, _, _ := strings.Cut(line, ":")
			if !libompExcuses(&v, rule) && v.result.Class == Pass {
				t.Errorf("%s: %s", v.id, line)
			}
		}
	}
	if all.started < 40 && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d of %d programs started the checker", all.started, len(programs))
	}
}

// verdict is the checker's result for one program.
type verdict struct {
	id         string
	result     Result
	started    bool
	ended      bool // the checker wrote its last line
	events     int
	violations []string
	counts     map[string]int // by rule
}

type verdicts struct {
	verdicts []verdict
	started  int
}

// protocol builds and runs programs under the checker.
func protocol(t *testing.T, w *Way, programs []Program) verdicts {
	t.Helper()
	tool, err := pomp.BuildTool(pomp.ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	all := verdicts{verdicts: make([]verdict, len(programs))}
	each(t, len(programs), func(i int, dir string) {
		file := filepath.Join(dir, "violations")
		local := *w
		local.Env = slices.Concat(w.Env, checkerEnv(file), []string{"OMP_TOOL_LIBRARIES=" + tool})
		v := verdict{
			id: programs[i].ID, result: local.Try(&programs[i], dir),
			counts: map[string]int{},
		}
		if strings.HasPrefix(w.Name, "opari") {
			// The file has the violations of the first run as well.
			v.result = tryAgain(&local, &programs[i], dir, v.result)
		}
		if text, err := os.ReadFile(file); err == nil {
			v.read(string(text))
		}
		if w.Name != "clang-19" {
			v.forgive(&programs[i])
		}
		all.verdicts[i] = v
	})
	all.count()
	return all
}

// count counts the programs that pass and started the checker.
func (all *verdicts) count() {
	for _, v := range all.verdicts {
		if v.started && v.result.Class == Pass {
			all.started++
		}
	}
}

// spoilsPool matches constructs that spoil the thread pool of GCC's runtime: if another parallel
// region follows outside of any region, the runtime hangs. It does so in the plain program, too,
// with MALLOC_PERTURB_=1 or OMP_WAIT_POLICY=passive, because it reads memory that it has not set,
// or has freed.
//
// After such constructs the library adds no region (pomp_rule_out_pool). So the threads of the pool
// end with the process, without an event.
var spoilsPool = regexp.MustCompile(`(?i)\breduction *\( *task\b|\btask_reduction *\(|taskloop.*[^_]reduction *\(|\btarget\b.*\bnowait\b`)

// forgive removes the violations that follow from spoilsPool.
func (v *verdict) forgive(p *Program) {
	text, err := os.ReadFile(p.Path)
	if err != nil || !spoilsPool.Match(text) {
		return
	}
	v.violations = slices.DeleteFunc(v.violations,
		func(line string) bool { return strings.HasPrefix(line, "thread_open:") })
	delete(v.counts, "thread_open")
}

// read reads the lines of the checker, which ompt_check.c lists.
func (v *verdict) read(text string) {
	for line := range strings.Lines(text) {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var n int
		switch first {
		case "started":
			v.started = true
		case "violation":
			v.violations = append(v.violations, rest)
		case "total":
			rule, _, _ := strings.Cut(rest, " ")
			_, _ = fmt.Sscanf(rest, rule+" %d", &n)
			v.counts[rule] += n
		case "finalized", "exited":
			v.ended = true
			_, _ = fmt.Sscanf(rest, "%d", &n)
			v.events += n
		}
	}
}

// report logs how many programs break which rule, with an example, and the results of the
// programs.
func (all *verdicts) report(t *testing.T, name string) {
	t.Helper()
	programs, counts, example := map[string]int{}, map[string]int{}, map[string]string{}
	classes := map[Class]int{}
	events, clean, open := 0, 0, 0
	for _, v := range all.verdicts {
		classes[v.result.Class]++
		if v.result.Class != Pass {
			continue // a program that aborts leaves much open
		}
		events += v.events
		if v.started && len(v.violations) == 0 {
			clean++
		}
		if v.started && !v.ended {
			open++
		}
		for rule, n := range v.counts {
			programs[rule]++
			counts[rule] += n
		}
		for _, line := range v.violations {
			rule, _, _ := strings.Cut(line, ":")
			example[rule] = cmp.Or(example[rule], v.id+": "+line)
		}
	}
	t.Logf("%s: %d programs, %d started the checker, %d events, %d without a violation, %d "+
		"without a last line; %v", name,
		len(all.verdicts), all.started, events, clean, open, classes)
	for _, rule := range slices.Sorted(maps.Keys(programs)) {
		t.Logf("%-15s %4d programs, %7d times, as in %s", rule, programs[rule], counts[rule],
			example[rule])
	}
}
