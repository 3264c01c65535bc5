// Package sampling asks the kernel about a running program: when its threads were off the
// processor, which code they executed, and what counters counted.
//
// All of it happens outside of the program, by perf_event_open: the program's own timers and
// signals, its forks and the code that it loads are not affected. A Recorder opens the events on
// one of its threads. The program that this thread starts inherits them, and so do its threads
// and children. The kernel writes notes into a ring for each processor. A goroutine reads them, and
// a follower makes threads, times, samples and stacks of them.
package sampling
