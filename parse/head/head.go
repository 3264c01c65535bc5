// Package head reads the heads of functions, namespaces and classes.
package head

import (
	"bytes"
	"slices"
	"strings"

	"opari/parse/ctext"
	"opari/parse/macro"
)

// Function is what the text before a function's body says.
type Function struct {
	Name     string // as it is written there, without template arguments: "f", "A::f", "A::~A", "operator+"
	At       int    // where the name starts; 0: not known
	Reason   string // why it is not taken for a function's head; ""
	None     bool   // it is that of a class
	Special  string // why the function must be left alone: "naked"
	Typed    bool   // a type stands before the name
	Inline   bool
	Static   bool
	OldStyle bool // the parameters' declarations follow the parenthesis
	Unnamed  bool // it is called without its name, too
}

// Reader reads the heads of functions, namespaces and classes in a text.
type Reader struct {
	Text         []byte
	CPlusPlus    bool // C++
	Preprocessed bool
	Macros       *macro.Table
}

const (
	notPlain = "its head is not plain: a macro or #if may stand in it"
	byMacro  = "its head comes from a macro"
)

// headPart is a word, a bracket with all in it, or an operator in a head, outside of brackets. Its kind is Word, Attribute for a word with
// its parenthesis such as decltype(x), '(', '[', '{', Operator with the operator's name, or that of the token.
type headPart struct {
	kind       ctext.Kind
	start, end int
	text       string
}

// Read reads the head of a function from start up to the brace at offset end.
func (r *Reader) Read(start, end int) Function {
	var h Function
	parts := r.headParts(start, end, &h)
	if h.Reason != "" {
		return h
	}
	at := -1 // of the parameters
	for i, q := range parts {
		if i > 0 && q.kind == '(' && (parts[i-1].kind == ctext.Word || parts[i-1].kind == ctext.Operator) {
			at = i
			break
		}
		if q.kind == ':' || q.kind == ctext.Arrow {
			break
		}
	}
	if at < 0 {
		h.Reason = byMacro
		h.None = slices.ContainsFunc(parts, func(q headPart) bool { return q.kind == ctext.Tag })
		return h
	}
	before, name, rest := r.nameParts(parts, at)
	for _, q := range name {
		h.Name += q.text
	}
	h.At = name[0].start
	last := name[len(name)-1]
	if n := len(name); last.kind == ctext.Operator || n > 1 && name[n-2].kind == '~' || n > 2 && name[n-2].kind == ctext.Scope && name[n-3].text == last.text {
		h.Unnamed = true
	}
	for _, q := range before {
		h.Typed = h.Typed || q.kind == ctext.Tag || q.kind == ctext.Attribute || q.kind == ctext.Macro || q.kind == '*' || q.kind == '&' || q.kind == ctext.Word && !isSpecifier[q.text]
	}
	switch {
	case r.pointsInside(parts[at]):
		h.Reason = r.pointerDeclarator(&h, parts[at], rest)
	case noName[last.text]:
		h.Name, h.At, h.Reason = "", 0, notPlain
	case !r.mayFollow(rest, before, &h):
		h.Reason = notPlain
	}
	return h
}

// nameParts parts a head at its parameters, parts[at]: what stands before the name, the name with its scopes, what follows the
// parameters.
func (r *Reader) nameParts(parts []headPart, at int) (before, name, rest []headPart) {
	i := at - 1
	if i > 0 && parts[i-1].kind == '~' {
		i--
	}
	for i > 0 && parts[i-1].kind == ctext.Scope {
		i--
		if i > 0 && parts[i-1].kind == ctext.Word && !noName[parts[i-1].text] {
			i--
		} else {
			break
		}
	}
	return parts[:i], parts[i:at], parts[at+1:]
}

