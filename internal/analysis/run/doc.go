// Package run analyses the trace of a run: it replays each rank and joins the results.
//
// ranks.go replays several ranks at a time and joins the results in the order of ranks. Meanwhile a
// rank notes what other ranks need to know of its messages and what it may have waited for. The
// notes are matched after the replay. The page needs both ends of each message at once, so for a
// page the ranks are read twice (survey.go).
//
// predict.go replays a run with a change, and remedy.go does so with changes against findings.
package run
