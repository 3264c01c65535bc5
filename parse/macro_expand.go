package parse

import "opari/parse/ctext"

// arguments reads the parenthesis behind the macro's name at hand. busy tells that it holds brackets, semicolons or
// keywords that belong to statements; end is the offset behind it. It reports false when the parenthesis cannot be read.
func (p *parser) arguments() (args [][]macroToken, busy bool, end int, ok bool) {
	l := p.sub(p.Pos)
	l.Next(false) // the parenthesis
	depth := 0
	args = [][]macroToken{nil}
	for {
		l.Next(false)
		k := l.Tok.Kind
		last := &args[len(args)-1]
		switch {
		case k == ctext.EOF:
			return nil, false, 0, false
		case k == ctext.Hash:
			line := ctext.LineEnd(p.Text, l.Tok.End)
			switch word, i := ctext.NextWord(p.Text, l.Tok.End, line); string(word) {
			case "pragma":
				if s, _ := ctext.NextWord(p.Text, i, line); string(s) == "omp" || string(s) == "pomp" {
					p.fail(l.Tok.Start, "a directive stands in the arguments of macro "+string(p.tokenText()),
						"move it out of the arguments, or write the macro's text in its place")
				}
			case "define", "undef", "line", "error", "warning":
			default: // #if: there are as many readings as branches
				return nil, false, 0, false
			}
			l.Pos, l.AtLineStart = line, true
			continue
		case k == ')' && depth == 0:
			return args, busy, l.Tok.End, true
		case k == ',' && depth == 0:
			args = append(args, nil)
			continue
		case k == '(':
			depth++
		case k == ')':
			depth--
		case k == '{', k == '}', k == ';', k >= ctext.If && structural(k):
			busy = true
		}
		text := l.Tok.Text
		if text == nil {
			text = p.Text[l.Tok.Start:l.Tok.End]
		}
		*last = append(*last, macroToken{kind: k, param: -1, text: text})
	}
}

// hidden lists the macros whose expansion is under way: their names are not expanded again.
type hidden struct {
	def  *macro
	next *hidden
}

func (h *hidden) has(m *macro) bool {
	for ; h != nil; h = h.next {
		if h.def == m {
			return true
		}
	}
	return false
}

// maxExpansionDepth bounds macros within macros.
const maxExpansionDepth = 200

// spend counts n tokens and reports false when the budget is used up.
func (ms *macros) spend(n int) bool {
	ms.budget -= n
	return ms.budget >= 0
}

// expansion is what m with args stands for, with the macros in it expanded as well.
func (ms *macros) expansion(m *macro, args [][]macroToken, hide *hidden, depth int) []macroToken {
	if depth > maxExpansionDepth {
		ms.budget = -1
		return nil
	}
	body := ms.lexBody(m)
	out := make([]macroToken, 0, len(body)+8)
	for i := 0; i < len(body) && ms.spend(1); i++ {
		t := body[i]
		pasted := i+1 < len(body) && isPaste(body[i+1]) || i > 0 && isPaste(body[i-1])
		switch {
		case isPaste(t):
			continue
		case t.kind == '#' && m.funcLike && i+1 < len(body) && body[i+1].param >= 0:
			out = append(out, macroToken{kind: ctext.String, param: -1, text: []byte(`""`)})
			i++
			continue
		case t.param < 0 || args == nil:
			out = ms.add(out, t, i > 0 && isPaste(body[i-1]))
			continue
		}
		arg := m.argument(args, int(t.param))
		if !pasted {
			arg = ms.rescan(arg, hide, depth+1)
		}
		for k, a := range arg {
			out = ms.add(out, a, k == 0 && i > 0 && isPaste(body[i-1]))
		}
		if !ms.spend(len(arg)) {
			return nil
		}
	}
	return ms.rescan(out, &hidden{m, hide}, depth+1)
}

// add appends t to out, or joins it with the last token.
func (ms *macros) add(out []macroToken, t macroToken, paste bool) []macroToken {
	if !paste || len(out) == 0 {
		return append(out, t)
	}
	last := &out[len(out)-1]
	joined := append(append([]byte(nil), last.text...), t.text...)
	l := ms.lexer(joined)
	if l.Next(false); l.Tok.End != len(joined) || l.Tok.Kind == ctext.EOF || l.Tok.Kind == ctext.Hash {
		return append(out, t)
	}
	*last = macroToken{kind: l.Tok.Kind, param: -1, text: joined}
	return out
}

// rescan expands the macros in toks.
func (ms *macros) rescan(toks []macroToken, hide *hidden, depth int) []macroToken {
	var out []macroToken
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		var def *macro
		if t.kind >= ctext.Word && t.kind != ctext.String && t.kind != ctext.Number && len(t.text) > 0 && ctext.IsWord[t.text[0]] {
			if s := ms.words.Find(t.text); s != nil {
				if def = ms.newest(s); def == nil || hide.has(def) {
					t.kind = s.Kind
				}
			}
		}
		if def == nil || hide.has(def) {
			if t.kind == ctext.Macro {
				t.kind = ctext.Word
			}
			if out != nil || t.kind != toks[i].kind {
				if out == nil {
					out = append(make([]macroToken, 0, len(toks)+8), toks[:i]...)
				}
				out = append(out, t)
			}
			continue
		}
		var args [][]macroToken
		next := i
		if def.funcLike {
			if args, next = splitArguments(toks, i+1); args == nil {
				t.kind = ctext.Word
				if out == nil {
					out = append(make([]macroToken, 0, len(toks)+8), toks[:i]...)
				}
				out = append(out, t)
				continue
			}
		}
		if out == nil {
			out = append(make([]macroToken, 0, len(toks)+8), toks[:i]...)
		}
		e := ms.expansion(def, args, hide, depth+1)
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

// splitArguments reads the parenthesis at toks[i] and gives the index of its end; nil when there is none.
func splitArguments(toks []macroToken, i int) ([][]macroToken, int) {
	if i >= len(toks) || toks[i].kind != '(' {
		return nil, 0
	}
	args := [][]macroToken{nil}
	depth := 0
	for i++; i < len(toks); i++ {
		switch k := toks[i].kind; {
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
