// Package otf writes and reads traces in the Open Trace Format, version 1.1, in the encoding of
// libopen-trace-format 1.12.
//
// A trace is a set of files with a common name stub (section 2.2 of the specification): a master
// file NAME.otf that maps processes to streams, global definitions NAME.0.def, and for each
// stream x NAME.x.events and, optional, NAME.x.def, NAME.x.snaps and NAME.x.stats; x is
// hexadecimal. Each may be compressed and then ends in .z. Writer and Reader address whole
// traces, WStream and RStream single streams.
//
// All record types are rows of one table (table.go). The typed write functions, the handlers and
// the copy handlers are generated from it; encoding, decoding and printing follow it at run time.
// Names are those of the specification in Go's spelling: OTF_Writer_writeEnter is
// Writer.WriteEnter, the handler OTF_Handler_Enter is HandlerArray.Enter.
//
// What has no counterpart: the buffers behind streams (OTF_RBuffer, OTF_WBuffer) are for internal
// use there and here; compression needs no buffer whose size could be set
// (OTF_Writer_setZBufferSizes); user data of handlers are what their functions close over.
//
// Nothing here is safe for concurrent use, except that different streams of one trace may be
// written by different goroutines through WStreams, each with a FileManager of its own.
//
// # How it works
//
// WBuffer and RBuffer are one file each: lines, and the state machine of time and process. Enter
// and leave are nearly all of a trace and go past the table: what stays from line to line is
// neither parsed nor rendered again, and digits go eight at a time (hex.go).
//
// Records of several streams come in the order of libotf, also at the same time: its heap is not
// stable, so heap.go is not either. search.go finds a time by halving. Compressed files are
// blocks that stand for themselves, so they are packed and inflated in parallel; what does not
// fit that is inflated in one go (inflate.go). Memory is bounded by processors and streams, never
// by a file.
//
// A FileManager opens all files of a trace by one function. Tests have one for files in memory.
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

// Properties of a counter: a type or-ed with a scope (A.1.22).
const (
	CounterTypeAcc    = 0 // monotonously increasing
	CounterTypeAbs    = 1
	CounterScopeStart = 0 // refers to the start of the process
	CounterScopePoint = 4 // to this moment
	CounterScopeLast  = 8 // to the time since the previous measurement
	CounterScopeNext  = 12
)

// Null stands for the NULL of C where a string may be missing: the name of DefProcess. No string of C holds a zero byte. Elsewhere it
// is written as the empty string, as the C library does.
const Null = "\x00"

// Format is how records are spelled.
type Format uint8

// The formats (section 3.1.1): keywords of a letter or two, or whole words with blanks between.
const (
	FormatShort Format = iota
	FormatLong
)

// MaxTime is the exclusive end of the widest time interval. A record at this time is never delivered: the state machine uses it for "unknown".
const MaxTime = 1<<64 - 1

// DefaultTimerResolution holds where a trace defines none: ticks per second (A.1.16).
const DefaultTimerResolution = 1_000_000
