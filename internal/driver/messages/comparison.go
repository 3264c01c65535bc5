package messages

import (
	"bytes"

	"opari/internal/pattern"
)

// GCC does not say of a comparison that it compares a thing with itself (-Wtautological-compare,
// in -Wall) where the operator or an operand comes from a macro. The instrumented text has no
// macros any more, so there it says so: an allocator that looks for an overflow by `(size_t)(n)
// != (n)` is such a macro. Where no line of the file that has to do with the location holds an
// operator, the comparison is a macro's.

// comparison matches lines that may hold an operator that compares, or a part of one.
var comparison = pattern.Lazy{Text: `[<>]|[=!]=|not_eq|\?\?|\\\s*$`}

// onlyMacrosCompare reports whether all that the compiler said of the instrumented text is about
// comparisons of macros, of which it says nothing in the original.
func (c *Compilation) onlyMacrosCompare(d *diagnostics) bool {
	if !c.Command.IsGCC() || !d.onlyMessages || len(d.messages) == 0 {
		return false
	}
	m := macroLines{files: sourceFiles{}, seen: map[location]bool{}}
	for _, message := range d.messages {
		if message.option != "tautological-compare" {
			return false
		}
		m.seen[message.at] = false
	}
	for i := range c.Sources {
		if s := &c.Sources[i]; s.File.Preprocessed || !s.eachLine(m.visit) || m.open {
			return false
		}
	}
	for _, seen := range m.seen {
		if !seen {
			return false
		}
	}
	return true
}

// macroLines visits the lines of an instrumented text and finds out whether the comparisons at
// the locations of warnings are macros'. What a call of a macro expands to stands on the line on
// which the call begins, and so does what follows the call on its last line: a line of the text
// stands for those of the file up to the next of which the text has something.
type macroLines struct {
	files sourceFiles
	seen  map[location]bool // the locations, and whether the text has had them
	open  bool              // the text is at begin, one of them
	begin location
}

// visit reports whether there is no comparison of the user's own at the locations so far.
func (m *macroLines) visit(at location, text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 || bytes.Contains(text, []byte("pomp_")) ||
		insertedLine.Get().Match(text) || m.open && at == m.begin {
		return true // inserted lines have the numbers of the lines behind them
	}
	if m.open {
		if at.file != m.begin.file || at.line < m.begin.line {
			return false
		}
		for l := m.begin; l.line < at.line; l.line++ {
			if m.compares(l) {
				return false
			}
		}
		m.open = false
	}
	if _, is := m.seen[at]; is {
		m.seen[at], m.open, m.begin = true, true, at
	}
	return true
}

// compares reports whether the file may have a comparison on a line.
func (m *macroLines) compares(at location) bool {
	line := m.files.line(at)
	if !bytes.Contains(line, []byte("-->")) {
		line = bytes.ReplaceAll(line, []byte("->"), nil)
	}
	return line == nil || comparison.Get().Match(line)
}
