package driver

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"opari/internal/source"
)

// errorf says why we, not the compiler, could not do what was asked.
func (s *session) errorf(format string, args ...any) {
	fmt.Fprintln(s.warns, "opari: error: "+strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

func (s *session) warnf(format string, args ...any) {
	fmt.Fprintln(s.warns, "opari: warning: "+strings.TrimRight(fmt.Sprintf(format, args...), "\n"))
}

// say prints a command that is about to run.
func (s *session) say(words []string) {
	if s.opts.verbose || s.opts.dryRun {
		fmt.Fprintln(s.warns, ShellQuote(words))
	}
}

// withoutSeverity is a diagnostic for a line that says its severity already.
func withoutSeverity(d source.Diagnostic) string {
	t := d.Pos.String() + ": " + d.Message
	if d.Hint != "" {
		t += "; " + d.Hint
	}
	return t
}

// PrintDiagnostics writes warnings and errors, a line each; with lower set errors are called warnings, because they stop nothing.
func PrintDiagnostics(w io.Writer, ds source.Diagnostics, lower bool) {
	for _, d := range ds {
		if d.Severity == source.Error && lower {
			d.Severity = source.Warning
		}
		if d.Severity != source.Note {
			fmt.Fprintln(w, d)
		}
	}
}

// coverageLine is a line of the file that OPARI_COVERAGE names.
type coverageLine struct {
	File         string `json:"file"`
	Line         int    `json:"line"`
	Column       int    `json:"column"`
	Directive    string `json:"directive"`
	Instrumented bool   `json:"instrumented"`
	Reason       string `json:"reason,omitempty"`
	Source       string `json:"source"`           // the file that was compiled
	Output       string `json:"output,omitempty"` // what it was compiled to, as the user named it
}

// coverageFile is the file that wants coverage, or "".
func coverageFile() string { return os.Getenv("OPARI_COVERAGE") }

// coverageLines is the coverage of the text of file, a directive a line; one that could not be instrumented has its errors instead.
func coverageLines(d *Draft, file, output string) []coverageLine {
	if coverageFile() == "" {
		return nil
	}
	var all []coverageLine
	add := func(p source.Position, directive string, instrumented bool, reason string) {
		all = append(all, coverageLine{p.File, p.Line, p.Column, directive, instrumented, reason, file, output})
	}
	if d.Diags.HasErrors() {
		for _, d := range d.Diags {
			if d.Severity == source.Error {
				add(d.Pos, "", false, d.Message)
			}
		}
		return all
	}
	for _, c := range d.Coverage {
		add(c.Pos, c.Directive, c.Instrumented, c.Reason)
	}
	return all
}

// writeCoverage appends the lines of all files in one write, so that compilers that run side by side do not mix theirs. Where the compiler
// did not take the instrumented text nothing is instrumented.
func (s *session) writeCoverage(results []*result) {
	name := coverageFile()
	var b []byte
	for _, r := range results {
		for _, c := range r.coverage {
			if s.untaken && c.Instrumented {
				c.Instrumented, c.Reason = false, "the compiler does not take the instrumented text"
			}
			if line, err := json.Marshal(c); err == nil {
				b = append(append(b, line...), '\n')
			}
		}
	}
	if name == "" || len(b) == 0 {
		return
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err == nil {
		_, err = f.Write(b)
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err != nil {
		s.warnf("OPARI_COVERAGE: %v", err)
	}
}
