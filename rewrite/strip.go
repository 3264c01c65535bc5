package rewrite

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"

	"opari/internal/pattern"
	"opari/parse/ctext"
)

// ErrNotInstrumented is the error of Strip for a text without a single mark.
var ErrNotInstrumented = errors.New("not instrumented by opari: it carries none of its marks")

// unitName stands in the prologue of every instrumented unit, even after the preprocessor has
// removed the marks.
const unitName = "static struct pomp_unit pomp_unit"

// byteOrderMark must stay first in a file.
const byteOrderMark = "\xef\xbb\xbf"

// Instrumented reports whether text is the output of an earlier run, or contains something that
// Strip would take for a mark.
func Instrumented(text []byte) bool {
	for rest := text; ; {
		n := bytes.Index(rest, []byte(markPrefix))
		if n < 0 {
			return bytes.Contains(text, []byte(unitName)) || instrumentedFortran(text)
		}
		rest = rest[n+len(markPrefix):]
		if len(rest) > 0 && (rest[0] == '*' || rest[0] == '<' || rest[0] == '>') ||
			bytes.HasPrefix(rest, []byte("omp_")) ||
			bytes.HasPrefix(rest, []byte("f*/")) {
			return true
		}
	}
}

var (
	lineMark   = pattern.Lazy{Text: ` /\*@(<?)(?:>([0-9]+))?\*/\r?$`}
	entryMark  = pattern.Lazy{Text: ` pomp_function\([0-9]+\) ` + regexp.QuoteMeta(functionMark)}
	inlineMark = pattern.Lazy{Text: `\(/\*@(omp_\w+)\*/[0-9]+, `}
)

// Strip removes all insertions from an instrumented text and returns what the user wrote, byte
// for byte.
func Strip(text []byte) ([]byte, error) {
	if !Instrumented(text) {
		return nil, ErrNotInstrumented
	}
	out := make([]byte, 0, len(text)/2)
	if bytes.HasPrefix(text, []byte(byteOrderMark)) { // the insertions follow it
		out, text = append(out, byteOrderMark...), text[len(byteOrderMark):]
	}
	if instrumentedFortran(text) {
		return stripFortran(out, text), nil
	}
	blanks := 0 // indentation to skip before the next line
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		line := text[:n]
		text = text[n:]
		body := bytes.TrimSuffix(line, []byte("\n"))
		m := lineMark.Get().FindSubmatch(tail(body))
		if m == nil {
			out = append(out, line[min(blanks, len(line)):]...)
			blanks = 0
			continue
		}
		// The newline before this line is inserted too, and has the same form as its own.
		if len(m[1]) > 0 {
			newline := []byte("\n")
			if bytes.HasSuffix(line, []byte("\r\n")) {
				newline = []byte("\r\n")
			}
			out = bytes.TrimSuffix(out, newline)
		}
		blanks = 0
		if len(m[2]) > 0 {
			blanks, _ = strconv.Atoi(string(m[2]))
		}
	}
	if bytes.Contains(out, []byte(markPrefix+"omp_")) {
		out = stripLockCalls(out)
	}
	if bytes.Contains(out, []byte(functionMark)) {
		out = entryMark.Get().ReplaceAll(out, nil)
	}
	return out, nil
}

// stripLockCalls turns pomp_set_lock(/*@omp_set_lock*/7, &l) back into omp_set_lock(&l).
func stripLockCalls(text []byte) []byte {
	var out []byte
	copied := 0
	for _, m := range inlineMark.Get().FindAllSubmatchIndex(text, -1) {
		open, end, name := m[0], m[1], text[m[2]:m[3]]
		at := callee(text[:open+1], copied, "p"+string(name))
		if at < 0 {
			continue
		}
		out = append(out, text[copied:at]...)
		out = append(out, name...)
		out = append(out, text[at+len("p")+len(name):open+1]...)
		copied = end
	}
	return append(out, text[copied:]...)
}

// callee returns where name stands, from index from on, such that only blanks and comments
// separate it from the parenthesis that ends text. It returns the first such place, since a
// comment after the name may repeat it, and -1 in a text that somebody has edited since.
func callee(text []byte, from int, name string) int {
	for at := from; ; at++ {
		n := bytes.Index(text[at:], []byte(name))
		if n < 0 {
			return -1
		}
		at += n
		if ctext.AfterBlanks(text, at+len(name)) == len(text)-1 {
			return at
		}
	}
}

// tail returns the end of a line, as long as the longest mark.
func tail(line []byte) []byte {
	const longest = 24
	return line[max(0, len(line)-longest):]
}
