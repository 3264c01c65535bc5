// Command opari instruments OpenMP programs for the POMP measurement interface, compiles and
// runs them, and reports on them.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"

	"opari/internal/command/build"
	"opari/internal/command/disk"
	"opari/internal/command/instrumenting"
	"opari/internal/command/terminal"
	"opari/internal/driver"
	"opari/pomp"
)

func main() {
	build.Version, build.Commit = version, commit
	pomp.Building = func(compiler string) func() {
		return terminal.Wait("opari builds its library for " + compiler + ", once")
	}
	enoughFiles()
	collectLate()
	os.Exit(start(os.Args))
}

// enoughFiles exits if Go's runtime would lack room for its own files, because that ends in a
// panic with a stack trace.
func enoughFiles() {
	const least = 9
	if n := disk.Openable(); n < least {
		fmt.Fprintf(os.Stderr,
			"opari: error: only %d files may be open (ulimit -n); opari needs %d\n", n, least)
		os.Exit(1)
	}
}

// collectLate turns the garbage collector off until the heap is large. The process is
// short-lived, and collecting would cost more than it gains. The first collection removes the
// limit for good: if the live data exceeded it, the collector would run all the time.
func collectLate() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(200 << 20)
	first := new([16]byte)
	runtime.SetFinalizer(first, func(*[16]byte) {
		debug.SetGCPercent(40)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}

// start calls the compiler wrapper before it builds any command tree, because the wrapper
// starts before every compiler call of a build.
func start(args []string) int {
	if code, ok := instrumenting.AsOPARI2(args); ok {
		return code
	}
	if code, ok := driver.Masquerade(args[0], args[1:]); ok {
		return code
	}
	if len(args) > 2 && args[1] == "cc" && args[2] != "--help" && args[2] != "-h" {
		return driver.Main(args[2:])
	}
	return execute(args[1:])
}
