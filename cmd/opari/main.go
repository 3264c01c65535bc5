// Command opari instruments OpenMP programs for the POMP measurement interface, compiles, runs and
// reports.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"

	"opari/internal/driver"
)

func main() {
	enoughFiles()
	collectLate()
	os.Exit(start(os.Args))
}

// enoughFiles stops where Go's own files find no room, which would end in a panic with a trace of
// the stack.
func enoughFiles() {
	const least = 9
	if n := openable(); n < least {
		fmt.Fprintf(os.Stderr,
			"opari: error: only %d files may be open (ulimit -n); opari needs %d\n", n, least)
		os.Exit(1)
	}
}

// openable is how many files the process may have open.
func openable() uint64 {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return math.MaxUint64
	}
	return r.Cur
}

// collectLate keeps the garbage collector off until the heap has grown large: the process is
// short-lived, and collecting would cost more than it gives back. The first collection turns it on
// for good, for a limit that the live data exceeds would make it run all the time.
func collectLate() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(200 << 20)
	first := new([16]byte)
	runtime.SetFinalizer(first, func(*[16]byte) {
		debug.SetGCPercent(40)
		debug.SetMemoryLimit(math.MaxInt64)
	})
}

// start sends the compiler wrapper on its way before any command tree is built: it stands before
// every compiler call of a build.
func start(args []string) int {
	if code, ok := driver.Masquerade(args[0], args[1:]); ok {
		return code
	}
	if len(args) > 2 && args[1] == "cc" && args[2] != "--help" && args[2] != "-h" {
		return driver.Main(args[2:])
	}
	return execute(args[1:])
}
