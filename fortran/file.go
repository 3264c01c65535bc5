package fortran

import (
	"bytes"
	"math"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
)

// Options say how a file is read.
type Options struct {
	Form       Form
	LineLength int  // columns of a line; 0: the limit of the form, negative: no limit
	DebugLines bool // in fixed form, lines with D in column 1 are code
	Functions  bool // the main program and the procedures become constructs; see function.go
}

// File reads a Fortran file. The tree is never nil. It may be instrumented if the diagnostics
// contain no error.
//
// The extents of a construct are the places between which the writer inserts lines. Body begins
// with the line after the directive and ends after its last statement. Extent ends after the end
// directive, or where Body ends without one.
func File(f *source.File, o Options) (*construct.Tree, source.Diagnostics) {
	p := newParser(f, o)
	p.read(o)
	return p.tree, p.ds
}

func newParser(f *source.File, o Options) *parser {
	return &parser{
		f: f, tree: &construct.Tree{File: f}, branches: []int{0}, functions: o.Functions,
	}
}

// read reads the file, from the start to the end.
func (p *parser) read(o Options) {
	switch f := p.f; {
	case len(f.Text) > math.MaxInt32:
		p.ds.Errorf(f, 0, "the file is larger than 2 GB")
		return
	case bytes.IndexByte(f.Text, 0) >= 0:
		p.ds.Errorf(f, bytes.IndexByte(f.Text, 0), "a NUL byte: this is no program text")
		return
	}
	p.scanner = newScanner(p.f, o)
	for !p.stopped {
		it := p.scanner.next()
		switch it.kind {
		case statementItem:
			if len(p.ifs) < p.strayDepth {
				p.strayDepth = 0
			}
			p.statement(it)
		case directiveItem:
			p.directive(it)
		case hashItem:
			p.preprocessor(it)
		case endItem:
			p.atEnd(it)
			p.tree.Activated = p.scanner.activated
			return
		}
		if it.kind != hashItem {
			p.last = it.after
		}
	}
}

// parser tracks the nesting of units, loops and OpenMP constructs.
type parser struct {
	f       *source.File
	scanner *scanner
	tree    *construct.Tree
	ds      source.Diagnostics
	stack   []frame
	last    int // where text may be inserted after the last statement or directive
	noInstr bool

	functions  bool // as in Options
	hasInclude bool // the file has an INCLUDE line, whose text may begin or end constructs
	// Names of constructs whose end is unknown, so their end directives are ignored.
	ignoredEnds []string
	macros      macros
	// mayHideEnds says that a directive's name comes from a macro, or its branches differ in
	// where it ends. Later end directives may belong to it.
	mayHideEnds bool
	// strayDepth is 1 + the number of #if around a directive that was not instrumented and that
	// the next lines may continue. It is 0 if there is none.
	strayDepth int

	// For #if; see branch.go.
	ifs      []openIf
	branches []int // the open branches, innermost last
	branchID int

	checkedIntrinsics, ownIntrinsics bool // see bound.go

	parts
}

type frameKind uint8

const (
	unitFrame frameKind = iota
	interfaceFrame
	typeFrame
	doFrame
	blockFrame
	ifFrame
	ompFrame
)

// frame is one entry of the stack.
type frame struct {
	kind frameKind

	// Of units.
	name     string
	pure     bool
	module   bool
	contains bool // it has a CONTAINS
	// Procedures that it calls must be declared: IMPLICIT NONE (EXTERNAL) here or in a host.
	external  bool
	declareAt int // where a declaration may stand: after the header, USE, IMPORT and IMPLICIT
	procedure *procedure

	label      string // of the statement that ends the DO
	concurrent bool
	// The construct with whose loops the DO is nested, as long as nothing else stands in it.
	nest    *construct.Construct
	sawElse bool // the IF construct has an ELSE

	// Of OpenMP constructs.
	c         *construct.Construct
	needs     association
	remaining int  // number of statements that still belong to it, for needs == statements
	started   bool // the body has begun
	strict    bool // the body so far is a BLOCK
	done      bool // the body is complete, but an end directive may follow
	end       int  // of the body, when it is done
	branch    int  // the branch of #if in which the directive stands
}

