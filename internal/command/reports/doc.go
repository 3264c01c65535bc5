// Package reports has the commands that say what a run lost: report, export and compare. It also
// prints the profiles of opari run.
package reports
