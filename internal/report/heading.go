package report

import (
	"fmt"
	"path/filepath"

	"opari/internal/analysis"
)

// programName returns the last part of a program's name, for texts; JSON has the full name.
// Traces from other tools name no program.
func programName(path string) string {
	if path == "" {
		return "program"
	}
	return filepath.Base(path)
}

// heading returns the lines above the tables. The first names the program with its times and its
// number of threads. Notes on what is missing follow the efficiency.
func heading(r *analysis.Result) []string {
	lines := []string{fmt.Sprintf("%s: %s wall time, %d threads, %s of processor time",
		programName(r.Program), analysis.Duration(r.Wall), len(r.Threads),
		analysis.Duration(r.Total()))}
	if line := efficiencyLine(r); line != "" {
		lines = append(lines, line)
	}
	return append(lines, r.Notes()...)
}
