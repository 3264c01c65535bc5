// Package macro keeps the macro definitions of a file and expands macros.
//
// The parser defines macros as it reads, and looks up each word that the lexer gives as
// ctext.Macro. It expands only the structural ones. Given
//
//	#define LOOP for (int i = 0; i < n; i++)
//	#define SIZE (2 * n)
//
// LOOP is Structural, because its body has a keyword, and expands to the fourteen tokens from
// `for` to ')'. SIZE is Plain, and remains one word to the parser.
//
// If the condition of an #if is not known, several definitions of one name may be in force.
// Definition.Older links them.
package macro

import "opari/parse/ctext"

// Table holds the macros of a file. The vocabulary says which words have a definition in it.
type Table struct {
	Words   *ctext.Vocabulary
	cpp     bool          // the text is C++
	defs    []*Definition // defs[0] is nil, the definition of words that are no macros
	Version int           // counts the changes of the definitions in force
	budget  int           // the number of tokens that may still be expanded
}

// NewTable returns an empty table for the vocabulary words. cpp says that the text is C++.
func NewTable(words *ctext.Vocabulary, cpp bool) *Table {
	return &Table{Words: words, cpp: cpp, defs: []*Definition{nil}, budget: maxExpansion}
}

// Exhausted reports whether the expansions so far have used up the budget for this file.
func (ms *Table) Exhausted() bool { return ms.budget < 0 }

// Newest returns the latest definition of the word of s that may be in force, or nil.
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

// Lexer returns a lexer for text that reports no errors.
func (ms *Table) Lexer(text []byte) *ctext.Lexer {
	return &ctext.Lexer{
		Text: text, Words: ms.Words, CPlusPlus: ms.cpp,
		Fault: func(int, string) {}, Fatal: func(int, string, string) {},
	}
}

// LexBody returns the body of m as tokens.
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

// ShapeOf returns the shape of m. It follows the macros that m's body uses.
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
		if t.Kind >= ctext.Word && t.Text != nil &&
			t.Kind != ctext.String && t.Kind != ctext.Number {
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

// maxExpansion bounds the number of tokens in all expansions of a file.
const maxExpansion = 4_000_000
