// Package ompt_bridge holds the C sources of the bridge: OMPT states, events, callbacks and inquiry, and the profile recorder, a
// tool that uses only that interface. They are compiled as part of the measurement library; package pomp builds it.
package ompt_bridge //nolint:revive // the directory's name, which design and C sources share

import "embed"

// Sources holds src/: C11, included as one translation unit by pomp/src/pomp.c through ompt_bridge.c.
//
//go:embed src/*.c src/*.h src/*/*.c src/*/*.h
var Sources embed.FS

// Tools holds tools/: OMPT tools that use nothing but the public interface, each a shared library of its own. NAME.c is the one unit
// of tool NAME. They include ../src/omp_tools.h, and with it
// omp_tools_target.h.
//
//go:embed tools/*.c tools/*.h
var Tools embed.FS
