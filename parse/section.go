package parse

import (
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// The first `section` directive of a sections construct is optional, OpenMP 5.2 [11.3]: the text
// before the next one, or the entire block, is a section too. It gets a construct without a
// directive on two conditions. It begins in the same #if branch as the sections construct, and
// all paths through the #if branches lead into such a block.

// sectionLeaves are the leaves of the directive that an implicit section does not have.
var sectionLeaves = []*omp.Directive{omp.DirectiveSection}

// isSections reports whether d's block consists of sections.
func isSections(d *directive.Directive) bool { return d.Innermost() == omp.DirectiveSections }

// firstToken handles the token after the brace of a sections construct. It does not look into
// _Pragma and attributes, which may hold a section directive.
func (p *parser) firstToken() {
	switch p.Tok.Kind {
	case '}', ')', ']', '[', ctext.PragmaOperator, ctext.EOF:
		p.atSections = false
	default:
		p.implicitSection(len(p.constructs))
	}
}

// firstDirective handles construct c if its directive follows the brace of a sections construct.
// It returns the index of c, which may have changed.
func (p *parser) firstDirective(c int32) int32 {
	d := &p.constructs[c].Directive
	switch r := roleOf(d); {
	case r == separates:
		p.atSections = false
	case r == transparent && d.Sentinel == directive.POMP:
		// The section begins after noinstrument.
	case p.implicitSection(int(c)):
		return c + 1
	}
	return c
}

// implicitSection begins a section without a directive at the current token, if that is certain.
// The new construct gets index n. If a directive inside the section has that index, its construct
// moves to the next one.
func (p *parser) implicitSection(n int) bool {
	p.atSections = false
	if !p.allInSections() {
		return false
	}
	start, c := p.Tok.Start, int32(n)
	p.construct(start, start, directive.OMP)
	if last := len(p.constructs) - 1; last > n {
		p.constructs[n], p.constructs[last] = p.constructs[last], p.constructs[n]
		p.extras[n], p.extras[last] = p.extras[last], p.extras[n]
	}
	con := &p.constructs[c]
	con.Implicit, con.Kind = true, construct.Stmt
	d := &con.Directive
	d.Leaves, d.Name, d.NameExtent =
		sectionLeaves, sectionLeaves[0].Name, source.Extent{Start: start, End: start}
	p.Tok.Branch = p.Branch
	p.firstState = true
	for i := range p.states {
		p.current = &p.states[i]
		p.describe(c, p.top(), false)
		p.firstState = false
		s := p.push(inSection)
		s.construct, s.flags = c, bodyStarted
		p.startBody(c, p.here())
		p.deeper(s)
	}
	return true
}

// allInSections reports whether each state is directly in the block of a sections construct whose
// directive is in the current #if branch.
func (p *parser) allInSections() bool {
	if n := len(p.openIfs); n > 0 && p.openIfs[n-1].group < 0 {
		return false // the parser follows one of several definitions of a macro
	}
	for i := range p.states {
		f := &p.frames[p.states[i].top]
		if p.states[i].dead || f.kind != inBlock || f.flags&plainBlock == 0 {
			return false
		}
		if out := &p.frames[f.parent]; out.kind != inDirective ||
			!isSections(&p.constructs[out.construct].Directive) ||
			p.extras[out.construct].ctx != p.Branch {
			return false
		}
	}
	return len(p.states) > 0
}

// endSection ends the section on top of the stack before the current token.
func (p *parser) endSection(f *frame) bool {
	switch {
	case f.flags&bodyStarted == 0:
		p.missing(f, p.tokenName())
		if p.current.dead {
			return false
		}
	case f.left == 0: // has only pragmas that belong to a statement: an implicit one is no section
		p.extras[f.construct].note(reasonNoBody)
	default:
		if f.left > 1 {
			p.constructs[f.construct].Kind = construct.Sequence
		}
		p.endBody(f.construct, f.end)
	}
	p.pop()
	return true
}
