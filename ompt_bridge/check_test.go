package ompt_bridge

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// words are the names of enumerators in the scripts for testdata/provider.c.
var words = strings.NewReplacer(
	" initial_thread ", " 1 ", " worker ", " 2 ", " initial ", " 1 ", " implicit ", " 2 ",
	" explicit ", " 4 ", " team ", " 0x80000002 ",
	" begin ", " 1 ", " end ", " 2 ", " target_task ", " 8 ", " target ", " 1 ",
	" target_nowait ", " 9 ",
	" loop_static ", " 10 ", " sections ", " 2 ", " explicit_barrier ", " 3 ", " taskwait ", " 5 ",
	" final_barrier ", " 9 ",
	" critical ", " 5 ", " lock ", " 1 ", " test_lock ", " 2 ", " nest ", " 3 ",
	" complete ", " 1 ", " early_fulfill ", " 5 ", " switch ", " 7 ", " cancelled ", " 3 ",
	" work_serial ", " 0 ", " work_parallel ", " 1 ", " wait_final ", " 0x11 ", " wait_explicit ",
	" 0x14 ", " wait_taskwait ", " 0x20 ",
	" wait_lock ", " 0x41 ", " wait_critical ", " 0x42 ", " idle ", " 0x100 ",
	" overhead ", " 0x101 ",
)

// serial returns a program that does body outside of all regions.
func serial(body string) string {
	return `0 thread_begin initial_thread T0
0 implicit_task begin P0 I 1 1 initial
` + body + `
0 implicit_task end null I 0 1 initial
0 thread_end T0
finalize`
}

// team returns a program with a region p1 of two threads that do body.
func team(body string) string {
	return serial(`0 parallel_begin I 1 p1 2 team 7
0 implicit_task begin p1 t0 2 0 implicit
1 thread_begin worker T1
1 implicit_task begin p1 t1 2 1 implicit
` + body + barrier("0", "t0") + barrier("1", "t1") + `
0 implicit_task end null t0 2 0 implicit
1 implicit_task end null t1 0 1 implicit
1 thread_end T1
0 parallel_end p1 I team 7`)
}

func barrier(thread, task string) string {
	return strings.NewReplacer("N ", thread+" ", "T ", task+" ").Replace(`
N sync_region final_barrier begin p1 T 7
N state wait_final
N sync_region_wait final_barrier begin p1 T 7
N sync_region_wait final_barrier end null T 7
N sync_region final_barrier end null T 7
N state overhead`)
}

// instead returns the program of a team in which new replaces old.
func instead(old, new string) string {
	if !strings.Contains(team(""), old) {
		panic(old)
	}
	return strings.ReplaceAll(team(""), old, new)
}

const task = "0 task_create t0 1 e1 explicit 0 7\n0 task_schedule t0 switch e1\n0 task_schedule " +
	"e1 complete t0\n"

// device returns the program of a team that does body, with a device.
func device(body string) string {
	return team("0 device_initialize 0\n" + body + "\n0 device_finalize 0\n")
}

// construct is a target region, deferred one of a target task.
const (
	construct = `0 target_emi target begin 0 t0 null_task g1 7
0 map_emi g1 2
0 data_op_emi begin g1 3 1 0 0 8
0 data_op_emi end g1 3 1 0 0 8
0 submit_emi begin g1 4
0 submit_emi end g1 4
0 target_emi target end 0 t0 null_task g1 7`
	deferred = `0 task_create t0 1 e9 target_task 0 7
0 task_schedule t0 switch e9
0 target_emi target_nowait begin 0 t0 e9 g9 7
0 submit_emi begin g9 4
0 submit_emi end g9 4
0 target_emi target_nowait end 0 t0 e9 g9 7
0 task_schedule e9 complete t0`
)

