package messages

import (
	"bytes"

	"opari/internal/omp"
	"opari/internal/pattern"
)

// GCC's message about the instrumented text equals that about the original if the line is the
// same in the preprocessed text and in the user's file. GCC shows the line from that file, and
// the columns are the same. The two texts differ in macros, directives and inserted lines, so
// none of these may be on the line. Such messages need no second compilation.

// sameForOriginal reports whether the compiler surely says of the original text what it said of
// the instrumented one.
func (c *Compilation) sameForOriginal(d *diagnostics) bool {
	if !c.Command.IsGCC() || !d.onlyMessages || !d.have(aboutDeclarations()) {
		return false
	}
	if len(d.lines) == 0 { // no message is about a text
		return true
	}
	l := lineComparison{wanted: d.lines, files: sourceFiles{}, seen: map[location]bool{}}
	for i := range c.Sources {
		s := &c.Sources[i]
		if s.File.Preprocessed || s.File.Lang == omp.Fortran || !s.eachLine(l.same) {
			return false
		}
	}
	return len(l.seen) == len(d.lines)
}

// A lineComparison visits the lines of a preprocessed text. It compares those at some locations
// with the lines of the files that they come from.
type lineComparison struct {
	wanted map[location]bool
	files  sourceFiles
	seen   map[location]bool // wanted locations that the text has
}

// insertedLine matches inserted lines that cause no compiler messages: calls with opari's own
// arguments, and barriers. They have the numbers of the lines after them.
var insertedLine = pattern.Lazy{Text: `^(?:#pragma omp barrier|[{} ]*(?:(?:void \*pomp_[hb]\d+ = )?pomp_\w+\((?:\d+|pomp_[hb]\d+)(?:, (?:\d+|pomp_[hb]\d+))*\);[{} ]*)+)$`}

// same reports whether text, the line at a location, equals the file's line or does not matter.
func (l *lineComparison) same(at location, text []byte) bool {
	if !l.wanted[at] || len(bytes.TrimSpace(text)) == 0 || insertedLine.Get().Match(text) {
		return true
	}
	l.seen[at] = true
	return sameColumns(text, l.files.line(at))
}

// possibleMacro matches names that may be macros for themselves: those of the standard streams
// and of constants.
var possibleMacro = pattern.Lazy{Text: `\b(?:stdin|stdout|stderr|[A-Z_]*[A-Z][A-Z0-9_]*[A-Z0-9][A-Z0-9_]*)\b`}

// sameColumns reports whether a line of preprocessed text equals the line of a file, each word in
// its column, except for comments at the end.
func sameColumns(text, file []byte) bool {
	text = bytes.TrimRight(text, " \t\r")
	if len(text) > len(file) || possibleMacro.Get().Match(text) ||
		bytes.Contains(text, []byte("??")) {
		return false
	}
	for i, c := range text {
		if f := file[i]; c != f && (c != ' ' || f != '\t') {
			return false
		}
	}
	rest := bytes.Trim(file[len(text):], " \t\r\f\v")
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		return !bytes.HasSuffix(rest, []byte("\\"))
	case bytes.HasPrefix(rest, []byte("/*")):
		end := bytes.Index(rest[2:], []byte("*/"))
		return end < 0 || 2+end+2 == len(rest)
	}
	return len(rest) == 0
}
