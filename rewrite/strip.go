package rewrite

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
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
	lineMark   = regexp.MustCompile(` /\*@(<?)(?:>([0-9]+))?\*/\r?$`)
	entryMark  = regexp.MustCompile(` pomp_function\([0-9]+\) ` + regexp.QuoteMeta(functionMark))
	inlineMark = regexp.MustCompile(`pomp_\w+((?:[^()"]|\n)*?)\(/\*@(omp_\w+)\*/[0-9]+, `)
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
		m := lineMark.FindSubmatch(tail(body))
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
		out = inlineMark.ReplaceAll(out, []byte("$2$1("))
	}
	if bytes.Contains(out, []byte(functionMark)) {
		out = entryMark.ReplaceAll(out, nil)
	}
	return out, nil
}

// tail returns the end of a line, as long as the longest mark.
func tail(line []byte) []byte {
	const longest = 24
	return line[max(0, len(line)-longest):]
}
