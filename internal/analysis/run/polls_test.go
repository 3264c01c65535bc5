package run

import (
	"slices"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/expensive"
)

// TestPollingProgram runs a program in which one thread polls a flag of another one.
func TestPollingProgram(t *testing.T) {
	expensive.Test(t, "its program raises events all the time")
	r, _ := traced(t, build(t, "testdata/polls.c"))
	for what, line := range map[string]int{
		"atomic read": 27, "atomic read and flush": 47, "flush after it": 49, "omp_test_lock": 65,
	} {
		if !slices.ContainsFunc(finding.Of(r, 0), func(f finding.Finding) bool {
			return f.Property == analysis.Polling && f.Region.Line == line
		}) {
			t.Errorf("%s: no polling in line %d", what, line)
		}
	}
}
