package fortran

import (
	"bytes"
	"slices"
	"strconv"
)

// lineKind says what a physical line is by itself.
type lineKind uint8

const (
	commentLine lineKind = iota // or blank
	codeLine
	ompLine  // sentinel !$omp; in fixed form c$omp and *$omp as well
	pompLine // sentinel !$pomp, !pomp$ and their kin
	hashLine // of the preprocessor
)

// line is a physical line; one of the preprocessor with the lines that backslashes append.
type line struct {
	kind      lineKind
	start     int
	stop      int // end of what counts: of the line, or of its last column
	next      int // start of the next line
	text      int // start of the statement or of the directive behind its sentinel
	label     string
	continues bool // it continues the line before, or is a comment
	pomp      int  // the end of a sentinel !P$, which becomes code by instrumenting; 0 without one
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// classify looks at the physical line that starts at at.
func (s *scanner) classify(at int) line {
	l := line{start: at, stop: s.f.LineEnd(at), next: s.f.NextLine(at), text: at}
	text := s.text[at:l.stop]
	switch {
	case len(text) == 0:
	case text[0] == '#':
		l.kind = hashLine
		for s.text[l.stop-1] == '\\' && l.next < len(s.text) {
			at := l.next
			l.stop, l.next = s.f.LineEnd(at), s.f.NextLine(at)
		}
	case s.fixed:
		s.classifyFixed(&l, text)
	default:
		s.classifyFree(&l, text)
	}
	return l
}

// classifyFree knows comments, sentinels and the lines of conditional compilation, OpenMP 5.2 [3.1.1], [3.3].
func (s *scanner) classifyFree(l *line, text []byte) {
	i := 0
	for i < len(text) && isBlank(text[i]) {
		i++
	}
	l.text += i
	rest := text[i:]
	if len(rest) == 0 {
		return
	}
	if rest[0] != '!' {
		l.kind = codeLine
		return
	}
	kind, n := sentinel(rest)
	if n == 0 {
		return
	}
	if n < len(rest) && !isBlank(rest[n]) {
		if kind == codeLine {
			return
		}
		l.continues = true
	}
	l.kind = kind
	l.text += n
	if kind != codeLine {
		return
	}
	if n == len("!P$") {
		l.pomp = l.text
	}
	for l.text < l.stop && isBlank(s.text[l.text]) {
		l.text++
	}
	if l.text == l.stop || s.text[l.text] == '!' {
		l.kind = commentLine
	}
}

// sentinel recognises what a comment line may start with: a directive's sentinel or that of conditional compilation, by OpenMP or by
// instrumenting; 0 for other comments.
func sentinel(rest []byte) (lineKind, int) {
	switch {
	case hasFold(rest[1:], "$omp"):
		return ompLine, 5
	case hasFold(rest[1:], "$pomp"), hasFold(rest[1:], "pomp$"): // the latter is that of OPARI 1.1 and OPARI2
		return pompLine, 6
	case hasFold(rest[1:], "$"):
		return codeLine, 2
	case hasFold(rest[1:], "p$"):
		return codeLine, 3
	}
	return commentLine, 0
}

// hasFold reports whether b starts with low, which has no capitals, in any case.
func hasFold(b []byte, low string) bool {
	if len(b) < len(low) {
		return false
	}
	for i := range len(low) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != low[i] {
			return false
		}
	}
	return true
}

