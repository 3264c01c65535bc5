package parse

import "opari/parse/ctext"

// caseLabel handles a token between case or default and the colon.
func (p *parser) caseLabel(f *frame) bool {
	switch p.Tok.Kind {
	case '?':
		p.own().a++
	case ':':
		if f.a > 0 {
			p.own().a--
			return false
		}
		g := p.own()
		g.kind, g.end = inLabel, p.after()
	case '(', '[':
		p.open(0)
	case '{':
		p.deeper(p.pushBraces(0))
	case ';', '}', ctext.EOF:
		p.die(int(f.start), "this 'case' or 'default' has no colon", "")
		return p.giveUp()
	case ')', ']':
		p.unbalanced()
	}
	return false
}

// angle handles a token in the parameters of a template.
func (p *parser) angle(f *frame) bool {
	switch p.Tok.Kind {
	case '<':
		p.own().a++
	case '>':
		if f.a > 0 {
			p.own().a--
			return false
		}
		p.pop()
	case '(', '[':
		p.open(0)
	case '{', '}', ';', ctext.EOF, ')', ']':
		p.pop()
		return true
	}
	return false
}

// unbalanced reports a closing parenthesis or bracket if none is open.
func (p *parser) unbalanced() {
	p.die(p.Tok.Start, "this "+p.tokenName()+" closes nothing", "remove it, or open it")
}

// closeBrace handles a '}' where a statement may start.
func (p *parser) closeBrace(f *frame) bool {
	switch f.kind {
	case inBlock:
		p.closeBlock(f)
		return false
	case inScope:
		if f.flags&braceScope == 0 {
			p.unbalanced()
			return false
		}
		p.pop()
		item := p.top()
		if item.kind != inItem {
			return false
		}
		if item.flags&itemScope != 0 {
			p.pop()
			p.done(p.after())
		} else {
			p.own().prev = '}'
		}
		return false
	case inSection:
		return p.endSection(f)
	case inLabel:
		return p.completed(f)
	case inPrefix:
		end := p.before()
		p.pop()
		p.done(end)
		return true
	}
	p.missing(f, "'}'")
	return p.giveUp()
}

// missing reports that f has no statement where it needs one.
func (p *parser) missing(f *frame, before string) {
	switch f.kind {
	case inDirective, inSection:
		p.die(p.directiveStart(f.construct),
			"directive '"+p.constructs[f.construct].Directive.Name+
				"' needs a statement and is followed by "+before,
			"write the statement that it applies to, or {}")
	default:
		p.die(p.Tok.Start, "a statement is missing before "+before, "")
	}
}

// closeBlock handles the '}' of a block.
func (p *parser) closeBlock(f *frame) {
	flags := f.flags
	if f.a > 0 {
		p.definitions[f.a-1].close = int32(p.Tok.Start)
	}
	p.pop()
	end := p.after()
	if flags&plainBlock != 0 {
		p.done(end)
		return
	}
	if p.top().kind != inItem {
		return
	}
	if flags&endsItem == 0 {
		g := p.own()
		if g.prev = '}'; g.flags&itemAfterBrace != 0 {
			g.end = end
		}
		return
	}
	end = end.unsure(p.top().flags)
	p.pop()
	if flags&tryBlock != 0 {
		g := p.push(maybeCatch)
		g.end = end
		return
	}
	p.done(end)
}

// endOfText handles the end of the file in the current state.
func (p *parser) endOfText(f *frame) bool {
	switch f.kind {
	case inScope:
		if f.flags&braceScope != 0 {
			p.die(int(f.start), "this '{' is never closed",
				"close it, or look for an '}' that is missing before the next function")
			return p.unwind()
		}
		return false
	case inBlock:
		p.die(int(f.start), "this '{' is never closed",
			"close it, or look for an '}' that is missing before the next function")
		return p.unwind()
	case inSection:
		return p.endSection(f)
	case inLabel:
		return p.completed(f)
	case inPrefix:
		return p.giveUp()
	}
	p.missing(f, "the end of the file")
	return p.giveUp()
}

// unwind drops all frames but the file's own, after an error at the end of the file.
func (p *parser) unwind() bool {
	if !p.current.dead {
		p.current.top = 0
	}
	return false
}
