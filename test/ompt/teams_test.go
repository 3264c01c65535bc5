package ompt

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTeams checks the events of leagues on the host, where the runtimes of GCC and LLVM differ:
// docs/reference/ompt-llvm.md gives the reasons.
func TestTeams(t *testing.T) {
	k := setup(t)
	program, ok := k.build(t, "testdata/teams.c")
	if !ok {
		t.Fatal("not compiled")
	}
	want, err := os.ReadFile("testdata/teams.log")
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(k.dir, "teams.log")
	for _, profile := range []string{"", filepath.Join(k.dir, "profile")} {
		k.run(t, program, log, "OPARI_PROFILE="+profile)
		if got, _ := os.ReadFile(log); string(got) != string(want) {
			t.Errorf("profile %q: got\n%s", profile, got)
		}
	}
}

// TestShares checks that a team and a thread execute exactly the iterations that the tool's
// events give them.
func TestShares(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "shares")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "-O2", "-Wall",
		"-I"+filepath.Join(k.dir, "include"), "testdata/shares.c", "-o", program)
	for _, schedule := range []string{"static", "dynamic,4", "guided"} {
		t.Setenv("OMP_SCHEDULE", schedule)
		if got := output(t, program); got != "as expected" {
			t.Errorf("%s: %s", schedule, got)
		}
	}
}

// TestRegions checks repeated regions, which the interposed functions run entirely: the events,
// words, frames and states stay the same.
func TestRegions(t *testing.T) {
	k := setup(t)
	for _, level := range []string{"-O0", "-O2"} {
		program := filepath.Join(k.dir, "regions")
		output(t, k.opari, "cc", "gcc", "-fopenmp", level, "-I"+filepath.Join(k.dir, "include"),
			"testdata/regions.c", "-o", program)
		t.Setenv("OMP_MAX_ACTIVE_LEVELS", "1")
		for _, threads := range []string{"1", "2"} {
			t.Setenv("OMP_NUM_THREADS", threads)
			for _, cancels := range []string{"false", "true"} {
				t.Setenv("OMP_CANCELLATION", cancels)
				if got := output(t, program); got != "as expected" {
					t.Errorf("%s, %s threads, cancellation %s: %s", level, threads, cancels, got)
				}
			}
		}
	}
}

// TestRegionEnds checks threads that wait at the end of a region, even asleep. They get the end
// event when all have arrived, and still execute the tasks that appear meanwhile.
func TestRegionEnds(t *testing.T) {
	k := setup(t)
	program := filepath.Join(k.dir, "meets")
	output(t, k.opari, "cc", "gcc", "-fopenmp", "-O2", "-I"+filepath.Join(k.dir, "include"),
		"testdata/meets.c", "-o", program)
	for _, policy := range []string{"active", "passive"} {
		t.Setenv("OMP_WAIT_POLICY", policy)
		for _, threads := range []string{"2", "3", "64"} {
			if policy == "active" && threads == "64" {
				continue // the runtime's own barriers wait for each other's time slices then
			}
			if got := output(t, program, threads); got != "as expected" {
				t.Errorf("%s, %s threads: %s", policy, threads, got)
			}
		}
	}
}
