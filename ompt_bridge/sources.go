// Package ompt_bridge holds the C sources that turn events into OMPT: thread states, callbacks
// and inquiry functions.
//
// It also holds the recorders, which are tools that use only this interface. When instrumented
// code enters a loop, the bridge sets the thread's state and calls each attached tool as an OMPT
// runtime would:
//
//	ompt_callback_work(ompt_work_loop, ompt_scope_begin, ...)
//
// Package pomp compiles the sources as part of the measurement library.
package ompt_bridge //nolint:revive // the directory's name, which design and C sources share

import "embed"

// Sources holds src/: C11, included as one translation unit by pomp/src/pomp.c through
// ompt_bridge.c.
//
//go:embed src/*.c src/*.h src/*/*.c src/*/*.h
var Sources embed.FS

// Tools holds tools/: OMPT tools that use only the public interface, each of them a shared
// library. NAME.c is the only unit of tool NAME. They include ../src/omp_tools.h, and with it
// omp_tools_target.h.
//
//go:embed tools/*.c tools/*.h
var Tools embed.FS
