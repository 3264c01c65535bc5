package rewrite

import (
	"fmt"

	"opari/descriptors"
)

// A Fortran function gets a call before its first executable statement, and one before each
// statement that leaves it. This needs no declaration. An IF statement with a RETURN becomes an
// IF construct, and a label moves to a CONTINUE. Both split the line after an inserted word.
//
// With Options.SwitchOff, a function that can have declarations tests a word that the library
// sets: not 0 if the function is off. The words of a file are a COMMON block of it. The library
// may set the word between an entry and its exit, so the exit tests the value at the entry. A
// local variable holds that, so each thread and each recursive call has its own.

// lastDepth is greater than the depth of any construct.
const lastDepth = 1<<16 - 1

// functionEdits assigns offsets to the calls of a function. An exit is an edit of type begin
// where a line begins or is split. It is one of type entry where an inserted word must stand
// before the call.
func functionEdits(edits []edit, i int32, p *descriptors.Placed) []edit {
	depth := uint16(p.Depth) + 1 // after declarations, which have the depth 0
	f := p.Construct.Fortran.Function
	if f.Declare >= 0 {
		edits = append(edits, edit{f.Declare, i, 0, inline})
	}
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
	switch e.piece {
	case inline:
		u.declareOff(p)
	case before:
		u.enterFunction(p)
	case begin:
		u.leaveFunction(p)
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
	u.leaveFunction(p)
	u.marker(at)
	column := at - u.f.LineStart(at)
	u.marked(false, column)
	for range column {
		u.out = append(u.out, ' ')
	}
	u.lines = u.lines[:0]
}

// switches reports whether the library may switch the function p off.
func (u *fortranUnit) switches(p *descriptors.Placed) bool {
	return u.options.SwitchOff && !u.options.Module && p.Construct.Fortran.Function.Declare >= 0
}

// wordKind is the kind of integers of 4 bytes, whatever options the compiler has.
const wordKind = "integer(selected_int_kind(9)) "

// declareOff declares what the calls of p test.
func (u *fortranUnit) declareOff(p *descriptors.Placed) {
	if !u.switches(p) {
		return
	}
	u.line(wordKind + "pomp_off," + u.words())
	u.line("common /pompo" + u.hash + "/ pomp_offs")
}

// words declares the words of the file's regions.
func (u *fortranUnit) words() string { return fmt.Sprintf("pomp_offs(%d)", u.regions) }

// enterFunction adds the text that begins the region of p.
func (u *fortranUnit) enterFunction(p *descriptors.Placed) {
	id := p.Regions[0].ID
	if !u.switches(p) {
		u.call(fortranBegin, id)
		return
	}
	u.switched = true
	u.line(fmt.Sprintf("pomp_off = pomp_offs(%d)", id))
	u.callIfOn(fortranEnter, id)
}

// leaveFunction adds the text that ends the region of p.
func (u *fortranUnit) leaveFunction(p *descriptors.Placed) {
	id := p.Regions[0].ID
	if u.switches(p) {
		u.callIfOn(fortranExit, id)
	} else {
		u.call(fortranEnd, id)
	}
}

// callIfOn adds a call of a function that was on when it was entered. It merges with no other.
func (u *fortranUnit) callIfOn(e fortranEvent, region int) {
	u.called = true
	u.line("if (pomp_off == 0) call " + u.dispatcher() + "(" +
		u.argument(eventNumber(e, region)) + ")")
	u.last = lastCall{}
}
