// Package process runs the commands of a compilation. It passes signals on to them and removes
// what they leave in the temporary folder.
package process

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"

	"opari/internal/driver/commandline"
)

// These are opari's own exit codes. No compiler has them; env, timeout and nohup, which also
// start programs, use the same.
const (
	ExitNoSpace      = 1   // the compiler's own code for a full disk
	ExitFailed       = 125 // opari, not the compiler, could not or would not do it
	ExitNotRunnable  = 126
	ExitNotFound     = 127
	exitSignalOffset = 128
)

// Runner runs the commands of one call of the wrapper.
type Runner struct {
	Messages io.Writer // opari's own messages
	Verbose  bool      // print commands before they run
	DryRun   bool      // print commands and run none
	Compiler int       // number of words for launchers and the compiler

	mu       sync.Mutex
	folder   string      // private temporary folder; "" until needed
	child    *os.Process // the running step
	caught   syscall.Signal
	watching bool
}

// Replace turns this process into the command. It returns only on failure, with an exit code.
func (r *Runner) Replace(words []string) int {
	r.Print(words)
	if r.DryRun {
		return 0
	}
	path, code := lookup(words[0])
	if code != 0 {
		r.Errorf("%s: %s", words[0], notRunnable(code))
		return code
	}
	err := syscall.Exec(path, words, os.Environ())
	r.Errorf("%s: %v", words[0], err)
	return ExitNotRunnable
}

func notRunnable(code int) string {
	if code == ExitNotFound {
		return "no such program"
	}
	return "cannot be run"
}

// lookup finds a program as the shell does.
func lookup(name string) (path string, code int) {
	path, err := exec.LookPath(name)
	switch {
	case err == nil || errors.Is(err, exec.ErrDot):
		return path, 0
	case errors.Is(err, os.ErrPermission):
		return "", ExitNotRunnable
	}
	return "", ExitNotFound
}

// Run runs a command to its end. Its standard output goes to stdout, its standard error to
// stderr; nil means opari's own.
func (r *Runner) Run(words []string, stdout, stderr io.Writer) int {
	r.Print(words)
	path, code := lookup(words[0])
	if code != 0 {
		r.Errorf("%s: %s", words[0], notRunnable(code))
		return code
	}
	words = r.shorten(words)
	cmd := &exec.Cmd{Path: path, Args: words, Stdin: os.Stdin, Stdout: stdout, Stderr: stderr}
	// Only the original command, whose messages are not caught, may write dependencies.
	if stderr != nil && commandline.DependenciesInEnvironment() {
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
			name, _, _ := strings.Cut(v, "=")
			return slices.Contains(commandline.DependencyVariables, name)
		})
	}
	if stdout == nil {
		cmd.Stdout = os.Stdout
	}
	if stderr == nil {
		cmd.Stderr = os.Stderr
	}
	r.mu.Lock()
	err := cmd.Start()
	if err == nil {
		r.child = cmd.Process
	}
	r.mu.Unlock()
	if err != nil {
		r.Errorf("%s: %v", words[0], err)
		return ExitNotRunnable
	}
	err = cmd.Wait()
	r.mu.Lock()
	r.child = nil
	r.mu.Unlock()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			r.notice(ws.Signal())
			return exitSignalOffset + int(ws.Signal())
		}
		return exit.ExitCode()
	} else if err != nil {
		r.Errorf("%s: %v", words[0], err)
		return ExitFailed
	}
	return 0
}
