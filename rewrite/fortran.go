package rewrite

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/source"
	"opari/parse/construct"
)

// Nothing precedes the user's first line. The calls go to one subroutine after the last line, and
// pass literal numbers only. So nothing is declared in the user's units, and no clause is added.

// A FortranWriter is a Writer for Fortran. The text consists of everything passed to body.
//
// It needs the file in one part if Options.NeedsOnePart: merged calls have the numbers after those
// of all regions, and units declare the words of all functions.
type FortranWriter struct {
	fortranUnit
	rows func([]byte) error
}

// NewFortranWriter returns a writer before the first part of f. rows gets the descriptions of the
// regions in pieces, which the caller keeps for Close. body gets the text. Both must use a piece
// before they return. NewFortranWriter refuses a text that is already instrumented.
func NewFortranWriter(f *source.File, o Options, rows, body func([]byte) error) (*FortranWriter,
	error,
) {
	if Instrumented(f.Text) {
		return nil, instrumentedAlready(f)
	}
	w := &FortranWriter{rows: rows, fortranUnit: fortranUnit{
		f: f, options: o, body: body, nl: f.Newline(), hash: fileHash(f, o.Tag),
		layout: fortran.Layout{Form: o.Form, LineLength: o.LineLength}, counted: map[int]bool{},
	}}
	w.define()
	return w, nil
}

// Part writes the regions of the next part, and the text up to the last of them.
func (w *FortranWriter) Part(t *construct.Tree, table *descriptors.Table) error {
	w.activated, w.table = t.Activated, table
	constructs, users := table.Count()
	w.constructs += constructs
	w.users += users
	w.regions += len(table.Regions)
	var b []byte
	for i, r := range table.Regions {
		if b = w.described.AppendRegion(b, r); len(b) > pieceSize || i+1 == len(table.Regions) {
			w.rowBytes += len(b)
			w.sink(w.rows, b)
			b = b[:0]
		}
	}
	w.print(w.edits())
	return w.err
}

// Close writes the rest of the text. It reads the descriptions that rows got.
func (w *FortranWriter) Close(rows io.Reader) error {
	w.copyTo(len(w.f.Text))
	w.epilogue(rows)
	w.runAtEnd()
	w.sink(w.body, w.out)
	return w.err
}

// sink passes a piece on unless an error has occurred.
func (u *fortranUnit) sink(to func([]byte) error, b []byte) {
	if u.err == nil && len(b) > 0 {
		u.err = to(b)
	}
}

// pieceSize is the size from which text is passed on.
const pieceSize = 1 << 16

// define defines _POMP where the text, or a file that it includes, may test for it. A line of the
// preprocessor has no room for a mark, so a marked line announces it.
func (u *fortranUnit) define() {
	text := u.f.Text
	asks := bytes.Contains(text, []byte("_POMP")) || bytes.Contains(text, []byte("include"))
	if !u.options.CPP || !asks || bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return
	}
	u.lines = append(u.lines, "#ifndef _POMP\n#define _POMP "+InterfaceVersion+"\n#endif\n"...)
	u.marker(0)
	u.marked(false, -1)
	u.lines = u.lines[:0]
}

// fortranUnit is the state while one file is written.
type fortranUnit struct {
	f         *source.File
	table     *descriptors.Table // of the current part
	activated []int              // as in construct.Tree; of the current part
	order     []edit             // of the current part; its memory serves the next one
	body      func([]byte) error
	err       error // the first error of a sink

	// Of all parts so far.
	regions, constructs, users int
	described                  descriptors.FortranTable
	rowBytes                   int // length of the descriptions

	options Options
	layout  fortran.Layout
	hash    string // part of the names of everything that the file adds to the program
	nl      string
	// The file of the last line marker, and its name as a literal.
	named, quoted string

	called     bool         // the text calls the dispatcher
	controlled bool         // the text calls the procedure for controls
	counted    map[int]bool // the numbers of loops for which bounds procedures are needed
	addressed  bool         // a user region has the address of a variable
	switched   bool         // the library may switch off functions
	out        []byte
	lines      []byte // of the current run, each ending in \n, without marks
	last       lastCall
	copied     int  // offset up to which the user's text is printed
	atEnd      bool // lines were printed after the user's last one
}

// dispatcher returns the name of the subroutine that the calls name.
func (u *fortranUnit) dispatcher() string { return "pompx" + u.hash }

// controls returns the name of the procedure that control calls name.
func (u *fortranUnit) controls() string { return "pompc" + u.hash }

