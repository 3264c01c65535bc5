package driver

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"opari/pomp"
)

// Codes of our own, as env, timeout and nohup have them, which start programs too: no compiler's.
const (
	exitNoRoom       = 1   // the compiler's own for a disk that is full
	exitFailed       = 125 // we, not the compiler, could or would not
	exitNotRunnable  = 126
	exitNotFound     = 127
	exitSignalOffset = 128
)

// maxWords is the length of arguments in bytes above which they go through a response file: the kernel's limit is 128 kB for one word and
// 2 MB for all with the environment, with eight bytes for a pointer each.
const maxWords = 1 << 20

// session is the state of one call of the wrapper.
type session struct {
	opts  ccOptions
	cmd   *command
	libs  []string // for the link: the user's own text wants them too, if it calls what only the library has, or where its other objects are instrumented
	warns io.Writer

	audience *pomp.Audience // of the program that is linked; nil where none is

	results []*result            // of the sources
	untaken bool                 // the compiler did not take what was instrumented
	asides  map[string]overheard // by the mode
	modules moduleFiles
	pending []func() // what is to be said where the compiler takes the user's text

	mu       sync.Mutex
	dir      string      // private temporary directory, "" until needed
	child    *os.Process // the step that runs
	caught   syscall.Signal
	watching bool
}

// replace turns this process into the command; it returns only an exit code for a failure to do so.
func (s *session) replace(words []string) int {
	s.say(words)
	if s.opts.dryRun {
		return 0
	}
	path, code := lookup(words[0])
	if code != 0 {
		s.errorf("%s: %s", words[0], notRunnable(code))
		return code
	}
	err := syscall.Exec(path, words, os.Environ())
	s.errorf("%s: %v", words[0], err)
	return exitNotRunnable
}

func notRunnable(code int) string {
	if code == exitNotFound {
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
		return "", exitNotRunnable
	}
	return "", exitNotFound
}

// step runs a command to its end. Its standard output goes to stdout (nil: to ours), its standard error to stderr (nil: to
// ours).
func (s *session) step(words []string, stdout, stderr io.Writer) int {
	path, code := lookup(words[0])
	if code != 0 {
		s.errorf("%s: %s", words[0], notRunnable(code))
		return code
	}
	words = s.shorten(words)
	cmd := &exec.Cmd{Path: path, Args: words, Stdin: os.Stdin, Stdout: stdout, Stderr: stderr}
	if stderr != nil && depsInEnvironment() { // a step of ours: the user's own command writes them
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
			name, _, _ := strings.Cut(v, "=")
			return slices.Contains(depsVariables, name)
		})
	}
	if stdout == nil {
		cmd.Stdout = os.Stdout
	}
	if stderr == nil {
		cmd.Stderr = os.Stderr
	}
	s.mu.Lock()
	err := cmd.Start()
	if err == nil {
		s.child = cmd.Process
	}
	s.mu.Unlock()
	if err != nil {
		s.errorf("%s: %v", words[0], err)
		return exitNotRunnable
	}
	err = cmd.Wait()
	s.mu.Lock()
	s.child = nil
	s.mu.Unlock()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			s.notice(ws.Signal())
			return exitSignalOffset + int(ws.Signal())
		}
		return exit.ExitCode()
	} else if err != nil {
		s.errorf("%s: %v", words[0], err)
		return exitFailed
	}
	return 0
}

// notice takes a signal that ended a step for one that was meant for us too: of a process group the child may be hit, and waited for, before
// we are. Anything else would compile on.
func (s *session) notice(sig syscall.Signal) {
	switch sig {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT:
		s.mu.Lock()
		s.caught = sig
		s.mu.Unlock()
	}
}

// shorten puts arguments that are too long for the kernel into a response file.
func (s *session) shorten(words []string) []string {
	n := 0
	for _, w := range words {
		n += len(w) + 9
	}
	if n < maxWords || s.dir == "" {
		return words
	}
	keep := len(s.cmd.compiler)
	name := filepath.Join(s.dir, "args")
	if os.WriteFile(name, quoteResponse(words[keep:]), 0o600) != nil {
		return words
	}
	return append(append([]string(nil), words[:keep]...), "@"+name)
}

// temp makes the private directory and sees to it that a signal removes it.
func (s *session) temp() (string, error) {
	if s.dir != "" {
		return s.dir, nil
	}
	s.watch()
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, err := makeTemp()
	s.dir = dir
	return dir, err
}

// scratch opens a file without a name in the private directory.
func (s *session) scratch() (*os.File, error) {
	dir, err := s.temp()
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "")
	if err == nil {
		_ = os.Remove(f.Name())
	}
	return f, err
}

// watch passes a signal on to the step that runs and notes it; without one it ends the process here.
func (s *session) watch() {
	if s.watching {
		return
	}
	s.watching = true
	c := make(chan os.Signal, 4)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup, and what a shell runs in the background
			signal.Notify(c, sig)
		}
	}
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // nobody hears us any more: that must not end us before we have cleaned up
	go func() {
		for sig := range c {
			s.mu.Lock()
			s.caught = sig.(syscall.Signal)
			if s.child != nil {
				interrupt(s.child, sig)
				s.mu.Unlock()
				continue
			}
			if s.dir != "" {
				// The main goroutine may be writing there: once the directory is gone it cannot make it again.
				for tries := 0; os.RemoveAll(s.dir) != nil && tries < 1000; tries++ {
				}
			}
			die(s.caught) // with the lock held: nothing is started any more
		}
	}()
}

// die ends this process by the signal it was sent, so that its parent sees what happened.
func die(sig syscall.Signal) {
	signal.Reset(sig)
	_ = syscall.Kill(os.Getpid(), sig)
	time.Sleep(100 * time.Millisecond) // it comes at once
	os.Exit(exitSignalOffset + int(sig))
}

// clean removes the temporary directory and ends by a signal that came meanwhile.
func (s *session) clean() {
	s.mu.Lock()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
		s.dir = ""
	}
	sig := s.caught
	s.mu.Unlock()
	if sig != 0 {
		die(sig)
	}
}

// firstLines is the beginning of what a step said, for a message.
func firstLines(b []byte, n int) []byte {
	end := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			return b
		}
		end += i + 1
	}
	return b[:end]
}
