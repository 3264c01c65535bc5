package driver

import (
	"bytes"
	"regexp"
)

// Of a comparison that a macro makes GCC does not say that it compares a thing with itself (-Wtautological-compare, in -Wall): neither where the operator nor where an
// operand comes from one. The instrumented text has no macros any more, so there it does: allocators that look for an overflow in
// `(size_t)(n) != (n)` are such macros. Where no line of the file that has to do with the place holds an operator, it is a macro's.

// comparison matches lines that may hold an operator that compares, or a part of one.
var comparison = regexp.MustCompile(`[<>]|[=!]=|not_eq|\?\?|\\\s*$`)

// withheld reports whether all that the compiler said of the instrumented text is what it keeps back of the user's.
func (s *session) withheld(h *hearing) bool {
	if !s.cmd.gcc() || !h.clear || len(h.remarks) == 0 {
		return false
	}
	m := macroLines{files: userFiles{}, seen: map[linePlace]bool{}}
	for _, r := range h.remarks {
		if r.option != "tautological-compare" {
			return false
		}
		m.seen[r.at] = false
	}
	for _, r := range s.results {
		if r.file.pre || !r.eachLine(m.show) || m.open {
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

// macroLines is shown the lines of an instrumented text, and looks whether those at the places of warnings are a macro's. What the call of a macro makes stands on the
// line on which the call begins, and so does what follows the call on its last line: a line of the text stands for those of
// the file up to the next of which the text has something.
type macroLines struct {
	files userFiles
	seen  map[linePlace]bool // the places, and whether the text has had them
	open  bool               // the text is at begin, one of them
	begin linePlace
}

// show reports whether no comparison of the user's own can have been at the places so far.
func (m *macroLines) show(at linePlace, text []byte) bool {
	if len(bytes.TrimSpace(text)) == 0 || bytes.Contains(text, []byte("pomp_")) || unsaid.Match(text) || m.open && at == m.begin {
		return true // what is put in goes by the numbers of the lines behind it
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
func (m *macroLines) compares(l linePlace) bool {
	line := m.files.line(l)
	if !bytes.Contains(line, []byte("-->")) {
		line = bytes.ReplaceAll(line, []byte("->"), nil)
	}
	return line == nil || comparison.Match(line)
}
