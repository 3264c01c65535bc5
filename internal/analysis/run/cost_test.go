package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/expensive"
	"opari/otf"
)

// atomics writes a trace of one thread that executes count atomic constructs. each is their
// length and between the time between two of them. It returns the name of the trace.
func atomics(t *testing.T, comment string, count, each, between uint64) string {
	t.Helper()
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	master.Append(1, 1)
	d, w := otf.OpenWStream(stub, 0, manager), otf.OpenWStream(stub, 1, manager)
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9))
	if comment != "" {
		err = errors.Join(err, d.WriteDefinitionComment(comment))
	}
	err = errors.Join(err, d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefSclFile(1, "a.c"),
		d.WriteDefScl(1, 1, 7), d.WriteDefScl(2, 1, 9),
		d.WriteDefFunctionGroup(1, "region"), d.WriteDefFunctionGroup(2, "atomic"),
		d.WriteDefFunction(1, "region(all) a.c:7", 1, 1), d.WriteDefFunction(2,
			"atomic a.c:9", 2, 2))
	now := uint64(1000)
	err = errors.Join(err, w.WriteBeginProcess(now, 1), w.WriteEnter(now, 1, 1, 0))
	for range count {
		now += between
		err = errors.Join(err, w.WriteEnter(now, 2, 1, 0))
		now += each
		err = errors.Join(err, w.WriteLeave(now, 2, 1, 0))
	}
	now += between
	err = errors.Join(err, w.WriteLeave(now, 1, 1, 0), w.WriteEndProcess(now, 1),
		d.Close(), w.Close(),
		master.Write(stub, manager))
	if err != nil {
		t.Fatal(err)
	}
	return stub
}

// TestEventCost checks that the cost of an event comes from the recording, from the caller or
// from an estimate that the result calls one. Each record costs that much, in work and in waits.
func TestEventCost(t *testing.T) {
	for _, c := range []struct {
		comment string
		given   int64
		cost    int64
		source  string
		says    string
	}{
		{"event cost: 9 ns", 0, 9, analysis.CostMeasured, "as the run has measured at its start"},
		{"event cost: 9 ns", 3, 3, analysis.CostGiven, "as --event-cost gives it"},
		{"event cost: 9 ns", -1, 0, analysis.CostGiven, "as --event-cost gives it"},
		{"", 0, analysis.DefaultEventCost, analysis.CostAssumed, "an estimate: the recording " +
			"does not say"},
		{
			"event cost: much", 0, analysis.DefaultEventCost, analysis.CostAssumed,
			"an estimate: the recording does not say",
		},
	} {
		const count, each, between = 100, 40, 50
		r, err := FromTrace(atomics(t, c.comment, count, each, between),
			Options{EventCost: c.given})
		if err != nil {
			t.Fatal(err)
		}
		said := r.Recording()
		if r.EventCost != c.cost || r.CostSource != c.source || !strings.Contains(said, c.says) ||
			len(r.Lost) > 0 {
			t.Errorf("%q, %d: %d ns, %s, %q; lost %q", c.comment, c.given, r.EventCost,
				r.CostSource, said, r.Lost)
		}
		// The thread continues after the region's enter and after the atomics' enters and leaves.
		if got, want := r.Sum(analysis.Measurement, -1), (1+2*count)*c.cost; got != want {
			t.Errorf("%q, %d: measurement is %d ns, want %d", c.comment, c.given, got, want)
		}
		if got, want := r.Sum(analysis.AtomicWait, -1), count*(each-c.cost); got != want {
			t.Errorf("%q, %d: atomic updates take %d ns, want %d", c.comment, c.given, got, want)
		}
		if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
			t.Errorf("%q, %d: the severities are %d ns together, of %d", c.comment,
				c.given, got, want)
		}
	}
}

// TestUpperBound checks which waits are upper bounds: those whose visits are hardly longer than
// their recording. For an atomic construct they are also those with nothing done in between.
func TestUpperBound(t *testing.T) {
	for _, c := range []struct {
		each, between uint64
		given         int64
		want          bool
	}{
		{30, 50, 0, true},
		{30, 5000, 0, true}, // each visit is mostly recording
		{300, 30, 0, true},  // contended because the threads do nothing else
		{300, 5000, 0, false},
		{30, 50, -1, false}, // a caller who says that events cost nothing gets no bound
	} {
		trace := atomics(t, "event cost: 10 ns", 100, c.each, c.between)
		r, err := FromTrace(trace, Options{EventCost: c.given})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range finding.Of(r, 0) {
			if f.Property != analysis.AtomicWait {
				continue
			}
			found = true
			if f.UpperBound != c.want || strings.Contains(f.String(r), "upper bound: most of it") !=
				c.want {
				t.Errorf("%d ns behind %d, %d: %v, %s", c.each, c.between, c.given, f.UpperBound,
					f.String(r))
			}
		}
		if !found {
			t.Errorf("%d ns behind %d, %d: no finding", c.each, c.between, c.given)
		}
	}
}

// TestDense runs a program with only atomic updates, whose time is an upper bound. The findings
// of TestSeeds are not upper bounds.
func TestDense(t *testing.T) {
	expensive.Test(t, "its program raises events all the time")
	r, _ := traced(t, build(t, "testdata/dense.c"))
	if r.CostSource != analysis.CostMeasured || r.EventCost <= 0 {
		t.Errorf("an event costs %d ns, %s", r.EventCost, r.CostSource)
	}
	if polled := r.Sum(analysis.Polling, -1); polled > 0 {
		t.Errorf("updates count as polling: %d ns", polled)
	}
	said := fmt.Sprint("no finding of ", r.Sum(analysis.AtomicWait, -1), " ns")
	for _, f := range finding.Of(r, 0) {
		if f.Property != analysis.AtomicWait {
			continue
		}
		if f.UpperBound && f.Recorded > 0 && f.Region.Line == 8 {
			return
		}
		said = f.String(r)
	}
	t.Error(said)
}
