package scan

import (
	"bytes"

	"opari/internal/pattern"
)

// stops are the bytes at which readText stops: for each thing that it looks for, its rarest
// character.
var stops = [256]bool{'m': true, 'P': true, '#': true, '%': true, '\\': true, '?': true}

// readText returns the headers that text includes, in their quotes or brackets. nothing is true
// if the text contains neither a directive nor a call of a lock routine, and names all that it
// includes.
func readText(text []byte) (headers []string, nothing bool) {
	for i := 0; i < len(text); i++ {
		if !stops[text[i]] {
			continue
		}
		found := false
		switch before, after := text[:i], text[i+1:]; text[i] {
		case 'm':
			found = i > 0 && text[i-1] == 'o' && len(after) > 0 && after[0] == 'p' &&
				isOpenMP(before[:i-1], after[1:])
		case 'P': // _Pragma may make a directive of more than a literal
			if i > 0 && text[i-1] == '_' && bytes.HasPrefix(after, []byte("ragma")) {
				found = !bytes.HasPrefix(bytes.TrimLeft(after[len("ragma"):], " \t("), []byte(`"`))
			}
		case '%':
			if len(after) == 0 || after[0] != ':' {
				break
			}
			after = after[1:]
			fallthrough
		case '#':
			var name string
			if name, found = includedHeader(after); name != "" {
				headers = append(headers, name)
			}
		case '\\':
			if splitsWord(text, i) {
				return readText(splice.Get().ReplaceAll(text, nil))
			}
		case '?': // trigraphs for # and the backslash
			found = len(after) > 1 && after[0] == '?' && (after[1] == '=' || after[1] == '/')
		}
		if found {
			return nil, false
		}
	}
	return headers, true
}

// isOpenMP reports whether the letters omp between before and after belong to the word omp or
// pomp, or to a word omp_... that names a lock, or of which ## may make one.
func isOpenMP(before, after []byte) bool {
	if n := len(before); n > 0 && before[n-1] == 'p' {
		before = before[:n-1]
	}
	if n := len(before); n > 0 && inWord(before[n-1]) {
		return false // part of another name
	}
	word := after[:wordLength(after)]
	switch {
	case len(word) == 0: // everything but the header's name
		return !bytes.HasPrefix(after, []byte(".h>")) && !bytes.HasPrefix(after, []byte(".h\""))
	case bytes.Equal(word, []byte("_lock_t")), bytes.Equal(word, []byte("_nest_lock_t")): // types
		return false
	case word[0] == '_':
		next := bytes.TrimLeft(after[len(word):], " \t\r\n\\")
		return bytes.Contains(word, []byte("lock")) || bytes.HasPrefix(next, []byte("##")) ||
			bytes.HasPrefix(next, []byte("/*"))
	}
	return false
}

// includedHeader returns the name, in its quotes or brackets, of the header in an include
// directive whose sign is before text; "": it is another directive. unknown is true if the header
// cannot be determined.
func includedHeader(text []byte) (name string, unknown bool) {
	for {
		text = bytes.TrimLeft(text, " \t")
		if !bytes.HasPrefix(text, []byte("/*")) {
			break
		}
		n := bytes.Index(text[2:], []byte("*/"))
		if n < 0 {
			return "", false
		}
		text = text[2+n+2:]
	}
	switch word := text[:wordLength(text)]; string(word) {
	case "include", "include_next":
		text = bytes.TrimLeft(text[len(word):], " \t")
	case "import": // Objective-C and old gcc
		return "", true
	case "":
		return "", len(text) > 0 && text[0] == '\\' // the directive continues in the next line
	default:
		return "", false
	}
	if len(text) == 0 || text[0] != '"' && text[0] != '<' {
		return "", true // a macro names it
	}
	end := byte('"')
	if text[0] == '<' {
		end = '>'
	}
	n := bytes.IndexByte(text[1:], end)
	if n <= 0 || bytes.IndexByte(text[:n], '\n') >= 0 {
		return "", true
	}
	return string(text[:n+2]), false
}

// splice matches a backslash before a newline, which joins lines; gcc also permits blanks
// between.
var splice = pattern.Lazy{Text: `\\[ \t\r\f\v]*\n`}

// splitsWord reports whether the backslash at i is the first one of a splice within a word.
func splitsWord(text []byte, i int) bool {
	if i == 0 || !inWord(text[i-1]) {
		return false
	}
	// the text after the last of several splices
	after := bytes.TrimLeft(text[i+1:], " \t\r\f\v\n\\")
	return len(after) > 0 && inWord(after[0]) &&
		bytes.IndexByte(text[i:len(text)-len(after)], '\n') >= 0
}

// inWord reports whether c may stand in an identifier.
func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' ||
		'a' <= c|0x20 && c|0x20 <= 'z'
}

// wordLength returns the length of the identifier, or of the rest of one, at the beginning of
// text.
func wordLength(text []byte) int {
	n := 0
	for n < len(text) && inWord(text[n]) {
		n++
	}
	return n
}
