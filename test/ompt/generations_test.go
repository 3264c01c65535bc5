package ompt

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A generation is an older version of the interface. Its log is chronological, with lines "tid1
// STATE EVENT KEY=VALUE...".
//
// The comparison with another runtime's log is by threads: the sequence of each thread's events,
// with ids numbered by first appearance. For explicit tasks only the number of events counts,
// since any thread may run them. States are left out: a runtime may be finer, and early or late.
type generation struct {
	name, reference, prefix string
	optional                *regexp.Regexp // what "waits" omits
	work                    *regexp.Regexp // what "mandatory" keeps
	absent                  func(log string) map[string]bool
}

var generations = []generation{
	{
		"2013", "ref_gen1", "g1_",
		regexp.MustCompile(`^(wait_(barrier|taskwait|taskgroup)_(begin|end)|idle_(begin|end))\b`),
		regexp.MustCompile(`^(thread_|parallel_|implicit_task_|runtime_shutdown)`), unanswered,
	},
	{
		"2016", "ref_gen2", "g2_",
		regexp.MustCompile(`^(sync_region_wait|idle)\b`),
		regexp.MustCompile(`^(thread_|parallel_|implicit_task |runtime_shutdown)`),
		func(string) map[string]bool { return nil },
	},
}

// unanswered lists the events for which the other runtime makes no calls, by its own account:
// "[g1 tool] rc<3: flush=1 ...".
func unanswered(log string) map[string]bool {
	events := map[string]bool{}
	_, list, _ := strings.Cut(log, "rc<3:")
	list, _, _ = strings.Cut(list, "\n")
	for f := range strings.FieldsSeq(list) {
		name, _, _ := strings.Cut(f, "=")
		events[name] = true
	}
	return events
}

var (
	logLine = regexp.MustCompile(`^tid(\d+) +(\S+) +(\S.*)$`)
	// not in the report of 2016; invoker is the runtime's choice
	notReported = regexp.MustCompile(` (actual|num|count|impl|deps|invoker)=\w+`)
	anID        = regexp.MustCompile(`\b(par|task|parent|new|id|thread)=([0-9a-f]+)`)
	endpoint    = regexp.MustCompile(`(begin|end)\b`)
	taskWord    = regexp.MustCompile(`^(task_create|task_begin|task_schedule|task_end|task_switch)\b`)
)

// history is the content of a log.
type history struct {
	threads [][]string     // events, by thread; the program's initial thread is first
	tasks   map[string]int // events of explicit tasks
}

// read parses a log. reported decides which events count.
func read(log string, reported func(event string) bool) history {
	h := history{tasks: map[string]int{}}
	byThread := map[string][]string{}
	for line := range strings.SplitSeq(log, "\n") {
		f := logLine.FindStringSubmatch(line)
		if f == nil {
			continue
		}
		event, _, _ := strings.Cut(f[3], " ")
		if word := taskWord.FindString(f[3]); word != "" {
			h.tasks[word]++
		} else if reported(event) && reported(f[3]) {
			byThread[f[1]] = append(byThread[f[1]], notReported.ReplaceAllString(f[3], ""))
		}
	}
	for thread, events := range byThread {
		ids := map[string]string{}
		for i, e := range events {
			events[i] = anID.ReplaceAllStringFunc(e,
				func(id string) string { return renumber(ids, id) })
		}
		if thread == "0" {
			h.threads = append([][]string{events}, h.threads...)
		} else {
			h.threads = append(h.threads, events)
		}
	}
	if len(h.threads) > 1 {
		slices.SortFunc(h.threads[1:], slices.Compare)
	}
	return h
}

// renumber replaces the id in "task=2f" by its order of first appearance among its kind; 0 stays.
func renumber(ids map[string]string, id string) string {
	key, value, _ := strings.Cut(id, "=")
	kind := map[string]string{"par": "region", "id": "thread", "thread": "thread"}[key]
	if value == "0" {
		return id
	}
	if ids[kind+value] == "" {
		ids[kind+value] = fmt.Sprint(len(ids) + 1)
	}
	return key + "=" + ids[kind+value]
}

func (h history) equal(o history) bool {
	return slices.EqualFunc(h.threads, o.threads, slices.Equal)
}

// grade compares two logs. "strict" compares all, "waits" omits idling and waiting, and
// "mandatory" keeps only threads, regions, implicit tasks and the ends of explicit ones.
func (g generation) grade(want, got string) string {
	absent := g.absent(want)
	for _, level := range []struct {
		name     string
		reported func(string) bool
	}{
		{"strict", func(e string) bool { return !absent[e] }},
		{"waits", func(e string) bool { return !absent[e] && !g.optional.MatchString(e) }},
		{
			"mandatory",
			func(e string) bool { return !strings.Contains(e, " ") || g.work.MatchString(e) },
		},
	} {
		w, o := read(want, level.reported), read(got, level.reported)
		maps.DeleteFunc(o.tasks, func(e string, _ int) bool { return absent[e] })
		if w.equal(o) && maps.Equal(w.tasks, o.tasks) {
			return level.name
		}
	}
	return "DIFFERS"
}