// ModuleName returns the name of the module in the text of f with Options.Module. The compiler
// writes a file of that name.
func ModuleName(f *source.File, tag string) string { return "pompm" + fileHash(f, tag) }

// fileHash returns a hash that no other file of the program has. It identifies the file by its
// name, its text and the tag.
func fileHash(f *source.File, tag string) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00", f.Name, tag)
	_, _ = h.Write(f.Text)
	return fmt.Sprintf("%08x", uint32(h.Sum64()^h.Sum64()>>32))
}

// edits assigns offsets to the pieces of every placed construct.
func (u *fortranUnit) edits() []edit {
	placed := u.table.Placed
	edits := slices.Grow(u.order[:0], 6*len(placed)+8)
	var open []int32 // placed constructs whose end is still to come
	closeTo := func(depth int) {
		for len(open) > 0 && placed[open[len(open)-1]].Depth >= depth {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			p := &placed[i]
			c := p.Construct
			if c.Fortran.End != nil {
				edits = append(edits, edit{c.Body.End, i, uint16(p.Depth), end})
				if endWritten(p) {
					edits = u.comment(edits, i, c.Fortran.End.Extent)
				}
			}
			edits = append(edits, edit{c.Extent.End, i, uint16(p.Depth), after})
		}
	}
	for n := range placed {
		p, i := &placed[n], int32(n)
		closeTo(p.Depth)
		c, depth := p.Construct, uint16(p.Depth)
		d := c.Directive.Extent
		if !isUser(p) && !isFunction(p) && silent(p) { // the directive is removed
			edits = u.comment(edits, i, d)
			if c.Fortran.End != nil {
				edits = u.comment(edits, i, c.Fortran.End.Extent)
			}
			continue
		}
		if isFunction(p) {
			edits = functionEdits(edits, i, p)
			if c.Fortran.DeclareAt > 0 {
				edits = append(edits, edit{c.Fortran.DeclareAt, i, 0, declare})
			}
			continue
		}
		if c.Fortran.DeclareAt > 0 {
			edits = append(edits, edit{c.Fortran.DeclareAt, i, 0, declare})
		}
		switch {
		case isUser(p):
			edits = append(u.comment(edits, i, d), edit{c.Extent.End, i, depth, afterDirective})
			continue
		case c.Implicit:
			edits = append(edits, edit{c.Body.Start, i, depth, begin})
		default:
			edits = append(edits, edit{u.f.LineStart(d.Start), i, depth, before})
			if rewritten(p) {
				edits = u.comment(edits, i, d)
			}
			edits = append(edits, edit{u.f.NextLine(d.End), i, depth, afterDirective})
		}
		if hasBody(c) {
			open = append(open, i)
		}
	}
	closeTo(0)
	for _, at := range u.activated {
		edits = append(edits, edit{at, -1, 0, activate})
	}
	sortEdits(edits)
	u.order = edits
	return edits
}

// activate splits a line after the sentinel !P$. The sentinel stays as a comment, and what
// follows it keeps its column.
func (u *fortranUnit) activate(at int) {
	u.copyTo(at)
	u.out = append(u.out, " "+fortranMark+"^"...)
	if !u.options.NoLine {
		u.out = append(u.out, '+')
	}
	column := at - u.f.LineStart(at)
	u.out = append(u.out, '>')
	u.out = append(strconv.AppendInt(u.out, int64(column), 10), u.nl...)
	u.marker(at)
	u.out = append(u.out, bytes.ReplaceAll(u.lines, []byte{'\n'}, []byte(u.nl))...)
	u.lines = u.lines[:0]
	for range column {
		u.out = append(u.out, ' ')
	}
}

// comment turns the lines of a directive into comments.
func (u *fortranUnit) comment(edits []edit, item int32, e source.Extent) []edit {
	for _, at := range fortran.Sentinels(u.f, e) {
		edits = append(edits, edit{at, item, 0, inline})
	}
	return edits
}

