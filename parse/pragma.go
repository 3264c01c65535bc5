package parse

import (
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// role says what a directive does to the structure of the text.
type role uint8

const (
	transparent role = iota // nothing, as declarative and unknown directives do
	alone                   // it is a statement by itself, as barrier is
	takesBody               // it takes the next statement as its body
	// It separates the statements before it from those after it, as section does.
	separates
)

// roleOf returns the role of d.
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

// chooses reports whether one of the directives that a metadirective may become takes a
// statement.
func chooses(d *directive.Directive) bool {
	for i := range d.Clauses {
		c := &d.Clauses[i]
		text := c.Args
		if c.Row == omp.ClauseWhen && c.Modifiers == "" {
			continue
		}
		name, _ := omp.Lookup(omp.C, strings.FieldsFunc(text, func(r rune) bool {
			return !(r < 0x80 && ctext.IsWord[r])
		})...)
		if name == nil {
			continue
		}
		if a := name.Leaves[len(name.Leaves)-1].Assoc; a == omp.Block || a == omp.Loop {
			return true
		}
	}
	return false
}

// pragma handles #pragma. start is the offset of the '#', i the one after the word, end that of
// the newline.
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
		p.mention(start, source.Extent{Start: i, End: end}, s,
			"in an #if branch that cannot be followed: "+p.deathNote)
		return
	}
	c := p.construct(start, end, s)
	p.line = directive.Read(p.file, source.Extent{Start: i, End: end})
	c = p.readDirective(c)
	p.placeDirective(c, roleOf(&p.constructs[c].Directive))
}

// readDirective reads the directive of construct c, whose text is p.line. It returns the index of
// the construct, which may have changed.
func (p *parser) readDirective(c int32) int32 {
	d := &p.constructs[c].Directive
	at := p.line.Offset(0)
	named := p.expandName(&p.line)
	directive.Parse(p.file, &p.line, d.Sentinel, p.options.Lang, d, &p.ds)
	if named != "" {
		p.extras[c].reason, p.extras[c].text = reasonMacroName, named
		d.Name, d.NameExtent = directive.JoinWords(d.Name), source.Extent{Start: at, End: at}
	}
	if p.line.Raw && !p.options.Preprocessed {
		p.extras[c].note(reasonRawString)
	}
	if p.atSections {
		c = p.firstDirective(c)
	}
	return c
}

// placeDirective gives the construct to every state, in role r, and follows the regions of text.
func (p *parser) placeDirective(c int32, r role) {
	d := &p.constructs[c].Directive
	if p.options.Functions && r == takesBody && isTarget(&p.constructs[c]) {
		p.needEntireFile() // it may call functions that are far from it in the text
	}
	closes := d.Own == directive.Instrument || strings.HasPrefix(d.Name, "end ")
	if closes {
		p.followRegions(d)
	}
	p.place(c, r)
	if !closes {
		p.followRegions(&p.constructs[c].Directive)
	}
}

// construct adds a construct for the directive that the file has from start to end.
func (p *parser) construct(start, end int, s directive.Sentinel) int32 {
	p.constructs = append(p.constructs, construct.Construct{})
	p.extras = append(p.extras,
		extra{ctx: p.Branch, start: place{offset: -1}, end: place{offset: -1}})
	n := len(p.constructs) - 1
	d := &p.constructs[n].Directive
	d.Extent, d.Sentinel, d.Pos = source.Extent{Start: start, End: end}, s, p.cursor.Position(start)
	return int32(n)
}

// place gives the construct to every state, in role r.
func (p *parser) place(c int32, r role) {
	con := &p.constructs[c]
	if r == takesBody || r == separates {
		con.Kind = construct.Stmt
	}
	p.Tok.End = con.Directive.Extent.End
	p.Tok.Branch = p.Branch
	p.firstState = true
	for i := range p.states {
		p.current = &p.states[i]
		p.placeIn(c, r)
		p.firstState = false
	}
	if len(p.states) > 1 || p.states[0].dead {
		p.settle()
	}
}

// placeIn gives the construct to the current state.
func (p *parser) placeIn(c int32, r role) {
	f := p.readyFor(r)
	if f == nil {
		p.describe(c, p.top(), false)
		return
	}
	sub := p.mustBeOne(p.current.top)
	p.describe(c, f, sub)
	switch r {
	case alone:
		p.markStart(f)
		p.done(p.after())
	case separates:
		switch f.kind {
		case inSection:
			p.endSection(f)
		case inBlock, inScope:
		default:
			p.markStart(f)
			p.openDirective(c)
			return
		}
		s := p.push(inSection)
		s.construct = c
		p.deeper(s)
	case takesBody:
		p.markStart(f)
		p.openDirective(c)
	}
}

func (p *parser) openDirective(c int32) {
	outer := int32(-1)
	if t := p.top(); t.kind == inDirective && t.nest > 0 {
		outer = t.construct
	}
	f := p.push(inDirective)
	f.construct = c
	if n := loopsOf(&p.constructs[c].Directive); n > 0 {
		f.nest, f.left = c+1, n
		p.extras[c].outerLoop = outer
	}
	if isMeta(&p.constructs[c].Directive) {
		f.keepOut = keepMetadirective
	}
	p.deeper(f)
}

func isMeta(d *directive.Directive) bool {
	return len(d.Leaves) == 1 && d.Leaves[0].Category == omp.Meta
}

// readyFor brings the stack to where a directive of role r may stand, and returns the top frame.
// It returns nil if the directive cannot stand here.
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
				p.endWithoutSemicolon()
			}
		default:
			what := "inside parentheses"
			if f.kind != inParen {
				what = "in the middle of a statement"
			}
			p.die(p.Tok.Start, "a directive stands "+what,
				"move it out; arguments of a macro cannot hold directives")
			if p.current.dead {
				return nil
			}
			p.pop()
		}
	}
}

// mustBeOne reports whether the grammar allows exactly one statement above frame i.
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

// describe records the surroundings of a construct, as the first state sees them.
func (p *parser) describe(c int32, f *frame, sub bool) {
	con := &p.constructs[c]
	con.SubStatement = con.SubStatement || sub
	if !p.firstState {
		return
	}
	con.FileScope = f.where&executable == 0
	con.Function = p.functionName(f.function)
	con.NoInstr = p.regions.noInstr
	con.KeepOut = p.keepOut(f)
	if f.where&inMacroArg != 0 {
		p.extras[c].note(reasonMacroArg)
	}
}
