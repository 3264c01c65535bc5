// Package otf writes and reads traces in the Open Trace Format, version 1.1, in the encoding of
// libopen-trace-format 1.12 (libotf). Its files are those of libotf, and its tools read them.
//
// # Traces
//
// A trace records what the processes of a program did, and when. It has records of four kinds,
// each kind in files of its own: definitions, events, snapshots and statistics. An event has a
// time, a process, and what happened: a function was entered or left, a message sent or received.
// Events name functions, processes and the like by numbers, called tokens. A definition gives a
// token its name. Times are ticks of a clock; the definition DefTimerResolution has the ticks per
// second.
//
// A process belongs to one stream, and a stream has one file of each kind. A small trace has one
// stream, a large one a stream for each process. All files of a trace NAME lie in one folder
// (section 2.2 of the specification); x is the number of a stream in hexadecimal:
//
//	NAME.otf         the master file: which process belongs to which stream
//	NAME.0.def       definitions that hold in all streams
//	NAME.x.def       definitions that hold in this stream; optional
//	NAME.x.events    events, in the order of time
//	NAME.x.snaps     snapshots: the state of each process at some times; optional
//	NAME.x.stats     statistics: sums from the start to some times; optional
//
// A file whose name ends in .z is compressed.
//
// # Writing and reading
//
// A [Writer] has a method for each type of record, such as [Writer.WriteEnter]. It finds the
// stream of a process, or makes one. The records of a process must come in the order of time.
// [Writer.Close] writes the rest, so callers must check its error.
//
// A [Reader] merges the streams by time and calls a function of a [HandlerArray] for each record.
// [HandlerArray.Any] gets the records that have no function of their own. A handler that returns
// [ErrBreak] stops the reader after the record; any other error ends reading.
// [Reader.DisableProcess] and [Reader.SetTimeInterval] select records.
//
// [Check] finds mistakes in a trace, [Merge] copies one to another number of streams,
// [WriteStatistics] and [WriteSnapshots] compute those files from the events.
//
// A [FileManager] limits how many files are open at a time. All functions that open files take
// one, and a program needs only one.
//
// Nothing here is safe for concurrent use, with one exception: goroutines may write different
// streams of one trace, each through a [WStream] and a FileManager of its own.
// [Reader.ReadStreams] reads streams by several goroutines; WriteStatistics does so, too.
//
// # For those who know libotf
//
// Names are those of the specification in Go's spelling: OTF_Writer_writeEnter is
// Writer.WriteEnter, the handler OTF_Handler_Enter is HandlerArray.Enter. Some things have no
// counterpart. The buffers of streams (OTF_RBuffer, OTF_WBuffer) are for internal use.
// Compression needs no size of a buffer (OTF_Writer_setZBufferSizes). A handler has no user data,
// because a function in Go closes over what it needs.
//
// # How it works
//
// All types of records are rows of one table (table.go). A generator writes the write functions,
// the handlers and the copy handlers from it; encoding, decoding and printing follow the table at
// run time.
//
// WBuffer and RBuffer are one file each: lines, and the state machine of time and process. Most
// records of a trace are enter and leave, which have a faster path than the table, together with
// the lines of time and process before them (run.go, wevent.go). It neither parses nor formats
// again what stays the same from line to line. hex.go handles eight digits at a time.
//
// Records of the same time in different streams come in the order of libotf. The heap of libotf
// is not stable, so the one in heap.go is not either. search.go finds a time by bisection. A
// compressed file consists of independent blocks, which goroutines compress and inflate in
// parallel. Files of other writers may not have such blocks; one goroutine inflates those
// (inflate.go). Memory grows with the numbers of processors and streams, never with the size of a
// file.
package otf

//go:generate go run ./gen

// Types of collective operations (A.1.21).
const (
	CollectiveTypeUnknown = iota
	CollectiveTypeBarrier
	CollectiveTypeOne2All
	CollectiveTypeAll2One
	CollectiveTypeAll2All
)

// Properties of a counter: the bitwise or of a type and a scope (A.1.22).
const (
	CounterTypeAcc    = 0 // monotonously increasing
	CounterTypeAbs    = 1
	CounterScopeStart = 0 // refers to the start of the process
	CounterScopePoint = 4 // to this moment
	CounterScopeLast  = 8 // to the time since the previous measurement
	CounterScopeNext  = 12
)

// Null represents C's NULL where a string may be missing, which is only the name of DefProcess.
// No string of C holds a zero byte. Elsewhere it is written as the empty string, as in the C
// library.
const Null = "\x00"

// Format is how records are spelled.
type Format uint8

// The formats (section 3.1.1): keywords of a letter or two, or full words with blanks between.
const (
	FormatShort Format = iota
	FormatLong
)

// MaxTime is the exclusive end of the widest time interval. A record at this time is never
// delivered: the state machine uses it for "unknown".
const MaxTime = 1<<64 - 1

// DefaultTimerResolution is the ticks per second of a trace that defines none (A.1.16).
const DefaultTimerResolution = 1_000_000
