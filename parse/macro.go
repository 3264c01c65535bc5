package parse

import (
	"bytes"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/macro"
)

// maxAlternatives bounds the definitions of one macro that may be in force together.
const maxAlternatives = 4

// define handles #define. i is the offset after the word, end that of the line's end.
func (p *parser) define(start, i, end int) {
	if p.options.Preprocessed {
		return
	}
	m := macro.Read(p.Text, i, end)
	if m == nil {
		return
	}
	m.Branch = p.Branch
	p.mentionBody(m, start)
	p.forget(m.Name)
	p.addMacro(m)
}

// addMacro adds a definition to those that may be in force under other conditions.
func (p *parser) addMacro(m *macro.Definition) {
	if ctext.IsLockRoutine(m.Name) {
		return
	}
	p.macros.Version++
	p.conditionalMacros = p.conditionalMacros || m.Branch > 0
	s := p.Words.Slot(m.Name)
	last := p.macros.Newest(s)
	n := 0
	for o := last; o != nil; o = o.Older {
		if n++; n >= maxAlternatives ||
			m.Branch == o.Branch && m.Branch == macro.FromHeader && bytes.Equal(m.Body, o.Body) {
			return
		}
	}
	if !p.overrides(m, last) {
		m.Older = last
	}
	p.macros.Define(s, m)
}

// overrides reports whether definition m, made after o and all older ones, certainly replaces
// them.
func (p *parser) overrides(m, o *macro.Definition) bool {
	for ; o != nil; o = o.Older {
		if m.Branch < 0 || o.Branch < 0 && m.Branch > 0 ||
			o.Branch >= 0 && !p.ifs.Within(o.Branch, m.Branch) {
			return false
		}
	}
	return true
}

// forget drops the assumptions of the states about a name that is now defined or undefined.
func (p *parser) forget(name string) {
	for i := range p.states {
		s := &p.states[i]
		s.assume = p.conditions.Without(s.assume, name)
	}
}

func (p *parser) undefine(name string) {
	if p.options.Preprocessed || name == "" {
		return
	}
	p.forget(name)
	s := p.Words.Find([]byte(name))
	if m := p.macros.Newest(s); m != nil && (p.Branch == 0 || m.Branch == p.Branch) {
		p.macros.Undefine(s)
	}
}

// inForce lists the definitions of s that may be in force at the current token.
func (p *parser) inForce(s *ctext.Slot) []*macro.Definition {
	var out []*macro.Definition
	for m := p.macros.Newest(s); m != nil; m = m.Older {
		if m.Branch == macro.FromHeader {
			out = append(out, m)
			continue
		}
		if p.ifs.Within(p.Branch, m.Branch) {
			return append(out, m) // hides the older ones
		}
		if !p.ifs.Exclusive(p.Branch, m.Branch) {
			out = append(out, m)
		}
	}
	return out
}

// mentionBody records the directives and lock calls in the definition of a macro, where nothing
// can be inserted.
func (p *parser) mentionBody(m *macro.Definition, start int) {
	p.mentionAttributes(m.Body, func(int) source.Position {
		return p.file.Position(start)
	}, "in the definition of macro "+m.Name)
	pragmas := bytes.Contains(m.Body, []byte("_Pragma"))
	if !pragmas && !bytes.Contains(m.Body, []byte("_lock")) {
		return
	}
	reason := "in the definition of macro " + m.Name
	toks := p.macros.LexBody(m)
	for i, t := range toks {
		switch {
		case t.Kind == ctext.PragmaOperator && i+2 < len(toks):
			literal := toks[i+2]
			if isEncoding(literal.Text) && i+3 < len(toks) {
				literal = toks[i+3]
			}
			if text, s, ok := pragmaText(literal.Text); ok && literal.Kind == ctext.String {
				p.mentionText(start, s, text, reason)
			}
		case t.Kind == ctext.Lock && i+1 < len(toks) && toks[i+1].Kind == '(':
			p.tree.Mentions = append(p.tree.Mentions, construct.Mention{
				Pos:  p.file.Position(start),
				Text: string(t.Text), Reason: reason,
			})
		}
	}
}

// mentionOperator records the current _Pragma if it has an omp or pomp directive.
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
		p.mentionText(p.Tok.Start, s, text,
			"given by _Pragma; only the compiler wrapper can instrument it")
	}
}

// sub returns a lexer of the same text from offset i on, which reports no errors.
func (p *parser) sub(i int) *ctext.Lexer {
	return &ctext.Lexer{
		Text: p.Text, Pos: i, Words: p.Words, CPlusPlus: p.CPlusPlus, Branch: p.Branch,
		Fault: func(int, string) {}, Fatal: func(int, string, string) {},
	}
}
