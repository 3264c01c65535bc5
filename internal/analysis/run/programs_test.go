package run

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/efficiency"
	"opari/internal/expensive"
)

// TestEfficiencyOfPrograms runs a program, and two ranks of it, that note where they are how long
// and work out the efficiencies themselves. All must agree within 1 %. The machine may disturb a
// run between two notes, so there are several.
func TestEfficiencyOfPrograms(t *testing.T) {
	expensive.Compilers(t)
	const source = "testdata/efficiency/rounds.c"
	program := compile(t, "gcc", "-O1", "-fopenmp", source)
	tries(t, func() string {
		r, out := traced(t, program)
		return wrongEfficiency(t, r, out, 4)
	})
}

func TestEfficiencyOfRanks(t *testing.T) {
	expensive.MPI(t, "mpicc", "mpirun")
	t.Setenv("OMP_WAIT_POLICY", "passive")
	program := compile(t, "mpicc", "-DRANKS", "-O1", "-fopenmp",
		"testdata/efficiency/rounds.c")
	tries(t, func() string {
		folder := filepath.Join(t.TempDir(), "trace")
		out, _ := job(t, folder, program)
		r, err := FromTrace(filepath.Join(folder, "trace"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return wrongEfficiency(t, r, out, 8)
	})
}

// wrongEfficiency says which efficiency is not the one that the program has printed; it has
// printed so many.
func wrongEfficiency(t *testing.T, r *analysis.Result, out string, printed int) string {
	t.Helper()
	e := efficiency.Of(r)
	words := strings.Fields(out)
	if len(words) != 2*printed {
		t.Fatalf("the program says %q", out)
	}
	for i := 0; i < len(words); i += 2 {
		want, err := strconv.ParseFloat(words[i+1], 64)
		f := e.Find(words[i])
		if err != nil || !f.Known() {
			t.Fatalf("%s %s: %v", words[i], words[i+1], err)
		}
		if got := f.Float(); math.Abs(got-want) > 0.01*want {
			return fmt.Sprintf("%s is %.4f; the program says %.4f", words[i], got, want)
		}
	}
	return ""
}
