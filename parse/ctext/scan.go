package ctext

import "bytes"

// SpliceLen returns the length of the backslash, blanks and newline that text starts with, or 0.
func SpliceLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\n':
			return i + 1
		case ' ', '\t', '\r', '\f', '\v':
		default:
			return 0
		}
	}
	return 0
}

// CommentLen returns the length of the comment that text starts with, or 0. A comment that is
// never closed extends to the end of text.
func CommentLen(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '/':
		return len(text)
	case '*':
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
		return len(text)
	}
	return 0
}

// lineCommentEnd returns the offset of the newline that ends the // comment around i.
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

// splicedAt reports whether a line with this text continues on the next line.
func splicedAt(line []byte) bool {
	n := len(line)
	for n > 0 && IsBlank(line[n-1]) {
		n--
	}
	return n > 0 && line[n-1] == '\\'
}

// blockCommentEnd returns the index after the */ that closes the comment whose text starts at i,
// or -1.
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

// splicedCommentEnd finds a */ with backslash-newlines between its two characters. It returns the
// index after it, or -1.
func splicedCommentEnd(text []byte, i int) int {
	for {
		n := bytes.Index(text[i:], []byte("*\\"))
		if n < 0 {
			return -1
		}
		i += n + 1
		k := i
		for k < len(text) && text[k] == '\\' {
			m := SpliceLen(text[k:])
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

// LineEnd returns the offset of the newline that ends a preprocessing directive, or the length of
// the text. The rest of the directive starts at i. Backslash-newlines and comments over several
// lines do not end it; a comment that is never closed extends to the end of the text.
func LineEnd(text []byte, i int) int {
	for {
		n := bytes.IndexByte(text[i:], '\n')
		last := n < 0
		if last {
			n = len(text) - i
		}
		line := text[i : i+n]
		spliced := !last && splicedAt(line)
		if bytes.IndexByte(line, '/') >= 0 || spliced && bytes.ContainsAny(line, `"'`) ||
			bytes.Contains(line, []byte(`R"`)) {
			return carefulLineEnd(text, i)
		}
		if !spliced {
			return i + n
		}
		i += n + 1
	}
}

// carefulLineEnd is LineEnd for lines that may contain literals or comments. A quote without a
// partner starts no literal, as in `#error don't`.
func carefulLineEnd(text []byte, i int) int {
	l := Lexer{Text: text, Fatal: func(int, string, string) {}}
	lone := [2]bool{}
	for i < len(text) {
		switch c := text[i]; c {
		case '\n':
			return i
		case '\\':
			i += max(1, SpliceLen(text[i:]))
		case '"', '\'':
			end, closed := i+1, false
			if !lone[c&1] {
				end, closed = LiteralEnd(text, i)
			}
			if i++; closed {
				i = end
			} else {
				lone[c&1] = true
			}
		case '/':
			i = max(i+1, l.comment(i))
		default:
			if IsDigit(c) {
				i = l.afterNumber(i)
				continue
			}
			start := i
			i++
			for IsWord[c] && i < len(text) && IsWord[text[i]] {
				i++
			}
			if i < len(text) && text[i] == '"' && text[i-1] == 'R' &&
				IsRawPrefix(string(text[start:i])) {
				if end := rawEnd(text, i); end > 0 && end <= len(text) {
					i = end
				}
			}
		}
	}
	return i
}

// AfterBlanks returns the first index from i on that holds no blank, newline or comment.
func AfterBlanks(text []byte, i int) int {
	for i < len(text) {
		switch {
		case IsBlank(text[i]):
			i++
		case text[i] == '/':
			l := Lexer{Text: text, Fatal: func(int, string, string) {}}
			j := l.comment(i)
			if j == i {
				return i
			}
			i = j
		default:
			return i
		}
	}
	return i
}

// SkipInLine returns the first index from i on that holds no blank, comment or backslash-newline.
func SkipInLine(text []byte, i, end int) int {
	for i < end {
		switch c := text[i]; {
		case IsBlank(c):
			i++
		case c == '\\':
			n := SpliceLen(text[i:])
			if n == 0 {
				return i
			}
			i += n
		case c == '/':
			j := AfterBlanks(text[:end], i)
			if j == i {
				return i
			}
			i = j
		default:
			return i
		}
	}
	return end
}

// NextWord returns the next word of a preprocessing directive, from i on, and the index after it.
func NextWord(text []byte, i, end int) ([]byte, int) {
	i = SkipInLine(text, i, end)
	j := i
	for j < end && IsWord[text[j]] {
		j++
	}
	if j >= end || text[j] != '\\' {
		return text[i:j], j
	}
	word := append([]byte(nil), text[i:j]...)
	for j < end {
		if IsWord[text[j]] {
			word = append(word, text[j])
			j++
			continue
		}
		n := 0
		if text[j] == '\\' {
			n = SpliceLen(text[j:])
		}
		if n == 0 {
			break
		}
		j += n
	}
	return word, min(j, end)
}

// HashAt returns the length of the '#', `%:` or `??=` at text[i], or 0.
func HashAt(text []byte, i int) int {
	switch rest := text[i:]; {
	case len(rest) > 0 && rest[0] == '#':
		return 1
	case bytes.HasPrefix(rest, []byte("%:")):
		return 2
	case bytes.HasPrefix(rest, []byte("??=")):
		return 3
	}
	return 0
}

// HasWord reports whether text contains word as a word of its own.
func HasWord(text []byte, word string) bool {
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte(word))
		if n < 0 {
			return false
		}
		i += n
		end := i + len(word)
		if (i == 0 || !IsWord[text[i-1]]) && (end == len(text) || !IsWord[text[end]]) {
			return true
		}
		i = end
	}
}

// WordsOf returns the set of words in text.
func WordsOf(text []byte) map[string]bool {
	words := map[string]bool{}
	for i := 0; i < len(text); i++ {
		j := i
		for j < len(text) && IsWord[text[j]] {
			j++
		}
		if j > i {
			words[string(text[i:j])] = true
			i = j
		}
	}
	return words
}
