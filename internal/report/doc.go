// Package report prints the result of an analysis as tables, JSON and CSV.
//
// The packages below have its other forms: page for a browser, export for other tools, compare for
// two sets of runs, scale for runs with several numbers of threads. Package profile reads the
// profiles of the library. All share layout, which fits text into a terminal, and summary, the
// lines about a run that stand in front of everything. fixture has runs for tests.
package report
