package run

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"opari/internal/analysis"
	"opari/internal/expensive"
)

// TestLateRanks runs ranks that are late by times that they measure themselves. It expects the
// wait of the others at the right line and within 5 %. The idle time of a rank's second thread
// while the first is in MPI must match as well. The machine may disturb a run in a different
// place each time, so up to 16 runs may find what is missing.
func TestLateRanks(t *testing.T) {
	expensive.MPI(t, "mpicc", "mpirun")
	t.Setenv("OMP_WAIT_POLICY", "passive")
	program := compile(t, "mpicc", "-g", "-O1", "-fopenmp", "testdata/ranks/late.c")
	missed := map[analysis.Property]string{
		analysis.LateSender: "", analysis.LateReceiver: "", analysis.LateBroadcast: "",
		analysis.EarlyReduce: "", analysis.CollectiveWait: "", analysis.IdleMPI: "",
	}
	for range 16 {
		if lateRanks(t, program, missed); len(missed) == 0 {
			return
		}
	}
	for _, wrong := range missed {
		t.Error(wrong)
	}
}

// lateRanks runs the program and removes what it finds from missed.
func lateRanks(t *testing.T, program string, missed map[analysis.Property]string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "trace")
	out, _ := job(t, folder, program)
	var sender, root, reduce, collective, receiver, receiving float64
	if _, err := fmt.Sscan(out, &sender, &root, &reduce, &collective, &receiver,
		&receiving); err != nil {
		t.Fatalf("%v: %q", err, out)
	}
	r, err := FromTrace(filepath.Join(folder, "trace"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
		t.Fatalf("the severities are %d ns together, %d threads of %d ns are %d", got,
			len(r.Threads), r.Wall, want)
	}
	for _, q := range r.Paths {
		if q.SetsUpMPI() && (q.Severity(analysis.SetupMPI, 0) == 0 || q.Severity(analysis.MPI,
			-1) != 0) {
			t.Errorf("%s: %d ns, and %d of communication", q.Name, q.Severity(analysis.SetupMPI, 0),
				q.Severity(analysis.MPI, -1))
		}
	}
	messages := 0
	twice, err := FromTrace(filepath.Join(folder, "trace"),
		Options{Message: func(analysis.Message) { messages++ }})
	if err != nil || messages == 0 {
		t.Fatalf("%d messages: %v", messages, err)
	}
	sameResults(t, r, twice)
	unchanged(t, filepath.Join(folder, "trace"), r)
	windowsOfRanks(t, filepath.Join(folder, "trace"), r)
	for _, c := range []struct {
		property analysis.Property
		line     int
		want     float64
	}{
		{analysis.LateSender, 51, sender},
		{analysis.LateBroadcast, 58, root},
		{analysis.EarlyReduce, 63, reduce},
		{analysis.CollectiveWait, 68, collective},
		{analysis.LateReceiver, 76, receiver},
		{analysis.IdleMPI, 51, receiving},
	} {
		var got, elsewhere float64
		for _, q := range r.Paths {
			if time := float64(q.Severity(c.property, -1)); q.Line == c.line {
				got += time
			} else if c.property != analysis.IdleMPI && c.property != analysis.CollectiveWait {
				// barriers wait a little, too
				elsewhere += time
			}
		}
		if math.Abs(got-c.want) > 0.05*c.want || elsewhere > 0.05*c.want {
			if _, still := missed[c.property]; still {
				missed[c.property] = fmt.Sprintf("%v in line %d: %.0f ns, and %.0f elsewhere, "+
					"want %.0f", c.property, c.line, got, elsewhere, c.want)
			}
			continue
		}
		delete(missed, c.property)
	}
}

// sameResults checks that reading the ranks once and reading them twice give the same result.
func sameResults(t *testing.T, once, twice *analysis.Result) {
	t.Helper()
	if len(once.Paths) != len(twice.Paths) || once.Start != twice.Start ||
		once.Wall != twice.Wall || once.Events != twice.Events {
		t.Fatalf("once: %d paths, %d events, %d ns from %d; twice: %d, %d, %d from %d",
			len(once.Paths), once.Events, once.Wall, once.Start,
			len(twice.Paths), twice.Events, twice.Wall, twice.Start)
	}
	if !slices.Equal(once.CriticalThreads, twice.CriticalThreads) {
		t.Errorf("critical path of threads %v once, %v twice", once.CriticalThreads,
			twice.CriticalThreads)
	}
	if len(once.Blame) != len(twice.Blame) {
		t.Errorf("%d causes once, %d twice", len(once.Blame), len(twice.Blame))
	}
	for i, b := range twice.Blame {
		if a := once.Blame[min(i, len(once.Blame)-1)]; a.Time != b.Time {
			t.Errorf("cause %d: %d ns once, %d twice", i, a.Time, b.Time)
		}
	}
	for i, q := range once.Paths {
		if other := twice.Paths[i]; q.Critical != other.Critical {
			t.Errorf("%s: %d ns of the critical path once, %d twice", q.Name, q.Critical,
				other.Critical)
		}
		for p := range analysis.NumProperties {
			for thread := range once.Threads {
				if got, want := q.Severity(p, thread),
					twice.Paths[i].Severity(p, thread); got != want {
					t.Errorf("%s, %v of thread %d: %d ns once, %d twice", q.Name, p,
						thread, got, want)
				}
			}
		}
	}
}
