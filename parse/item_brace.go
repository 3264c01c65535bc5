package parse

import "opari/parse/ctext"

// itemBrace handles a '{' inside an item.
func (p *parser) itemBrace(f *frame) {
	flags, prev := f.flags, f.prev
	switch {
	case flags&itemNoBody != 0:
		p.deeper(p.pushBraces(0))
	case flags&itemRequiresExpr != 0:
		p.own().flags &^= itemRequiresExpr
		p.deeper(p.pushBraces(0))
	case flags&itemCtor != 0:
		if prev == ')' || prev == '}' || prev == ctext.Op || prev == ctext.Try {
			p.functionBody()
		} else {
			p.deeper(p.pushBraces(0))
		}
	case prev == ctext.String && flags&itemExtern != 0, flags&itemScope != 0:
		p.own().flags |= itemScope
		p.scopeBraces()
	case flags&(itemCandidate|itemOldStyle) != 0:
		p.functionBody()
	case flags&itemTag != 0:
		b := p.scopeBraces()
		b.where &^= executable
	case flags&itemOneWord != 0:
		g := p.own()
		g.flags |= itemAfterBrace
		b := p.pushBraces(0)
		p.carryNest(p.frames[p.frames[b.parent].parent].kind, b)
		p.deeper(b)
	default:
		p.own().flags &^= itemOneWord
		p.deeper(p.pushBraces(0))
	}
}

// scopeBraces opens the braces of a namespace or class.
func (p *parser) scopeBraces() *frame {
	b := p.push(inScope)
	b.flags |= braceScope
	p.deeper(b)
	return b
}

// functionBody opens the body of a function, or the block after an unknown macro that looks like
// the head of a statement.
func (p *parser) functionBody() {
	item := p.top()
	flags, below := item.flags, p.frames[item.parent].kind
	for i := item.parent; below == inPrefix || below == inLabel; below = p.frames[i].kind {
		i = p.frames[i].parent
	}
	block := endsItem
	if flags&itemTry != 0 {
		block |= tryBlock
	}
	name := [2]int32{item.a, item.b}
	start := p.headStart()
	unknown := flags&itemCall != 0 && below != inScope
	if unknown {
		p.own().flags |= itemUnsure
	}
	b := p.pushBraces(block)
	b.where |= executable
	if unknown {
		p.deeper(b)
		return
	}
	if b.keepOut == keepNone {
		switch {
		case flags&itemConstexpr != 0:
			b.keepOut = keepConstexpr
		case flags&itemConsteval != 0:
			b.keepOut = keepConsteval
		}
	}
	b.function = p.function(name)
	if p.options.Functions {
		p.definition(start, below != inScope, b)
	}
	p.deeper(b)
}
