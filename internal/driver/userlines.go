package driver

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"

	"opari/internal/source"
)

// A lineReader is written preprocessed text and shows each line with its place, which line markers tell.
type lineReader struct {
	at   linePlace
	show func(at linePlace, text []byte) bool // false: the rest is of no interest
	part []byte                               // of a line
	over bool
}

// eachLine shows the lines of the text that is compiled for r until show has had enough, and reports whether it has not.
func (r *result) eachLine(show func(at linePlace, text []byte) bool) bool {
	l := lineReader{at: linePlace{r.file.name, 1}, show: show}
	if r.writeTo(&l) != nil {
		return false
	}
	l.line(l.part)
	return !l.over
}

func (l *lineReader) Write(b []byte) (int, error) {
	n := len(b)
	for !l.over {
		before, after, ok := bytes.Cut(b, []byte{'\n'})
		if !ok {
			l.part = append(l.part, b...)
			return n, nil
		}
		l.line(append(l.part, before...))
		l.part, b = l.part[:0], after
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
	l.over = l.over || !l.show(l.at, text)
	l.at.line++
}

// userFiles holds the lines of files, by the compiler's names for them.
type userFiles map[string][][]byte

// line is the line at a place of a file, nil where there is none.
func (u userFiles) line(at linePlace) []byte {
	lines, known := u[at.file]
	if !known {
		if text, err := os.ReadFile(at.file); err == nil {
			lines = bytes.Split(text, []byte("\n"))
		}
		u[at.file] = lines
	}
	if at.line < 1 || at.line > len(lines) {
		return nil
	}
	return lines[at.line-1]
}
