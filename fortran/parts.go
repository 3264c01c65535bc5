package fortran

import (
	"opari/internal/source"
	"opari/parse/construct"
)

// partSize is the least number of constructs in a part.
const partSize = 1000

// Parts is File for large files. It calls take with trees that hold one construct after the other
// in the order of the text. Each holds a part of the file, some program units, and is valid until
// take returns. take returns false to stop. After an error no more parts follow; the diagnostics
// hold it, and all parts are void.
func Parts(f *source.File, o Options, take func(*construct.Tree) bool) source.Diagnostics {
	return readParts(f, o, partSize, take)
}

func readParts(f *source.File, o Options, size int,
	take func(*construct.Tree) bool,
) source.Diagnostics {
	p := newParser(f, o)
	p.take, p.size = take, size
	p.read(o)
	if !p.stopped && !p.ds.HasErrors() {
		take(p.tree)
	}
	return p.ds
}

// parts is the state of reading in parts, with the memory of the constructs of a part, which
// serves the next one too.
type parts struct {
	take    func(*construct.Tree) bool // nil: the file is read in one piece
	size    int                        // as partSize
	toEnd   bool                       // the current part extends to the end of the file
	stopped bool

	slabs  [][]placed
	filled int // number of constructs in the slabs
}

// endPart ends the current part after a program unit, if it is large enough and no #if is open.
func (p *parser) endPart() {
	if p.take == nil || p.toEnd || p.filled < p.size || len(p.stack)+len(p.ifs) > 0 {
		return
	}
	if p.ds.HasErrors() {
		p.stopped = true
		return
	}
	p.tree.Activated = p.scanner.activated
	p.stopped = !p.take(p.tree)
	*p.tree = construct.Tree{File: p.f, Constructs: p.tree.Constructs[:0]}
	p.scanner.activated, p.filled = p.scanner.activated[:0], 0
}

// placed is a construct with its Fortran data.
type placed struct {
	construct.Construct
	construct.InFortran
}

// slabSize is how many constructs are allocated at once.
const slabSize = 256

// construct allocates one construct.
func (p *parser) construct() *construct.Construct {
	i := p.filled / slabSize
	if i == len(p.slabs) {
		p.slabs = append(p.slabs, make([]placed, slabSize))
	}
	c := &p.slabs[i][p.filled%slabSize]
	p.filled++
	*c = placed{Construct: construct.Construct{Inner: c.Inner[:0]}}
	c.Construct.Fortran = &c.InFortran
	return &c.Construct
}
