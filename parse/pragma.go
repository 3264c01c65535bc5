package parse

import (
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// role is what a directive does to the structure of the text.
type role uint8

const (
	transparent role = iota // nothing: declarative and unknown ones
	alone                   // it stands for a statement: barrier
	takesBody               // the next statement belongs to it
	separates               // section
)

// roleOf tells what d does.
func roleOf(d *directive.Directive) role {
	if len(d.Leaves) == 0 {
		if strings.HasPrefix(d.Name, "inst ") {
			return alone
		}
		return transparent
	}
	leaf := d.Innermost()
	switch leaf.Category {
	case omp.Declarative, omp.Utility:
		return transparent
	case omp.Meta:
		if leaf.Assoc == omp.None && chooses(d) {
			return takesBody
		}
		return transparent
	}
	if d.StandsAlone() {
		return alone
	}
	switch leaf.Assoc {
	case omp.Block, omp.Loop:
		return takesBody
	case omp.Separating:
		if leaf == omp.DirectiveSection {
			return separates
		}
	case omp.Declaration, omp.Delimited:
		return transparent
	}
	if leaf.Category == omp.Informational {
		return transparent
	}
	return alone
}

// chooses reports whether one of the directives that a metadirective may become takes a statement.
func chooses(d *directive.Directive) bool {
	for i := range d.Clauses {
		c := &d.Clauses[i]
		text := c.Args
		if c.Row == omp.ClauseWhen && c.Modifiers == "" {
			continue
		}
		name, _ := omp.Lookup(omp.C, strings.FieldsFunc(text, func(r rune) bool { return !(r < 0x80 && ctext.IsWord[r]) })...)
		if name == nil {
			continue
		}
		if a := name.Leaves[len(name.Leaves)-1].Assoc; a == omp.Block || a == omp.Loop {
			return true
		}
	}
	return false
}

// pragma handles #pragma: start is the offset of the '#', i that behind the word, end that of the newline.
func (p *parser) pragma(start, i, end int) {
	word, i := ctext.NextWord(p.Text, i, end)
	s := directive.OMP
	switch string(word) {
	case "omp":
	case "pomp":
		s = directive.POMP
	default:
		p.foreignPragma()
		return
	}
	if p.system.inside {
		p.mention(start, source.Extent{Start: i, End: end}, s, InSystemHeader)
		return
	}
	if len(p.states) == 0 {
		p.mention(start, source.Extent{Start: i, End: end}, s, "in an #if branch that cannot be followed: "+p.deathNote)
		return
	}
	c := p.construct(start, end, s)
	p.line = directive.Read(p.f, source.Extent{Start: i, End: end})
	c = p.readDirective(c)
	p.placeDirective(c, roleOf(&p.cs[c].Directive))
}

// readDirective reads the directive of construct c, whose text is p.line, and gives the index that the construct has now.
func (p *parser) readDirective(c int32) int32 {
	d := &p.cs[c].Directive
	at := p.line.Offset(0)
	named := p.expandName(&p.line)
	directive.Parse(p.f, &p.line, d.Sentinel, p.o.Lang, d, &p.ds)
	if named != "" {
		p.aux[c].reason, p.aux[c].text = reasonMacroName, named
		d.Name, d.NameExtent = directive.JoinWords(d.Name), source.Extent{Start: at, End: at}
	}
	if p.line.Raw && !p.o.Preprocessed {
		p.aux[c].note(reasonRawString)
	}
	if p.atSections {
		c = p.firstDirective(c)
	}
	return c
}

// placeDirective gives the construct to every state, as one of role r, and follows the regions of text.
func (p *parser) placeDirective(c int32, r role) {
	d := &p.cs[c].Directive
	if p.o.Functions && r == takesBody && isTarget(&p.cs[c]) {
		p.keepWhole() // it may call functions that stand far from it
	}
	closes := d.Own == directive.Instrument || strings.HasPrefix(d.Name, "end ")
	if closes {
		p.followRegions(d)
	}
	p.place(c, r)
	if !closes {
		p.followRegions(&p.cs[c].Directive)
	}
}

// construct adds a construct for the directive that stands in the file from start to end.
func (p *parser) construct(start, end int, s directive.Sentinel) int32 {
	p.cs = append(p.cs, construct.Construct{})
	p.aux = append(p.aux, extra{ctx: p.Branch, start: place{offset: -1}, end: place{offset: -1}})
	n := len(p.cs) - 1
	d := &p.cs[n].Directive
	d.Extent, d.Sentinel, d.Pos = source.Extent{Start: start, End: end}, s, p.cursor.Position(start)
	return int32(n)
}

// place gives the construct to every state, as one of role r.
func (p *parser) place(c int32, r role) {
	con := &p.cs[c]
	if r == takesBody || r == separates {
		con.Kind = construct.Stmt
	}
	p.Tok.End = con.Directive.Extent.End
	p.Tok.Branch = p.Branch
	p.fresh = true
	for i := range p.states {
		p.cur = &p.states[i]
		p.placeIn(c, r)
		p.fresh = false
	}
	if len(p.states) > 1 || p.states[0].dead {
		p.settle()
	}
}

// placeIn gives the construct to the state at hand.
func (p *parser) placeIn(c int32, r role) {
	f := p.readyFor(r)
	if f == nil {
		p.describe(c, p.top(), false)
		return
	}
	sub := p.mustBeOne(p.cur.top)
	p.describe(c, f, sub)
	switch r {
	case alone:
		p.begun(f)
		p.done(p.behind())
	case separates:
		switch f.kind {
		case inSection:
			p.endSection(f)
		case inBlock, inScope:
		default:
			p.begun(f)
			p.openDirective(c)
			return
		}
		s := p.push(inSection)
		s.c = c
		p.deeper(s)
	case takesBody:
		p.begun(f)
		p.openDirective(c)
	}
}

func (p *parser) openDirective(c int32) {
	outer := int32(-1)
	if t := p.top(); t.kind == inDirective && t.nest > 0 {
		outer = t.c
	}
	f := p.push(inDirective)
	f.c = c
	if n := loopsOf(&p.cs[c].Directive); n > 0 {
		f.nest, f.left = c+1, n
		p.aux[c].outerLoop = outer
	}
	if isMeta(&p.cs[c].Directive) {
		f.keep = keepMetadirective
	}
	p.deeper(f)
}

func isMeta(d *directive.Directive) bool {
	return len(d.Leaves) == 1 && d.Leaves[0].Category == omp.Meta
}

// readyFor brings the stack to where a directive of role r may stand and gives the top frame. It gives nil when the
// directive cannot stand here.
func (p *parser) readyFor(r role) *frame {
	for {
		f := p.top()
		switch {
		case f.kind <= lastOpen:
			return f
		case r == transparent:
			return f
		case f.kind == maybeElse, f.kind == maybeCatch, f.kind == inDoEnd:
			p.completed(f)
		case f.kind == inItem:
			if f.flags&itemAfterBrace != 0 {
				p.endAfterBrace(f)
			} else {
				p.broken()
			}
		default:
			what := "inside parentheses"
			if f.kind != inParen {
				what = "in the middle of a statement"
			}
			p.die(p.Tok.Start, "a directive stands "+what, "move it out; arguments of a macro cannot hold directives")
			if p.cur.dead {
				return nil
			}
			p.pop()
		}
	}
}

// mustBeOne reports whether exactly one statement must stand above frame i.
func (p *parser) mustBeOne(i int32) bool {
	for {
		f := &p.frames[i]
		switch f.kind {
		case inLabel, inPrefix:
			i = f.parent
		case inScope, inBlock, inSection:
			return false
		default:
			return f.kind <= lastOpen
		}
	}
}

// describe notes what the first state knows about the surroundings of a construct.
func (p *parser) describe(c int32, f *frame, sub bool) {
	con := &p.cs[c]
	con.SubStatement = con.SubStatement || sub
	if !p.fresh {
		return
	}
	con.FileScope = f.where&executable == 0
	con.Function = p.functionName(f.fn)
	con.NoInstr = p.regions.noInstr
	con.KeepOut = p.keepOut(f)
	if f.where&inMacroArg != 0 {
		p.aux[c].note(reasonMacroArg)
	}
}
