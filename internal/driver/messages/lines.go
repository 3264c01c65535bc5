package messages

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"

	"opari/internal/source"
)

// A lineReader is a writer for preprocessed text. It visits each line with its location, which it
// takes from line markers.
type lineReader struct {
	at    location
	visit func(at location, text []byte) bool // returns false to end the reading
	rest  []byte                              // an incomplete line
	ended bool
}

// eachLine visits the lines of the compiled text until visit returns false. It reports whether
// visit never did.
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

// line handles a line of the text or a line marker.
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

// sourceFiles has the lines of files, by the compiler's names for them.
type sourceFiles map[string][][]byte

// line returns the line at a location; nil if there is none.
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
