package run

import (
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/expensive"
)

// TestSeededRanks runs three ranks of which one is late by times that they measure themselves.
// The first finding must name what waits, its line, and what delayed it, on which thread of which
// rank, though the delay goes through a barrier and other ranks. Idling of other threads meanwhile
// stands behind the wait, and names the same cause.
func TestSeededRanks(t *testing.T) {
	expensive.MPI(t, "mpicc", "mpirun")
	t.Setenv("OMP_WAIT_POLICY", "passive")
	for name, idles := range map[string]bool{
		"sender": true, "receiver": false, "reduce": false, "collective": false,
	} {
		t.Run(name, func(t *testing.T) {
			program := compile(t, "mpicc", "-g", "-O1", "-fopenmp",
				filepath.Join("testdata/causes", name+".c"))
			several(t, func() string {
				folder := filepath.Join(t.TempDir(), "trace")
				out, _ := jobOf(t, 3, folder, program)
				r, err := FromTrace(filepath.Join(folder, "trace"), Options{})
				if err != nil {
					t.Fatal(err)
				}
				wrong := seeded(t, r, strings.TrimSpace(out))
				if wrong != "" || !idles {
					return wrong
				}
				first, second := finding.Of(r, 0.02)[0], finding.Of(r, 0.02)[1]
				cause, _, _ := strings.Cut(first.Why, ";")
				if g := finding.Groups(r, 0.02); g[0].Property != first.Property ||
					g[1].Property != analysis.IdleMPI || second.Property != analysis.IdleMPI ||
					second.Region != first.Region || !strings.Contains(second.Why, cause) {
					return second.String(r) + ": not behind its cause"
				}
				return ""
			})
		})
	}
}
