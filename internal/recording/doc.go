// Package recording turns what the measurement library recorded of a program's events into traces
// in the Open Trace Format, tells the library what is not to be recorded, and predicts how large
// a recording will be.
//
// The library writes, for each process, PID.meta with its clocks and regions and PID.N with the
// records of each thread (ompt_bridge/src/trace/trace.h). A record says which event of which region
// came when; what it means is found out here. The conversion follows each thread's stack, closes
// what was left open, and adds up the waiting.
//
// identity.go decides whether a recorded process still runs; snapshot.go reads the recording of
// one that does.
//
// world*.go make one trace of the processes of an MPI job. All recordings are read in parallel,
// definitions are unified in the order of ranks, and receives that come too early are moved
// (worldflow.go, worldlate.go). Then the streams are written in parallel, so the trace does not
// depend on who is first.
package recording
