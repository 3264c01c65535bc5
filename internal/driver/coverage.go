package driver

import (
	"encoding/json"
	"os"

	"opari/internal/instrument"
	"opari/internal/source"
)

// withoutSeverity returns a diagnostic for a line that already has its severity.
func withoutSeverity(d source.Diagnostic) string {
	t := d.Pos.String() + ": " + d.Message
	if d.Hint != "" {
		t += "; " + d.Hint
	}
	return t
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
	Output       string `json:"output,omitempty"` // the output, as the user named it
}

// coverageFile returns the file for the coverage; "": none is wanted.
func coverageFile() string { return os.Getenv("OPARI_COVERAGE") }

// coverageLines returns the coverage of a file, one line for each directive. If the file could
// not be instrumented, it returns the errors instead.
func coverageLines(d *instrument.Draft, file, output string) []coverageLine {
	if coverageFile() == "" {
		return nil
	}
	var all []coverageLine
	add := func(p source.Position, directive string, instrumented bool, reason string) {
		all = append(all, coverageLine{
			p.File, p.Line, p.Column, directive, instrumented, reason,
			file, output,
		})
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

// writeCoverage appends the lines of all files in one write, so that compilers in parallel do not
// mix their lines. If the compiler rejected the instrumented text, nothing counts as
// instrumented.
func (s *session) writeCoverage(sources []*sourceText) {
	name := coverageFile()
	var b []byte
	for _, r := range sources {
		for _, c := range r.coverage {
			if s.rejected && c.Instrumented {
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
		s.Warnf("OPARI_COVERAGE: %v", err)
	}
}
