package source

import "fmt"

// Severity is the effect of a diagnostic on the run.
type Severity uint8

// The severities. A Note stops nothing, a Warning is shown, and an Error prevents the output
// file.
const (
	Note Severity = iota
	Warning
	Error
)

func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Diagnostic is one message about one place. Hint, if not empty, says what the user can do.
type Diagnostic struct {
	Pos      Position
	Severity Severity
	Message  string
	Hint     string
}

func (d Diagnostic) String() string {
	s := fmt.Sprintf("%s: %s: %s", d.Pos, d.Severity, d.Message)
	if d.Hint != "" {
		s += "; " + d.Hint
	}
	return s
}

// Diagnostics collects messages in the order in which they arise.
type Diagnostics []Diagnostic

// Errorf adds an error at offset of f.
func (ds *Diagnostics) Errorf(f *File, offset int, format string, args ...any) {
	*ds = append(*ds,
		Diagnostic{Pos: f.Position(offset), Severity: Error, Message: fmt.Sprintf(format, args...)})
}

// Warnf adds a warning at offset of f.
func (ds *Diagnostics) Warnf(f *File, offset int, format string, args ...any) {
	*ds = append(*ds, Diagnostic{
		Pos: f.Position(offset), Severity: Warning,
		Message: fmt.Sprintf(format, args...),
	})
}

// HasErrors reports whether ds has an Error.
func (ds Diagnostics) HasErrors() bool {
	for _, d := range ds {
		if d.Severity == Error {
			return true
		}
	}
	return false
}
