package process

import (
	"fmt"
	"strings"

	"opari/internal/driver/commandline"
)

// Errorf says why opari, not the compiler, could not do what was asked.
func (r *Runner) Errorf(format string, args ...any) {
	fmt.Fprintln(r.Messages, "opari: error: "+strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

// Warnf prints a warning of opari's own.
func (r *Runner) Warnf(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	fmt.Fprintln(r.Messages, "opari: warning: "+text)
}

// Print prints a command that is about to run, if the user has asked for that.
func (r *Runner) Print(words []string) {
	if r.Verbose || r.DryRun {
		fmt.Fprintln(r.Messages, commandline.ShellQuote(words))
	}
}
