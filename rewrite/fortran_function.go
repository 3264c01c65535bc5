package rewrite

import (
	"opari/descriptors"
)

// A Fortran function gets a call before its first executable statement, and one before each
// statement that leaves it. This needs no declaration. An IF statement with a RETURN becomes an
// IF construct, and a label moves to a CONTINUE. Both split the line after an inserted word.

// lastDepth is greater than the depth of any construct.
const lastDepth = 1<<16 - 1

// functionEdits assigns offsets to the calls of a function. An exit is an edit of type begin
// where a line begins or is split. It is one of type entry where an inserted word must stand
// before the call.
func functionEdits(edits []edit, i int32, p *descriptors.Placed) []edit {
	depth := uint16(p.Depth) + 1 // after declarations, which have the depth 0
	f := p.Construct.Fortran.Function
	edits = append(edits, edit{f.Enter, i, depth, before})
	for _, e := range f.Exits {
		if e.Word == "" {
			edits = append(edits, edit{e.At, i, depth, begin})
			continue
		}
		edits = append(edits, edit{e.At, i, depth, entry})
		if e.Word == "then" {
			edits = append(edits, edit{e.After, i, lastDepth, afterDirective})
		}
	}
	return edits
}

// functionPiece renders an edit of a function, and reports whether a line marker follows.
func (u *fortranUnit) functionPiece(p *descriptors.Placed, e edit) bool {
	id := p.Regions[0].ID
	switch e.piece {
	case before:
		u.call(fortranBegin, id)
	case begin:
		u.call(fortranEnd, id)
	case entry:
		u.splitAfterWord(p, e.at)
	case afterDirective:
		u.line("end if")
	}
	return true
}

// splitAfterWord splits the line at offset at and inserts a word and then the call.
func (u *fortranUnit) splitAfterWord(p *descriptors.Placed, at int) {
	word := ""
	for _, e := range p.Construct.Fortran.Function.Exits {
		if e.At == at {
			word = e.Word
		}
	}
	u.copyTo(at)
	u.out = append(u.out, word+" "+fortranMark+"^w"+u.nl...)
	u.call(fortranEnd, p.Regions[0].ID)
	u.marker(at)
	column := at - u.f.LineStart(at)
	u.marked(false, column)
	for range column {
		u.out = append(u.out, ' ')
	}
	u.lines = u.lines[:0]
}
