package analysis

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/otf"
)

// offTrace writes a trace of a region in which thread 1 is off the CPU from 2 to 5 ms, in state
// value, and thread 0 waits for it from 3 to 6 ms. If value is 0, the trace does not say so.
func offTrace(t *testing.T, value uint64, comments ...string) string {
	t.Helper()
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	d := otf.OpenWStream(stub, 0, manager)
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9))
	for _, c := range comments {
		err = errors.Join(err, d.WriteDefinitionComment(c))
	}
	err = errors.Join(err, d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefProcess(2, "thread 1 (worker)", 0),
		d.WriteDefSclFile(1, "a.c"), d.WriteDefScl(1, 1, 7),
		d.WriteDefFunctionGroup(1, "parallel"), d.WriteDefFunctionGroup(2, "implicit task"),
		d.WriteDefFunctionGroup(3, "implicit barrier"),
		d.WriteDefFunction(1, "parallel a.c:7", 1, 1),
		d.WriteDefFunction(2, "parallel: implicit task a.c:7", 2, 1),
		d.WriteDefFunction(3, "parallel: implicit barrier a.c:7", 3, 1))
	if value > 0 {
		err = errors.Join(err, d.WriteDefCounterGroup(1, "kernel"),
			d.WriteDefCounter(9, "off the CPU", otf.CounterTypeAbs|otf.CounterScopeNext, 1,
				"state"))
	}
	const ms = 1_000_000
	for process := range uint32(2) {
		process++
		master.Append(process, process)
		w := otf.OpenWStream(stub, process, manager)
		err = errors.Join(err, w.WriteBeginProcess(1*ms, process))
		if process == 1 {
			err = errors.Join(err, w.WriteEnter(1*ms, 1, process, 0))
		}
		err = errors.Join(err, w.WriteEnter(1*ms+1, 2, process, 0))
		if process == 2 && value > 0 {
			err = errors.Join(err, w.WriteCounter(2*ms, process, 9, value),
				w.WriteCounter(5*ms, process, 9, 0))
		}
		err = errors.Join(err, w.WriteEnter(uint64(3*process)*ms, 3, process, 0),
			w.WriteLeave(6*ms+1, 3, process, 0), w.WriteLeave(6*ms+1, 2, process, 0))
		if process == 1 {
			err = errors.Join(err, w.WriteLeave(6*ms+2, 1, process, 0))
		}
		err = errors.Join(err, w.WriteEndProcess(6*ms+2, process), w.Close())
	}
	if err = errors.Join(err, d.Close(), master.Write(stub, manager)); err != nil {
		t.Fatal(err)
	}
	return stub
}

// TestOffFindings checks the causes that findings name: what a trace says of the processors that
// its threads could use.
func TestOffFindings(t *testing.T) {
	const caused = "100 % of it caused in a.c:7 parallel, by thread 1"
	for _, c := range []struct {
		name     string
		value    uint64
		comments []string
		property Property
		why      string
	}{
		{"nothing is known", 0, nil, ImbalanceParallel, caused},
		{
			"more threads than cores, and no more is known", 0,
			[]string{"machine: at=start cores=1 allowed=0 quota=none"},
			ImbalanceParallel, caused + "; unsure: more threads than cores: 2 threads on 1 core, " +
				"and the trace does not say when they were off it",
		},
		{
			"enough cores, and no more is known", 0,
			[]string{"machine: at=start cores=2 allowed=0,1 quota=none"},
			ImbalanceParallel, caused,
		},
		{
			"enough cores", 1,
			[]string{
				"machine: at=start cores=2 allowed=0,1 quota=none",
				"thread 1: allowed=0,1 ran=0 migrations=0",
				"thread 2: allowed=0,1 ran=1 migrations=3",
			},
			Preempted, "preempted by other programs; once, 3.00ms each",
		},
		{
			"one core", 1,
			[]string{
				"machine: at=start cores=4 allowed=0,1 quota=none",
				"thread 1: allowed=3 ran=3 migrations=0", "thread 2: allowed=3 ran=3 migrations=0",
			},
			Preempted, "bound to one core: threads 0 and 1 may run on processor 3 alone; once, " +
				"3.00ms each",
		},
		{
			"a core for each", 1,
			[]string{
				"thread 1: allowed=3 ran=3 migrations=0", "thread 2: allowed=4 ran=4 migrations=0",
			},
			Preempted, "preempted by other programs; once, 3.00ms each",
		},
		{
			"the threads' processors are unknown", 1,
			[]string{"machine: at=start cores=1"},
			Preempted, "more threads than cores: 2 threads on 1 core; once, 3.00ms each",
		},
		{
			"a control group", 1,
			[]string{
				"machine: at=start cores=4 allowed=0,1,2,3 quota=1.5 throttled=10ms",
				"machine: at=end cores=4 allowed=0,1,2,3 quota=1.5 throttled=15ms",
			},
			Preempted, "limited by the control group: 2 threads on 1.5 processors; once, " +
				"3.00ms each",
		},
		{
			"a control group that did not limit", 1,
			[]string{
				"machine: at=start cores=4 allowed=0,1,2,3 quota=1.5 throttled=10ms",
				"machine: at=end cores=4 allowed=0,1,2,3 quota=1.5 throttled=10ms",
			},
			Preempted, "preempted by other programs; once, 3.00ms each",
		},
		{"a thread that sleeps", 2, nil, Blocked, "100 % of it in thread 1; once, 3.00ms each"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := FromTrace(offTrace(t, c.value, c.comments...), Options{EventCost: -1})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Notes()) > 0 {
				t.Errorf("notes: %q", r.Notes())
			}
			found := r.Findings(0.02)
			at := slices.IndexFunc(found, func(f Finding) bool { return f.Property == c.property })
			if at < 0 {
				t.Fatalf("findings: %v", found)
			}
			f := found[at]
			if f.Time != 3_000_000 || f.Region.Line != 7 || !strings.HasSuffix(f.Why, c.why) {
				t.Errorf("%s; want %s", f.String(r), c.why)
			}
			if r.Scheduled != (c.value > 0) {
				t.Errorf("off the CPU is known: %v", r.Scheduled)
			}
			if c.value == 0 {
				return
			}
			at = slices.IndexFunc(found, func(f Finding) bool { return f.Property == OffWait })
			if len(found) != 2 || at < 0 || found[at].Time != 3_000_000 {
				t.Fatalf("findings: %v", found)
			}
			why := caused
			if c.value == 2 {
				why += ", which was blocked in the kernel"
			} else {
				cause, _, _ := strings.Cut(c.why, "; ")
				why += "; " + cause
			}
			if found[at].Why != why {
				t.Errorf("%s; want %s", found[at].String(r), why)
			}
		})
	}
}

