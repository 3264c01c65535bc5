package parse

import (
	"bytes"

	"opari/internal/source"
)

// macro is one definition of a macro. Only structural ones are ever expanded: those that hold brackets, semicolons or
// keywords, in their body or in the arguments of a use, and so change where statements start and end.
type macro struct {
	name     string
	funcLike bool
	params   []string // the last is "..." or "args..." in a variadic one
	body     []byte
	tokens   []macroToken
	lexed    bool
	ctx      int32  // the #if branch of the definition; headerCtx for one from a header
	older    *macro // another definition that may be in force, made before this one
	version  int    // structural was found out for this version of the table
	shape    shape
	busy     bool
}

// headerCtx marks definitions from headers, whose conditions are not looked at.
const headerCtx = -1

// maxAlternatives bounds the definitions of one macro that are considered together.
const maxAlternatives = 4

// shape is what a macro's body means for structure.
type shape uint8

const (
	shapePlain      shape = iota // as good as a word or a call
	shapeEmpty                   // nothing
	shapePasted                  // tokens are made with ##: only its expansion tells
	shapeStructural              //
)

// macroToken is a token of a macro's body or argument.
type macroToken struct {
	kind  kind
	param int16 // index of the parameter that it names, or -1
	text  []byte
}

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

// maxExpansion bounds the tokens that all expansions in a file may have.
const maxExpansion = 4_000_000

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

// readDefinition reads NAME, NAME(params) and body; nil when there is no name.
func readDefinition(text []byte, i, end int) *macro {
	name, i := ppWord(text, i, end)
	if len(name) == 0 {
		return nil
	}
	m := &macro{name: string(name)}
	if i < end && text[i] == '(' {
		m.funcLike = true
		n := bytes.IndexByte(text[i:end], ')')
		if n < 0 {
			return nil
		}
		for _, q := range bytes.Split(text[i+1:i+n], []byte{','}) {
			q = bytes.TrimSpace(bytes.ReplaceAll(bytes.ReplaceAll(q, []byte("\\\r\n"), nil), []byte("\\\n"), nil))
			if len(q) > 0 {
				m.params = append(m.params, string(q))
			}
		}
		i += n + 1
	}
	m.body = text[i:end]
	return m
}

// addMacro puts a definition in force, beside those that may be in force under other conditions.
func (p *parser) addMacro(m *macro) {
	if keywordsOf[p.o.Lang][m.name] == kLock {
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

// param is the index of the parameter called word, or -1.
func (m *macro) param(word []byte) int16 {
	for i, q := range m.params {
		switch {
		case q == string(word), q == "..." && string(word) == "__VA_ARGS__":
			return int16(i)
		case len(q) > 3 && q[len(q)-3:] == "..." && string(bytes.TrimSpace([]byte(q[:len(q)-3]))) == string(word):
			return int16(i)
		}
	}
	return -1
}

func (m *macro) variadic() bool {
	n := len(m.params)
	return n > 0 && bytes.HasSuffix([]byte(m.params[n-1]), []byte("..."))
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