// sound checks what holds in any log of these programs. The state is the event's, and words of
// new records are new. Waits and idle times have a begin and an end and do not overlap on a
// thread.
func sound(t *testing.T, name, log string) {
	t.Helper()
	if strings.Contains(log, "!!") || !strings.Contains(log, "runtime_shutdown") {
		t.Errorf("%s:\n%s", name, log)
	}
	pending := map[string]string{} // by thread: what it waits for
	for line := range strings.SplitSeq(log, "\n") {
		f := logLine.FindStringSubmatch(line)
		if f == nil {
			continue
		}
		waits := strings.HasPrefix(f[3], "sync_region_wait") ||
			strings.HasPrefix(f[3], "wait_barrier") || strings.HasPrefix(f[3], "wait_task")
		if waits && !strings.HasPrefix(f[2], "wait_") ||
			strings.HasPrefix(f[3], "idle") != (f[2] == "idle") {
			t.Errorf("%s: in the wrong state: %s", name, line)
		}
		if !waits && !strings.HasPrefix(f[3], "idle") {
			continue
		}
		what := endpoint.ReplaceAllString(f[3], "")
		begins := endpoint.FindString(f[3]) == "begin"
		if before := pending[f[1]]; begins && before != "" || !begins && before != what {
			t.Errorf("%s: %q is pending at: %s", name, before, line)
		}
		if pending[f[1]] = what; !begins {
			delete(pending, f[1])
		}
	}
	if len(pending) > 0 {
		t.Errorf("%s: no end of %v", name, pending)
	}
}

// older builds the command and both loggers.
func older(t *testing.T) (k tools, loggers map[string]string) {
	t.Helper()
	k = setup(t)
	headers := filepath.Join("..", "..", "ompt_bridge", "src")
	include := filepath.Join(k.dir, "older")
	header, err := filepath.Abs(filepath.Join(headers, "ompt_2013.h"))
	if err == nil {
		err = os.Mkdir(include, 0o777)
	}
	if err == nil {
		err = os.Symlink(header, filepath.Join(include, "ompt-2013.h"))
	}
	if err != nil {
		t.Fatal(err)
	}
	loggers = map[string]string{
		"2013": filepath.Join(k.dir, "g1.so"),
		"2016": filepath.Join(k.dir, "g2.so"),
	}
	output(t, "gcc", "-shared", "-fPIC", "-O1", "-w", "-I"+include, "-o", loggers["2013"],
		filepath.Join(neighbour, "ref_gen1", "g1_log.c"))
	output(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-I"+headers, "-o",
		loggers["2016"], filepath.Join("..", "..", "ompt_bridge", "testdata", "log2016.c"))
	return k, loggers
}

// TestOlderGenerations checks that no program falls below its grade, against the logs of runtimes
// with the older generations.
func TestOlderGenerations(t *testing.T) {
	k, loggers := older(t)
	f, err := os.Open("testdata/generations.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		if f := strings.Fields(s.Text()); len(f) >= 3 && f[0] != "#" {
			want[f[0]+" "+f[1]] = f[2]
		}
	}
	seen := 0
	for _, g := range generations {
		references, err := filepath.Glob(filepath.Join(neighbour, g.reference, "*.log"))
		if err != nil || len(references) < 10 {
			t.Fatalf("logs: %v, %v", references, err)
		}
		for _, reference := range references {
			text, err := os.ReadFile(reference)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(reference), g.prefix),
				".log")
			program, ok := k.build(t, filepath.Join(neighbour, "c", name+".c"))
			if !ok {
				continue
			}
			var env []string
			if name == "02_parallel_nested" {
				env = append(env, fewThreads) // the other runtime had no nested teams
			}
			log := printedLog(t, program, loggers[g.name], env...)
			sound(t, g.name+" "+name, log)
			if !strings.Contains(string(text), "thread_begin") {
				continue // the other runtime could not run it
			}
			seen++
			key := g.name + " " + name
			grade := g.grade(string(text), log)
			t.Logf("%-28s %s", key, grade)
			if levels := []string{"strict", "waits", "mandatory", "DIFFERS"}; slices.Index(levels,
				grade) > slices.Index(levels, want[key]) {
				t.Errorf("%s: %s, want %s; want\n%s\ngot\n%s", key, grade, want[key], text, log)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d programs were compared, want %d", seen, len(want))
	}
}

// paired2013 and paired2016 match the events that come in pairs: of 2013 by their names, of 2016
// by the word after the name. Kind and type belong to the name.
var (
	paired2013 = regexp.MustCompile(`^(\w+)_(begin|end)\b`)
	paired2016 = regexp.MustCompile(`^(\w+) (begin|end)\b(?: ((?:kind|type)=\d+))?`)
	// on several threads, or not in every log
	unpaired = regexp.MustCompile(`^(task|thread|parallel)_(begin|end|switch)\b`)
)

