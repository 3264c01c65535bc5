package head

import (
	"bytes"
	"strings"

	"opari/parse/ctext"
)

// headPart is a part of a head outside brackets: a word, a bracket with all it encloses, or an
// operator. Its kind is one of
//
//	Word, '(', '[', '{'
//	Attribute, for a word with its parentheses such as decltype(x)
//	Operator, for `operator` with its symbol
//
// or the token's own kind.
type headPart struct {
	kind       ctext.Kind
	start, end int
	text       string
}

// headParts cuts a head into its parts, and records in h what its words say about the function.
func (r *Reader) headParts(start, end int, h *Function) []headPart {
	var parts []headPart
	l := r.Macros.Lexer(r.Text)
	l.Pos = start
	l.AtLineStart = true
	for h.Reason == "" {
		l.Next(false)
		if l.Tok.Kind == ctext.EOF || l.Tok.Start >= end {
			break
		}
		q := headPart{l.Tok.Kind, l.Tok.Start, l.Tok.End, string(l.Text[l.Tok.Start:l.Tok.End])}
		if l.Tok.Text != nil {
			q.text = string(l.Tok.Text)
		}
		switch q.kind {
		case ctext.Hash:
			l.Pos, l.AtLineStart = ctext.LineEnd(l.Text, l.Tok.End), true
			continue
		case '(', '{', '[':
			q.end = r.skipBracket(l, end, h)
			if q.kind == '[' && l.Text[q.end-1] == ']' &&
				l.Text[ctext.AfterBlanks(l.Text, q.start+1)] == '[' {
				r.attributeWords(q.start, q.end, h)
				continue
			}
		case '<':
			if !r.CPlusPlus {
				break
			}
			if n := len(parts); n > 0 &&
				(parts[n-1].kind == ctext.Word || parts[n-1].kind == ctext.Template) {
				r.skipBracket(l, end, h)
				if parts[n-1].kind == ctext.Template {
					parts = parts[:n-1]
				}
				continue
			}
		case ctext.Attribute, ctext.Asm, ctext.Throw, ctext.PragmaOperator:
			if i := ctext.AfterBlanks(l.Text, l.Pos); i < end && l.Text[i] == '(' {
				l.Next(false)
				q.end = r.skipBracket(l, end, h)
				r.attributeWords(q.start, q.end, h)
			}
			if strings.HasPrefix(q.text, "__attribute") || q.text == "__declspec" ||
				q.kind == ctext.Asm || q.kind == ctext.PragmaOperator {
				continue
			}
			q.kind = ctext.Attribute
		case ctext.Operator:
			r.operatorName(l, end, &q)
		case ctext.Macro:
			if r.macroInHead(l, &q, end, h) {
				continue
			}
		case ctext.Lock:
			q.kind = ctext.Word
		case ctext.String, ctext.Extern, ctext.Prefix:
			continue
		}
		if q.kind == ctext.Word {
			r.headWord(q.text, h)
		}
		parts = append(parts, q)
	}
	return parts
}

// skipBracket moves the lexer past the bracket that closes the current one. It returns the offset
// after it.
func (r *Reader) skipBracket(l *ctext.Lexer, end int, h *Function) int {
	open := l.Tok.Kind
	closer := map[ctext.Kind]ctext.Kind{'(': ')', '{': '}', '[': ']', '<': '>'}[open]
	depth := []ctext.Kind{closer}
	for len(depth) > 0 {
		l.Next(false)
		k := l.Tok.Kind
		switch {
		case k == ctext.EOF || l.Tok.Start >= end:
			h.Reason = notPlain
			return end
		case k == ctext.Hash:
			l.Pos, l.AtLineStart = ctext.LineEnd(l.Text, l.Tok.End), true
		case k == '(':
			depth = append(depth, ')')
		case k == '{':
			depth = append(depth, '}')
		case k == '[':
			depth = append(depth, ']')
		case k == '<' && depth[len(depth)-1] == '>':
			depth = append(depth, '>')
		case k == depth[len(depth)-1]:
			depth = depth[:len(depth)-1]
		}
	}
	return l.Tok.End
}

// operatorName adds the name of an operator to q, up to the parameters: operator+, operator(),
// operator bool.
func (r *Reader) operatorName(l *ctext.Lexer, end int, q *headPart) {
	for {
		i := ctext.AfterBlanks(l.Text, l.Pos)
		if i >= end {
			return
		}
		if l.Text[i] == '(' &&
			(q.text != "operator" || l.Text[ctext.AfterBlanks(l.Text, i+1)] != ')') {
			return
		}
		l.Next(false)
		word := string(l.Text[l.Tok.Start:l.Tok.End])
		if ctext.IsWord[word[0]] && ctext.IsWord[q.text[len(q.text)-1]] {
			q.text += " "
		}
		if q.text += word; word == "(" {
			l.Next(false)
			q.text += ")"
		}
		q.end = l.Tok.End
	}
}

// macroInHead handles a use of a macro of the file in a head, arguments included. The words of
// its body count as specifiers; the macro cannot be the function's name. It reports true, and
// sets the reason, if a body has braces or semicolons.
func (r *Reader) macroInHead(l *ctext.Lexer, q *headPart, end int, h *Function) bool {
	newest := r.Macros.Newest(l.Words.Find([]byte(q.text)))
	if newest == nil {
		q.kind = ctext.Word
		return false
	}
	args := false
	for m := newest; m != nil; m = m.Older {
		args = args || m.FuncLike
		if bytes.ContainsAny(m.Body, "{};") {
			h.Reason = byMacro
			return true
		}
		for w := range ctext.WordsOf(m.Body) {
			r.headWord(w, h)
		}
		r.attributeText(m.Body, h)
	}
	if i := ctext.AfterBlanks(l.Text, l.Pos); args && i < end && l.Text[i] == '(' {
		l.Next(false)
		r.skipBracket(l, end, h)
	}
	q.kind = ctext.Macro
	return false
}

// headWord records what a word of a head says about the function.
func (r *Reader) headWord(word string, h *Function) {
	switch word {
	case "inline", "__inline", "__inline__", "__forceinline":
		h.Inline = true
	case "static":
		h.Static = true
	case "__global__", "__device__", "__kernel", "kernel":
		h.Special = "it may run on a device"
	case "_Noreturn", "noreturn":
	default:
		if !r.Preprocessed && word == strings.ToUpper(word) {
			switch {
			case strings.Contains(word, "INLINE"):
				h.Inline = true
			case strings.Contains(word, "CONSTEXPR"):
				h.Special = "it may be constexpr"
			}
		}
	}
}

// attributeWords records what attributes say about the function.
func (r *Reader) attributeWords(start, end int, h *Function) {
	r.attributeText(r.Text[start:end], h)
}

func (r *Reader) attributeText(text []byte, h *Function) {
	for _, w := range []string{"naked", "no_instrument_function", "interrupt", "gnu_inline"} {
		if ctext.HasWord(text, w) || ctext.HasWord(text, "__"+w+"__") {
			h.Special = "attribute " + w
		}
	}
}
