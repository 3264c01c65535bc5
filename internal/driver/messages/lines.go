package messages

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"

	"opari/internal/source"
)

// A lineReader is written preprocessed text and visits each line with its location, which line
// markers give.
type lineReader struct {
	at    location
	visit func(at location, text []byte) bool // false ends the reading
	rest  []byte                              // the beginning of a line
	ended bool
}

// eachLine visits the lines of the text that is compiled until visit gives false, and reports
// whether it never did.
func (s *Source) eachLine(visit func(at location, text []byte) bool) bool {
	l := lineReader{at: location{s.File.Name, 1}, visit: visit}
	if s.Write(&l) != nil {
		return false
	}
	l.line(l.rest)
	return !l.ended
}

func (l *lineReader) Write(b []byte) (int, error) {
	n := len(b)
	for !l.ended {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			l.rest = append(l.rest, b...)
			return n, nil
		}
		l.line(append(l.rest, b[:i]...))
		l.rest, b = l.rest[:0], b[i+1:]
	}
	return n, io.ErrUnexpectedEOF
}

// line takes a line of the text, or a line marker.
func (l *lineReader) line(text []byte) {
	if after, is := bytes.CutPrefix(text, []byte("# ")); is {
		number, name, _ := strings.Cut(string(after), " ")
		if n, err := strconv.Atoi(number); err == nil {
			l.at.line = n
			if i := strings.LastIndexByte(name, '"'); i > 0 {
				if file, ok := source.Unquote(name[:i+1]); ok {
					l.at.file = file
				}
			}
			return
		}
	}
	l.ended = l.ended || !l.visit(l.at, text)
	l.at.line++
}

// sourceFiles holds the lines of files, by the compiler's names for them.
type sourceFiles map[string][][]byte

// line is the line at a location, nil where there is none.
func (f sourceFiles) line(at location) []byte {
	lines, known := f[at.file]
	if !known {
		if text, err := os.ReadFile(at.file); err == nil {
			lines = bytes.Split(text, []byte("\n"))
		}
		f[at.file] = lines
	}
	if at.line < 1 || at.line > len(lines) {
		return nil
	}
	return lines[at.line-1]
}
