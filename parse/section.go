package parse

import (
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// The first `section` directive of a sections construct may be left out: what stands before the next one, or all of the block,
// is a section all the same. It gets a construct without a directive where it begins in the same #if branch as the construct
// around it, and where all ways through the #if branches lead into such a block.

// sectionLeaves is what the directive that an implicit section does without consists of.
var sectionLeaves = []*omp.Directive{omp.DirectiveSection}

// isSections reports whether d's block consists of sections.
func isSections(d *directive.Directive) bool { return d.Innermost() == omp.DirectiveSections }

// firstToken looks at the token that follows the brace of a sections construct. What _Pragma and attributes hold is not
// looked for: it may be a section.
func (p *parser) firstToken() {
	switch p.Tok.Kind {
	case '}', ')', ']', '[', ctext.PragmaOperator, ctext.EOF:
		p.atSections = false
	default:
		p.implicitSection(len(p.cs))
	}
}

// firstDirective looks at construct c when its directive follows the brace of a sections construct, and gives the index that
// it has now.
func (p *parser) firstDirective(c int32) int32 {
	d := &p.cs[c].Directive
	switch r := roleOf(d); {
	case r == separates:
		p.atSections = false
	case r == transparent && d.Sentinel == directive.POMP:
		// The section begins behind noinstrument.
	case p.implicitSection(int(c)):
		return c + 1
	}
	return c
}

// implicitSection begins a section without a directive at the token at hand, if that is certain. Its construct gets index n;
// the one that has it, of a directive that stands in the section, moves behind.
func (p *parser) implicitSection(n int) bool {
	p.atSections = false
	if !p.inSectionsAll() {
		return false
	}
	start, c := p.Tok.Start, int32(n)
	p.construct(start, start, directive.OMP)
	if last := len(p.cs) - 1; last > n {
		p.cs[n], p.cs[last] = p.cs[last], p.cs[n]
		p.aux[n], p.aux[last] = p.aux[last], p.aux[n]
	}
	con := &p.cs[c]
	con.Implicit, con.Kind = true, construct.Stmt
	d := &con.Directive
	d.Leaves, d.Name, d.NameExtent = sectionLeaves, sectionLeaves[0].Name, source.Extent{Start: start, End: start}
	p.Tok.Branch = p.Branch
	p.fresh = true
	for i := range p.states {
		p.cur = &p.states[i]
		p.describe(c, p.top(), false)
		p.fresh = false
		s := p.push(inSection)
		s.c, s.flags = c, bodyStarted
		p.startBody(c, p.here())
		p.deeper(s)
	}
	return true
}

// inSectionsAll reports whether each state is right in the block of a sections construct whose directive stands in the #if
// branch at hand.
func (p *parser) inSectionsAll() bool {
	if n := len(p.openIfs); n > 0 && p.openIfs[n-1].group < 0 {
		return false // one of several definitions of a macro is followed
	}
	for i := range p.states {
		f := &p.frames[p.states[i].top]
		if p.states[i].dead || f.kind != inBlock || f.flags&plainBlock == 0 {
			return false
		}
		if out := &p.frames[f.parent]; out.kind != inDirective || !isSections(&p.cs[out.c].Directive) || p.aux[out.c].ctx != p.Branch {
			return false
		}
	}
	return len(p.states) > 0
}

// endSection ends the section on top of the stack before the token at hand.
func (p *parser) endSection(f *frame) bool {
	switch {
	case f.flags&bodyStarted == 0:
		p.missing(f, p.tokenName())
		if p.cur.dead {
			return false
		}
	case f.left == 0: // nothing but pragmas that belong to a statement: if it is implicit, it is none
		p.aux[f.c].note(reasonNoBody)
	default:
		if f.left > 1 {
			p.cs[f.c].Kind = construct.Sequence
		}
		p.endBody(f.c, f.end)
	}
	p.pop()
	return true
}
