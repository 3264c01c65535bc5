package terminal

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// Width returns the number of columns if f is a terminal, or else COLUMNS, or else 80.
func Width(f *os.File) int {
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 80
}

// IsTerminal reports whether f is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// obeys reports whether f is a terminal that obeys control sequences.
func obeys(f *os.File) bool { return IsTerminal(f) && os.Getenv("TERM") != "dumb" }

// WantColor applies --color to output for f.
func WantColor(mode string, f *os.File) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return obeys(f) && os.Getenv("NO_COLOR") == ""
}

// InForeground reports whether this process is in the foreground process group of its terminal.
// Then the terminal sends the interrupt key to the entire group, and opari need not pass it on.
func InForeground() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetUint32(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && int(group) == unix.Getpgrp()
}

// Plural returns a number with what it counts: "1 rank", "2 ranks".
func Plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