// classifyFixed knows the columns of fixed form, Fortran 2018 [6.3.3], and the sentinels in column 1, OpenMP 5.2 [3.1.2]. A tab in the
// first six columns leads to column 7, or before a digit other than 0 to column 6, as gfortran and flang have it.
func (s *scanner) classifyFixed(l *line, text []byte) {
	label := l.start
	switch c := text[0]; c {
	case '!', 'c', 'C', '*':
		kind, n := sentinel(text)
		switch {
		case n == 0:
			return
		case kind == codeLine && !isLabelField(text[n:], 5-n):
			return
		}
		l.kind = kind
		label += n
		if kind == codeLine && n == len("!P$") {
			l.pomp = label
		}
	case 'd', 'D':
		if !s.debug {
			return
		}
		l.kind = codeLine
	default:
		l.kind = codeLine
	}
	column, i := label-l.start, label-l.start // columns before text[i]
	for i < len(text) && column < 5 && text[i] != '\t' && text[i] != '!' {
		i, column = i+1, column+1
	}
	if i < len(text) && text[i] == '\t' && column < 6 {
		s.tabbed(l, text, label, i)
		return
	}
	if l.kind == codeLine {
		l.label = labelOf(text[label-l.start : i])
	}
	if i < len(text) && column == 5 {
		l.continues = text[i] != ' ' && text[i] != '0'
		i++
	}
	if l.kind == pompLine && label-l.start > 5 { // one letter more than columns
		i = label - l.start
		l.continues = i < len(text) && text[i] == '&'
		if l.continues {
			i++
		}
	}
	if s.limit > 0 && l.stop-l.start > s.limit {
		l.stop = l.start + s.limit
	}
	l.text = min(l.start+i, l.stop)
	s.blankOut(l)
}

// tabbed is classifyFixed behind the tab at text[i].
func (s *scanner) tabbed(l *line, text []byte, label, i int) {
	if l.kind == codeLine {
		l.label = labelOf(text[label-l.start : i])
	}
	i++
	if i < len(text) && '1' <= text[i] && text[i] <= '9' && l.kind == codeLine {
		l.continues = true
		i++
	}
	if room := s.limit - 6; s.limit > 0 && len(text)-i > room {
		l.stop = l.start + i + room
	}
	l.text = l.start + i
	s.blankOut(l)
}

// blankOut makes a comment of a line of code that has nothing but blanks and a comment.
func (s *scanner) blankOut(l *line) {
	if l.kind != codeLine {
		return
	}
	i := l.text
	for i < l.stop && isBlank(s.text[i]) {
		i++
	}
	if i >= l.stop || s.text[i] == '!' {
		if l.label == "" {
			l.kind = commentLine
		}
		return
	}
	if !l.continues {
		l.text = i
	}
}

// isLabelField reports whether the columns behind the sentinel of conditional compilation, so many up to column 5, hold but blanks and
// digits.
func isLabelField(text []byte, columns int) bool {
	for i := 0; i < columns && i < len(text); i++ {
		if text[i] == '\t' {
			return true
		}
		if text[i] != ' ' && !isDigit(text[i]) {
			return false
		}
	}
	return true
}

func labelOf(field []byte) string {
	if slices.ContainsFunc(field, isDigit) {
		return label(field)
	}
	return ""
}

// hashWord is the word behind the # of a preprocessor line, and what follows it.
func hashWord(text []byte) (string, []byte) {
	text = bytes.TrimLeft(text[1:], " \t")
	n := 0
	for n < len(text) && isWord(text[n]) {
		n++
	}
	return string(text[:n]), bytes.TrimSpace(text[n:])
}

// conditional reports whether a preprocessor line parts the text into branches.
func conditional(text []byte) bool {
	switch w, _ := hashWord(text); w {
	case "if", "ifdef", "ifndef", "elif", "else", "endif":
		return true
	}
	return false
}

// mark heeds a line marker: # 12 "file" 3, or #line 12 "file".
func (s *scanner) mark(l line) {
	word, rest := hashWord(s.text[l.start:l.stop])
	if word == "line" {
		word, rest = hashWord(append([]byte{'#'}, rest...))
	}
	n, err := strconv.Atoi(word)
	if err != nil {
		return
	}
	name := s.f.Position(l.start).File
	system := false
	if len(rest) > 1 && rest[0] == '"' {
		if end := bytes.IndexByte(rest[1:], '"'); end >= 0 {
			name = string(rest[1 : end+1])
			system = bytes.IndexByte(rest[end+1:], '3') >= 0
		}
	}
	s.f.Marker(l.next, name, n, system)
}