// planted breaks each rule once. Where one mistake must break further rules, these are named.
var planted = []struct {
	rules  string
	script string
}{
	{"thread_first", serial("0 thread_begin initial_thread T0")},
	{"thread_first thread_open", serial("1 flush null 7")},
	{"thread_last", strings.Replace(serial(""), "finalize", "0 flush T0 7\nfinalize", 1)},
	{"thread_open", serial("1 thread_begin worker T1")},
	{"thread_data", serial("0 set T0 data 5\n0 flush T0 7")},
	{"thread_data", serial("0 set T1 data 5\n1 thread_begin worker T1\n1 thread_end T1")},
	{"thread_data", serial("0 flush I 7")},
	{"region_data", "0 set p1 data 9\n" + team("")},
	{"region_data", strings.ReplaceAll(serial(""), "P0", "null")},
	{"region_pair", instead("parallel_end p1 I team", "parallel_end p1 I 0x80000001")},
	{"region_pair scope_pair", strings.Replace(team(""), "0 parallel_end p1 I team 7",
		"0 parallel_end p1 I team 7\n0 parallel_end p1 I team 7", 1)},
	{"region_flags", instead(" team ", " 0x80000003 ")},
	{"region_flags", instead(" team ", " 2 ")},
	{"team_size", instead("begin p1 t1 2 1", "begin p1 t1 2 0")},
	{"team_size", instead("end null t1 0 1", "end null t1 3 1")},
	{"team_size", instead("end null t0 2 0", "end null t0 2 1")},
	{"task_data", team("0 set e1 data 5\n" + task)},
	{"task_current", team("0 masked begin p1 t1 7\n0 masked end p1 t0 7")},
	{"task_region", team("0 masked begin P0 t0 7\n0 masked end p1 t0 7")},
	{"task_region", team("0 masked begin p1 t0 7\n0 masked end null t0 7")},
	{"task_flags", team(strings.Replace(task, "explicit", "12", 1))},
	{"task_order", team(task + "0 task_schedule t0 switch e1\n0 task_schedule e1 complete t0")},
	{"task_order task_open", team("0 task_create t0 1 e1 explicit 0 7\n0 task_schedule e1 6 " +
		"null\n0 task_create t0 1 e2 explicit 0 7")},
	{"task_thread", team("0 task_create t0 1 e1 explicit 0 7\n0 task_schedule t0 switch e1\n0 " +
		"task_schedule e1 switch t0\n1 task_schedule t1 switch e1\n1 task_schedule e1 complete " +
		"t1")},
	{"task_thread", team("0 task_create t0 1 e1 0x10000004 0 7\n0 task_schedule t0 switch e1\n1 " +
		"task_schedule t1 switch e1\n1 task_schedule e1 switch t1\n0 task_schedule e1 complete " +
		"t0")},
	{"task_team", strings.Replace(team("0 task_schedule t0 switch e1\n0 task_schedule e1 "+
		"complete t0"), "0 parallel_begin",
		"0 task_create I 1 e1 explicit 0 7\n0 parallel_begin", 1)},
	{"task_next", team("0 task_schedule t0 early_fulfill t0")},
	{"task_open", team("0 task_create t0 1 e1 explicit 0 7")},
	{"task_children", team("0 task_create t0 1 e1 explicit 0 7\n0 sync_region taskwait begin p1 " +
		"t0 7\n0 sync_region taskwait end p1 t0 7\n0 task_schedule t0 switch e1\n0 task_schedule " +
		"e1 complete t0")},
	{"task_children", team(someAwaited + "\n0 sync_region taskwait begin p1 t0 7\n0 sync_region " +
		"taskwait end p1 t0 7\n0 task_schedule t0 switch e4\n0 task_schedule e4 complete t0")},
	{"dependences", team(strings.Replace(task, "explicit 0", "explicit 1", 1))},
	{"dependences", team(strings.Replace(task, "\n", "\n0 dependences e1 1 1\n", 1))},
	{
		"scope_pair",
		team("0 masked begin p1 t0 7\n0 work loop_static begin p1 t0 7\n0 masked end p1 t0 7"),
	},
	{"scope_pair", team("0 work loop_static begin p1 t0 7\n0 work sections end p1 t0 7\n0 work " +
		"loop_static end p1 t0 7")},
	{"scope_open", team("0 masked begin p1 t0 7")},
	{"scope_open", team("0 task_create t0 1 e1 explicit 0 7\n0 task_schedule t0 switch e1\n0 " +
		"masked begin p1 e1 7\n0 task_schedule e1 complete t0")},
	{"wait_scope", team("0 state wait_explicit\n0 sync_region_wait explicit_barrier begin p1 t0 " +
		"7\n0 sync_region_wait explicit_barrier end p1 t0 7\n0 state overhead")},
	{"dispatch_scope", team("0 dispatch 2 p1 t0")},
	{
		"dispatch_scope",
		team("0 work sections begin p1 t0 7\n0 dispatch 3 p1 t0\n0 work sections end p1 t0 7"),
	},
	{"endpoint", team("0 masked 4 p1 t0 7")},
	{"endpoint", team("0 sync_region taskwait 3 p1 t0 7")},
	{"kind", team("0 work 9 begin p1 t0 7\n0 work 9 end p1 t0 7")},
	{"code_pair", team("0 masked begin p1 t0 7\n0 masked end p1 t0 0")},
	{"code_pair", instead("parallel_end p1 I team 7", "parallel_end p1 I team 0")},
	{"mutex_order", team("0 mutex_acquired critical 0x10 7\n0 mutex_released critical 0x10 7")},
	{"mutex_order", team("0 mutex_acquire critical 0x10 7\n0 flush T0 7")},
	{"mutex_owner", team("0 mutex_released critical 0x10 7")},
	{"mutex_owner mutex_held", team("0 mutex_acquire critical 0x10 7\n0 mutex_acquired critical " +
		"0x10 7\n1 mutex_released critical 0x10 7")},
	{"mutex_held", team("0 mutex_acquire critical 0x10 7\n0 mutex_acquired critical 0x10 7")},
	{"mutex_held", serial("0 lock_init lock 0x10 7\n0 mutex_acquire lock 0x10 7\n0 " +
		"mutex_acquired lock 0x10 7\n0 lock_destroy lock 0x10 7")},
	{"mutex_nest", serial("0 lock_init nest 0x10 7\n0 mutex_acquire nest 0x10 7\n0 " +
		"mutex_acquired nest 0x10 7\n0 nest_lock end 0x10 7\n0 mutex_released nest 0x10 7")},
	{
		"mutex_nest",
		serial("0 lock_init nest 0x10 7\n0 mutex_acquire nest 0x10 7\n0 nest_lock begin 0x10 7"),
	},
	{"lock_known", serial("0 mutex_acquire lock 0x10 7\n0 mutex_acquired lock 0x10 7\n0 " +
		"mutex_released lock 0x10 7")},
	{"lock_known", serial("0 lock_init lock 0x10 7\n0 lock_destroy nest 0x10 7")},
	{"wait_id", team("0 mutex_acquire critical 0 7\n0 mutex_acquired critical 0 7\n0 " +
		"mutex_released critical 0 7")},
	{"cancel", team("0 cancel t0 0x13 7")},
	{"cancel", team("0 cancel t1 0x12 7")},
	{"state_known", team("0 state 0x55\n0 flush T0 7\n0 state overhead")},
	{"state_work", team("0 state idle\n0 flush T0 7\n0 state overhead")},
	{"state_work", team("0 state work_serial\n0 flush T0 7\n0 state overhead")},
	{"state_work", serial("0 state work_parallel\n0 flush T0 7")},
	{"state_wait", team("0 state wait_explicit\n0 flush T0 7\n0 state overhead")},
	{"state_wait", team("0 state wait_critical 0x10\n0 flush T0 7\n0 state overhead")},
	{"state_set", team("0 sync_region explicit_barrier begin p1 t0 7\n0 sync_region_wait " +
		"explicit_barrier begin p1 t0 7\n0 state wait_explicit\n0 sync_region_wait " +
		"explicit_barrier end p1 t0 7\n0 sync_region explicit_barrier end p1 t0 7\n0 state " +
		"overhead")},
	{"state_set", team("0 state overhead 0x10\n0 mutex_acquire critical 0x10 7\n0 state " +
		"overhead\n0 mutex_acquired critical 0x10 7\n0 mutex_released critical 0x10 7")},
	{"state_set", serial("0 lock_init nest 0x10 7\n0 state work_serial 0x10\n0 mutex_acquire " +
		"nest 0x10 7\n0 mutex_acquired nest 0x10 7\n0 mutex_released nest 0x10 7")},
	{"state_set state_wait", team("0 state wait_lock 0x10\n0 mutex_acquire critical 0x10 7\n0 " +
		"state overhead\n0 mutex_acquired critical 0x10 7\n0 mutex_released critical 0x10 7")},
	{"state_id", team("0 state wait_critical 0x99\n0 mutex_acquire critical 0x10 7\n0 state " +
		"overhead\n0 mutex_acquired critical 0x10 7\n0 mutex_released critical 0x10 7")},
	{"frame_enter", instead("0 parallel_begin I 1", "0 parallel_begin I 0")},
	{"frame_enter", team("0 set t0 enter 0\n" + task)},
	{
		"frame_enter",
		team(strings.Replace(task, "switch e1", "switch e1\n0 set t0 enter 0\n0 flush T0 7", 1)),
	},
	{"frame_exit", team("0 set t0 exit 0\n0 flush T0 7")},
	{"frame_flags", team("0 set t0 exit_flags 2\n0 flush T0 7")},
	{"frame_order", team("0 set t0 exit 0x200000\n0 flush T0 7")},
	{"info_task", team("0 set t0 number 5\n0 flush T0 7\n0 set t0 number 0")},
	{
		"info_task info_ancestor info_region frame_exit",
		team("0 current I\n0 flush T0 7\n0 current t0"),
	},
	{"info_switch", team("0 set t0 number 5\n0 task_create t0 1 e1 explicit 0 7\n0 set t0 number " +
		"0\n0 task_schedule t0 switch e1\n0 task_schedule e1 complete t0")},
	{"info_ancestor", team("0 set t0 parent 0\n0 flush T0 7")},
	{"task_data task_current", serial("0 set I data 0")},
	{"info_ancestor", team("0 set I wild 1\n1 flush T1 7\n0 set I wild 0")},
	{"info_ancestor info_task task_data task_current", team("0 set I data 0\n1 flush T1 7")},
	{"info_task", team("0 set t0 wild 1\n0 flush T0 7\n0 set t0 wild 0")},
	{"info_region", team("0 set p1 size 5\n0 flush T0 7\n0 set p1 size 2")},
	{"target_data", device("0 set g1 data 5\n" + construct)},
	{
		"target_data",
		device(strings.Replace(construct, "submit_emi begin g1", "submit_emi begin g2", 1)),
	},
	{"target_data", device("0 set g3 data 5\n" +
		strings.Replace(construct, "data_op_emi begin g1", "data_op_emi begin g3", 1))},
	{"target_pair", device(strings.Replace(construct, "target_emi target end 0",
		"target_emi target end 1", 1))},
	{
		"target_pair",
		device(strings.Replace(construct, "end 0 t0 null_task g1", "end 0 t0 null_task g2", 1)),
	},
	{"target_pair scope_pair", device(construct + "\n0 target_emi target end 0 t0 null_task g1 7")},
	{
		"scope_pair scope_open",
		device(strings.Replace(construct, "target_emi target end", "target_emi 2 end", 1)),
	},
	{"code_pair", device(strings.Replace(construct, "end 0 t0 null_task g1 7",
		"end 0 t0 null_task g1 0", 1))},
	{"kind", device("0 target_emi 5 begin 0 t0 null_task g1 7\n0 target_emi 5 end 0 t0 null_task " +
		"g1 7")},
	{"target_task", device("0 target_emi target_nowait begin 0 t0 null_task g1 7\n0 target_emi " +
		"target_nowait end 0 t0 null_task g1 7")},
	{"target_task", device("0 target_emi target begin 0 t1 null_task g1 7\n0 target_emi target " +
		"end 0 t1 null_task g1 7")},
	{
		"target_task",
		device("0 target_emi target begin 0 t0 null g1 7\n0 target_emi target end 0 t0 null g1 7"),
	},
	{"target_task", device(strings.Replace(deferred, "target_task 0 7", "explicit 0 7", 1))},
	{"target_scope", device(strings.NewReplacer("target begin", "4 begin", "target end", "4 end",
		"0 map_emi g1 2\n", "").Replace(construct))},
	{"target_scope", device(strings.Replace(construct, "map_emi g1 2", "map_emi g1 0", 1))},
	{
		"operation",
		device(strings.Replace(construct, "data_op_emi end g1 3 1", "data_op_emi end g1 4 1", 1)),
	},
	{"operation", device(strings.ReplaceAll(construct, "g1 3 1 ", "g1 0 1 "))},
	{
		"operation",
		device(strings.Replace(construct, "0 data_op_emi end g1 3", "0 data_op_emi begin g1 4 2 "+
			"0 0 8\n0 data_op_emi end g1 4 2 0 0 8\n0 data_op_emi begin g1 3 1 0 0 8\n0 "+
			"data_op_emi end g1 3", 1)),
	},
	{"operation", device("0 data_op_emi end null 3 1 0 0 8")},
	{"endpoint scope_pair target_pair", device("0 target_emi target 3 0 t0 null_task g1 7\n0 " +
		"target_emi target begin 0 t0 null_task g1 7\n0 target_emi target end 0 t0 null_task g1 " +
		"7")},
	{"device_known", team(construct)},
	{"device_known", device("0 device_initialize 0")},
	{"device_known", team("0 device_finalize 3")},
	{
		"device_known",
		device("0 data_op_emi begin null 3 1 1 2 8\n0 data_op_emi end null 3 1 1 2 8"),
	},
	{
		"finalized thread_open",
		strings.Replace(serial(""), "0 thread_end", "finalize\n0 thread_end", 1),
	},
}

