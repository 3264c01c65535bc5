package rewrite

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"opari/internal/source"
)

// An edit inserts complete lines into the user's text. It does not hold those lines: the printer
// renders them when it reaches the edit. So a file with a million regions needs only sixteen
// bytes for each edit.
//
// At one offset the order is: inner closes, outer closes, outer opens, inner opens.
type edit struct {
	at    int    // offset in the user's text
	item  int32  // index of the placed construct or of the region to render
	depth uint16 // nesting depth of the construct
	piece piece
}

// piece says which part of an item an edit inserts.
type piece uint8

const (
	before         piece = iota // opens, before the directive
	begin                       // opens, at the start of the body
	declare                     // opens, where a Fortran unit may have declarations
	activate                    // opens, after the sentinel !P$ of a Fortran line
	inline                      // within a line: a lock call
	afterDirective              // closes, after the directive
	end                         // closes, after the body
	after                       // closes, after the end directive in Fortran
	entry                       // within a line: after the brace that opens a function's body
)

func (p piece) closes() bool { return p >= afterDirective }

// within reports whether the edit changes a line without splitting it.
func (p piece) within() bool { return p == inline || p == entry }

// sortEdits sorts edits into the order of printing. Walking the tree already yields this order,
// except for directives in exclusive #if branches that share a body.
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

// A spot is the offset at which the lines of an edit go, given the layout of the text.
type spot struct {
	at  int
	mid bool // within a line, which is split there
}

// place finds the spot for an edit at offset at. An opening edit gets a line of its own where
// only blanks precede it. A closing edit does where only blanks and a comment follow it.
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

// orAt undoes a move that did not reach the start of a line.
func (s spot) orAt(at int) spot {
	if s.mid {
		s.at = at
	}
	return s
}

// onlyComment reports whether the rest of a line holds only blanks and comments that end on this
// line.
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

// One mark ends each inserted line, by which Strip finds the line again.
const (
	mark       = "/*@*/"
	markPrefix = "/*@"
	markSuffix = "*/"
	maxPadding = 160 // longest indentation, in columns, that the rest of a split line keeps
)

// printer copies the user's text and inserts the lines of the edits.
type printer struct {
	f       *source.File
	cursor  *source.Cursor
	options Options
	nl      string
	out     []byte
	flush   func([]byte) // takes out when it has grown large
	lines   []byte       // of the current run, each ending in \n, without marks
	copied  int          // offset up to which the user's text is printed
}

// run prints the collected lines at s and leaves out the next skip bytes of the user's text.
// lineMarker is false where the compiler does not see the text that follows.
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
	p.finishRun()
}

// insert prints the collected lines at a place where they split no line of the user's text and
// the user's text does not continue.
func (p *printer) insert() {
	p.marked(false, -1)
	p.finishRun()
}

// finishRun clears the collected lines and flushes the output once it is large.
func (p *printer) finishRun() {
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
