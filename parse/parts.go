package parse

import (
	"bytes"
	"math"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

// A file with a million constructs is read in parts, so that only those of one part are in memory at a time. A part ends
// between two declarations of the file or of a namespace, where no construct, statement or #if is open: nothing that the
// parser knows of the constructs before such a place bears on those behind it, and the other way round. What does is
// kept over all parts (macros, regions of text, functions that run on a device), or is a reason not to part the file.

// partSize is how many constructs, calls and mentions make a part.
const partSize = 4096

// Parts is File for large files: take gets one tree after the other, in the order of the text, of which each holds a part
// of the file and is good until take returns; take returns false to end the reading. No part comes after an error, which
// the diagnostics hold.
//
// It reports false when something came late that bears on parts taken before. They are void then, as are the
// diagnostics, and File has to read the file.
func Parts(f *source.File, o Options, take func(*construct.Tree) bool) (source.Diagnostics, bool) {
	return readParts(f, o, partSize, take)
}

func readParts(f *source.File, o Options, size int, take func(*construct.Tree) bool) (source.Diagnostics, bool) {
	p := newParser(f, o, size)
	p.take = take
	p.whole = p.o.Verify == verify.Always && p.o.Lang == omp.C
	p.read()
	if p.void {
		f.ForgetMarkers()
		return nil, false
	}
	p.finish()
	if p.parts == 0 {
		p.verify()
	} else {
		p.doubt()
	}
	if p.unread && !p.failed() {
		p.ds = append(p.ds, verify.Unreadable(f, verify.ErrTooLarge))
	}
	p.hand()
	return p.ds, true
}

// parting is the state of reading in parts. The zero value, with size math.MaxInt, never parts the file.
type parting struct {
	take  func(*construct.Tree) bool
	size  int
	parts int  // taken so far
	whole bool // the rest of the file is one part
	void  bool // the parts taken should not have been
	seen  int  // diagnostics among which errors were looked for
	bad   bool // there is one, or take wants no more
	// unread: constructs were made unsafe because the file is too large for the C front end to confirm them.
	unread bool
}

// unparted is the size of parts for reading a file as a whole.
const unparted = math.MaxInt

// roomFor estimates the constructs of the first part, or of the whole file, by the pragmas of the text. A sections construct
// may have a section without one.
func roomFor(text []byte, size int) int {
	if size != unparted {
		text = text[:min(len(text), size*256)]
	}
	n := bytes.Count(text, []byte("pragma ")) + bytes.Count(text, []byte(" sections"))
	if size < n {
		n = size + size/8 // it goes on to the end of a function
	}
	return n
}

// endPart ends the part at hand behind the token at hand if it is large enough and the place is right.
func (p *parser) endPart() {
	if len(p.cs)+len(p.tree.Calls)+len(p.tree.Mentions) < p.size || p.whole || !p.betweenDeclarations() {
		return
	}
	p.finish()
	p.doubt()
	p.hand()
	p.parts++
	p.reset()
}

// betweenDeclarations reports whether only the file, and namespaces or classes in it, are open behind the token at hand.
func (p *parser) betweenDeclarations() bool {
	if len(p.states) != 1 || len(p.openIfs) > 0 || p.stopped || p.call >= 0 || p.Tok.Macro != 0 || p.top().kind != inScope {
		return false
	}
	if p.lastEnd.offset == int32(p.Tok.End) {
		return false // a stray else would be about that construct
	}
	for i := p.cur.top; i >= 0; i = p.frames[i].parent {
		f := &p.frames[i]
		if f.kind != inScope && f.kind != inItem || f.where&executable != 0 || f.c >= 0 || f.fn >= 0 || f.end.ctx|f.end.macro != 0 {
			return false
		}
	}
	return true
}

// failed reports whether there was an error.
func (p *parser) failed() bool {
	p.bad = p.bad || p.ds[p.seen:].HasErrors()
	p.seen = len(p.ds)
	return p.bad
}

// hand gives the part at hand to whom it is for.
func (p *parser) hand() {
	if !p.failed() && !p.take(p.tree) {
		p.stopped, p.bad = true, true
	}
}

// doubt does for a part of the file what verify does where the front end confirms nothing: it is not asked about parts.
func (p *parser) doubt() {
	if p.o.Verify == verify.Never || len(p.unsures) == 0 {
		return
	}
	p.unread = p.unread || p.o.Lang == omp.C
	verify.Unconfirmed(p.unsureConstructs(), nil)
}

// unsure notes that the scanner is not sure of the extent of construct c. If the front end may know better, it must see
// the whole file.
func (p *parser) unsure(c int32) {
	p.unsures = append(p.unsures, c)
	if p.o.Verify != verify.Never && p.o.Lang == omp.C && len(p.Text) <= verify.MaxText {
		p.keepWhole()
	}
}

// keepWhole is called for what is about the whole file before as well as behind it.
func (p *parser) keepWhole() {
	p.whole = true
	if p.parts > 0 {
		p.void, p.stopped = true, true
	}
}

// reset forgets the part that was taken. Its memory serves the next one.
func (p *parser) reset() {
	p.cs, p.aux, p.others, p.unsures = p.cs[:0], p.aux[:0], p.others[:0], p.unsures[:0]
	p.functions, p.definitions, p.invocations = p.functions[:0], p.definitions[:0], p.invocations[:1]
	p.lastEnd, p.ended = place{offset: -1}, p.ended[:0]
	clear(p.attributesSeen)
	// The lineage of the state at hand is alive for good: while others share its past, so must one that is.
	p.lineages = append(p.lineages[:0], lineage{parent: -1})
	p.states[0].lineage = 0
	if !p.conditionalMacros { // these tell by the branch where they are in force
		p.ifs.Reset()
		if p.states[0].assume == nil {
			p.conditions.Clear()
		}
	}
	*p.tree = construct.Tree{File: p.f, Calls: p.tree.Calls[:0], Mentions: p.tree.Mentions[:0]}
}
