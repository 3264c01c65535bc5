package main

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminalWidth returns the number of columns if f is a terminal, or else COLUMNS, or else 80.
func terminalWidth(f *os.File) int {
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 80
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// wantColor applies --color to output for f.
func wantColor(mode string, f *os.File) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return isTerminal(f) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// inForeground reports whether this process is in the foreground process group of its terminal.
// Then the terminal sends the interrupt key to the entire group, and opari need not pass it on.
func inForeground() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetUint32(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && int(group) == unix.Getpgrp()
}
