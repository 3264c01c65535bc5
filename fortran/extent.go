package fortran

import (
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// This file decides which statements belong to a construct, OpenMP 5.2 [2.2], [4.4]. A loop
// construct ends with its loop. A structured block ends at the end directive, or with its BLOCK
// if it is one BLOCK construct. An optional end directive that follows still belongs to the
// construct.

// startBodies starts the bodies of the constructs that wait for one, at the current statement.
func (p *parser) startBodies(it *item, m meaning) {
	for {
		t := p.top()
		if t == nil || t.kind != ompFrame || t.started {
			return
		}
		switch t.needs {
		case loop:
			if m.class != doStart {
				p.giveUpLoop(t)
				continue
			}
			for i := len(p.stack) - 1; i >= 0 && p.stack[i].kind == ompFrame &&
				p.stack[i].needs == loop && !p.stack[i].started; i-- {
				p.stack[i].started = true
			}
			return
		case block:
			t.started, t.strict = true, m.class == blockStart
			if isSections(t.c) {
				if t.strict {
					t.c.Unsafe = "its sections stand in a BLOCK construct"
					return
				}
				p.implicitSection(it)
			}
			return
		default:
			t.started = true
			return
		}
	}
}

// giveUpLoop gives up a construct that no loop follows. A macro may hide the loop.
func (p *parser) giveUpLoop(t *frame) {
	p.ignoredEnds = append(p.ignoredEnds, t.c.Directive.Name)
	p.unfinished(t)
	p.pop()
}

func isSections(c *construct.Construct) bool {
	return c.Directive.Innermost() == omp.DirectiveSections
}

// implicitSection begins the first section of a sections construct that has no directive, at the
// current statement or directive.
func (p *parser) implicitSection(it *item) {
	at := p.f.LineStart(it.start)
	c := p.construct()
	c.Implicit = true
	d := &c.Directive
	d.Leaves, d.Name, d.Pos = sectionLeaves, sectionLeaves[0].Name, p.f.Position(at)
	d.Extent.Start, d.Extent.End = at, at
	p.describe(c)
	c.Kind = construct.Sequence
	c.Extent, c.Body = source.Extent{Start: at, End: at}, source.Extent{Start: at, End: at}
	p.place(c)
	p.push(frame{kind: ompFrame, c: c, needs: section, started: true, branch: p.branch()})
}

const reasonBranch = "its end stands in another branch of #if"

// complete notes that the body of t has ended at offset at.
func (t *frame) complete(p *parser, at int) {
	t.done, t.end = true, at
	if t.branch != p.branch() && t.c.Unsafe == "" {
		t.c.Unsafe = reasonBranch
	}
}

// completed notes, for the construct on top of the stack, that a statement or construct of this
// kind has ended at offset after. The kind is unitFrame for everything that is no relevant
// construct.
func (p *parser) completed(after int, kind frameKind, sawElse bool) {
	t := p.top()
	if t == nil || t.kind != ompFrame || t.done {
		return
	}
	switch t.needs {
	case loop:
		if kind == doFrame && t.started {
			p.completeLoops(after)
		}
	case block:
		if t.strict && kind == blockFrame {
			t.complete(p, after)
		}
	case statements:
		t.remaining--
		if kind == ifFrame && sawElse { // both parts of atomic compare capture
			t.remaining = 0
		}
		if t.remaining <= 0 {
			t.complete(p, after)
		}
	}
}

// completeLoops completes the loop constructs on top of the stack, which share one loop nest, as
// in tile inside do.
func (p *parser) completeLoops(after int) {
	for i := len(p.stack) - 1; i >= 0; i-- {
		t := &p.stack[i]
		if t.kind != ompFrame || t.needs != loop || i < len(p.stack)-1 && t.done {
			return
		}
		t.complete(p, after)
	}
}

// endComplete ends the constructs on top of the stack that are complete, because what comes next
// does not belong to them.
func (p *parser) endComplete() {
	for t := p.top(); t != nil && t.kind == ompFrame && t.done; t = p.top() {
		p.endTop()
	}
}

func (p *parser) endTop() {
	p.close(p.top())
	p.pop()
}

// close sets the extents of the construct of t, which is complete.
func (p *parser) close(t *frame) {
	t.c.Body.End = t.end
	t.c.Extent.End = max(t.end, t.c.Extent.End)
}

// endDirective ends the innermost construct with the end directive d of item it. It returns false
// when d can belong to no construct.
func (p *parser) endDirective(it *item, d *directive.Directive) bool {
	for i := len(p.stack) - 1; i >= 0 && p.stack[i].kind != unitFrame; i-- {
		t := &p.stack[i]
		if t.kind != ompFrame {
			if t.kind == blockFrame || t.kind == doFrame || t.kind == ifFrame {
				return false
			}
			continue
		}
		if sameLeaves(t.c, d) {
			for len(p.stack) > i+1 {
				p.endInner()
			}
			p.endWith(it, d)
			return true
		}
		if !t.done && t.needs != section {
			return false
		}
	}
	return false
}

// endInner ends the construct on top of the stack because the enclosing one ends.
func (p *parser) endInner() {
	if t := p.top(); t.needs == section {
		p.endSection(t)
	} else {
		if !t.done {
			t.complete(p, p.last)
		}
		p.endTop()
	}
}

// endWith ends the construct on top of the stack with end directive d.
func (p *parser) endWith(it *item, d *directive.Directive) {
	t := p.top()
	c := t.c
	switch {
	case t.needs == block && isSections(c) && len(c.Directive.Leaves) > 1 && endsEmpty(c):
		// gfortran drops an empty section at the end of a combined construct, but counts it
		// otherwise.
		c.Fortran.NoSplit = "its last section is empty"
	case !t.done && (t.needs == loop || t.needs == statements):
		p.giveUpLoop(t)
		return
	}
	t.complete(p, it.after)
	c.Fortran.End = d
	c.Body.End = p.f.LineStart(it.start)
	c.Extent.End = it.after
	for i := range d.Clauses {
		d.Clauses[i].AtEnd = true
	}
	clauses := c.Directive.Clauses
	c.Directive.Clauses = append(clauses[:len(clauses):len(clauses)], d.Clauses...)
	p.pop()
	p.endAround(it.after)
}

// endsEmpty reports whether the last section of c, a sections construct, has no statement.
func endsEmpty(c *construct.Construct) bool {
	for i := len(c.Inner) - 1; i >= 0; i-- {
		if s := c.Inner[i]; len(s.Directive.Leaves) == 1 &&
			s.Directive.Leaves[0] == sectionLeaves[0] {
			return s.Unsafe == reasonEmpty
		}
	}
	return true
}

// endAround moves the ends of the enclosing loop constructs, which wait for one inside them, to
// its end directive.
func (p *parser) endAround(after int) {
	for i := len(p.stack) - 1; i >= 0 && p.stack[i].kind == ompFrame && p.stack[i].done; i-- {
		p.stack[i].end = after
	}
}

// sameLeaves reports whether the end directive d names the construct c by its complete name.
func sameLeaves(c *construct.Construct, d *directive.Directive) bool {
	a, b := c.Directive.Leaves, d.Leaves
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// openConstruct pushes a frame for what the statement begins, and notes what it says about the
// open frames. It returns true where the statement ends nothing.
func (p *parser) openConstruct(it *item, m meaning) bool {
	switch m.class {
	case containsStatement:
		if t := p.top(); t.kind == unitFrame {
			t.contains = true
		}
	case useStatement, implicitStatement:
		if u := p.unit(); u != nil && p.top() == u {
			u.declareAt = it.after
			u.external = u.external || m.external
		}
	case interfaceStart:
		p.push(frame{kind: interfaceFrame})
		return true
	case typeStart:
		p.push(frame{kind: typeFrame})
		return true
	case doStart:
		around := len(p.stack) - 1
		p.push(frame{kind: doFrame, label: m.label, concurrent: m.concurrent})
		if m.counted {
			p.loopHeader(it, around)
		}
		return true
	case blockStart:
		p.push(frame{kind: blockFrame})
		return true
	case ifStart:
		p.push(frame{kind: ifFrame})
		return true
	case elsePart:
		if t := p.top(); t.kind == ifFrame {
			t.sawElse = true
		}
		return true
	}
	return false
}
