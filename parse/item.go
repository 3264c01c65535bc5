package parse

import "opari/parse/ctext"

// An item is a declaration, a definition, an expression statement, or anything else that no
// keyword introduces. It ends at its ';', unless a '{' in it opens the body of a function or of a
// namespace.

// The flags of inItem.
const (
	itemNoBody uint32 = 1 << iota // an expression or initialiser, which no '{' ends
	// A parenthesis was closed that may enclose a function's parameters.
	itemCandidate
	itemCtor     // in the member initialisers of a constructor
	itemTag      // has struct, class, union or enum
	itemScope    // a namespace, or extern "C" {
	itemExtern   // has extern
	itemOperator // after the word operator
	itemOldStyle // in the parameter declarations of an old-style definition
	itemConstexpr
	itemConsteval
	itemOneWord      // one word so far
	itemCall         // one word and its parenthesis so far
	itemAfterBrace   // after WORD { ... }
	itemTry          // a function-try-block
	itemRequires     // after requires
	itemRequiresExpr // after a requires that starts an expression
	itemUnsure       // has what looks like an unknown macro
	itemTrailing     // in a return type after the parameters
)

// startItem opens an item that starts with the current token. f is the frame below it.
func (p *parser) startItem(f *frame) {
	k := p.Tok.Kind
	switch k {
	case ')', ']':
		p.unbalanced()
		return
	case ctext.Attribute:
		p.push(inPrefix).flags |= wantsParen
		return
	case '[':
		if p.attributeOpens() {
			p.openAttribute(true)
			return
		}
	}
	item := p.push(inItem)
	item.prev = k
	switch k {
	case ctext.Word, ctext.Macro, ctext.Lock:
		item.flags = itemOneWord
	case ctext.Tag:
		item.flags = itemTag
	case ctext.Namespace:
		item.flags = itemScope
	case ctext.Extern:
		item.flags = itemExtern
	case ctext.Operator:
		item.flags = itemOperator
		item.a, item.b = int32(p.Tok.Start), int32(p.Tok.End)
	case ctext.Constexpr:
		item.flags = p.constexprFlag()
	case ctext.Template, '~', ctext.Scope, ctext.Requires, '<':
	case '(', '[':
		item.flags = itemNoBody
		p.open(0)
	default:
		item.flags = itemNoBody
	}
}

func (p *parser) constexprFlag() uint32 {
	if w := p.word(); w[len(w)-1] == 'l' {
		return itemConsteval
	}
	return itemConstexpr
}

// item handles a token inside an item.
func (p *parser) item(f *frame) bool {
	k := p.Tok.Kind
	if f.flags&itemAfterBrace != 0 && p.afterBrace(f) {
		return true
	}
	switch k {
	case ';':
		if f.flags&(itemOldStyle|itemNoBody) == itemOldStyle {
			// The declaration of a parameter, which has no initialiser.
			p.own().prev = k
			return false
		}
		end := p.after().unsure(f.flags)
		p.pop()
		p.done(end)
		return false
	case '}', ctext.EOF:
		return p.giveUp()
	case '{':
		p.itemBrace(f)
		return false
	case '(', '[':
		p.itemOpen(f)
		return false
	case ')', ']':
		p.unbalanced()
		return false
	}
	if f.flags&itemNoBody != 0 {
		return false
	}
	if f.flags&itemOneWord != 0 && k == ':' {
		g := p.own()
		g.kind, g.flags, g.end = inLabel, 0, p.after()
		return false
	}
	if k >= ctext.If {
		if p.endsStatement(f, k) {
			return p.endWithoutSemicolon()
		}
		p.itemKeyword(p.own(), k)
		return false
	}
	g := p.own()
	if g.flags&(itemOneWord|itemCall) != 0 {
		if g.flags&itemCall != 0 && k == ctext.Word {
			g.flags |= itemUnsure
		}
		g.flags &^= itemOneWord | itemCall
	}
	if k >= ctext.Word && k <= ctext.Number || k == ctext.String || k == ctext.PragmaOperator ||
		k == ctext.Macro || k == ctext.Lock {
		p.itemWord(g, k)
		return false
	}
	p.itemOperator(g, k)
	return false
}

// endsStatement reports whether the keyword k cannot be part of the item f. If so, the text
// before it was a statement by itself: a use of an unknown macro.
func (p *parser) endsStatement(f *frame, k ctext.Kind) bool {
	switch k {
	case ctext.If, ctext.Else, ctext.For, ctext.While,
		ctext.Do, ctext.Switch, ctext.Case, ctext.Jump:
		return f.flags&itemOperator == 0
	case ctext.Try:
		return f.flags&(itemCandidate|itemCtor) == 0
	}
	return false
}

// Values of place.macro for a place where the use of an unknown macro ends for certain, or may
// end.
const (
	unknownMacro = -1
	unsureMacro  = -2
)