// mayFollow reports whether rest may stand between the parameters and the body.
func (r *Reader) mayFollow(rest, before []headPart, h *Function) bool {
	if !r.CPlusPlus {
		n := len(rest)
		h.OldStyle = n > 0 && rest[n-1].kind == ';'
		for _, q := range rest {
			if !h.OldStyle && q.kind != ctext.Attribute {
				return false
			}
		}
		return true
	}
	tag := false
	for _, q := range before {
		tag = tag || q.kind == ctext.Tag
	}
	for i, q := range rest {
		switch q.kind {
		case ctext.Arrow, ':', ctext.Requires:
			return !slices.ContainsFunc(rest[i:], func(q headPart) bool { return q.kind == ';' }) && !goesOn(rest[i:])
		case '&', ctext.Attribute, ctext.Try:
		case ctext.Macro, ctext.Word:
			if !behindParameters[q.text] && (tag || r.Preprocessed || q.text != strings.ToUpper(q.text)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// goesOn reports whether a word follows braces, so that they were not initialisers: what came before was a definition by itself.
func goesOn(parts []headPart) bool {
	for i, q := range parts[1:] {
		if parts[i].kind == '{' && q.kind >= ctext.Word && q.kind != ctext.Op && q.kind != ctext.Arrow {
			return true
		}
	}
	return false
}

// pointsInside reports whether the parenthesis is not that of parameters but holds the declarator: int (*f(void))[3].
func (r *Reader) pointsInside(q headPart) bool {
	switch r.Text[ctext.AfterBlanks(r.Text, q.start+1)] {
	case '*', '&', '(':
		return true
	}
	return false
}

// pointerDeclarator gives h the name of a function whose declarator is q, as in int (*f(void))[3] {, and tells why it is none: int (*f)(void) {
// is a variable.
func (r *Reader) pointerDeclarator(h *Function, q headPart, rest []headPart) string {
	i := q.start + 1
	for i < q.end && (ctext.IsBlank(r.Text[i]) || r.Text[i] == '*') {
		i++
	}
	j := i
	for j < q.end && ctext.IsWord[r.Text[j]] {
		j++
	}
	if j == i || r.Text[ctext.AfterBlanks(r.Text, j)] != '(' || len(rest) != 1 || rest[0].kind != '(' && rest[0].kind != '[' {
		h.Name, h.At = "", 0
		return notPlain
	}
	h.Name, h.At, h.Typed, h.Unnamed = string(r.Text[i:j]), i, true, false
	return ""
}

// headParts cuts a head into its parts, and notes in h what the words tell.
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
			q.end = r.closing(l, end, h)
			if q.kind == '[' && l.Text[q.end-1] == ']' && l.Text[ctext.AfterBlanks(l.Text, q.start+1)] == '[' {
				r.attributeWords(q.start, q.end, h)
				continue
			}
		case '<':
			if !r.CPlusPlus {
				break
			}
			if n := len(parts); n > 0 && (parts[n-1].kind == ctext.Word || parts[n-1].kind == ctext.Template) {
				r.closing(l, end, h)
				if parts[n-1].kind == ctext.Template {
					parts = parts[:n-1]
				}
				continue
			}
		case ctext.Attribute, ctext.Asm, ctext.Throw, ctext.PragmaOperator:
			if i := ctext.AfterBlanks(l.Text, l.Pos); i < end && l.Text[i] == '(' {
				l.Next(false)
				q.end = r.closing(l, end, h)
				r.attributeWords(q.start, q.end, h)
			}
			if strings.HasPrefix(q.text, "__attribute") || q.text == "__declspec" || q.kind == ctext.Asm || q.kind == ctext.PragmaOperator {
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

// closing goes on to behind the bracket that closes the one at hand.
func (r *Reader) closing(l *ctext.Lexer, end int, h *Function) int {
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

// operatorName takes the name of an operator up to the parameters: operator+, operator(), operator bool.
func (r *Reader) operatorName(l *ctext.Lexer, end int, q *headPart) {
	for {
		i := ctext.AfterBlanks(l.Text, l.Pos)
		if i >= end {
			return
		}
		if l.Text[i] == '(' && (q.text != "operator" || l.Text[ctext.AfterBlanks(l.Text, i+1)] != ')') {
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

// macroInHead handles the use of a macro of the file in a head. It reports whether it is done with: one without arguments stands for
// words, one with arguments for words too unless the name of the function would be missing.
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
		r.closing(l, end, h)
	}
	q.kind = ctext.Macro
	return false
}

// headWord notes what a word of a head tells.
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

// attributeWords notes what attributes tell.
func (r *Reader) attributeWords(start, end int, h *Function) { r.attributeText(r.Text[start:end], h) }

func (r *Reader) attributeText(text []byte, h *Function) {
	for _, w := range []string{"naked", "no_instrument_function", "interrupt", "gnu_inline"} {
		if ctext.HasWord(text, w) || ctext.HasWord(text, "__"+w+"__") {
			h.Special = "attribute " + w
		}
	}
}

// ScopeName is the name of the namespace or class whose head stands from start to the brace at end; "" for extern "C".
func (r *Reader) ScopeName(start, end int) string {
	var h Function
	name, kindOf := "", ""
	for _, q := range r.headParts(start, end, &h) {
		switch {
		case q.kind == ctext.Namespace || q.kind == ctext.Tag:
			name, kindOf = "", q.text
		case kindOf == "":
		case q.kind == ':':
			kindOf = "" // what follows are the classes that it is made of
			if name == "" {
				name = "(anonymous)"
			}
		case q.kind == ctext.Scope:
			name += "::"
		case q.kind == ctext.Word && q.text != "final":
			if name != "" && !strings.HasSuffix(name, ":") {
				name = "" // before it stood a macro
			}
			name += q.text
		}
	}
	if name == "" && kindOf != "" {
		name = "(anonymous)"
	}
	return name
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

var (
	// isSpecifier holds what may stand before the name of a constructor.
	isSpecifier = setOf("inline __inline __inline__ __forceinline static virtual friend extern constexpr consteval register _Noreturn export")
	// behindParameters may stand between the parameters of a C++ function and its body.
	behindParameters = setOf("const volatile override final mutable __restrict __restrict__")
	// noName holds words that look like names and are none.
	noName = setOf("void int char short long float double signed unsigned bool _Bool auto const volatile static inline extern register return " +
		"if for while switch catch sizeof __inline __inline__ __const __volatile__ typename typedef using virtual friend mutable")
)
