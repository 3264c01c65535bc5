package ctext

// trigraph returns the token for ??c, if that token matters to the structure.
func trigraph(c byte) (Kind, bool) {
	switch c {
	case '=':
		return Hash, true
	case '<':
		return '{', true
	case '>':
		return '}', true
	case '(':
		return '[', true
	case ')':
		return ']', true
	}
	return 0, false
}

// comment returns the index after the comment that starts at i, or i if none starts there.
func (l *Lexer) comment(i int) int {
	text := l.Text
	j := i + 1
	for j < len(text) && text[j] == '\\' {
		n := SpliceLen(text[j:])
		if n == 0 {
			return i
		}
		j += n
	}
	if j >= len(text) {
		return i
	}
	switch text[j] {
	case '/':
		return lineCommentEnd(text, j)
	case '*':
		j = blockCommentEnd(text, j+1)
		if j < 0 {
			l.Fatal(i, "this comment is never closed", "close it with */")
			return len(text)
		}
		return j
	}
	return i
}

// digraph reads the token that starts with c and d at i: a digraph, ::, or a shift operator. The
// length is 0 if it is none of them.
func (l *Lexer) digraph(c, d byte, i int) (Kind, int) {
	var e, f byte
	if i+2 < len(l.Text) {
		e = l.Text[i+2]
	}
	if i+3 < len(l.Text) {
		f = l.Text[i+3]
	}
	switch {
	case c == '%' && d == ':' && l.AtLineStart:
		return Hash, 2
	case c == '%' && d == '>':
		return '}', 2
	case c == '<' && d == '%':
		return '{', 2
	case c == '<' && d == ':' && l.CPlusPlus && e == ':' && f != ':' && f != '>':
		return '<', 1 // C++ reads `<::` as `<` and `::`
	case c == '<' && d == ':':
		return '[', 2
	case c == '<' && d == '<' && e == '=':
		return Op, 3
	case c == ':' && d == '>':
		return ']', 2
	case c == ':' && d == ':':
		return Scope, 2
	case c == ':':
		return ':', 1
	}
	return EOF, 0
}
