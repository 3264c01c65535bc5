package run

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
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
		property analysis.Property
		why      string
	}{
		{"nothing is known", 0, nil, analysis.ImbalanceParallel, caused},
		{
			"more threads than cores, and no more is known", 0,
			[]string{"machine: at=start cores=1 allowed=0 quota=none"},
			analysis.ImbalanceParallel, caused + "; unsure: more threads than cores: 2 threads " +
				"on 1 core, " +
				"and the trace does not say when they were off it",
		},
		{
			"enough cores, and no more is known", 0,
			[]string{"machine: at=start cores=2 allowed=0,1 quota=none"},
			analysis.ImbalanceParallel, caused,
		},
		{
			"enough cores", 1,
			[]string{
				"machine: at=start cores=2 allowed=0,1 quota=none",
				"thread 1: allowed=0,1 ran=0 migrations=0",
				"thread 2: allowed=0,1 ran=1 migrations=3",
			},
			analysis.Preempted, "preempted by other programs; once, 3.00ms each",
		},
		{
			"one core", 1,
			[]string{
				"machine: at=start cores=4 allowed=0,1 quota=none",
				"thread 1: allowed=3 ran=3 migrations=0", "thread 2: allowed=3 ran=3 migrations=0",
			},
			analysis.Preempted, "bound to one core: threads 0 and 1 may run on processor 3 " +
				"alone; once, " +
				"3.00ms each",
		},
		{
			"a core for each", 1,
			[]string{
				"thread 1: allowed=3 ran=3 migrations=0", "thread 2: allowed=4 ran=4 migrations=0",
			},
			analysis.Preempted, "preempted by other programs; once, 3.00ms each",
		},
		{
			"the threads' processors are unknown", 1,
			[]string{"machine: at=start cores=1"},
			analysis.Preempted, "more threads than cores: 2 threads on 1 core; once, 3.00ms each",
		},
		{
			"a control group", 1,
			[]string{
				"machine: at=start cores=4 allowed=0,1,2,3 quota=1.5 throttled=10ms",
				"machine: at=end cores=4 allowed=0,1,2,3 quota=1.5 throttled=15ms",
			},
			analysis.Preempted,
			"limited by the control group: 2 threads on 1.5 processors; once, " +
				"3.00ms each",
		},
		{
			"a control group that did not limit", 1,
			[]string{
				"machine: at=start cores=4 allowed=0,1,2,3 quota=1.5 throttled=10ms",
				"machine: at=end cores=4 allowed=0,1,2,3 quota=1.5 throttled=10ms",
			},
			analysis.Preempted, "preempted by other programs; once, 3.00ms each",
		},
		{"a thread that sleeps", 2, nil, analysis.Blocked, "100 % of it in thread 1; once, " +
			"3.00ms each"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := FromTrace(offTrace(t, c.value, c.comments...), Options{EventCost: -1})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Notes()) > 0 {
				t.Errorf("notes: %q", r.Notes())
			}
			found := finding.Of(r, 0.02)
			at := slices.IndexFunc(found, func(f finding.Finding) bool {
				return f.Property ==
					c.property
			})
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
			at = slices.IndexFunc(found, func(f finding.Finding) bool {
				return f.Property ==
					analysis.OffWait
			})
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