// print renders the edits. The edits at one offset form one run.
func (u *fortranUnit) print(edits []edit) {
	declared := map[string]int{} // by name: the offset of its last declaration
	declareAt := func(at int, name string) {
		if declared[name] != at {
			u.line("external " + name)
		}
		declared[name] = at
	}
	for i := 0; i < len(edits); {
		at := edits[i].at
		marker := true
		for ; i < len(edits) && edits[i].at == at; i++ {
			e := edits[i]
			if e.piece == activate {
				u.activate(at)
				continue
			}
			p := &u.table.Placed[e.item]
			if isFunction(p) && e.piece != declare {
				marker = u.functionPiece(p, e)
				continue
			}
			switch e.piece {
			case inline:
				u.copyTo(at)
				u.out = append(u.out, fortranMark[1:]...)
			case declare:
				declareAt(at, u.dispatcher())
				for _, r := range p.Regions {
					if _, ok := u.countedCall(r, 0); ok {
						declareAt(at, u.boundsName(len(r.Trips)))
					}
				}
			case before:
				u.before(p)
				marker = !rewritten(p)
			case begin:
				u.beginBody(p.Regions[len(p.Regions)-1])
			case afterDirective:
				u.afterDirective(p)
				marker = true
			case end:
				u.end(p)
				marker = !endWritten(p)
			case after:
				u.after(p)
				marker = true
			}
		}
		u.run(at, marker)
		if len(u.out) > pieceSize {
			u.sink(u.body, u.out)
			u.out = u.out[:0]
		}
	}
}

// run prints the collected lines at offset at, followed by a line marker if marker is true.
func (u *fortranUnit) run(at int, marker bool) {
	if len(u.lines) == 0 {
		return
	}
	u.copyTo(at)
	text := u.f.Text
	if at == 0 && bytes.HasPrefix(text, []byte(byteOrderMark)) {
		u.copyTo(len(byteOrderMark))
	}
	parted := at > 0 && text[at-1] != '\n'
	padding := -1
	if parted {
		u.out = append(u.out, u.nl...)
		if at < len(text) {
			padding = at - u.f.LineStart(at)
		}
	}
	if marker && !u.options.NoLine && at < len(text) {
		u.marker(at)
	}
	u.marked(parted, padding)
	for range padding {
		u.out = append(u.out, ' ')
	}
	u.lines, u.last = u.lines[:0], lastCall{}
}

// runAtEnd prints the collected lines after the user's last one. It may be called repeatedly.
func (u *fortranUnit) runAtEnd() {
	if !u.atEnd {
		u.run(len(u.f.Text), false)
		u.atEnd = true
	}
	u.marked(false, -1)
	u.lines = u.lines[:0]
	if len(u.out) > pieceSize {
		u.sink(u.body, u.out)
		u.out = u.out[:0]
	}
}

// marker adds a line marker: the next line is that of the user's text at offset at.
func (u *fortranUnit) marker(at int) {
	if u.options.NoLine {
		return
	}
	p := u.f.Position(at)
	u.lines = append(u.lines, "# "...)
	u.lines = strconv.AppendInt(u.lines, int64(p.Line), 10)
	if p.File != u.named || u.quoted == "" {
		u.named, u.quoted = p.File, descriptors.Quote(p.File)
	}
	u.lines = append(append(append(u.lines, ' '), u.quoted...), '\n')
}

// fortranMark ends each inserted line. These may follow it:
//
//   - < says that the newline before the line is inserted too.
//   - + says that the next line is inserted. It is a line marker, which has no mark of its own.
//   - >N says that the first N blanks of the next line are inserted too.
//   - ^ says that the text before the mark is the user's, whose line continues after the
//     insertion.
//   - ^w says the same, but the last word of that text is inserted.
const fortranMark = "!@pomp"

// marked appends u.lines to the output, each with its mark. A line marker has none, so the line
// before it announces it.
func (u *fortranUnit) marked(parted bool, padding int) {
	announced := false
	for rest := u.lines; len(rest) > 0; {
		line, next, _ := bytes.Cut(rest, []byte{'\n'})
		switch {
		case line[0] != '#':
			u.out = append(append(u.out, line...), ' ')
			rest = next
		case announced:
			u.out = append(append(u.out, line...), u.nl...)
			rest, announced = next, false
			continue
		}
		u.out = append(u.out, fortranMark...)
		if parted {
			u.out = append(u.out, '<')
			parted = false
		}
		last := rest
		if announced = len(rest) > 0 && rest[0] == '#'; announced {
			u.out = append(u.out, '+')
			_, last, _ = bytes.Cut(rest, []byte{'\n'})
		}
		if len(last) == 0 && padding >= 0 {
			u.out = append(u.out, '>')
			u.out = strconv.AppendInt(u.out, int64(padding), 10)
		}
		u.out = append(u.out, u.nl...)
	}
}

func (u *fortranUnit) copyTo(at int) {
	if at > u.copied {
		u.out = append(u.out, u.f.Text[u.copied:at]...)
		u.copied = at
	}
}

// line adds a statement.
func (u *fortranUnit) line(text string) {
	u.lines = append(u.layout.AppendStatement(u.lines, text), '\n')
}