// association is what the body of a construct is.
type association uint8

const (
	nothing    association = iota
	block                  // up to the end directive, or one BLOCK construct
	loop                   // one loop nest
	statements             // a number of statements, with or without an end directive
	section                // up to the next section or the end of the enclosing construct
)

func (p *parser) top() *frame {
	if len(p.stack) == 0 {
		return nil
	}
	return &p.stack[len(p.stack)-1]
}

func (p *parser) pop() { p.stack = p.stack[:len(p.stack)-1] }

// unit returns the innermost program unit or procedure, or nil outside all of them.
func (p *parser) unit() *frame {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].kind == unitFrame {
			return &p.stack[i]
		}
	}
	return nil
}

// enclosing returns the innermost construct, or nil where none is open.
func (p *parser) enclosing() *frame {
	for i := len(p.stack) - 1; i >= 0 && p.stack[i].kind != unitFrame; i-- {
		if p.stack[i].kind == ompFrame {
			return &p.stack[i]
		}
	}
	return nil
}

// headerExpected reports whether a program unit or a procedure may start here.
func (p *parser) headerExpected() bool {
	t := p.top()
	return t == nil || t.kind == interfaceFrame || t.kind == unitFrame && t.contains
}

// statement reads one statement.
func (p *parser) statement(it *item) {
	m := it.classify(p.headerExpected())
	if t := p.top(); t != nil && (t.kind == typeFrame || t.kind == interfaceFrame) {
		p.inDefinition(it, m)
		return
	}
	p.hasInclude = p.hasInclude || isInclude(it)
	p.endComplete()
	p.startBodies(it, m)
	if t := p.top(); t != nil && t.nest != nil && !m.counted {
		t.nest = nil
	}
	switch m.class {
	case unitStart:
		p.openUnit(it, m)
		return
	case unitEnd:
		p.followProcedure(it, m)
		p.closeUnit(it)
		return
	}
	if len(p.stack) == 0 {
		if isInclude(it) { // it may hold complete units
			return
		}
		p.openMain(it)
	}
	p.followProcedure(it, m)
	if !p.openConstruct(it, m) {
		p.endConstructs(it, m)
	}
}

func isInclude(it *item) bool {
	return len(it.key) >= 8 && string(it.key[:7]) == "include" && it.key[7] == '\''
}

// inDefinition reads a statement inside an interface block or the definition of a type.
func (p *parser) inDefinition(it *item, m meaning) {
	t := p.top()
	switch {
	case t.kind == interfaceFrame && m.class == unitStart && !m.separate:
		p.openUnit(it, m)
	case t.kind == interfaceFrame && m.class == interfaceEnd,
		t.kind == typeFrame && m.class == typeEnd:
		p.pop()
	}
}

func (p *parser) push(f frame) { p.stack = append(p.stack, f) }

// endConstructs handles a statement that starts nothing. It may end constructs by its kind and by
// its label.
func (p *parser) endConstructs(it *item, m meaning) {
	kind, ends := frameKind(0), true
	switch m.class {
	case doEnd:
		kind = doFrame
	case blockEnd:
		kind = blockFrame
	case ifEnd:
		kind = ifFrame
	default:
		ends = false
	}
	if t := p.top(); ends && kind == blockFrame && t.kind == ompFrame && t.needs == section &&
		len(p.stack) > 1 && p.stack[len(p.stack)-2].kind == blockFrame {
		p.endSection(t)
	}
	if ends {
		for i := len(p.stack) - 1; i >= 0 && p.stack[i].kind != unitFrame; i-- {
			if p.stack[i].kind == ompFrame && p.stack[i].needs != statements {
				break // the user's nesting is wrong, or a macro hides something
			}
			if p.stack[i].kind == kind {
				sawElse := p.stack[i].sawElse
				p.stack = p.stack[:i]
				p.completed(it.after, kind, sawElse)
				break
			}
		}
	} else {
		p.completed(it.after, unitFrame, false)
	}
	if it.label != "" {
		p.endLabelled(it)
	}
}

