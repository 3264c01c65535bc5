package parse

import "opari/parse/ctext"

// itemBrace handles a '{' inside an item.
func (p *parser) itemBrace(f *frame) {
	flags, prev := f.flags, f.prev
	switch {
	case flags&itemNoBody != 0:
		p.deeper(p.pushBraces(0))
	case flags&itemReqExpr != 0:
		p.own().flags &^= itemReqExpr
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
	case flags&(itemCand|itemKnr) != 0:
		p.functionBody()
	case flags&itemTag != 0:
		b := p.scopeBraces()
		b.where &^= executable
	case flags&itemOne != 0:
		g := p.own()
		g.flags |= itemAfterBrace
		b := p.pushBraces(0)
		p.carryNest(p.frames[p.frames[b.parent].parent].kind, b)
		p.deeper(b)
	default:
		p.own().flags &^= itemOne
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

// functionBody opens the body of a function, or the block of a macro that is not known and looks like a statement's head.
func (p *parser) functionBody() {
	it := p.top()
	flags, below := it.flags, p.frames[it.parent].kind
	for i := it.parent; below == inPrefix || below == inLabel; below = p.frames[i].kind {
		i = p.frames[i].parent
	}
	block := endsItem
	if flags&itemTry != 0 {
		block |= tryBlock
	}
	name := [2]int32{it.a, it.b}
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
	if b.keep == keepNone {
		switch {
		case flags&itemConstexpr != 0:
			b.keep = keepConstexpr
		case flags&itemConsteval != 0:
			b.keep = keepConsteval
		}
	}
	b.fn = p.function(name)
	if p.o.Functions {
		p.definition(start, below != inScope, b)
	}
	p.deeper(b)
}
