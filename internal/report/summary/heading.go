package summary

import (
	"fmt"
	"path/filepath"

	"opari/internal/analysis"
)

// ProgramName returns the last part of a program's name, for texts; JSON has the full name.
// Traces from other tools name no program.
func ProgramName(path string) string {
	if path == "" {
		return "program"
	}
	return filepath.Base(path)
}

// Heading returns the lines above the tables. The first names the program with its times and its
// number of threads. Notes on what is missing follow the efficiency.
func Heading(r *analysis.Result) []string {
	lines := []string{fmt.Sprintf("%s: %s wall time, %d threads, %s of processor time",
		ProgramName(r.Program), analysis.Duration(r.Wall), len(r.Threads),
		analysis.Duration(r.Total()))}
	if line := EfficiencyLine(r); line != "" {
		lines = append(lines, line)
	}
	return append(lines, r.Notes()...)
}
