// Package macro keeps the definitions of a text's macros, and expands them.
package macro

import "opari/parse/ctext"

// Table is the table of a file's macros. The vocabulary says which words have a definition in it.
type Table struct {
	Words   *ctext.Vocabulary
	cpp     bool          // C++
	defs    []*Definition // defs[0] is nil
	Version int           // counts the changes of what is in force
	budget  int           // tokens that may still be expanded
}

// NewTable is an empty table beside the vocabulary words; cpp says that the text is C++.
func NewTable(words *ctext.Vocabulary, cpp bool) *Table {
	return &Table{Words: words, cpp: cpp, defs: []*Definition{nil}, budget: maxExpansion}
}

// Exhausted reports whether the macros used so far expand to more than anybody reads.
func (ms *Table) Exhausted() bool { return ms.budget < 0 }

// Newest is the definition of the word of s that was made last and may be in force, or nil.
func (ms *Table) Newest(s *ctext.Slot) *Definition {
	if s == nil {
		return nil
	}
	return ms.defs[s.Def]
}

// Define makes m the newest definition of the word of s.
func (ms *Table) Define(s *ctext.Slot, m *Definition) {
	ms.defs = append(ms.defs, m)
	s.Def = int32(len(ms.defs) - 1)
	ms.Words.Note(m.Name, true)
}

// Undefine leaves the word of s without a definition.
func (ms *Table) Undefine(s *ctext.Slot) {
	ms.Version++
	s.Def = 0
}

// Lexer reads the tokens of text and complains of nothing.
func (ms *Table) Lexer(text []byte) *ctext.Lexer {
	return &ctext.Lexer{Text: text, Words: ms.Words, CPlusPlus: ms.cpp, Fault: func(int, string) {}, Fatal: func(int, string, string) {}}
}

// LexBody is the body of m as tokens.
func (ms *Table) LexBody(m *Definition) []Token {
	if m.lexed {
		return m.tokens
	}
	m.lexed = true
	l := ms.Lexer(m.Body)
	for l.Next(false); l.Tok.Kind != ctext.EOF; l.Next(false) {
		t := Token{Kind: l.Tok.Kind, Param: -1, Text: l.Tok.Text}
		if t.Text == nil {
			t.Text = m.Body[l.Tok.Start:l.Tok.End]
		}
		if t.Kind == ctext.Hash {
			t.Kind = '#'
		}
		if t.Kind == '#' && len(m.tokens) > 0 {
			if last := &m.tokens[len(m.tokens)-1]; last.Kind == '#' && l.PrevEnd == l.Tok.Start {
				last.Kind, last.Text = ctext.Op, []byte("##")
				continue
			}
		}
		if t.Kind >= ctext.Word && m.FuncLike {
			t.Param = m.param(t.Text)
		}
		m.tokens = append(m.tokens, t)
	}
	return m.tokens
}

// ShapeOf is the shape of m, looking through the macros that its body uses.
func (ms *Table) ShapeOf(m *Definition, depth int) shape {
	if m.version == ms.Version || m.busy || depth > 100 {
		return m.shape
	}
	m.busy = true
	m.shape = ms.findShape(m, depth)
	m.busy = false
	m.version = ms.Version
	return m.shape
}

func (ms *Table) findShape(m *Definition, depth int) shape {
	toks := ms.LexBody(m)
	if len(toks) == 0 {
		return Empty
	}
	round, square := 0, 0
	onlyEmpty, pasted := true, false
	for _, t := range toks {
		if ms.budget--; ms.budget < 0 {
			return Plain
		}
		if t.Param >= 0 {
			onlyEmpty = false
			continue
		}
		if t.Kind >= ctext.Word && t.Text != nil && t.Kind != ctext.String && t.Kind != ctext.Number {
			s := ms.Words.Find(t.Text)
			if used := ms.Newest(s); used != nil && used != m {
				inner := ms.ShapeOf(used, depth+1)
				if inner == Structural {
					return Structural
				}
				onlyEmpty = onlyEmpty && inner == Empty
				pasted = pasted || inner == Pasted
				continue
			}
			if s != nil {
				t.Kind = s.Kind
			}
		}
		onlyEmpty = false
		switch t.Kind {
		case ctext.Op:
			pasted = pasted || isPaste(t)
		case '{', '}', ';':
			return Structural
		case '(':
			round++
		case ')':
			if round--; round < 0 {
				return Structural
			}
		case '[':
			square++
		case ']':
			if square--; square < 0 {
				return Structural
			}
		}
		if IsStructural(t.Kind) {
			return Structural
		}
	}
	switch {
	case round != 0 || square != 0:
		return Structural
	case pasted:
		return Pasted
	case onlyEmpty:
		return Empty
	}
	return Plain
}

// maxExpansion bounds the tokens that all expansions in a file may have.
const maxExpansion = 4_000_000
