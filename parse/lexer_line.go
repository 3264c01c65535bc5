package parse

import "bytes"

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

// lineCommentEnd is the offset of the newline that ends the // comment that holds i.
func lineCommentEnd(text []byte, i int) int {
	for {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return len(text)
		}
		if !splicedAt(text[i : i+n]) {
			return i + n
		}
		i += n + 1
	}
}

// splicedAt reports whether a line that ends like this goes on in the next.
func splicedAt(line []byte) bool {
	n := len(line)
	for n > 0 && isBlank(line[n-1]) {
		n--
	}
	return n > 0 && line[n-1] == '\\'
}

// blockCommentEnd is the index after the */ that closes the comment whose text starts at i, or -1.
func blockCommentEnd(text []byte, i int) int {
	n := bytes.Index(text[i:], []byte("*/"))
	if n < 0 {
		return splicedCommentEnd(text, i)
	}
	if k := bytes.Index(text[i:i+n], []byte("*\\")); k >= 0 {
		if e := splicedCommentEnd(text[:i+n], i); e >= 0 {
			return e
		}
	}
	return i + n + 2
}

// splicedCommentEnd finds a */ that is parted by backslash-newlines.
func splicedCommentEnd(text []byte, i int) int {
	for {
		n := bytes.Index(text[i:], []byte("*\\"))
		if n < 0 {
			return -1
		}
		i += n + 1
		k := i
		for k < len(text) && text[k] == '\\' {
			m := spliceLen(text[k:])
			if m == 0 {
				break
			}
			k += m
		}
		if k > i && k < len(text) && text[k] == '/' {
			return k + 1
		}
	}
}

// lineEnd is the offset of the newline that ends the logical line of a preprocessing directive whose text goes on at i,
// or the end of the text. A comment that spans lines and is never closed goes to the end of the text.
func lineEnd(text []byte, i int) int {
	for {
		n := bytes.IndexByte(text[i:], '\n')
		last := n < 0
		if last {
			n = len(text) - i
		}
		line := text[i : i+n]
		spliced := !last && splicedAt(line)
		if bytes.IndexByte(line, '/') >= 0 || spliced && bytes.ContainsAny(line, `"'`) || bytes.Contains(line, []byte(`R"`)) {
			return carefulLineEnd(text, i)
		}
		if !spliced {
			return i + n
		}
		i += n + 1
	}
}

// carefulLineEnd is lineEnd with an eye on literals and comments. A quote without a partner is no literal: #error don't.
func carefulLineEnd(text []byte, i int) int {
	l := lexer{text: text, fatal: func(int, string, string) {}}
	lone := [2]bool{}
	for i < len(text) {
		switch c := text[i]; c {
		case '\n':
			return i
		case '\\':
			i += max(1, spliceLen(text[i:]))
		case '"', '\'':
			end, closed := i+1, false
			if !lone[c&1] {
				end, closed = literalEnd(text, i)
			}
			if i++; closed {
				i = end
			} else {
				lone[c&1] = true
			}
		case '/':
			i = max(i+1, l.comment(i))
		default:
			if isDigit(c) {
				i = l.afterNumber(i)
				continue
			}
			start := i
			i++
			for isWord[c] && i < len(text) && isWord[text[i]] {
				i++
			}
			if i < len(text) && text[i] == '"' && text[i-1] == 'R' && isRawPrefix(string(text[start:i])) {
				if end := rawEnd(text, i); end > 0 && end <= len(text) {
					i = end
				}
			}
		}
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