// right is a program without a mistake.
var right = team(`0 state work_parallel
0 work loop_static begin p1 t0 7
0 dispatch 3 p1 t0
0 work loop_static end p1 t0 7
0 work 4 3 p1 t0 7
0 sync_region taskwait begin p1 t0 7
0 task_create t0 1 e1 explicit 1 7
0 dependences e1 1 1
0 task_create t0 1 e2 explicit 1 7
0 dependences e2 1 2
0 task_dependence e1 e2
0 state wait_taskwait
0 sync_region_wait taskwait begin p1 t0 7
0 state work_parallel
0 task_schedule t0 switch e1
0 masked begin p1 e1 7
0 flush T0 7
0 masked end p1 e1 7
0 task_schedule e1 complete t0
0 work 7 begin p1 t0 7
0 task_create t0 1 e3 explicit 0 7
0 work 7 end p1 t0 7
0 task_schedule t0 switch e3
0 dispatch 4 p1 e3
0 task_schedule e3 complete t0
1 task_schedule t1 switch e2
1 task_schedule e2 cancelled t1
0 state wait_taskwait
0 sync_region_wait taskwait end p1 t0 7
0 sync_region taskwait end p1 t0 7
0 state wait_critical 0x10
0 mutex_acquire critical 0x10 7
0 mutex_acquired critical 0x10 7
0 state work_parallel
0 mutex_released critical 0x10 7
0 lock_init nest 0x20 7
0 mutex_acquire 4 0x20 7
0 mutex_acquired nest 0x20 7
0 mutex_acquire nest 0x20 7
0 nest_lock begin 0x20 7
0 nest_lock end 0x20 7
0 mutex_released nest 0x20 7
1 mutex_acquire 4 0x20 7
1 flush T1 7
0 lock_destroy nest 0x20 7
0 cancel t0 0x12 7
` + someAwaited + `
0 task_schedule t0 switch e4
0 task_schedule e4 complete t0
0 state overhead`)

