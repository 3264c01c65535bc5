package fortran

import (
	"bytes"

	"opari/internal/source"
	"opari/parse/directive"
)

// The scanner joins physical lines into items: statements, directives and lines of the
// preprocessor. It knows the source forms, Fortran 2018 [6.3], but not what a statement means.

// itemKind is the kind of an item.
type itemKind uint8

const (
	statementItem itemKind = iota
	directiveItem          // after the sentinel !$omp or !$pomp
	hashItem               // a line of the preprocessor, with its continuation lines
	endItem                // the end of the text
)

// An item is a statement, a directive or a line of the preprocessor. It is valid until the next
// call of scanner.next.
type item struct {
	kind itemKind
	// start is the offset of the first byte, without labels, and end follows the last one. A
	// directive ends with its last line.
	start, end int
	// after is where text may be inserted after the item: the start of the next line, or the next
	// statement of the same line.
	after int
	label string
	// key is the statement without blanks, in lower case, with empty character constants. It is
	// what distinguishes statements.
	key []byte
	// written is key with the letters as they are written, which a preprocessor distinguishes.
	written []byte
	// gap says for each byte of key whether a blank precedes it. In fixed form blanks mean
	// nothing and gap is nil.
	gap        []bool
	splitByIf  bool // a conditional line of the preprocessor stands inside
	splitsWord bool // a word continues on another line
	openIfs    int  // of a directive: number of #if inside that have no #endif yet
	// unevenBranches says, of a directive, that its branches do not end with it. The item is then
	// the text before the first of them.
	unevenBranches bool
	beforeIf       line // of a directive: the last line before the first conditional one
	text           directive.Logical
	// unspaced is text without the blank that text has where lines of fixed form meet. A word may
	// continue there or end.
	unspaced directive.Logical
	lines    int // of a directive
	sentinel directive.Sentinel
}

// scanner reads one text.
type scanner struct {
	f     *source.File
	text  []byte
	fixed bool
	limit int  // columns of a line in fixed form; 0: no limit
	debug bool // as in Options

	// Where the next item starts: at the start of a line, or at a statement after a semicolon.
	pos         int
	mid         bool // pos follows a semicolon
	stop        int  // end of the significant text of the current physical line
	line        int  // start of the current physical line
	quote       byte // the open character constant
	skip        int  // characters of a Hollerith constant that are still to come
	continuedAt int  // length of the key where the statement last continued on another line
	it          item

	activated []int // ends of the sentinels !P$ on lines that are code
}

func newScanner(f *source.File, o Options) *scanner {
	s := &scanner{
		f: f, text: f.Text, fixed: o.Form == Fixed, limit: o.LineLength,
		debug: o.DebugLines,
	}
	if s.limit == 0 && s.fixed {
		s.limit = o.Form.LineLimit()
	}
	if s.limit < 0 {
		s.limit = 0
	}
	if bytes.HasPrefix(s.text, []byte("\xef\xbb\xbf")) {
		s.pos = 3
	}
	return s
}

// next reads the next item.
func (s *scanner) next() *item {
	it := &s.it
	*it = item{key: it.key[:0], written: it.written[:0], gap: it.gap[:0]}
	if s.mid {
		s.mid = false
		s.statement(s.pos)
		return it
	}
	for s.pos < len(s.text) {
		l := s.classify(s.pos)
		switch l.kind {
		case hashLine:
			s.hash()
			return it
		case ompLine, pompLine:
			if l.continues { // it is a comment
				break
			}
			s.directive(l)
			return it
		case codeLine:
			s.enterLine(l)
			s.label(&l)
			if l.text < s.stop {
				s.statement(l.text)
				return it
			}
		}
		s.pos = l.next
	}
	it.kind, it.start, it.end, it.after = endItem, len(s.text), len(s.text), len(s.text)
	return it
}

// enterLine makes l the current physical line.
func (s *scanner) enterLine(l line) {
	s.line, s.stop = l.start, l.stop
	if l.pomp > 0 {
		s.activated = append(s.activated, l.pomp)
	}
}

// label reads the statement label of an initial line in free form. In fixed form it has columns
// of its own.
func (s *scanner) label(l *line) {
	if s.fixed {
		s.it.label = l.label
		return
	}
	i := l.text
	for i < l.stop && isDigit(s.text[i]) {
		i++
	}
	if i > l.text && (i == l.stop || isBlank(s.text[i])) {
		s.it.label = label(s.text[l.text:i])
		for i < l.stop && isBlank(s.text[i]) {
			i++
		}
		l.text = i
	}
}