// endLabelled ends the loops that end at the labelled statement it. It is CONTINUE or END DO, or
// in old programs any statement, which several loops may share.
func (p *parser) endLabelled(it *item) {
	for {
		i := len(p.stack) - 1
		for i >= 0 && p.stack[i].kind == ompFrame && p.stack[i].done {
			i--
		}
		if i < 0 || p.stack[i].kind != doFrame || p.stack[i].label != it.label {
			return
		}
		for k := i + 1; k < len(p.stack); k++ {
			p.stack[k].c.Unsafe = "its loop ends at a statement that another loop shares"
		}
		for len(p.stack) > i+1 {
			p.endTop()
		}
		p.pop()
		p.completed(it.after, doFrame, false)
	}
}

// openUnit starts a program unit or a procedure.
func (p *parser) openUnit(it *item, m meaning) {
	f := frame{
		kind: unitFrame, name: m.name, pure: m.pure, module: m.module, external: m.external,
		declareAt: it.after,
	}
	if t := p.top(); t != nil && t.kind == unitFrame { // an interface body inherits nothing
		f.external = t.external
	}
	p.push(f)
	p.openProcedure(it)
}

// openMain starts a main program that has no PROGRAM statement.
func (p *parser) openMain(it *item) {
	p.openUnit(it, meaning{name: "MAIN__"})
	p.top().declareAt = 0
}

// closeUnit ends the innermost unit. Constructs that are open in it have no end.
func (p *parser) closeUnit(it *item) {
	for len(p.stack) > 0 {
		t := p.top()
		if t.kind == unitFrame {
			p.pop()
			p.ignoredEnds = p.ignoredEnds[:0]
			p.endPart()
			return
		}
		p.unfinished(t)
		p.pop()
	}
}

// unfinished notes that the construct of an open frame has no end.
func (p *parser) unfinished(t *frame) {
	if t.kind != ompFrame {
		return
	}
	if t.done {
		p.close(t)
		return
	}
	d := &t.c.Directive
	switch {
	case t.needs == section:
		t.complete(p, p.last)
		p.close(t)
	case t.needs == loop:
		t.c.Unsafe = "no DO loop follows that opari can see"
		p.ds.Warnf(p.f, d.Extent.Start,
			"no DO loop follows the directive '%s' that opari can see: it is left alone", d.Name)
	case p.hasInclude:
		t.c.Unsafe = "its end may stand in an included file"
		p.ds.Warnf(p.f, d.Extent.Start,
			"the directive '%s' has no end, unless an included file holds it: it is left alone",
			d.Name)
	default:
		p.ds.Errorf(p.f, d.Extent.Start,
			"the directive '%s' has no end: no 'end %s' follows in its program unit", d.Name,
			d.Name)
	}
}

// atEnd ends what is open at the end of the text.
func (p *parser) atEnd(it *item) {
	for i := range p.ifs { // without #endif
		abandon(p.ifs[i].merged, p.ifs[i].saved)
	}
	p.endComplete()
	for len(p.stack) > 0 {
		p.unfinished(p.top())
		p.pop()
	}
}

// place puts c into the tree, inside the innermost open construct or procedure.
func (p *parser) place(c *construct.Construct) {
	if e := p.enclosing(); e != nil {
		e.c.Inner = append(e.c.Inner, c)
		return
	}
	if u := p.unit(); u != nil && u.procedure != nil {
		f := u.procedure.c
		f.Inner = append(f.Inner, c)
		return
	}
	p.tree.Constructs = append(p.tree.Constructs, c)
}

var sectionLeaves = []*omp.Directive{omp.OfKind(omp.KindSection)}
