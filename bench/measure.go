package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// cost is what a command used, including its children.
type cost struct {
	cpu time.Duration // user and system
	rss int64         // bytes, peak of the largest process
}

// command runs argv in dir with variables added to the environment, and returns its cost and
// standard output.
func command(dir string, env []string, argv ...string) (cost, string, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	var c cost
	if state := cmd.ProcessState; state != nil {
		c.cpu = state.UserTime() + state.SystemTime()
		if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
			c.rss = usage.Maxrss << 10
		}
	}
	if err != nil {
		return c, out.String(), fmt.Errorf("%s: %w\n%.1000s%.1000s", strings.Join(argv, " "), err,
			complaints.String(), out.String())
	}
	return c, out.String(), nil
}

// found reports whether a program is in PATH.
func found(name string) bool {
	_, err := exec.LookPath(name)
	return err == nil
}

// quartiles returns the first quartile, the median and the third quartile of v, which must not be
// empty.
func quartiles(v []float64) (q1, median, q3 float64) {
	v = slices.Sorted(slices.Values(v))
	at := func(p float64) float64 { return v[int(p*float64(len(v)-1)+0.5)] }
	return at(0.25), at(0.5), at(0.75)
}
