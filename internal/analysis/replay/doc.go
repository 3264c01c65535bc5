// Package replay follows the threads of a process through its trace and gives each loss a property.
//
// replay.go replays the trace in the order of time. It keeps a stack for each thread, and teams
// with their members and barriers.
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
// lock, so the replay keeps ended holdings while any thread waits. excludes.go counts who was
// inside, and package starvation what holds back the tasks of a team.
//
// Threads, teams and paths bound the memory; the number of events does not.
//
// In a window of time (window.go) all events are replayed, those outside of it at its edges. So
// the state of teams, barriers and locks is right at the edges, no time outside is counted, and
// the sums stay exact.
package replay
