package run

import (
	"strings"
	"testing"

	"opari/internal/analysis/finding"
)

// TestProcessorNote checks that a run whose threads waited for processors says so in its head and
// with each finding, as long as its trace does not say when they waited.
func TestProcessorNote(t *testing.T) {
	const machine = "machine: at=start cores=2 allowed=0,1 quota=none"
	for _, c := range []struct {
		name      string
		value     uint64
		waited    string // of thread 2; thread 1 has one ms
		note, why string
	}{
		{
			"long", 0, "30ms", "threads waited 31.0ms for a processor (preempted by other " +
				"programs) and were 20.0ms on one: times contain that; opari run --sample says " +
				"where",
			"; unsure: threads waited 31.0ms for a processor, and the trace does not say when",
		},
		{"hardly", 0, "0ms", "", ""},
		{"not long", 0, "5", "", ""}, // no unit: unknown
		{"the times are known", 1, "30ms", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := "1ms"
			if c.note == "" {
				first = "0ms"
			}
			r, err := FromTrace(offTrace(t, c.value, machine,
				"thread 1: allowed=0,1 ran=0 migrations=0 used=10ms waited="+first,
				"thread 2: allowed=0,1 ran=0 migrations=0 used=10ms waited="+c.waited),
				Options{EventCost: -1})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(r.Notes(), "; "); got != c.note {
				t.Errorf("notes: %q, want %q", got, c.note)
			}
			for _, f := range finding.Of(r, 0.02) {
				if strings.Contains(f.Why, "unsure") != (c.why != "") ||
					!strings.HasSuffix(f.Why, c.why) {
					t.Errorf("%s; want %q at its end", f.String(r), c.why)
				}
			}
		})
	}
}
