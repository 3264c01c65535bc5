package parse

import (
	"bytes"
	"slices"

	"opari/parse/ctext"
)

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
		case prev >= ctext.Word &&
			prev != ctext.Op && prev != ctext.Arrow && prev != ctext.Scope,
			prev == ')', prev == ']', prev == '}', prev == '>':
		case g.flags&itemOperator != 0:
		default:
			g.flags |= itemNoBody // a lambda
		}
		g.flags &^= itemOneWord | itemCall
	case prev == ctext.Attribute:
		p.open(attrParen)
		return
	default:
		if g.flags&itemOneWord != 0 {
			g.flags = g.flags&^itemOneWord | itemCall
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

// named records the name before the current parenthesis, or inside it, as that of the function
// which the item g may define. In an old-style definition it is the name of a parameter, as in
// int (*compare)(), if the list has it. Otherwise the supposed list was the use of a macro.
func (p *parser) named(g *frame) {
	a, b := p.declaredName()
	if g.flags&itemOldStyle != 0 && b > a && g.b > g.a {
		list, _, _ := bytes.Cut(p.Text[g.b:], []byte(")"))
		if slices.ContainsFunc(
			bytes.FieldsFunc(list, func(r rune) bool { return r < 128 && !ctext.IsWord[byte(r)] }),
			func(name []byte) bool { return bytes.Equal(name, p.Text[a:b]) },
		) {
			return
		}
	}
	g.a, g.b = a, b
	g.flags &^= itemOldStyle
}

// declaredName returns the extent of a function's name, if the current parenthesis opens its
// parameters. The name is before the parenthesis, or inside it in int (*name(int))(int).
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

// afterGroup continues with an item after a bracket group in it that started at start.
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
		g.flags |= itemCandidate
		g.end = place{offset: start}
	}
}
