// Package analysis holds the result of an analysis: what the threads of a run lost where, by
// property, call path and thread.
//
// All times are integers. Every nanosecond goes to exactly one property, path and thread, so the
// sum is the processor time of the run. Limiting a result to a region drops the severities of all
// other paths.
//
// A result comes from a trace, by the packages below this one, or from a profile, by package
// report. What only sums show, such as tasks that are too small, is found at the end in both cases
// (granularity.go).
//
//   - offcpu, trace, mpiwait, polling, starvation, counting, sharing and whatif know one thing
//     each: times off the CPU, what a trace defines, waits for other ranks, threads that poll or
//     have no tasks, counters, false sharing, and changes of a run.
//   - replay follows the threads of one process through a trace.
//   - run replays the ranks of a run, joins them and predicts changed runs.
//   - finding says what the losses in a result are, and what to try against them.
package analysis
