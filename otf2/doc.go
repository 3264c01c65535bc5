// Package otf2 writes and reads traces in the Open Trace Format, version 2, as libotf2 3.0 does.
//
// # Archives
//
// A trace, called an archive, is a folder. Its anchor file NAME.otf2 has facts about the whole:
// version, sizes of chunks, how many locations and definitions there are. x is the number of a
// location in decimal:
//
//	NAME.otf2      the anchor file
//	NAME.def       definitions that hold everywhere
//	NAME/x.evt     events of a location, in the order of time
//	NAME/x.def     definitions of a location: its own numbers, and what its clock lacks; optional
//	NAME/x.snap    snapshots of a location; optional
//	NAME.marker    markers; optional
//
// A location is a sequence of events, such as a thread. It belongs to a location group, such as a
// process, and that to a node of the system tree, such as a machine. Definitions refer to each
// other by numbers. All texts are definitions.
//
// A location may have numbers of its own for what it refers to. A mapping table in its definitions
// gives the global number of each. Clock offsets there say what its clock lacks. The reader applies
// both, so handlers get global numbers and global times.
//
// # Writing and reading
//
// A [Writer] has a method for each type of record, such as [Writer.WriteEnter]. The events of a
// location must come in the order of time. [Writer.Close] writes the rest, so callers must check
// its error. Definitions may be written at any time, so the definition of a location, which says
// how many events it has, comes last: [WLocation.Events] counts them.
//
// A [Reader] merges the events of all locations by time and calls a function of a [HandlerArray]
// for each record. [HandlerArray.Any] gets the records that have no function of their own. A
// handler that returns [ErrBreak] stops the reader after the record; any other error ends reading.
//
// Nothing here is safe for concurrent use, with one exception: goroutines may write different
// locations of one archive, each through its [WLocation].
//
// # How it works
//
// All types of records are rows of one table (definitions.go, events.go, enums.go). A generator
// writes the write functions, the handlers, the document and the test programs from it; encoding,
// decoding and printing follow the table at run time. Enter and Leave, most records of a trace,
// have a faster path.
//
// A file is a sequence of chunks of the same size. Records do not cross chunks, and each chunk of
// events begins with a time, so that a search can begin at any chunk. The writer keeps a block of
// a chunk in memory, the reader likewise. So memory grows with the number of locations, never with
// the size of a file.
//
// Files are the same, byte for byte, as those of the C library for the same calls. That decides
// where chunks end, and how wide a length is: by the most bytes that a record could have.
//
// Not supported: archives in SIONlib's containers, which need that library, thumbnails, and
// compressed files, which libotf2 3 does not read either.
package otf2

//go:generate go run ./gen
