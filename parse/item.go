package parse

import (
	"bytes"
	"slices"

	"opari/parse/ctext"
)

// An item is a declaration, a definition, an expression statement, or anything else that is not told by a keyword. It
// goes on to its ';' unless a '{' in it turns out to be the body of a function or of a namespace.

// The flags of inItem.
const (
	itemNoBody     uint32 = 1 << iota // an expression or initialiser: no '{' in it ends it
	itemCand                          // a parenthesis was closed that may be a function's parameters
	itemCtor                          // in the member initialisers of a constructor
	itemTag                           // holds struct, class, union, enum
	itemScope                         // a namespace, or extern "C" {
	itemExtern                        // holds extern
	itemOperator                      // behind the word operator
	itemKnr                           // in the parameter declarations of an old-style definition
	itemConstexpr                     //
	itemConsteval                     //
	itemOne                           // one word so far
	itemCall                          // one word and its parenthesis so far
	itemAfterBrace                    // behind WORD { ... }
	itemTry                           // a function-try-block
	itemRequires                      // behind requires
	itemReqExpr                       // behind a requires that starts an expression
	itemUnsure                        // it holds what looks like a macro that is not known
	itemTrailing                      // in a return type behind the parameters
)

// startItem opens an item that starts with the token at hand; f is the frame below it.
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
	it := p.push(inItem)
	it.prev = k
	switch k {
	case ctext.Word, ctext.Macro, ctext.Lock:
		it.flags = itemOne
	case ctext.Tag:
		it.flags = itemTag
	case ctext.Namespace:
		it.flags = itemScope
	case ctext.Extern:
		it.flags = itemExtern
	case ctext.Operator:
		it.flags = itemOperator
		it.a, it.b = int32(p.Tok.Start), int32(p.Tok.End)
	case ctext.Constexpr:
		it.flags = p.constexprFlag()
	case ctext.Template, '~', ctext.Scope, ctext.Requires, '<':
	case '(', '[':
		it.flags = itemNoBody
		p.open(0)
	default:
		it.flags = itemNoBody
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
		if f.flags&(itemKnr|itemNoBody) == itemKnr { // the declaration of a parameter has no initialiser
			p.own().prev = k
			return false
		}
		end := p.behind().unsure(f.flags)
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
	if f.flags&itemOne != 0 && k == ':' {
		g := p.own()
		g.kind, g.flags, g.end = inLabel, 0, p.behind()
		return false
	}
	if k >= ctext.If {
		if p.endsStatement(f, k) {
			return p.broken()
		}
		p.itemKeyword(p.own(), k)
		return false
	}
	g := p.own()
	if g.flags&(itemOne|itemCall) != 0 {
		if g.flags&itemCall != 0 && k == ctext.Word {
			g.flags |= itemUnsure
		}
		g.flags &^= itemOne | itemCall
	}
	if k >= ctext.Word && k <= ctext.Number || k == ctext.String || k == ctext.PragmaOperator || k == ctext.Macro || k == ctext.Lock {
		p.itemWord(g, k)
		return false
	}
	p.itemOperator(g, k)
	return false
}

// endsStatement reports whether the keyword k cannot stand inside the item f, so that what came before it was a statement
// by itself: the use of a macro that is not known.
func (p *parser) endsStatement(f *frame, k ctext.Kind) bool {
	switch k {
	case ctext.If, ctext.Else, ctext.For, ctext.While, ctext.Do, ctext.Switch, ctext.Case, ctext.Jump:
		return f.flags&itemOperator == 0
	case ctext.Try:
		return f.flags&(itemCand|itemCtor) == 0
	}
	return false
}

// The macros of places where the use of a macro that is not known ends for certain, or may end.
const (
	unknownMacro = -1
	unsureMacro  = -2
)

// unsure is pl as the end of an item with flags.
func (pl place) unsure(flags uint32) place {
	if flags&itemUnsure != 0 && pl.macro == 0 {
		pl.macro = unsureMacro
	}
	return pl
}

// broken ends an item that has no ';'.
func (p *parser) broken() bool {
	end := p.before()
	end.macro = unknownMacro
	p.pop()
	p.done(end)
	return true
}

