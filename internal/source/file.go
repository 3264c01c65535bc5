// Package source holds the bytes of one file, its positions and line markers, and the diagnostics
// about it.
package source

import (
	"bytes"
	"math"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
)

// Extent is a half-open range [Start, End) of byte offsets in File.Text.
type Extent struct{ Start, End int }

// Len returns the number of bytes in e.
func (e Extent) Len() int { return e.End - e.Start }

// Contains reports whether offset is in e.
func (e Extent) Contains(offset int) bool { return e.Start <= offset && offset < e.End }

// File is the text of one source file. Text never changes after New.
type File struct {
	Name string // as the user spelled it, for messages and #line
	Text []byte
	// Folder makes the relative names of line markers absolute; "" leaves them as they are.
	Folder string

	lines   []int32      // offset of the first byte of each physical line; a file may have millions
	asked   atomic.Int32 // the line that line found last
	markers []marker     // line markers by offset, ascending; empty unless UseMarkers was called
}

// A marker means that from offset on, lines count from line in file name.
type marker struct {
	offset int // first byte after the marker's own line
	name   string
	line   int
	system bool
}

// Position is a place in the user's terms: file, line and column. Both count from 1, the column
// in bytes.
type Position struct {
	File   string
	Line   int
	Column int
	System bool // the line marker declares a system header
}

// New returns a File of text. It keeps the slice and does not copy it. All text after 2 GB counts
// as one line, because no stage reads such a text.
func New(name string, text []byte) *File {
	f := &File{Name: name, Text: text}
	text = text[:min(len(text), math.MaxInt32)]
	f.lines = make([]int32, 1, 1+bytes.Count(text, []byte{'\n'}))
	for i := 0; ; {
		n := bytes.IndexByte(text[i:], '\n')
		if n < 0 {
			return f
		}
		i += n + 1
		f.lines = append(f.lines, int32(i))
	}
}

// start returns the offset of the first byte of the i-th line, from 0.
func (f *File) start(i int) int { return int(f.lines[i]) }

// Lines returns the number of physical lines. A text that ends in a newline has an empty last
// one.
func (f *File) Lines() int { return len(f.lines) }

// LineStart returns the offset of the first byte of the physical line that holds offset.
func (f *File) LineStart(offset int) int { return f.start(f.line(offset)) }

// LineEnd returns the offset of the newline that ends the physical line of offset, or the end of
// the text. In a file with CRLF it is the offset of the CR.
func (f *File) LineEnd(offset int) int {
	i := f.line(offset)
	if i+1 == len(f.lines) {
		return len(f.Text)
	}
	e := f.start(i+1) - 1
	if e > f.start(i) && f.Text[e-1] == '\r' {
		e--
	}
	return e
}

// NextLine returns the offset of the first byte of the physical line after that of offset, or the
// end of the text.
func (f *File) NextLine(offset int) int {
	i := f.line(offset)
	if i+1 == len(f.lines) {
		return len(f.Text)
	}
	return f.start(i + 1)
}

// Newline returns the line end of the file, judged by its first line.
func (f *File) Newline() string {
	if len(f.lines) > 1 && f.lines[1] >= 2 && f.Text[f.lines[1]-2] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func (f *File) line(offset int) int {
	// Most questions are about the line of the question before, or about one of the next lines.
	last := int(f.asked.Load())
	for i := last; i < min(last+nearLines, len(f.lines)) && f.start(i) <= offset; i++ {
		if i+1 == len(f.lines) || f.start(i+1) > offset {
			if i != last {
				f.asked.Store(int32(i))
			}
			return i
		}
	}
	i := sort.Search(len(f.lines), func(i int) bool { return f.start(i) > offset }) - 1
	f.asked.Store(int32(i))
	return i
}

// nearLines is how many lines are tried before a search.
const nearLines = 4

// PhysicalLine returns the number, from 1, of the line of this text that holds offset, regardless
// of markers.
func (f *File) PhysicalLine(offset int) int { return f.line(offset) + 1 }

// Position returns the place of offset according to the line marker in force there.
func (f *File) Position(offset int) Position {
	i := f.line(offset)
	p := Position{File: f.Name, Line: i + 1, Column: offset - f.start(i) + 1}
	n := sort.Search(len(f.markers), func(k int) bool { return f.markers[k].offset > offset }) - 1
	if n >= 0 {
		m := f.markers[n]
		p.File, p.System = m.name, m.system
		p.Line = m.line + i - f.line(m.offset)
	}
	return p
}

func (p Position) String() string {
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// Marker records that the line starting at offset is number line of file name, as a `# 12 "f.c"
// 3` or `#line 12 "f.c"` before it says. Calls must follow the order of the text.
func (f *File) Marker(offset int, name string, line int, system bool) {
	if f.Folder != "" && !strings.HasPrefix(name, "<") && !filepath.IsAbs(name) {
		name = filepath.Join(f.Folder, name)
	}
	f.markers = append(f.markers, marker{offset, name, line, system})
}

// ForgetMarkers removes all markers, so that the text can be read again.
func (f *File) ForgetMarkers() { f.markers = nil }

// Cursor gives the Position of ascending offsets, each in constant time on average.
type Cursor struct {
	f      *File
	line   int // index into lines
	marker int // number of markers at or before the offset
	base   int // index of the line of the marker in force
}

// NewCursor returns a Cursor at the start of f. It does not see markers recorded later.
func (f *File) NewCursor() *Cursor { return &Cursor{f: f} }

// Position is like File.Position. offset must not be smaller than in the previous call.
func (c *Cursor) Position(offset int) Position {
	f := c.f
	for c.line+1 < len(f.lines) && f.start(c.line+1) <= offset {
		c.line++
	}
	for c.marker < len(f.markers) && f.markers[c.marker].offset <= offset {
		c.base = f.line(f.markers[c.marker].offset)
		c.marker++
	}
	p := Position{File: f.Name, Line: c.line + 1, Column: offset - f.start(c.line) + 1}
	if c.marker > 0 {
		m := f.markers[c.marker-1]
		p.File, p.System, p.Line = m.name, m.system, m.line+c.line-c.base
	}
	return p
}
