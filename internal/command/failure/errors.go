package failure

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// UsageError is a mistake in the command line, with exit code 2.
type UsageError struct{ error }

// Usage marks an error as a mistake in the command line.
func Usage(err error) error { return UsageError{err} }

// Exit ends the program with a code. The messages are printed already.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Written names standard output in an error that comes straight from the system.
func Written(err error) error {
	if p, is := err.(*os.PathError); is && p.Path == os.Stdout.Name() {
		return OS(p.Path, err)
	}
	return err
}

// File returns a message about a file without a line number.
func File(name, format string, args ...any) error {
	return fmt.Errorf("%s: error: %w", name, fmt.Errorf(format, args...))
}

// OS returns a message about an error of the system, which names the file once. It returns nil
// if err is nil.
func OS(name string, err error) error {
	if err == nil {
		return nil
	}
	if name == os.Stdout.Name() {
		name = "standard output"
	}
	return File(name, "%v", Reason(err))
}

// Compiler returns a message about a library that could not be built for the compiler of --cc.
func Compiler(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("opari: error: %w; --cc names another compiler", err)
	}
	return fmt.Errorf("opari: error: %w", err)
}

// Reason returns the innermost cause of err, which names no file.
func Reason(err error) error {
	var p *os.PathError
	var l *os.LinkError
	var x *exec.Error
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	case errors.As(err, &x):
		return x.Err
	}
	return err
}
