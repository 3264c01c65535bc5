package parse

import (
	"bytes"
	"math"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

// A file with a million constructs is read in parts, so that memory holds those of one part only.
// A part ends between two declarations of the file or of a namespace, where no construct,
// statement or #if is open.
//
// At such a place, what the parser knows of the constructs before it has no influence on those
// after it, nor the other way round. There are exceptions. The parser keeps macros, regions of
// text and functions that run on a device over all parts. Other exceptions are reasons not to
// divide the file.

// partSize is the number of constructs, calls and mentions that make a part.
const partSize = 4096

// Parts is File for large files. It gives take one tree after the other, in the order of the
// text. Each holds a part of the file and is valid until take returns. take returns false to
// stop. After an error no more parts follow; the diagnostics hold it.
//
// Parts reports false if later text has an influence on parts that take has already got. Those
// parts and the diagnostics are then void, and the caller must use File.
func Parts(f *source.File, o Options, take func(*construct.Tree) bool) (source.Diagnostics, bool) {
	return readParts(f, o, partSize, take)
}

func readParts(f *source.File, o Options, size int,
	take func(*construct.Tree) bool,
) (source.Diagnostics, bool) {
	p := newParser(f, o, size)
	p.take = take
	p.toEnd = p.options.Verify == verify.Always && p.options.Lang == omp.C
	p.read()
	if p.void {
		f.ForgetMarkers()
		return nil, false
	}
	p.finish()
	if p.taken == 0 {
		p.verify()
	} else {
		p.leaveUnconfirmed()
	}
	if p.unconfirmed && !p.failed() {
		p.ds = append(p.ds, verify.Unreadable(f, verify.ErrTooLarge))
	}
	p.deliver()
	return p.ds, true
}

// parting is the state of reading in parts. With the size singlePart, the file is not divided.
type parting struct {
	take    func(*construct.Tree) bool
	size    int
	taken   int  // the number of parts that take has got
	toEnd   bool // the current part extends to the end of the file
	void    bool // the parts that take has got are wrong
	checked int  // the number of diagnostics already searched for errors
	halted  bool // there was an error, or take returned false
	// unconfirmed says that constructs became unsafe because the file is too large for the C
	// front end to confirm them.
	unconfirmed bool
}

// singlePart is the size of a part if the file is not divided.
const singlePart = math.MaxInt

// roomFor estimates the number of constructs in the first part, or in the file, from the pragmas
// in the text. A sections construct may have a section without one.
func roomFor(text []byte, size int) int {
	if size != singlePart {
		text = text[:min(len(text), size*256)]
	}
	n := bytes.Count(text, []byte("pragma ")) + bytes.Count(text, []byte(" sections"))
	if size < n {
		n = size + size/8 // the part extends to the end of a function
	}
	return n
}

// endPart ends the current part after the current token, if it is large enough and the place is
// suitable.
func (p *parser) endPart() {
	if len(p.constructs)+len(p.tree.Calls)+len(p.tree.Mentions) < p.size || p.toEnd ||
		!p.betweenDeclarations() {
		return
	}
	p.finish()
	p.leaveUnconfirmed()
	p.deliver()
	p.taken++
	p.reset()
}

// betweenDeclarations reports whether only the file, and namespaces or classes in it, are open
// after the current token.
func (p *parser) betweenDeclarations() bool {
	if len(p.states) != 1 || len(p.openIfs) > 0 || p.stopped || p.call >= 0 || p.Tok.Macro != 0 ||
		p.top().kind != inScope {
		return false
	}
	if p.lastEnd.offset == int32(p.Tok.End) {
		return false // an else that follows would be about that construct
	}
	for i := p.current.top; i >= 0; i = p.frames[i].parent {
		f := &p.frames[i]
		if f.kind != inScope && f.kind != inItem || f.where&executable != 0 || f.construct >= 0 ||
			f.function >= 0 || f.end.ctx|f.end.macro != 0 {
			return false
		}
	}
	return true
}

// failed reports whether there was an error, or take wants no more parts.
func (p *parser) failed() bool {
	p.halted = p.halted || p.ds[p.checked:].HasErrors()
	p.checked = len(p.ds)
	return p.halted
}

// deliver gives the current part to take.
func (p *parser) deliver() {
	if !p.failed() && !p.take(p.tree) {
		p.stopped, p.halted = true, true
	}
}

// leaveUnconfirmed does for a part what verify does if the C front end confirms nothing, because
// the front end cannot read a part of a file.
func (p *parser) leaveUnconfirmed() {
	if p.options.Verify == verify.Never || len(p.unsures) == 0 {
		return
	}
	p.unconfirmed = p.unconfirmed || p.options.Lang == omp.C
	verify.Unconfirmed(p.unsureConstructs(), nil)
}

// unsure records that the extent of construct c is not certain. If the C front end may know
// better, it must see the entire file.
func (p *parser) unsure(c int32) {
	p.unsures = append(p.unsures, c)
	if p.options.Verify != verify.Never && p.options.Lang == omp.C &&
		len(p.Text) <= verify.MaxText {
		p.needEntireFile()
	}
}

// needEntireFile makes the rest of the file one part. It voids the parts before, because the
// reason concerns them too.
func (p *parser) needEntireFile() {
	p.toEnd = true
	if p.taken > 0 {
		p.void, p.stopped = true, true
	}
}

// reset removes the part that take has got. The next part reuses its memory.
func (p *parser) reset() {
	p.constructs, p.extras, p.alternatives, p.unsures =
		p.constructs[:0], p.extras[:0], p.alternatives[:0], p.unsures[:0]
	p.functions, p.definitions, p.invocations =
		p.functions[:0], p.definitions[:0], p.invocations[:1]
	p.lastEnd, p.ended = place{offset: -1}, p.ended[:0]
	clear(p.attributesSeen)
	// Exactly one state is left, and the last state cannot die. So a new root lineage replaces
	// all lineages of the part before.
	p.lineages = append(p.lineages[:0], lineage{parent: -1})
	p.states[0].lineage = 0
	if !p.conditionalMacros { // conditional macros refer to the branch in which they are in force
		p.ifs.Reset()
		if p.states[0].assume == nil {
			p.conditions.Clear()
		}
	}
	*p.tree = construct.Tree{File: p.file, Calls: p.tree.Calls[:0], Mentions: p.tree.Mentions[:0]}
}
