package parse

import (
	"bytes"

	"opari/internal/source"
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
	m := readDefinition(p.text, i, end)
	if m == nil {
		return
	}
	m.ctx = p.ctx
	p.mentionBody(m, start)
	p.forget(m.name)
	p.addMacro(m)
}

// addMacro puts a definition in force, beside those that may be in force under other conditions.
func (p *parser) addMacro(m *macro) {
	if isLockRoutine(m.name) {
		return
	}
	p.macros.version++
	p.conditionalMacros = p.conditionalMacros || m.ctx > 0
	s := p.words.slot(m.name)
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
	s := p.words.find([]byte(name))
	if m := p.macros.newest(s); m != nil && (p.ctx == 0 || m.ctx == p.ctx) {
		p.macros.undefine(s)
	}
}

// inForce lists the definitions of s that may be in force at the token at hand; a nil among them stands for none.
func (p *parser) inForce(s *wordSlot) []*macro {
	var out []*macro
	for m := p.macros.newest(s); m != nil; m = m.older {
		if m.ctx == headerCtx {
			out = append(out, m)
			continue
		}
		if p.ifs.within(p.ctx, m.ctx) {
			return append(out, m) // it hides the older ones
		}
		if !p.ifs.exclusive(p.ctx, m.ctx) {
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
		case t.kind == kPragmaOp && i+2 < len(toks):
			literal := toks[i+2]
			if isEncoding(literal.text) && i+3 < len(toks) {
				literal = toks[i+3]
			}
			if text, s, ok := pragmaText(literal.text); ok && literal.kind == kString {
				p.mentionText(start, s, text, reason)
			}
		case t.kind == kLock && i+1 < len(toks) && toks[i+1].kind == '(':
			p.tree.Mentions = append(p.tree.Mentions, Mention{Pos: p.f.Position(start), Text: string(t.text), Reason: reason})
		}
	}
}

// mentionOperator mentions the _Pragma at hand when it is ours.
func (p *parser) mentionOperator() {
	if p.tok.macro != 0 {
		return
	}
	l := p.sub(p.pos)
	if l.next(false); l.tok.kind != '(' {
		return
	}
	if l.next(false); isEncoding(l.text[l.tok.start:l.tok.end]) {
		l.next(false)
	}
	if l.tok.kind != kString {
		return
	}
	if text, s, ok := pragmaText(l.text[l.tok.start:l.tok.end]); ok {
		p.mentionText(p.tok.start, s, text, "given by _Pragma; only the compiler wrapper can instrument it")
	}
}

// sub is a lexer of the same text from offset i on, that complains of nothing.
func (p *parser) sub(i int) *lexer {
	return &lexer{
		text: p.text, pos: i, words: p.words, cpp: p.cpp, ctx: p.ctx,
		fault: func(int, string) {}, fatal: func(int, string, string) {},
	}
}