// unbalanced lists the lines of a log that end anything but the innermost open event of their
// thread, and the events without an end.
func unbalanced(log string, pair *regexp.Regexp) (faults []string) {
	open := map[string][]string{}
	for line := range strings.SplitSeq(log, "\n") {
		f := logLine.FindStringSubmatch(line)
		if f == nil || unpaired.MatchString(f[3]) {
			continue
		}
		m := pair.FindStringSubmatch(f[3])
		if m == nil {
			continue
		}
		what := m[1] + strings.Join(m[3:], " ")
		own := open[f[1]]
		switch {
		case m[2] == "begin":
			open[f[1]] = append(own, what)
		case len(own) > 0 && own[len(own)-1] == what:
			open[f[1]] = own[:len(own)-1]
		default:
			faults = append(faults, line)
		}
	}
	for thread, left := range open {
		if len(left) > 0 {
			faults = append(faults, fmt.Sprintf("thread %s: no end of %v", thread, left))
		}
	}
	return faults
}

// TestOlderGenerationsBalance checks in all programs and both generations that each begin has its
// end, on its thread and in order. No program may fail under such a tool.
func TestOlderGenerationsBalance(t *testing.T) {
	k, loggers := older(t)
	sources, err := filepath.Glob(filepath.Join(neighbour, "c", "[0-9]*.c"))
	if err != nil || len(sources) < 40 {
		t.Fatalf("programs: %v, %v", sources, err)
	}
	for _, s := range sources {
		program, ok := k.build(t, s)
		if !ok {
			continue
		}
		pairs := map[string]*regexp.Regexp{"2013": paired2013, "2016": paired2016}
		for generation, pair := range pairs {
			log := printedLog(t, program, loggers[generation], "OMP_CANCELLATION=true")
			for _, fault := range unbalanced(log, pair) {
				t.Errorf("%s, %s: %s", generation, filepath.Base(program), fault)
			}
			if !strings.Contains(log, "runtime_shutdown") || strings.Contains(log, "!!") {
				t.Errorf("%s, %s:\n%s", generation, filepath.Base(program), log)
			}
		}
	}
	if unbalanced("tid0 idle idle begin\ntid0 idle idle begin\ntid0 idle idle end\n",
		paired2016) == nil ||
		unbalanced("tid0 idle idle_end thread=2\n", paired2013) == nil {
		t.Error("nothing is found where there is a fault")
	}
}

const fewThreads = "OMP_THREAD_LIMIT=2"

// printedLog runs a program under a logger that prints.
func printedLog(t *testing.T, program, logger string, env ...string) string {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(append(os.Environ(), "OMP_NUM_THREADS=2", "OMP_DYNAMIC=false",
		"OMP_TOOL_LIBRARIES="+logger), env...)
	timer := time.AfterFunc(2*time.Minute, func() { cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	// omp_control_tool_nocallback: 48_control_tool exits with the answer that it gets
	const noCallback = 255
	if err != nil && !slices.Contains(env, fewThreads) &&
		cmd.ProcessState.ExitCode() != noCallback {
		// a program may complain about fewer threads than it requests
		t.Errorf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

// TestOlderInquiryInSignalHandler checks that each inquiry function of the older generations
// gives a sound answer in a signal handler at any moment.
func TestOlderInquiryInSignalHandler(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "sampled_older")
	for _, generation := range []string{"2016", "2013"} {
		output(t, k.opari, "cc", "gcc", "-fopenmp", "-O2", "-Wall",
			"-I"+filepath.Join("..", "..", "ompt_bridge", "src"), "-DOLDER="+generation,
			"testdata/sampled_older.c", "-o", program)
		for range 3 {
			if got := output(t, program); got != "samples, deep, no faults" {
				t.Errorf("%s: %s", generation, got)
			}
		}
	}
}

// TestOlderFunctions checks the outlined functions of regions and tasks, which only the older of
// the two generations reports.
func TestOlderFunctions(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "functions")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "-O2", "-Wall",
		"-I"+filepath.Join("..", "..", "ompt_bridge", "src"), "testdata/functions.c", "-o", program)
	if got := output(t, program); got != "" {
		t.Error(got)
	}
}

// TestOlderToolUnderNativeRuntime checks that the bridge starts no tool of an older generation
// under a runtime with the interface of its own, unless a variable requests it.
func TestOlderToolUnderNativeRuntime(t *testing.T) {
	k, loggers := older(t)
	program := filepath.Join(k.dir, "native")
	output(t, k.opari, "cc", "clang-19", "-fopenmp", "-w",
		filepath.Join(neighbour, "c", "01_parallel.c"), "-o", program)
	for generation, logger := range loggers {
		if log := printedLog(t, program, logger); log != "" {
			t.Errorf("%s: a tool was started:\n%s", generation, log)
		}
		if log := printedLog(t, program, logger, "OPARI_OMPT=bridge"); !strings.Contains(log,
			"runtime_shutdown") {
			t.Errorf("%s: the bridge starts no tool though it should:\n%s", generation, log)
		}
	}
}
