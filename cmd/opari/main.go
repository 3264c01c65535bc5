// Command opari instruments OpenMP programs for the POMP measurement interface, compiles, runs and reports.
package main

import (
	"os"
	"runtime/debug"

	"opari/internal/driver"
)

func main() {
	// The process is short-lived: collecting garbage would cost more than it gives back, until the limit is reached.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(256 << 20)
	os.Exit(start(os.Args))
}

// start sends the compiler wrapper on its way before any command tree is built: it stands before every compiler call of a
// build.
func start(args []string) int {
	if code, ok := driver.Masquerade(args[0], args[1:]); ok {
		return code
	}
	if len(args) > 2 && args[1] == "cc" && args[2] != "--help" && args[2] != "-h" {
		return driver.Main(args[2:])
	}
	return execute(args[1:])
}