// afterBrace decides whether the item WORD { ... } goes on.
func (p *parser) afterBrace(f *frame) bool {
	switch k := p.Tok.Kind; {
	case k >= ctext.Word && k <= ctext.String, k >= ctext.Macro && k != ctext.Op, k == '{', k == '}', k == ctext.EOF,
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
	g.flags &^= itemOne | itemCall
	switch k {
	case ctext.Tag:
		p.oldStyle(g)
		if g.flags&(itemCand|itemRequires) != itemCand { // the parenthesis may be that of requires
			g.flags = g.flags&^itemCand | itemTag
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
			g.flags |= itemReqExpr
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

// oldStyle notes that the word at hand begins the declarations of the parameters of an old-style definition: that it stands behind a list of names.
func (p *parser) oldStyle(g *frame) {
	if !p.CPlusPlus && g.prev == ')' && g.flags&itemCand != 0 && p.frames[g.parent].kind == inScope && p.onlyNames(int(g.end.offset)) {
		g.flags |= itemKnr
	}
}

// onlyNames reports whether the parenthesis at offset i, which ends at the previous token, holds names and nothing else:
// the parameters of an old-style definition.
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
		if g.flags&itemCand == 0 {
			g.flags |= itemNoBody
		} else {
			g.flags |= itemTrailing
		}
	case ',':
		if g.flags&(itemCtor|itemTrailing) == 0 {
			g.flags &^= itemCand
		}
	case ':':
		if g.flags&itemCand != 0 && p.CPlusPlus {
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
			g.flags &^= itemCand
		}
	}
	g.prev = k
}

// itemOpen handles ( or [ inside an item.
func (p *parser) itemOpen(f *frame) {
	if f.flags&itemNoBody != 0 {
		p.open(0)
		return
	}
	g := p.own()
	k, prev := p.Tok.Kind, g.prev
	switch {
	case k == '[' && p.attributeOpens():
		if prev == ctext.Word {
			g.a, g.b = int32(p.PrevStart), int32(p.PrevEnd)
		}
		p.openAttribute(false)
		return
	case k == '[':
		switch {
		case prev >= ctext.Word && prev != ctext.Op && prev != ctext.Arrow && prev != ctext.Scope, prev == ')', prev == ']', prev == '}', prev == '>':
		case g.flags&itemOperator != 0:
		default:
			g.flags |= itemNoBody // a lambda
		}
		g.flags &^= itemOne | itemCall
	case prev == ctext.Attribute:
		p.open(attrParen)
		return
	default:
		if g.flags&itemOne != 0 {
			g.flags = g.flags&^itemOne | itemCall
		} else {
			g.flags &^= itemCall
		}
		if prev == ctext.Word && g.flags&(itemCtor|itemOperator|itemTrailing) == 0 {
			p.named(g)
		}
		g.flags &^= itemOperator
	}
	g.prev = k
	p.open(0)
}

// named takes the name before the parenthesis at hand, or inside of it, for that of the function which the item g may define. In an old-style definition
// it is that of a parameter, int (*compare)(), if it stands in the list; otherwise what looked like the list was a macro's use.
func (p *parser) named(g *frame) {
	a, b := p.declaredName()
	if g.flags&itemKnr != 0 && b > a && g.b > g.a {
		list, _, _ := bytes.Cut(p.Text[g.b:], []byte(")"))
		if slices.ContainsFunc(bytes.FieldsFunc(list, func(r rune) bool { return r < 128 && !ctext.IsWord[byte(r)] }), func(name []byte) bool { return bytes.Equal(name, p.Text[a:b]) }) {
			return
		}
	}
	g.a, g.b = a, b
	g.flags &^= itemKnr
}

// declaredName is where the name of a function stands whose parameters the parenthesis at hand may open: before it, or
// inside it in int (*name(int))(int).
func (p *parser) declaredName() (int32, int32) {
	if p.Tok.Macro == 0 && p.nextByte() == '*' {
		i := p.Pos
		for i < len(p.Text) && (ctext.IsBlank(p.Text[i]) || p.Text[i] == '*' || p.Text[i] == '(') {
			i++
		}
		j := i
		for j < len(p.Text) && ctext.IsWord[p.Text[j]] {
			j++
		}
		if j > i {
			return int32(i), int32(j)
		}
	}
	if p.PrevMacro != 0 || p.Tok.Macro != 0 && !p.Tok.First {
		return 0, 0
	}
	return int32(p.PrevStart), int32(p.PrevEnd)
}

// afterGroup goes on with an item after a bracket group in it that started at start.
func (p *parser) afterGroup(start int32, attr bool) {
	f := p.top()
	if f.flags&itemNoBody != 0 {
		return
	}
	g := p.own()
	if attr {
		g.prev = ')'
		return
	}
	g.prev = p.Tok.Kind
	if g.prev == ')' && g.flags&itemCtor == 0 {
		g.flags |= itemCand
		g.end = place{offset: start}
	}
}