// TestShortage checks which group of threads is the crowded one.
func TestShortage(t *testing.T) {
	for _, c := range []struct {
		name    string
		allowed [][]int
		want    string
	}{
		{
			"all on two",
			[][]int{{0, 1}, {0, 1}, {0, 1}},
			"more threads than cores: 3 threads on 2 cores",
		},
		{
			"two of three on one",
			[][]int{{0}, {1}, {1}},
			"bound to one core: threads 1 and 2 may run on processor 1 alone",
		},
		{
			"three of four on one",
			[][]int{{0}, {1}, {1}, {1}},
			"bound to one core: 3 threads may run on processor 1 alone",
		},
		{
			"overlapping",
			[][]int{{0, 1}, {0}, {1}},
			"more threads than cores: 3 threads on 2 cores",
		},
		{"enough", [][]int{{0, 1, 2}, {0, 1, 2}, {2}}, "preempted by other programs"},
		{"unknown", [][]int{nil, nil}, "preempted by other programs"},
	} {
		r := New("p", 1, nil)
		for _, allowed := range c.allowed {
			r.Threads = append(r.Threads, Thread{Type: omp.ThreadWorker, Allowed: allowed})
		}
		// A thread of another node or of no team takes no processor from them.
		r.Threads = append(r.Threads,
			Thread{Type: omp.ThreadWorker, Node: "node b", Allowed: []int{1}},
			Thread{Type: omp.ThreadOther, Allowed: []int{1}})
		if got := r.shortage("").String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestMachine checks what is read of the comments on machines and threads, and that other
// comments stay notes.
func TestMachine(t *testing.T) {
	d := newDefinitions()
	d.threads, d.byProcess[7] = make([]Thread, 1), 0
	for _, text := range []string{
		"machine: at=start cores=2 allowed=0,1 quota=1.5 throttled=20ms stolen=300ms load=1.2",
		"machine: at=end cores=2 allowed=0 quota=none throttled=50ms stolen=1300ms",
		"machine: at=start cores=many allowed=1-3 quota=-1 throttled=5 stolen=99999999999999ms",
		"machine:", "machine: =", "thread 7: allowed=5,1 ran=1,1 migrations=12", "thread 8: ran=1",
		"thread x: is no comment of ours", "samples: 1000 a second", "stack 1: 0 5",
		"samples lost: 3",
	} {
		d.note(text)
	}
	d.resolve()
	want := []string{"machine:", "thread x: is no comment of ours", "samples lost: 3"}
	if !slices.Equal(d.notes, want) {
		t.Errorf("notes %q, want %q", d.notes, want)
	}
	if len(d.machines) != 3 {
		t.Fatalf("machines: %+v", d.machines)
	}
	m := d.machines[0]
	if m.Cores != 2 || !slices.Equal(m.Allowed, []int{0, 1}) || m.Quota != 1.5 ||
		m.Throttled != 30_000_000 || m.Stolen != 1_000_000_000 {
		t.Errorf("%+v", m)
	}
	if m = d.machines[1]; m.Cores != 0 || m.Allowed != nil || m.Quota != 0 || m.Throttled != 0 ||
		m.Stolen != 0 {
		t.Errorf("%+v", m)
	}
	one := d.threads[0]
	if !slices.Equal(one.Allowed, []int{1, 5}) || !slices.Equal(one.Ran, []int{1}) ||
		one.Migrations != 12 {
		t.Errorf("%+v", one)
	}
}