// A taskwait with dependences waits only for what it depends on. An iterator may leave a task
// without dependences.
const someAwaited = `0 task_create t0 1 e4 explicit 1 7
0 dependences e4 1 0
0 sync_region taskwait begin p1 t0 7
0 task_create t0 1 e5 16 1 7
0 dependences e5 1 1
0 task_schedule e5 8 null
0 sync_region taskwait end p1 t0 7`

// The other thread of a region in which exit() is called ends with the process.
const exitInRegion = `0 thread_begin initial_thread T0
0 implicit_task begin P0 I 1 1 initial
0 parallel_begin I 1 p1 2 team 7
0 implicit_task begin p1 t0 2 0 implicit
1 thread_begin worker T1
1 implicit_task begin p1 t1 2 1 implicit
0 thread_end T0
finalize`

// TestCheckerFindsViolations requires that the checker finds every kind of mistake, reports no
// other rule for it, and reports nothing in a correct program.
func TestCheckerFindsViolations(t *testing.T) {
	provider, tool := buildChecker(t)
	for _, script := range []string{right, exitInRegion, device(construct + "\n" + deferred +
		"\n0 data_op_emi begin null 5 1 0 -1 8\n0 data_op_emi end null 5 1 0 -1 8")} {
		if got, text := violations(t, provider, tool, script); len(got) > 0 {
			t.Errorf("a program that is right: %s\n%s", script, text)
		}
	}
	found := map[string]bool{}
	for _, p := range planted {
		want := strings.Fields(p.rules)
		slices.Sort(want)
		got, text := violations(t, provider, tool, p.script)
		if !slices.Equal(got, want) {
			t.Errorf("want %v, got %v from\n%s\n%s", want, got, p.script, text)
		}
		found[strings.Fields(p.rules)[0]] = true
	}
	header, err := os.ReadFile("tools/check.h")
	if err != nil {
		t.Fatal(err)
	}
	rules := regexp.MustCompile(`(?m)^    X\((\w+), `).FindAllSubmatch(header, -1)
	if len(rules) < 40 {
		t.Fatalf("%d rules found in check.h", len(rules))
	}
	for _, r := range rules {
		if !found[string(r[1])] {
			t.Errorf("no violation of rule %s is planted", r[1])
		}
	}
}

