package corpus

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

const (
	buildLimit = 2 * time.Minute
	runLimit   = time.Minute // for programs that hang: a busy machine may need ten seconds
	// A process that the command leaves running may keep its output open. The wait for it counts
	// as a failure, so this limit, too, is only for programs that hang.
	waitDelay  = 30 * time.Second
	keepOutput = 64 << 10 // bytes of a command's output that are kept
)

// Outcome is how a command ended.
type Outcome struct {
	Code    int  // exit status; -1 when it did not exit by itself
	Signal  bool // a signal ended it
	Timeout bool
	Output  string // of both streams, cut in the middle when it is long
}

// OK reports whether the command succeeded.
func (o Outcome) OK() bool { return o.Code == 0 && !o.Signal && !o.Timeout }

// Execute runs a command in dir with variables added to the environment. After the limit it ends
// the entire process group.
func Execute(dir string, env []string, limit time.Duration, argv ...string) Outcome {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "LC_ALL=C"), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = waitDelay
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	o := Outcome{Output: shorten(out.String())}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		o.Timeout, o.Code = true, -1
	case errors.As(err, &exit):
		status, _ := exit.Sys().(syscall.WaitStatus)
		o.Code, o.Signal = exit.ExitCode(), status.Signaled()
	case err != nil:
		o.Code, o.Output = -1, err.Error()
	}
	return o
}

// shorten keeps the head and the tail of a long output.
func shorten(s string) string {
	if len(s) > keepOutput {
		return s[:keepOutput/2] + "\n...\n" + s[len(s)-keepOutput/2:]
	}
	return s
}

var diagnostic = regexp.MustCompile(
	`\berror\b|ERROR|Error:|undefined reference|Assertion|libgomp:|multiple definition`)

// FirstDiagnostic returns the line of the output that names the error.
func FirstDiagnostic(output string) string {
	first := ""
	for line := range strings.SplitSeq(output, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if diagnostic.MatchString(line) && !strings.Contains(line, "In function") {
			return line
		}
		if first == "" {
			first = line
		}
	}
	return first
}
