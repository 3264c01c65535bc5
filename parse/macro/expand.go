package macro

import "opari/parse/ctext"

// hidden lists the macros that are being expanded. As in C, their names are not expanded again
// inside their own expansion.
type hidden struct {
	def  *Definition
	next *hidden
}

func (h *hidden) has(m *Definition) bool {
	for ; h != nil; h = h.next {
		if h.def == m {
			return true
		}
	}
	return false
}

// maxExpansionDepth bounds the nesting of macros.
const maxExpansionDepth = 200

// spend counts n tokens and reports false if the budget is used up.
func (ms *Table) spend(n int) bool {
	ms.budget -= n
	return ms.budget >= 0
}

// Expansion returns the tokens of m with args, in which all other macros are expanded too.
func (ms *Table) Expansion(m *Definition, args [][]Token, hide *hidden, depth int) []Token {
	if depth > maxExpansionDepth {
		ms.budget = -1
		return nil
	}
	body := ms.LexBody(m)
	out := make([]Token, 0, len(body)+8)
	for i := 0; i < len(body) && ms.spend(1); i++ {
		t := body[i]
		pasted := i+1 < len(body) && isPaste(body[i+1]) || i > 0 && isPaste(body[i-1])
		switch {
		case isPaste(t):
			continue
		case t.Kind == '#' && m.FuncLike && i+1 < len(body) && body[i+1].Param >= 0:
			out = append(out, Token{Kind: ctext.String, Param: -1, Text: []byte(`""`)})
			i++
			continue
		case t.Param < 0 || args == nil:
			out = ms.add(out, t, i > 0 && isPaste(body[i-1]))
			continue
		}
		arg := m.argument(args, int(t.Param))
		if !pasted {
			arg = ms.Expand(arg, hide, depth+1)
		}
		for k, a := range arg {
			out = ms.add(out, a, k == 0 && i > 0 && isPaste(body[i-1]))
		}
		if !ms.spend(len(arg)) {
			return nil
		}
	}
	return ms.Expand(out, &hidden{m, hide}, depth+1)
}

// add appends t to out. With paste it joins t with the last token, if the two make one token.
func (ms *Table) add(out []Token, t Token, paste bool) []Token {
	if !paste || len(out) == 0 {
		return append(out, t)
	}
	last := &out[len(out)-1]
	joined := append(append([]byte(nil), last.Text...), t.Text...)
	l := ms.Lexer(joined)
	if l.Next(false); l.Tok.End != len(joined) ||
		l.Tok.Kind == ctext.EOF || l.Tok.Kind == ctext.Hash {
		return append(out, t)
	}
	*last = Token{Kind: l.Tok.Kind, Param: -1, Text: joined}
	return out
}

// Expand returns toks with all macros expanded.
func (ms *Table) Expand(toks []Token, hide *hidden, depth int) []Token {
	var out []Token
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		var def *Definition
		if t.Kind >= ctext.Word && t.Kind != ctext.String && t.Kind != ctext.Number &&
			len(t.Text) > 0 && ctext.IsWord[t.Text[0]] {
			if s := ms.Words.Find(t.Text); s != nil {
				if def = ms.Newest(s); def == nil || hide.has(def) {
					t.Kind = s.Kind
				}
			}
		}
		if def == nil || hide.has(def) {
			if t.Kind == ctext.Macro {
				t.Kind = ctext.Word
			}
			if out != nil || t.Kind != toks[i].Kind {
				if out == nil {
					out = append(make([]Token, 0, len(toks)+8), toks[:i]...)
				}
				out = append(out, t)
			}
			continue
		}
		var args [][]Token
		next := i
		if def.FuncLike {
			if args, next = splitArguments(toks, i+1); args == nil {
				t.Kind = ctext.Word
				if out == nil {
					out = append(make([]Token, 0, len(toks)+8), toks[:i]...)
				}
				out = append(out, t)
				continue
			}
		}
		if out == nil {
			out = append(make([]Token, 0, len(toks)+8), toks[:i]...)
		}
		e := ms.Expansion(def, args, hide, depth+1)
		if !ms.spend(len(e) + 1) {
			return out
		}
		out = append(out, e...)
		i = next
	}
	if out == nil {
		return toks
	}
	return out
}

// splitArguments reads the argument list whose parenthesis is toks[i]. It returns the arguments
// and the index of the closing parenthesis, or nil if there is no list.
func splitArguments(toks []Token, i int) ([][]Token, int) {
	if i >= len(toks) || toks[i].Kind != '(' {
		return nil, 0
	}
	args := [][]Token{nil}
	depth := 0
	for i++; i < len(toks); i++ {
		switch k := toks[i].Kind; {
		case k == ')' && depth == 0:
			return args, i
		case k == ',' && depth == 0:
			args = append(args, nil)
			continue
		case k == '(':
			depth++
		case k == ')':
			depth--
		}
		args[len(args)-1] = append(args[len(args)-1], toks[i])
	}
	return nil, 0
}
