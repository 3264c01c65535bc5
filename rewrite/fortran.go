package rewrite

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/source"
	"opari/parse/construct"
)

// Fortran text is written in one piece, because no prologue precedes the user's first line. The
// calls go to one subroutine after the user's last line, and pass literal numbers only. So
// nothing is declared in the user's units, and no clause is added.

// instrumentFortran is Instrument for Fortran.
func instrumentFortran(t *construct.Tree, table *descriptors.Table, o Options) []byte {
	u := &fortranUnit{
		f: table.File, activated: t.Activated, table: table, options: o,
		layout: fortran.Layout{Form: o.Form, LineLength: o.LineLength}, counted: map[int]bool{},
	}
	u.nl = u.f.Newline()
	u.hash = fileHash(u.f, o.Tag)
	u.out = make([]byte, 0, len(u.f.Text)+len(table.Regions)*300+2048)
	u.define()
	u.print(u.edits())
	return u.out
}

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
	f          *source.File
	table      *descriptors.Table
	activated  []int // as in construct.Tree
	options    Options
	layout     fortran.Layout
	hash       string // part of the names of everything that the file adds to the program
	nl         string
	called     bool         // the text calls the dispatcher
	controlled bool         // the text calls the procedure for controls
	counted    map[int]bool // the numbers of loops for which bounds procedures are needed
	addressed  bool         // a user region has the address of a variable
	switched   bool         // the library may switch off functions
	out        []byte
	lines      []byte // of the current run, each ending in \n, without marks
	last       lastCall
	// For each number after those of the regions: the event numbers that it stands for.
	merged [][]int
	copied int // offset up to which the user's text is printed
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
	edits := make([]edit, 0, 6*len(placed)+8)
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
					if _, ok := u.countedCall(r, ""); ok {
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
	}
	u.copyTo(len(u.f.Text))
	u.epilogue()
	u.run(len(u.f.Text), false)
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

// marker adds a line marker: the next line is that of the user's text at offset at.
func (u *fortranUnit) marker(at int) {
	if u.options.NoLine {
		return
	}
	p := u.f.Position(at)
	u.lines = append(u.lines, "# "...)
	u.lines = strconv.AppendInt(u.lines, int64(p.Line), 10)
	u.lines = append(append(append(u.lines, ' '), descriptors.Quote(p.File)...), '\n')
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
	lines := bytes.Split(u.lines, []byte{'\n'})
	lines = lines[:len(lines)-1] // behind the last newline
	for i := 0; i < len(lines); i++ {
		if lines[i][0] == '#' && (i == 0 || lines[i-1][0] == '#') {
			lines = slices.Insert(lines, i, []byte{})
			i++
		}
	}
	for i, line := range lines {
		if len(line) > 0 && line[0] == '#' {
			u.out = append(append(u.out, line...), u.nl...)
			continue
		}
		u.out = append(u.out, line...)
		if len(line) > 0 {
			u.out = append(u.out, ' ')
		}
		u.out = append(u.out, fortranMark...)
		if parted {
			u.out = append(u.out, '<')
			parted = false
		}
		rest := lines[i+1:]
		if len(rest) > 0 && rest[0][0] == '#' {
			u.out = append(u.out, '+')
			rest = rest[1:]
		}
		if len(rest) == 0 && padding >= 0 {
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
	u.lines = append(append(u.lines, u.layout.Statement(text)...), '\n')
}
