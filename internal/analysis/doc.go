// Package analysis reads a trace or a profile and finds where the threads of a run lost time, and
// why. It gives each loss a property, a call path and a thread.
//
// # Replay
//
// replay.go replays the trace in the order of time. It keeps a stack for each thread, and teams
// with their members and barriers. All times are integers. Every nanosecond goes to exactly one
// property, path and thread, so the sum is the processor time of the run.
//
// When a thread leaves a barrier, all threads have arrived. The replay then divides the thread's
// wait into three parts: before the last arrival, while others executed tasks, and the rest.
// gap.go distributes the time in which the initial thread is alone.
//
// chain.go tells package graph what each thread does and for which points of others it waits. The
// graph gives the critical path, and what delayed the point that a thread waited for.
//
// mutex.go follows which thread is inside a critical or ordered construct or holds a lock, and what
// that thread does meanwhile. Which lock a thread waited for becomes known when it acquires the
// lock, so the replay keeps ended holdings while any thread waits. exclusion.go counts who was
// inside, and starvation.go what holds back the tasks of a team. What only sums show, such as
// tasks that are too small, is found at the end (granularity.go, task.go). A profile has only sums
// and gets the same treatment.
//
// Threads, teams and paths bound the memory; the number of events does not.
//
// # Findings
//
// A finding is a property and a region. advice.go says what to try against it, by numbers of the
// run alone. group.go makes one of those that differ in the region only.
//
// # Parts of a run
//
// In a window of time (window.go) all events are replayed, those outside of it at its edges. So
// the state of teams, barriers and locks is right at the edges, no time outside is counted, and
// the sums stay exact. Limiting a result to a region drops the severities of all other paths.
//
// # Ranks
//
// ranks.go replays each rank separately, several at a time, and joins the results in the order of
// ranks. Meanwhile a rank notes what other ranks need to know of its messages (letters.go) and what
// it may have waited for (waitlog.go). Package spill keeps these notes in parts, which are matched
// after the replay. The page needs both ends of each message at once, so for a page the ranks are
// read twice.
package analysis
