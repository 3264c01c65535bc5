package rewrite

import (
	"opari/descriptors"
)

// A function's region in Fortran: a call in front of its first executable statement, and one in front of each statement that leaves
// it. Nothing is declared. An IF statement with a RETURN becomes an IF construct, and a label goes to a CONTINUE: the line is parted behind a
// word that says so.

// lastDepth is more than that of any construct.
const lastDepth = 1<<16 - 1

// functionEdits pins the calls of a function. Exits are edits of type begin where a line begins or is parted, of type entry where a word of
// ours must stand before them.
func functionEdits(edits []edit, i int32, p *descriptors.Placed) []edit {
	depth := uint16(p.Depth) + 1 // behind declarations, which have the depth 0
	f := p.Construct.Fortran.Function
	edits = append(edits, edit{f.Enter, i, depth, before})
	for _, e := range f.Exits {
		if e.Word == "" {
			edits = append(edits, edit{e.At, i, depth, begin})
			continue
		}
		edits = append(edits, edit{e.At, i, depth, entry})
		if e.Word == "then" {
			edits = append(edits, edit{e.After, i, lastDepth, atDirective})
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
		u.interpose(p, e.at)
	case atDirective:
		u.line("end if")
	}
	return true
}

// interpose parts the line at offset at behind a word of ours: the call stands between.
func (u *fortranUnit) interpose(p *descriptors.Placed, at int) {
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
