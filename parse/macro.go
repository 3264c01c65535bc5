package parse

import (
	"bytes"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
)

// headerCtx marks definitions from headers, whose conditions are not looked at.
const headerCtx = -1

// maxAlternatives bounds the definitions of one macro that are considered together.
const maxAlternatives = 4

// define handles #define. i is behind the word, end where the line ends.
func (p *parser) define(start, i, end int) {
	if p.o.Preprocessed {
		return
	}
	m := readDefinition(p.Text, i, end)
	if m == nil {
		return
	}
	m.ctx = p.Branch
	p.mentionBody(m, start)
	p.forget(m.name)
	p.addMacro(m)
}

// addMacro puts a definition in force, beside those that may be in force under other conditions.
func (p *parser) addMacro(m *macro) {
	if ctext.IsLockRoutine(m.name) {
		return
	}
	p.macros.version++
	p.conditionalMacros = p.conditionalMacros || m.ctx > 0
	s := p.Words.Slot(m.name)
	last := p.macros.newest(s)
	n := 0
	for o := last; o != nil; o = o.older {
		if n++; n >= maxAlternatives || m.ctx == o.ctx && m.ctx == headerCtx && bytes.Equal(m.body, o.body) {
			return
		}
	}
	if !p.overrides(m, last) {
		m.older = last
	}
	p.macros.define(s, m)
}

// overrides reports whether definition m, made after o and all older ones, replaces them for certain.
func (p *parser) overrides(m, o *macro) bool {
	for ; o != nil; o = o.older {
		if m.ctx < 0 || o.ctx < 0 && m.ctx > 0 || o.ctx >= 0 && !p.ifs.within(o.ctx, m.ctx) {
			return false
		}
	}
	return true
}

// forget drops what the states at hand assume about a name that is defined or undefined now.
func (p *parser) forget(name string) {
	for i := range p.states {
		s := &p.states[i]
		s.assume = p.conditions.without(s.assume, name)
	}
}

func (p *parser) undefine(name string) {
	if p.o.Preprocessed || name == "" {
		return
	}
	p.forget(name)
	s := p.Words.Find([]byte(name))
	if m := p.macros.newest(s); m != nil && (p.Branch == 0 || m.ctx == p.Branch) {
		p.macros.undefine(s)
	}
}

// inForce lists the definitions of s that may be in force at the token at hand; a nil among them stands for none.
func (p *parser) inForce(s *ctext.Slot) []*macro {
	var out []*macro
	for m := p.macros.newest(s); m != nil; m = m.older {
		if m.ctx == headerCtx {
			out = append(out, m)
			continue
		}
		if p.ifs.within(p.Branch, m.ctx) {
			return append(out, m) // it hides the older ones
		}
		if !p.ifs.exclusive(p.Branch, m.ctx) {
			out = append(out, m)
		}
	}
	return out
}

// mentionBody mentions the directives and lock calls in the definition of a macro: nothing can be inserted there.
func (p *parser) mentionBody(m *macro, start int) {
	p.mentionAttributes(m.body, func(int) source.Position { return p.f.Position(start) }, "in the definition of macro "+m.name)
	pragmas := bytes.Contains(m.body, []byte("_Pragma"))
	if !pragmas && !bytes.Contains(m.body, []byte("_lock")) {
		return
	}
	reason := "in the definition of macro " + m.name
	toks := p.macros.lexBody(m)
	for i, t := range toks {
		switch {
		case t.kind == ctext.PragmaOperator && i+2 < len(toks):
			literal := toks[i+2]
			if isEncoding(literal.text) && i+3 < len(toks) {
				literal = toks[i+3]
			}
			if text, s, ok := pragmaText(literal.text); ok && literal.kind == ctext.String {
				p.mentionText(start, s, text, reason)
			}
		case t.kind == ctext.Lock && i+1 < len(toks) && toks[i+1].kind == '(':
			p.tree.Mentions = append(p.tree.Mentions, construct.Mention{Pos: p.f.Position(start), Text: string(t.text), Reason: reason})
		}
	}
}

// mentionOperator mentions the _Pragma at hand when it is ours.
func (p *parser) mentionOperator() {
	if p.Tok.Macro != 0 {
		return
	}
	l := p.sub(p.Pos)
	if l.Next(false); l.Tok.Kind != '(' {
		return
	}
	if l.Next(false); isEncoding(l.Text[l.Tok.Start:l.Tok.End]) {
		l.Next(false)
	}
	if l.Tok.Kind != ctext.String {
		return
	}
	if text, s, ok := pragmaText(l.Text[l.Tok.Start:l.Tok.End]); ok {
		p.mentionText(p.Tok.Start, s, text, "given by _Pragma; only the compiler wrapper can instrument it")
	}
}

// sub is a lexer of the same text from offset i on, that complains of nothing.
func (p *parser) sub(i int) *ctext.Lexer {
	return &ctext.Lexer{
		Text: p.Text, Pos: i, Words: p.Words, CPlusPlus: p.CPlusPlus, Branch: p.Branch,
		Fault: func(int, string) {}, Fatal: func(int, string, string) {},
	}
}
