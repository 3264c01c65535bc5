package disk

import (
	"math"
	"syscall"
)

// Openable returns how many files the process may have open.
func Openable() uint64 {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return math.MaxUint64
	}
	return r.Cur
}