// unsure returns pl as the end of an item with flags.
func (pl place) unsure(flags uint32) place {
	if flags&itemUnsure != 0 && pl.macro == 0 {
		pl.macro = unsureMacro
	}
	return pl
}

// endWithoutSemicolon ends an item that has no ';'.
func (p *parser) endWithoutSemicolon() bool {
	end := p.before()
	end.macro = unknownMacro
	p.pop()
	p.done(end)
	return true
}

// afterBrace decides whether the item WORD { ... } continues.
func (p *parser) afterBrace(f *frame) bool {
	switch k := p.Tok.Kind; {
	case k >= ctext.Word && k <= ctext.String, k >= ctext.Macro && k != ctext.Op,
		k == '{', k == '}', k == ctext.EOF,
		k == '~', k == '*', k == '&', k == ctext.Scope, k == '!':
		p.endAfterBrace(f)
		return true
	}
	g := p.own()
	g.flags = g.flags&^itemAfterBrace | itemNoBody
	return false
}

// endAfterBrace ends the item WORD { ... } at its brace.
func (p *parser) endAfterBrace(f *frame) {
	end := f.end.unsure(itemUnsure)
	p.pop()
	p.done(end)
}

// itemKeyword handles a keyword inside an item.
func (p *parser) itemKeyword(g *frame, k ctext.Kind) {
	g.flags &^= itemOneWord | itemCall
	switch k {
	case ctext.Tag:
		p.oldStyle(g)
		if g.flags&(itemCandidate|itemRequires) != itemCandidate {
			// The parenthesis may belong to requires.
			g.flags = g.flags&^itemCandidate | itemTag
		}
	case ctext.Namespace:
		g.flags |= itemScope
	case ctext.Extern:
		g.flags |= itemExtern
	case ctext.Operator:
		g.flags |= itemOperator
		g.a, g.b = int32(p.Tok.Start), int32(p.Tok.End)
	case ctext.Expr:
		if g.flags&itemOperator == 0 {
			g.flags |= itemNoBody
		}
	case ctext.Constexpr:
		g.flags |= p.constexprFlag()
	case ctext.Try:
		g.flags |= itemTry
	case ctext.Throw, ctext.Asm:
		k = ctext.Attribute
	case ctext.Requires:
		if g.flags&itemRequires != 0 {
			g.flags |= itemRequiresExpr
		}
		g.flags |= itemRequires
	}
	g.prev = k
}

// itemWord handles a word or literal inside an item.
func (p *parser) itemWord(g *frame, k ctext.Kind) {
	switch k {
	case ctext.PragmaOperator:
		g.prev = ctext.Attribute
		return
	case ctext.Word, ctext.Macro, ctext.Lock:
		k = ctext.Word
		p.oldStyle(g)
	}
	g.prev = k
}

// oldStyle sets itemOldStyle if the current word follows a list of names. It then begins the
// parameter declarations of an old-style definition.
func (p *parser) oldStyle(g *frame) {
	if !p.CPlusPlus && g.prev == ')' && g.flags&itemCandidate != 0 &&
		p.frames[g.parent].kind == inScope && p.onlyNames(int(g.end.offset)) {
		g.flags |= itemOldStyle
	}
}

// onlyNames reports whether the parenthesis at offset i, which ends at the previous token,
// encloses only names: the parameters of an old-style definition.
func (p *parser) onlyNames(i int) bool {
	any := false
	for i++; i < p.PrevEnd-1; i++ {
		switch c := p.Text[i]; {
		case ctext.IsWord[c]:
			any = true
		case ctext.IsBlank(c), c == ',':
		default:
			return false
		}
	}
	return any
}

// itemOperator handles an operator inside an item.
func (p *parser) itemOperator(g *frame, k ctext.Kind) {
	if g.flags&itemOperator != 0 {
		g.prev = k
		return
	}
	switch k {
	case '=', '?', '+', '-', '/', '%', '^', '|', '!', '.':
		g.flags |= itemNoBody
	case ctext.Op:
		if p.word()[0] != '.' { // an ellipsis
			g.flags |= itemNoBody
		}
	case ctext.Arrow:
		if g.flags&itemCandidate == 0 {
			g.flags |= itemNoBody
		} else {
			g.flags |= itemTrailing
		}
	case ',':
		if g.flags&(itemCtor|itemTrailing) == 0 {
			g.flags &^= itemCandidate
		}
	case ':':
		if g.flags&itemCandidate != 0 && p.CPlusPlus {
			g.flags |= itemCtor
		}
	case '<':
		if g.prev == ctext.Template {
			g.prev = '>'
			p.push(inAngle).sub = '>'
			return
		}
	case '>':
		if g.prev == ')' && g.flags&(itemCtor|itemTrailing) == 0 {
			g.flags &^= itemCandidate
		}
	}
	g.prev = k
}
