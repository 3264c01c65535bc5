// Package analysis finds out from a trace or a profile where the threads of a run lost time and
// why: by property, call path and thread.
//
// # Replay
//
// The trace is replayed in the order of time (replay.go): a stack for each thread, teams with
// their members and barriers. All times are integers, and every nanosecond goes to exactly one
// property, path and thread, so the sum is the processor time of the run.
//
// A thread that leaves a barrier knows that all have come. Its waiting is divided there: until
// the last thread came, while others executed tasks, and the rest. What each thread did since the
// team last met is kept by path: that is what the others waited for. At each meeting the last
// thread's part joins the critical path. gap.go gives out the time in which the initial thread is
// alone.
//
// mutex.go follows who is inside a critical or ordered construct or holds a lock, and what that
// thread does meanwhile. Which lock a thread waited for shows when it has got it, so holdings are
// kept while anybody waits. What only sums show, such as tasks that are too small, is found at
// the end (granularity.go, task.go); a profile goes the same way.
//
// Memory is bounded by threads, teams and paths, not by events.
//
// # Ranks
//
// ranks.go replays each rank by itself, several at a time, and joins the results in the order of
// ranks. On the way a rank notes what it tells others of its messages (letters.go) and what it
// may have waited for (waitlog.go), in parts that package spill keeps. Behind that the parts are
// matched. The page wants both ends of each message as it comes, so it reads the ranks twice.
package analysis
