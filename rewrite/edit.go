// Package rewrite turns regions to edits to bytes; it is the only place that writes program text.
package rewrite

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"opari/internal/source"
)

// An edit puts whole lines into the user's text. What the lines say is not kept but asked of render when the edit is
// printed, so that a file with a million regions needs sixteen bytes an edit.
//
// At one offset the order is: inner closes, outer closes, outer opens, inner opens.
type edit struct {
	at    int    // where the user's text is parted
	item  int32  // index of what render renders
	depth uint16 // nesting
	piece piece
}

// piece says which part of an item an edit is.
type piece uint8

const (
	before      piece = iota // opens, at the directive
	begin                    // opens, at the body
	declare                  // opens, where declarations of a Fortran unit stand
	activate                 // opens, behind the sentinel !P$ of a Fortran line
	inline                   // within a line: a lock call
	atDirective              // closes, behind the directive
	end                      // closes, behind the body
	after                    // closes, behind the end directive in Fortran
	entry                    // within a line: behind the brace that opens a function's body
)

func (p piece) closes() bool { return p >= atDirective }

// within reports whether the edit parts no line.
func (p piece) within() bool { return p == inline || p == entry }

// sortEdits brings edits into the order of printing. Walking the tree yields them in this order but for directives in exclusive
// #if branches that share a body.
func sortEdits(edits []edit) {
	order := func(a, b edit) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		if ac, bc := a.piece.closes(), b.piece.closes(); ac != bc {
			if ac {
				return -1
			}
			return 1
		} else if ac {
			return cmp.Compare(b.depth, a.depth)
		}
		return cmp.Compare(a.depth, b.depth)
	}
	if !slices.IsSortedFunc(edits, order) {
		slices.SortStableFunc(edits, order)
	}
}

// A spot is where the lines of an edit go once the layout of the text is heeded.
type spot struct {
	at  int
	mid bool // within a line: it is parted there
}

// place finds the spot for an edit at offset at: a line of its own where only blanks stand before it (opening) or only blanks and a
// comment behind it (closing).
func place(text []byte, at int, closes bool) spot {
	if at == 0 || text[at-1] == '\n' {
		return spot{at, false}
	}
	if !closes {
		i := at
		for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
			i--
		}
		return spot{i, i > 0 && text[i-1] != '\n'}.orAt(at)
	}
	rest := text[at:]
	n := bytes.IndexByte(rest, '\n')
	if n < 0 || !onlyComment(rest[:n]) {
		return spot{at, true}
	}
	return spot{at + n + 1, false}
}

// orAt takes back a move that did not reach a line's start.
func (s spot) orAt(at int) spot {
	if s.mid {
		s.at = at
	}
	return s
}

// onlyComment reports whether the rest of a line holds nothing but blanks and comments that end on it.
func onlyComment(b []byte) bool {
	for {
		b = bytes.TrimLeft(b, " \t\r\f\v")
		switch {
		case len(b) == 0:
			return true
		case bytes.HasPrefix(b, []byte("//")):
			return !bytes.HasSuffix(bytes.TrimRight(b, "\r"), []byte("\\"))
		case bytes.HasPrefix(b, []byte("/*")):
			n := bytes.Index(b[2:], []byte("*/"))
			if n < 0 {
				return false
			}
			b = b[n+4:]
		default:
			return false
		}
	}
}

// Marks end each inserted line, so that Strip finds it again.
const (
	mark       = "/*@*/"
	markPrefix = "/*@"
	markSuffix = "*/"
	maxPadding = 160 // columns that are kept behind a parted line
)

// printer copies the user's text and puts the lines of edits between.
type printer struct {
	f       *source.File
	cursor  *source.Cursor
	options Options
	nl      string
	out     []byte
	flush   func([]byte) // called with out when it is large
	lines   []byte       // of the run at hand, each ending in \n, without marks
	copied  int          // the user's text is printed up to here
}

// run prints the lines gathered at s; skip bytes of the user's text behind it are left out. lineMarker is false where the text that
// follows is not compiled.
func (p *printer) run(s spot, skip int, lineMarker bool) {
	p.copyTo(s.at)
	p.copied = max(p.copied, s.at+skip)
	if len(p.lines) == 0 {
		return
	}
	text := p.f.Text
	padding := -1
	if s.mid {
		p.out = append(p.out, p.nl...)
		if n := p.copied; n < len(text) && text[n] != '\n' {
			padding = p.cursor.Position(n).Column - 1
			if padding > maxPadding || p.options.Preprocessed {
				padding = 0
			}
		}
	}
	if lineMarker && !p.options.NoLine && p.copied < len(text) {
		if p.options.Preprocessed {
			p.lines = append(p.lines, "# "...)
		} else {
			p.lines = append(p.lines, "#line "...)
		}
		p.lines = strconv.AppendInt(p.lines, int64(p.cursor.Position(p.copied).Line), 10)
		p.lines = append(p.lines, '\n')
	}
	p.marked(s.mid, padding)
	for range padding {
		p.out = append(p.out, ' ')
	}
	p.passOn()
}

// insert prints the lines gathered where the user's text is not parted and goes on elsewhere.
func (p *printer) insert() {
	p.marked(false, -1)
	p.passOn()
}

// passOn starts new lines, and hands on what was printed when it is much.
func (p *printer) passOn() {
	p.lines = p.lines[:0]
	if len(p.out) > 1<<16 {
		p.flush(p.out)
		p.out = p.out[:0]
	}
}

// marked appends p.lines to the output, each with its mark.
func (p *printer) marked(parted bool, padding int) {
	for rest := p.lines; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n')
		p.out = append(p.out, rest[:n]...)
		rest = rest[n+1:]
		if !p.options.Preprocessed {
			p.out = append(p.out, ' ')
			if !parted && (len(rest) > 0 || padding < 0) {
				p.out = append(p.out, mark...)
			} else {
				p.out = append(p.out, markPrefix...)
				if parted {
					p.out = append(p.out, '<')
				}
				if len(rest) == 0 && padding >= 0 {
					p.out = append(p.out, '>')
					p.out = strconv.AppendInt(p.out, int64(padding), 10)
				}
				p.out = append(p.out, markSuffix...)
			}
		}
		parted = false
		p.out = append(p.out, p.nl...)
	}
}

func (p *printer) copyTo(at int) {
	if at > p.copied {
		p.out = append(p.out, p.f.Text[p.copied:at]...)
		p.copied = at
	}
}
