package parse

import "opari/parse/ctext"

// The flags of frames other than inItem.
const (
	// For inBlock:
	endsItem   uint32 = 1 << iota // its '}' ends the declaration around it: a function's body
	tryBlock                      // catch may follow: the body of a function-try-block
	plainBlock                    // a compound statement
	braceScope                    // inScope: it has braces around it
	attrParen                     // inParen: of an attribute or the like
	// inPrefix: after an attribute's word, before its parenthesis; inHead: no parenthesis so far.
	wantsParen
	bodyStarted // inDirective, inSection: the body's start is known
	macroParen  // inParen: encloses the arguments of a macro
	closed      // inHead: its parenthesis is closed
)

// step feeds the current token to the current state.
func (p *parser) step() {
	for again := true; again; {
		f := &p.frames[p.current.top]
		if f.kind <= lastOpen {
			again = p.statement(f)
			continue
		}
		switch f.kind {
		case inItem:
			again = p.item(f)
		case inParen:
			again = p.paren(f)
		case maybeElse:
			again = p.afterIf(f)
		default:
			again = p.expected(f)
		}
	}
}

// here returns the place where the current token starts. after returns the place where it ends.
func (p *parser) here() place {
	t := &p.Tok
	pl := place{offset: int32(t.Start), ctx: t.Branch}
	if t.Macro != 0 && !t.First {
		pl.macro = t.Macro
	}
	return pl
}

func (p *parser) after() place {
	t := &p.Tok
	pl := place{offset: int32(t.End), ctx: t.Branch}
	if t.Macro != 0 && !t.Last {
		pl.macro = t.Macro
	}
	return pl
}

// before returns the end of the token before the current one.
func (p *parser) before() place {
	return place{offset: int32(p.PrevEnd), ctx: p.PrevBranch, macro: p.PrevMacro}
}

// markStart records that the current token starts the body of a directive or section.
func (p *parser) markStart(f *frame) {
	if (f.kind == inDirective || f.kind == inSection) && f.flags&bodyStarted == 0 {
		p.startBody(f.construct, p.here())
		if f.kind == inSection {
			p.own().flags |= bodyStarted
		}
	}
}

// statement handles a token where a statement or declaration may start. It reports whether the
// caller must look at the token again.
func (p *parser) statement(f *frame) bool {
	k := p.Tok.Kind
	if f.kind == inPrefix && f.flags&wantsParen != 0 {
		if k == '(' {
			p.own().flags &^= wantsParen
			p.open(attrParen)
			return false
		}
		p.own().flags &^= wantsParen
		f = p.top()
	}
	if k == '}' {
		return p.closeBrace(f)
	}
	if k == ctext.EOF {
		return p.endOfText(f)
	}
	if k == ctext.Else && f.kind > inSection {
		p.missing(f, "'else'")
		return p.giveUp()
	}
	p.markStart(f)
	switch k {
	case '{':
		p.atSections = p.atSections ||
			f.kind == inDirective && isSections(&p.constructs[f.construct].Directive)
		b := p.push(inBlock)
		b.flags |= plainBlock
		p.carryNest(f.kind, b)
		p.deeper(b)
	case ';':
		p.done(p.after())
	case ctext.If, ctext.For, ctext.While, ctext.Switch:
		h := p.push(inHead)
		h.sub, h.flags = k, wantsParen
		if k == ctext.For {
			p.enterLoop(h)
		}
	case ctext.Do:
		p.push(inDo)
	case ctext.Try:
		p.push(inTry)
	case ctext.Catch:
		h := p.push(inHead)
		h.sub, h.flags = k, wantsParen
	case ctext.Else:
		p.strayElse()
	case ctext.Case, ctext.Default:
		p.push(inCase)
	case ctext.Prefix:
		p.push(inPrefix)
	case ctext.PragmaOperator:
		p.pragmaOperator()
	default:
		p.startItem(f)
	}
	return false
}

// open pushes a frame for the current bracket.
func (p *parser) open(flags uint32) *frame {
	b := p.push(inParen)
	b.sub, b.flags = ')', flags
	if p.Tok.Kind == '[' {
		b.sub = ']'
	} else if p.call >= 0 {
		b.construct = int32(p.call)
	}
	p.deeper(b)
	return b
}

// strayElse handles an else without an if.
func (p *parser) strayElse() {
	if c := p.endedAt(p.before()); c >= 0 {
		// The body that ended here was only the first part of the real one: an unknown macro is
		// an if.
		p.extras[c].note(reasonStrayElse)
	}
	p.push(inElse)
}

// done ends the statement that is complete at end, and all statements that it completes.
func (p *parser) done(end place) {
	for {
		f := &p.frames[p.current.top]
		switch f.kind {
		case inSection:
			g := p.own()
			if g.end = end; g.left < 2 {
				g.left++ // left counts the statements, 2 standing for "several"
			}
			return
		case inDirective:
			p.endBody(f.construct, end)
			p.pop()
		case inIf:
			g := p.own()
			g.kind, g.end = maybeElse, end
			return
		case inElse, inLoop, inLabel, inPrefix:
			p.pop()
		case inDo:
			p.own().kind = inDoTail
			return
		case inTry:
			g := p.own()
			g.kind, g.end = maybeCatch, end
			return
		default:
			return
		}
	}
}

