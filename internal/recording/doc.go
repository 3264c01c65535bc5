// Package recording turns the records of the measurement library into traces in the Open Trace
// Format. It also reads the filters of what the library shall not record, and predicts the size
// of a recording.
//
// The library writes, for each process, PID.meta with its clocks and regions and PID.N with the
// records of each thread (ompt_bridge/src/trace/trace.h). A record says which event of which
// region happened and when; this package finds out what that means. The conversion follows each
// thread's stack, closes what is still open at the end, and adds up the waiting time.
//
// kernel*.go add what the kernel noted of the threads: when they were off the processor, and the
// samples of what they executed. The library records each thread's number in the kernel.
//
// identity.go decides whether a recorded process still runs; snapshot.go reads the recording of a
// running process.
//
// world*.go make one trace of the processes of an MPI job. They read all recordings in parallel,
// unify definitions in the order of ranks, and move receives that come too early (worldflow.go,
// worldlate.go). Then they write the streams in parallel. All numbers are assigned before, so the
// trace does not depend on which stream is first.
package recording
