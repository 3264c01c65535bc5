// Package pomp builds the measurement library that instrumented programs call, and returns the
// options to compile and link with it.
//
// It embeds the C sources of pomp/src and ompt_bridge/src. Build compiles them once for each of
// the user's compilers, and keeps the result in the user's cache:
//
//	lib, err := pomp.Build([]string{"gcc"}, "")
//	// lib.Dir is ~/.cache/opari/ followed by a hash of the sources and the compiler
//	options := lib.DynamicLibs() // the archive lib/libpomp_gomp.a below lib.Dir, and its options
//
// Lib is for dynamic programs and shared libraries, Wrapping for static programs on GCC's
// runtime, and BuildTool for OMPT tools. Symbols examines the files of a link to find out which
// library receives the calls of their instrumented code.
package pomp
