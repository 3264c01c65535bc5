package main

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"opari/internal/driver"
)

// terminalWidth is the number of columns of f when it is a terminal, else what COLUMNS says, else 80.
func terminalWidth(f *os.File) int {
	var size struct{ rows, columns, x, y uint16 }
	_, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if e == 0 && size.columns > 0 {
		return int(size.columns)
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 80
}

// wantColor judges --color for what goes to f.
func wantColor(mode string, f *os.File) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	return driver.IsTerminal(f) && os.Getenv("TERM") != "dumb" && os.Getenv("NO_COLOR") == ""
}

// inForeground reports whether this process is in the foreground process group of its terminal: then the terminal sends the interrupt key
// to all of the group, and nobody has to pass it on.
func inForeground() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	var group int32
	_, _, e := syscall.Syscall(syscall.SYS_IOCTL, tty.Fd(), syscall.TIOCGPGRP, uintptr(unsafe.Pointer(&group)))
	return e == 0 && int(group) == syscall.Getpgrp()
}