// TestCheckerSkips requires that disabled rules are not reported.
func TestCheckerSkips(t *testing.T) {
	provider, tool := buildChecker(t)
	t.Setenv("OPARI_OMPT_CHECK_SKIP", "kind,mutex_held,mutex_owner")
	if got, text := violations(t, provider, tool, team("0 mutex_acquire critical 0x10 7\n0 "+
		"mutex_acquired critical 0x10 7\n1 mutex_released critical 0x10 7")); len(got) > 0 {
		t.Error(text)
	}
}

func buildChecker(t *testing.T) (provider, tool string) {
	t.Helper()
	sources, err := filepath.Glob("tools/*")
	if err != nil {
		t.Fatal(err)
	}
	// A cached result of a test depends on the files that the test reads itself.
	for _, s := range append(sources, "testdata/provider.c", "src/omp_tools.h",
		"src/omp_tools_target.h") {
		if _, err := os.ReadFile(s); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	provider, tool = filepath.Join(dir, "provider"), filepath.Join(dir, "check.so")
	for _, args := range [][]string{
		{"-shared", "-fPIC", "-fvisibility=hidden", "tools/ompt_check.c", "-o", tool},
		{"-Wno-cast-function-type", "testdata/provider.c", "-o", provider, "-ldl"},
	} {
		args = append([]string{
			"-std=c11", "-g", "-O1", "-pthread", "-Wall", "-Wextra", "-Wshadow",
			"-Werror",
		}, args...)
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return provider, tool
}

// violations runs a script. It returns, sorted, the rules that the checker reports as broken, and
// its complete output.
func violations(t *testing.T, provider, tool, script string) ([]string, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "violations")
	cmd := exec.Command(provider, tool)
	var input strings.Builder
	for line := range strings.Lines(script) {
		for w := range strings.FieldsSeq(line) {
			input.WriteString(words.Replace(" " + w + " "))
		}
		input.WriteByte('\n')
	}
	cmd.Stdin = strings.NewReader(input.String())
	cmd.Env = append(os.Environ(), "OPARI_OMPT_CHECK="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, script)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), "started 202011 no runtime\n") ||
		!strings.Contains(string(text), "\nfinalized ") {
		t.Errorf("no first or last line: %s", text)
	}
	var rules []string
	for _, m := range regexp.MustCompile(`(?m)^violation (\w+):`).FindAllStringSubmatch(
		string(text), -1) {
		rules = append(rules, m[1])
	}
	slices.Sort(rules)
	return slices.Compact(rules), string(text)
}
