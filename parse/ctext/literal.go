package ctext

import (
	"bytes"
	"strings"
)

// IsRawPrefix reports whether word makes the string after it a raw one. It does in C++, and in C
// as gcc reads it by default.
func IsRawPrefix(word string) bool {
	switch word {
	case "R", "LR", "uR", "UR", "u8R":
		return true
	}
	return false
}

// AfterRaw returns the index after the raw string in s whose quote is at i.
func AfterRaw(s string, i int) int {
	open := strings.IndexByte(s[i:], '(')
	if open < 0 || open > 17 {
		return i + 1
	}
	closer := ")" + s[i+1:i+open] + `"`
	if n := strings.Index(s[i+open:], closer); n >= 0 {
		return i + open + n + len(closer)
	}
	return i + 1
}

// rawEnd returns the index after the raw string whose quote is at text[i]. It returns -1 if that
// is no raw string, and more than len(text) if the string is never closed.
func rawEnd(text []byte, i int) int {
	open := i + 1
	for open < len(text) && open-i <= 17 && text[open] != '(' {
		if c := text[open]; IsBlank(c) || c == ')' || c == '\\' || c == '"' {
			return -1
		}
		open++
	}
	if open >= len(text) || text[open] != '(' {
		return -1
	}
	closer := make([]byte, 0, 20)
	closer = append(closer, ')')
	closer = append(closer, text[i+1:open]...)
	closer = append(closer, '"')
	n := bytes.Index(text[open:], closer)
	if n < 0 {
		return len(text) + 1
	}
	return open + n + len(closer)
}

// AfterLiteral returns the index after the string or character literal that starts at text[i]. It
// returns i+1 for a quote that is never closed or that separates digits, as in 1'000.
func AfterLiteral[T []byte | string](text T, i int) int {
	q := text[i]
	if q == '\'' && i > 0 && IsWord[text[i-1]] && digitSeparator(text, i) {
		return i + 1
	}
	for k := i + 1; k < len(text); k++ {
		switch text[k] {
		case '\\':
			k++
		case q:
			return k + 1
		}
	}
	return i + 1
}

// digitSeparator reports whether the quote at text[i] stands inside a number, that is, whether
// the word before it starts with a digit.
func digitSeparator[T []byte | string](text T, i int) bool {
	k := i
	for k > 0 && (IsWord[text[k-1]] || text[k-1] == '\'' || text[k-1] == '.') {
		k--
	}
	return '0' <= text[k] && text[k] <= '9'
}

// LiteralEnd returns the index after the string or character literal at text[i], and whether the
// literal is closed on its line.
func LiteralEnd(text []byte, i int) (int, bool) {
	q := text[i]
	for k := i + 1; k < len(text); {
		switch text[k] {
		case q:
			return k + 1, true
		case '\n':
			return k, false
		case '\\':
			if n := SpliceLen(text[k:]); n > 0 {
				k += n
			} else {
				k += 2
			}
		default:
			k++
		}
	}
	return len(text), false
}
