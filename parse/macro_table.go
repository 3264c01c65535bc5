package parse

import "opari/parse/ctext"

// macros is the table of a file's macros. The vocabulary says which words have a definition in it.
type macros struct {
	words   *ctext.Vocabulary
	cpp     bool     // C++
	defs    []*macro // defs[0] is nil
	version int      // counts the changes of what is in force
	budget  int      // tokens that may still be expanded
}

func newMacros(words *ctext.Vocabulary, cpp bool) *macros {
	return &macros{words: words, cpp: cpp, defs: []*macro{nil}, budget: maxExpansion}
}

// exhausted reports whether the macros used so far expand to more than anybody reads.
func (ms *macros) exhausted() bool { return ms.budget < 0 }

// newest is the definition of the word of s that was made last and may be in force, or nil.
func (ms *macros) newest(s *ctext.Slot) *macro {
	if s == nil {
		return nil
	}
	return ms.defs[s.Def]
}

// define makes m the newest definition of the word of s.
func (ms *macros) define(s *ctext.Slot, m *macro) {
	ms.defs = append(ms.defs, m)
	s.Def = int32(len(ms.defs) - 1)
	ms.words.Note(m.name, true)
}

// undefine leaves the word of s without a definition.
func (ms *macros) undefine(s *ctext.Slot) {
	ms.version++
	s.Def = 0
}

// Lexer reads the tokens of text and complains of nothing.
func (ms *macros) lexer(text []byte) *ctext.Lexer {
	return &ctext.Lexer{Text: text, Words: ms.words, CPlusPlus: ms.cpp, Fault: func(int, string) {}, Fatal: func(int, string, string) {}}
}

// lexBody is the body of m as tokens.
func (ms *macros) lexBody(m *macro) []macroToken {
	if m.lexed {
		return m.tokens
	}
	m.lexed = true
	l := ms.lexer(m.body)
	for l.Next(false); l.Tok.Kind != ctext.EOF; l.Next(false) {
		t := macroToken{kind: l.Tok.Kind, param: -1, text: l.Tok.Text}
		if t.text == nil {
			t.text = m.body[l.Tok.Start:l.Tok.End]
		}
		if t.kind == ctext.Hash {
			t.kind = '#'
		}
		if t.kind == '#' && len(m.tokens) > 0 {
			if last := &m.tokens[len(m.tokens)-1]; last.kind == '#' && l.PrevEnd == l.Tok.Start {
				last.kind, last.text = ctext.Op, []byte("##")
				continue
			}
		}
		if t.kind >= ctext.Word && m.funcLike {
			t.param = m.param(t.text)
		}
		m.tokens = append(m.tokens, t)
	}
	return m.tokens
}

// shapeOf is the shape of m, looking through the macros that its body uses.
func (ms *macros) shapeOf(m *macro, depth int) shape {
	if m.version == ms.version || m.busy || depth > 100 {
		return m.shape
	}
	m.busy = true
	m.shape = ms.findShape(m, depth)
	m.busy = false
	m.version = ms.version
	return m.shape
}

func (ms *macros) findShape(m *macro, depth int) shape {
	toks := ms.lexBody(m)
	if len(toks) == 0 {
		return shapeEmpty
	}
	round, square := 0, 0
	onlyEmpty, pasted := true, false
	for _, t := range toks {
		if ms.budget--; ms.budget < 0 {
			return shapePlain
		}
		if t.param >= 0 {
			onlyEmpty = false
			continue
		}
		if t.kind >= ctext.Word && t.text != nil && t.kind != ctext.String && t.kind != ctext.Number {
			s := ms.words.Find(t.text)
			if used := ms.newest(s); used != nil && used != m {
				inner := ms.shapeOf(used, depth+1)
				if inner == shapeStructural {
					return shapeStructural
				}
				onlyEmpty = onlyEmpty && inner == shapeEmpty
				pasted = pasted || inner == shapePasted
				continue
			}
			if s != nil {
				t.kind = s.Kind
			}
		}
		onlyEmpty = false
		switch t.kind {
		case ctext.Op:
			pasted = pasted || isPaste(t)
		case '{', '}', ';':
			return shapeStructural
		case '(':
			round++
		case ')':
			if round--; round < 0 {
				return shapeStructural
			}
		case '[':
			square++
		case ']':
			if square--; square < 0 {
				return shapeStructural
			}
		}
		if structural(t.kind) {
			return shapeStructural
		}
	}
	switch {
	case round != 0 || square != 0:
		return shapeStructural
	case pasted:
		return shapePasted
	case onlyEmpty:
		return shapeEmpty
	}
	return shapePlain
}

// maxExpansion bounds the tokens that all expansions in a file may have.
const maxExpansion = 4_000_000
