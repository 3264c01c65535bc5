package replay_test

import (
	"fmt"
	"math/big"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/replay"
	"opari/internal/efficiency"
	"opari/internal/expensive"
	"opari/internal/omp"
)

// fractions checks factors against fractions that were worked out by hand.
func fractions(t *testing.T, what string, e *efficiency.Efficiency, want map[string]string) {
	t.Helper()
	parts := e.Parts()
	for _, p := range parts {
		if text, is := want[p.Key]; is && p.RatString() != rat(t, text) {
			t.Errorf("%s: %s is %s, want %s", what, p.Key, p.RatString(), text)
		}
		delete(want, p.Key)
	}
	for key := range want {
		t.Errorf("%s: no factor %s", what, key)
	}
}

func rat(t *testing.T, text string) string {
	t.Helper()
	r, is := new(big.Rat).SetString(text)
	if !is {
		t.Fatalf("%q is no fraction", text)
	}
	return r.RatString()
}

// TestEfficiency works out by hand the efficiencies of traces that are written down.
func TestEfficiency(t *testing.T) {
	// 1000 us of serial code, then two threads until 7000. Thread 1 waits 500 for the critical
	// region, and 2000 at the end, 200 of the runtime follow for both, and 800 of serial code.
	e := efficiency.Of(replay.OffRun(t, `
		0 0 begin
		0 1 begin
		1000 0 fork
		1000 0 implicit
		1000 1 implicit
		2000 0 critical
		2000 0 enter
		2000 0 leave
		2500 1 critical
		2500 1 enter
		3000 0 leave
		3000 1 leave
		4000 1 leave
		4800 1 end
		6800 0 end
		7000 0 leave
		7000 1 leave
		7000 0 leave
		7000 1 leave
		7000 0 leave
		7800 0 leave`))
	// 2 * 7800 in all; 1000 + 800 idle, 500 for the critical region, 2000 imbalance, 400 runtime
	fractions(t, "run", &e.Efficiency, map[string]string{
		"parallel-efficiency":  "10900/15600",
		"openmp-serialisation": "13300/15600",
		"openmp-load-balance":  "11300/13300",
		"openmp-scheduling":    "10900/11300",
		"undisturbed":          "1",
	})
	if e.Reserved != 15_600_000 || e.Useful != 10_900_000 || e.Serialised != 2_300_000 ||
		e.Imbalance != 2_000_000 || e.Scheduling != 400_000 || e.InMPI+e.Disturbed != 0 {
		t.Errorf("times of the run: %+v", e.Efficiency)
	}
	if len(e.Regions) != 1 || e.Regions[0].Region.Kind != omp.KindParallel {
		t.Fatalf("regions: %+v", e.Regions)
	}
	fractions(t, "parallel region", &e.Regions[0], map[string]string{
		"parallel-efficiency":  "9100/12000",
		"openmp-serialisation": "11500/12000",
		"openmp-load-balance":  "9500/11500",
		"openmp-scheduling":    "9100/9500",
		"undisturbed":          "1",
	})

	// Thread 1 is off the CPU for 3000 of 3990 us, for which the other one waits.
	e = efficiency.Of(replay.OffRun(t, `
		0 0 begin
		0 1 begin
		10 0 fork
		10 0 implicit
		10 1 implicit
		500 1 off
		1000 0 end
		3500 1 run
		4000 1 end
		4000 0 leave
		4000 1 leave`))
	fractions(t, "preempted", &e.Efficiency, map[string]string{
		"parallel-efficiency":  "1990/8000",
		"openmp-serialisation": "7990/8000",
		"openmp-load-balance":  "1",
		"openmp-scheduling":    "1",
		"undisturbed":          "1990/7990",
	})

	// One rank of two, with two threads, as if there were no other: 9000 ns without its start and
	// end, of which 2 * 500 in MPI, 1500 idle beside serial code.
	e = efficiency.Of(replay.LateRank(2))
	fractions(t, "rank", &e.Efficiency, map[string]string{
		"parallel-efficiency":  "6500/9000",
		"mpi":                  "8000/9000",
		"mpi-load-balance":     "1",
		"mpi-communication":    "8000/9000",
		"openmp":               "6500/8000",
		"openmp-serialisation": "6500/8000",
		"openmp-load-balance":  "1",
		"openmp-scheduling":    "1",
	})
}

// TestEfficiencyWithin limits a run to a loop: the times are those of the loop, and the region
// around it has no row.
func TestEfficiencyWithin(t *testing.T) {
	r := replay.OffRun(t, `
		0 0 begin
		0 1 begin
		1000 0 fork
		1000 0 implicit
		1000 1 implicit
		2000 0 for
		2000 1 for
		4000 1 leave
		4000 1 end
		5000 0 leave
		5000 0 end
		5000 0 leave
		5000 1 leave
		5000 0 leave
		5000 1 leave
		5000 0 leave
		6000 0 leave`)
	if err := r.Within("for"); err != nil {
		t.Fatal(err)
	}
	e := efficiency.Of(r)
	fractions(t, "for", &e.Efficiency, map[string]string{
		"parallel-efficiency": "5000/6000", "openmp-load-balance": "5000/6000",
		"openmp-scheduling": "1",
	})
	if len(e.Regions) != 0 {
		t.Errorf("regions: %+v", e.Regions)
	}
}

// TestEfficiencyOfRandomRuns checks that the classes of random runs and of windows have all of the
// processor time, in the run and in its regions, and that all factors are from 0 to 1.
func TestEfficiencyOfRandomRuns(t *testing.T) {
	edge, err := analysis.ParseEdge("40%")
	if err != nil {
		t.Fatal(err)
	}
	regions := 0
	for seed := range expensive.Tries(uint64(2_000)) {
		for i, r := range []*analysis.Result{
			replay.Play(seed), replay.PlayIn(seed, &analysis.Window{From: edge}),
		} {
			what := fmt.Sprintf("seed %d.%d", seed, i)
			e := efficiency.Of(r)
			if e.Reserved != r.Total() {
				t.Fatalf("%s: classes of %d ns, the run has %d", what, e.Reserved, r.Total())
			}
			for _, g := range append(e.Regions, e.Efficiency) {
				for _, p := range g.Parts() {
					if x := p.Float(); x < 0 || x > 1 {
						t.Fatalf("%s: %s is %v", what, p.Name, x)
					}
				}
			}
			for _, g := range e.Regions {
				regions++
				var time int64
				for _, q := range r.Paths {
					if q.Region == g.Region {
						time += q.Inclusive(analysis.Time, -1)
					}
				}
				if g.Reserved != time {
					t.Fatalf("%s, %s: %d ns, not %d", what, g.Region, g.Reserved, time)
				}
			}
		}
	}
	if regions == 0 {
		t.Error("no run had a parallel region")
	}
}
