package parse

// macros is the table of a file's macros. The vocabulary says which words have a definition in it.
type macros struct {
	words   *vocabulary
	cpp     bool     // C++
	defs    []*macro // defs[0] is nil
	version int      // counts the changes of what is in force
	budget  int      // tokens that may still be expanded
}

func newMacros(words *vocabulary, cpp bool) *macros {
	return &macros{words: words, cpp: cpp, defs: []*macro{nil}, budget: maxExpansion}
}

// exhausted reports whether the macros used so far expand to more than anybody reads.
func (ms *macros) exhausted() bool { return ms.budget < 0 }

// newest is the definition of the word of s that was made last and may be in force, or nil.
func (ms *macros) newest(s *wordSlot) *macro {
	if s == nil {
		return nil
	}
	return ms.defs[s.def]
}

// define makes m the newest definition of the word of s.
func (ms *macros) define(s *wordSlot, m *macro) {
	ms.defs = append(ms.defs, m)
	s.def = int32(len(ms.defs) - 1)
	ms.words.note(m.name, true)
}

// undefine leaves the word of s without a definition.
func (ms *macros) undefine(s *wordSlot) {
	ms.version++
	s.def = 0
}

// lexer reads the tokens of text and complains of nothing.
func (ms *macros) lexer(text []byte) *lexer {
	return &lexer{text: text, words: ms.words, cpp: ms.cpp, fault: func(int, string) {}, fatal: func(int, string, string) {}}
}

// lexBody is the body of m as tokens.
func (ms *macros) lexBody(m *macro) []macroToken {
	if m.lexed {
		return m.tokens
	}
	m.lexed = true
	l := ms.lexer(m.body)
	for l.next(false); l.tok.kind != kEOF; l.next(false) {
		t := macroToken{kind: l.tok.kind, param: -1, text: l.tok.text}
		if t.text == nil {
			t.text = m.body[l.tok.start:l.tok.end]
		}
		if t.kind == kHash {
			t.kind = '#'
		}
		if t.kind == '#' && len(m.tokens) > 0 {
			if last := &m.tokens[len(m.tokens)-1]; last.kind == '#' && l.prevEnd == l.tok.start {
				last.kind, last.text = kOp, []byte("##")
				continue
			}
		}
		if t.kind >= kWord && m.funcLike {
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
		if t.kind >= kWord && t.text != nil && t.kind != kString && t.kind != kNumber {
			s := ms.words.find(t.text)
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
				t.kind = s.kind
			}
		}
		onlyEmpty = false
		switch t.kind {
		case kOp:
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