// afterIf decides whether an if statement is complete.
func (p *parser) afterIf(f *frame) bool {
	if p.Tok.Kind == ctext.Else {
		g := p.own()
		g.kind, g.end = inElse, place{}
		return false
	}
	return p.completed(f)
}

// completed ends a statement that was complete before the current token.
func (p *parser) completed(f *frame) bool {
	end := f.end
	p.pop()
	p.done(end)
	return true
}

// paren handles a token inside ( or [.
func (p *parser) paren(f *frame) bool {
	switch p.Tok.Kind {
	case '(', '[':
		p.open(f.flags & attrParen)
	case '{':
		if f.flags&attrParen == 0 {
			p.deeper(p.pushBraces(0))
			return false
		}
		b := p.open(attrParen) // holds no statements, as in match(construct={parallel,for})
		b.sub = '}'
	case ')', ']':
		if p.Tok.Kind != f.sub {
			p.mismatch(f)
			return false
		}
		p.closeParen(f)
	case '}':
		if f.sub != '}' {
			return p.mismatch(f)
		}
		p.closeParen(f)
	case ctext.EOF:
		return p.mismatch(f)
	}
	return false
}

// pushBraces opens braces inside a declaration or an expression.
func (p *parser) pushBraces(flags uint32) *frame {
	b := p.push(inBlock)
	b.flags = flags
	if flags&endsItem == 0 && p.Tok.Kind == '{' {
		// A lambda or a statement expression; initialisers hold no directives anyway.
		b.where |= executable
	}
	return b
}

// mismatch handles a closing bracket that does not fit the open one. It treats the open one as
// closed.
func (p *parser) mismatch(f *frame) bool {
	open := "("
	switch f.sub {
	case ']':
		open = "["
	case '}':
		open = "{"
	}
	p.die(int(f.start), "this '"+open+"' is never closed", "close it before "+p.tokenName())
	if p.current.dead {
		return false
	}
	end := p.Tok.Kind == '}' || p.Tok.Kind == ctext.EOF
	p.closeParen(f)
	return end
}

// closeParen ends a bracket group.
func (p *parser) closeParen(f *frame) {
	attr, start, call := f.flags&attrParen != 0, f.start, f.construct
	if call >= 0 {
		p.endCall(int(call))
	}
	p.pop()
	switch g := p.top(); g.kind {
	case inItem:
		p.afterGroup(start, attr)
	case inHead:
		if g.flags&wantsParen != 0 && !attr {
			p.closeHead(start)
		}
	}
}

// closeHead continues after the parenthesis of if, for, while, switch or catch with its
// statement.
func (p *parser) closeHead(start int32) {
	g := p.own()
	g.flags = 0
	switch g.sub {
	case ctext.If:
		g.kind = inIf
	case ctext.Catch:
		g.kind = inTry
	case ctext.Do:
		g.kind, g.end = inDoEnd, p.after()
	default:
		g.kind = inLoop
	}
	if g.nest > 0 {
		p.loopHeader(g, int(start), p.Tok.Start)
	}
}

// expected handles a token where no statement may start.
func (p *parser) expected(f *frame) bool {
	k := p.Tok.Kind
	switch f.kind {
	case inHead:
		return p.head(f)
	case inCase:
		return p.caseLabel(f)
	case inAngle:
		return p.angle(f)
	case maybeCatch:
		if k == ctext.Catch {
			h := p.own()
			h.kind, h.sub, h.flags = inHead, ctext.Catch, wantsParen
			return false
		}
		return p.completed(f)
	case inDoTail:
		if k == ctext.While {
			h := p.own()
			h.kind, h.sub, h.flags = inHead, ctext.Do, wantsParen
			return false
		}
		p.die(int(f.start), "this 'do' has no 'while' after its statement", "")
		return p.giveUp()
	case inDoEnd:
		if k == ';' {
			end := p.after()
			p.pop()
			p.done(end)
			return false
		}
		return p.completed(f)
	case inPragmaOp:
		return p.pragmaOperatorPart(f)
	}
	return false
}

// giveUp leaves the current frame, which makes no sense. It acts as if the frame's statement had
// ended before the current token.
func (p *parser) giveUp() bool {
	if p.current.dead {
		return false
	}
	end := p.before()
	p.pop()
	p.done(end)
	return true
}

// head handles a token between a keyword and its parenthesis.
func (p *parser) head(f *frame) bool {
	switch k := p.Tok.Kind; {
	case k == '(':
		attr := uint32(0)
		if f.prev == ctext.Attribute {
			attr = attrParen
		}
		p.own().prev = '('
		p.open(attr)
	case k == '{' && f.sub == ctext.If: // if consteval {
		g := p.own()
		g.kind, g.flags = inIf, 0
		return true
	case k >= ctext.Word && k < ctext.If, k == ctext.Constexpr, k == ctext.Attribute,
		k == ctext.Jump, k == ctext.Expr, k == '!':
		p.own().prev = k
	default:
		p.die(int(f.start), "'(' is missing after this word", "")
		return p.giveUp()
	}
	return false
}
