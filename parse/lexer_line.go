package parse

// trigraph is the token that ??c stands for, where it is one that matters.
func trigraph(c byte) (kind, bool) {
	switch c {
	case '=':
		return kHash, true
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

// comment is the index after the comment that starts at i; i when none does.
func (l *lexer) comment(i int) int {
	text := l.text
	j := i + 1
	for j < len(text) && text[j] == '\\' {
		n := spliceLen(text[j:])
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
			l.fatal(i, "this comment is never closed", "close it with */")
			return len(text)
		}
		return j
	}
	return i
}

// digraph reads the token that starts with c and d at i: a digraph, ::, or one of the shift operators. Its length is 0
// when it is none of them.
func (l *lexer) digraph(c, d byte, i int) (kind, int) {
	var e, f byte
	if i+2 < len(l.text) {
		e = l.text[i+2]
	}
	if i+3 < len(l.text) {
		f = l.text[i+3]
	}
	switch {
	case c == '%' && d == ':' && l.bol:
		return kHash, 2
	case c == '%' && d == '>':
		return '}', 2
	case c == '<' && d == '%':
		return '{', 2
	case c == '<' && d == ':' && l.cpp && e == ':' && f != ':' && f != '>':
		return '<', 1 // C++: `<::` is `<` and `::`
	case c == '<' && d == ':':
		return '[', 2
	case c == '<' && d == '<' && e == '=':
		return kOp, 3
	case c == ':' && d == '>':
		return ']', 2
	case c == ':' && d == ':':
		return kScope, 2
	case c == ':':
		return ':', 1
	}
	return kEOF, 0
}
