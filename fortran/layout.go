package fortran

import (
	"strings"

	"opari/internal/source"
)

// This file lays out the lines that the writer inserts, for each source form.

// markRoom is the number of columns reserved for the mark that the writer appends to each of its
// lines.
const markRoom = 10

// Layout says how lines are written.
type Layout struct {
	Form       Form
	LineLength int // as in Options
}

// width returns the number of columns for the text of an inserted line.
func (l Layout) width() int {
	n := l.LineLength
	if n <= 0 || n > l.Form.LineLimit() {
		n = l.Form.LineLimit()
	}
	return n - markRoom
}

// AppendStatement appends a statement or a comment as a line of its own, without \n.
func (l Layout) AppendStatement(b []byte, text string) []byte {
	if l.Form == Fixed && text[0] != '!' {
		b = append(b, "      "...)
	}
	return append(b, text...)
}

// AppendParts appends a statement in as many lines as it needs, each ending in \n. It breaks
// lines only between the parts, and returns false where a part is too long for a line.
func (l Layout) AppendParts(b []byte, parts []string) ([]byte, bool) {
	first, further, more, width := "", "", "&", l.width()-2
	if l.Form == Fixed {
		first, further, more = "      ", "     &", ""
	}
	b = append(b, first...)
	column := len(first)
	for _, part := range parts {
		if column+len(part) > width {
			b = append(append(append(b, more...), '\n'), further...)
			column = len(further)
		}
		if column += len(part); column > width {
			return b, false
		}
		b = append(b, part...)
	}
	return append(b, '\n'), true
}

// AppendDirective appends the OpenMP directive text in as many lines as it needs, each ending in
// \n. It breaks lines after a comma, a parenthesis or a blank if one is near, else anywhere,
// which both forms allow, OpenMP 5.2 [3.1].
func (l Layout) AppendDirective(b []byte, text string) []byte {
	b = append(b, "!$omp "...)
	width := l.width() - len("!$omp& &")
	for len(text) > width {
		n := strings.LastIndexAny(text[:width], ",) ") + 1
		if n < width/2 {
			n = width
		}
		b = append(b, text[:n]...)
		if l.Form != Fixed {
			b = append(b, '&')
		}
		b = append(b, "\n!$omp&"...)
		text = text[n:]
	}
	return append(append(b, text...), '\n')
}

// Sentinels lists the offsets of the sentinels on the lines of the directive at e, each one byte
// after the sentinel's first character. An insertion there turns the directive into an ordinary
// comment.
func Sentinels(f *source.File, e source.Extent) []int {
	var at []int
	for i := e.Start; i < e.End; i = f.NextLine(i) {
		k := i
		for k < e.End && isBlank(f.Text[k]) {
			k++
		}
		if k+1 < e.End && (hasFold(f.Text[k+1:], "$omp") || hasFold(f.Text[k+1:], "$pomp") ||
			hasFold(f.Text[k+1:], "pomp$")) {
			at = append(at, k+1)
		}
		if f.NextLine(i) <= i {
			break
		}
	}
	return at
}