// label returns the number that the digits spell, without blanks and leading zeros: 010 is the
// label 10.
func label(digits []byte) string {
	b := make([]byte, 0, len(digits))
	for _, c := range digits {
		if isDigit(c) && (c != '0' || len(b) > 0) {
			b = append(b, c)
		}
	}
	return string(b)
}

// statement reads the statement that starts at p on the current line.
func (s *scanner) statement(p int) {
	it := &s.it
	it.kind, it.start, it.end = statementItem, p, p
	s.quote, s.skip, s.continuedAt = 0, 0, 0
	gap := false
	for {
		if p >= s.stop {
			n, ok := 0, false
			if s.fixed {
				n, ok = s.continued()
			}
			if !ok {
				break
			}
			p, s.continuedAt = n, len(it.key)
			continue
		}
		c := s.text[p]
		if !s.fixed && c == '&' && s.onlyComment(p+1) {
			n, ok := s.continued()
			if !ok {
				break
			}
			gap = gap || s.text[n-1] != '&'
			p, s.continuedAt = n, len(it.key)
			continue
		}
		p++
		switch {
		case s.skip > 0:
			s.skip--
		case s.quote != 0:
			if c == s.quote && (p >= s.stop || s.text[p] != s.quote) {
				s.quote = 0
			} else if c == s.quote {
				p++
			}
		case isBlank(c):
			gap = true
			continue
		case c == '!':
			p = s.stop
			continue
		case c == ';':
			s.semicolon(p)
			return
		default:
			s.add(c, gap)
			gap = false
		}
		it.end = p
	}
	it.after = s.nextLine()
	s.pos = it.after
}

// add adds a character of the statement to its key.
func (s *scanner) add(c byte, gap bool) {
	it := &s.it
	if c == '"' || c == '\'' {
		s.quote, c = c, '\''
	}
	if n := len(it.key); n > 0 && n == s.continuedAt && isWord(c) && isWord(it.key[n-1]) &&
		(s.fixed || !gap) {
		it.splitsWord = true
	}
	it.written = append(it.written, c)
	if 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	if c == 'h' {
		s.skip = hollerith(it.key)
	}
	it.key = append(it.key, c)
	if !s.fixed {
		it.gap = append(it.gap, gap)
	}
}

// hollerith returns the number of characters after an H that follows key. 5Hhello is a constant,
// but H in REAL*8 H and in names begins none.
func hollerith(key []byte) int {
	i, n, unit := len(key), 0, 1
	for ; i > 0 && isDigit(key[i-1]) && unit < 1e6; i-- {
		n += int(key[i-1]-'0') * unit
		unit *= 10
	}
	if i == len(key) || i == 0 || isWord(key[i-1]) || key[i-1] == '*' || key[i-1] == '.' {
		return 0
	}
	return n
}

// semicolon ends the statement before p. The text after it on the line is the next statement.
func (s *scanner) semicolon(p int) {
	for p < s.stop && (isBlank(s.text[p]) || s.text[p] == ';') {
		p++
	}
	if p >= s.stop || s.text[p] == '!' {
		s.it.after = s.nextLine()
		s.pos = s.it.after
		return
	}
	s.it.after, s.pos, s.mid = p, p, true
}

// nextLine returns the start of the line after the current one.
func (s *scanner) nextLine() int { return s.f.NextLine(s.line) }

// onlyComment reports whether the rest of the current line from p on is blank or a comment.
func (s *scanner) onlyComment(p int) bool {
	for p < s.stop && isBlank(s.text[p]) {
		p++
	}
	return p >= s.stop || s.text[p] == '!'
}

// continued finds the line on which the current statement continues, makes it the current line,
// and returns the offset of its text.
func (s *scanner) continued() (int, bool) {
	for at := s.nextLine(); at < len(s.text); {
		l := s.classify(at)
		switch l.kind {
		case codeLine:
			if s.fixed {
				if !l.continues {
					return 0, false
				}
			} else if s.text[l.text] == '&' {
				l.text++
			}
			s.enterLine(l)
			return l.text, true
		case hashLine:
			s.it.splitByIf = s.it.splitByIf || conditional(s.text[l.start:l.stop])
			s.lineMarker(l)
		}
		at = l.next
	}
	return 0, false
}

// hash reads a line of the preprocessor.
func (s *scanner) hash() {
	l := s.classify(s.pos)
	s.it.kind, s.it.start, s.it.end, s.it.after = hashItem, l.start, l.stop, l.next
	s.pos = l.next
	s.lineMarker(l)
}
