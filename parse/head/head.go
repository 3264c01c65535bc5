// Package head reads the heads of functions, namespaces and classes in C and C++: the text before
// the opening brace. It decides whether a function's body may be instrumented, and under which
// name.
//
// Reader.Read cuts a head into parts: words, brackets with all they enclose, and operators. The
// name is what precedes the parameters; the parts after them must be ones that the grammar allows
// there. For
//
//	static inline int A::f(int x) const noexcept {
//
// the name is "A::f", and Typed, Inline and Static are set. If the grammar does not know the
// head, Reason says why, and the function is left alone.
package head

import (
	"slices"
	"strings"

	"opari/parse/ctext"
	"opari/parse/macro"
)

// Function is the result of reading the text before a function's body.
type Function struct {
	Name      string // as written, without template arguments: "f", "A::f", "A::~A", "operator+"
	NameStart int    // where the name starts; 0 if unknown
	Reason    string // why this is not taken for the head of a function; or ""
	IsClass   bool   // this is the head of a class
	Special   string // why the function must be left alone, such as "attribute naked"; or ""
	Typed     bool   // the name has a type before it
	Inline    bool
	Static    bool
	OldStyle  bool // declarations of the parameters follow the parenthesis
	// Callers need not write its name, as for operators, constructors and destructors.
	Unnamed bool
}

// Reader reads the heads of functions, namespaces and classes in a text.
type Reader struct {
	Text         []byte
	CPlusPlus    bool // the text is C++
	Preprocessed bool
	Macros       *macro.Table
}

const (
	notPlain = "its head is not plain: a macro or #if may stand in it"
	byMacro  = "its head comes from a macro"
)

// Read reads the head of a function, from start to the brace at offset end.
func (r *Reader) Read(start, end int) Function {
	var h Function
	parts := r.headParts(start, end, &h)
	if h.Reason != "" {
		return h
	}
	at := -1 // the index of the parameters
	for i, q := range parts {
		if i > 0 && q.kind == '(' &&
			(parts[i-1].kind == ctext.Word || parts[i-1].kind == ctext.Operator) {
			at = i
			break
		}
		if q.kind == ':' || q.kind == ctext.Arrow {
			break
		}
	}
	if at < 0 {
		h.Reason = byMacro
		h.IsClass = slices.ContainsFunc(parts, func(q headPart) bool { return q.kind == ctext.Tag })
		return h
	}
	before, name, rest := r.nameParts(parts, at)
	for _, q := range name {
		h.Name += q.text
	}
	h.NameStart = name[0].start
	last := name[len(name)-1]
	if n := len(name); last.kind == ctext.Operator || n > 1 && name[n-2].kind == '~' ||
		n > 2 && name[n-2].kind == ctext.Scope && name[n-3].text == last.text {
		h.Unnamed = true
	}
	for _, q := range before {
		h.Typed = h.Typed || q.kind == ctext.Tag || q.kind == ctext.Attribute ||
			q.kind == ctext.Macro || q.kind == '*' || q.kind == '&' ||
			q.kind == ctext.Word && !isSpecifier[q.text]
	}
	switch {
	case r.holdsDeclarator(parts[at]):
		h.Reason = r.pointerDeclarator(&h, parts[at], rest)
	case noName[last.text]:
		h.Name, h.NameStart, h.Reason = "", 0, notPlain
	case !r.mayFollow(rest, before, &h):
		h.Reason = notPlain
	}
	return h
}

// nameParts divides a head at its parameters, parts[at]: into what precedes the name, the name
// with its scopes, and what follows the parameters.
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
			return !slices.ContainsFunc(rest[i:], func(q headPart) bool { return q.kind == ';' }) &&
				!bodyEnded(rest[i:])
		case '&', ctext.Attribute, ctext.Try:
		case ctext.Macro, ctext.Word:
			if !afterParameters[q.text] &&
				(tag || r.Preprocessed || q.text != strings.ToUpper(q.text)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// bodyEnded reports whether a word follows braces. If so, the braces were no initialisers but
// ended an earlier definition.
func bodyEnded(parts []headPart) bool {
	for i, q := range parts[1:] {
		if parts[i].kind == '{' &&
			q.kind >= ctext.Word && q.kind != ctext.Op && q.kind != ctext.Arrow {
			return true
		}
	}
	return false
}

// holdsDeclarator reports whether the parenthesis q encloses the declarator and not the
// parameters, as in int (*f(void))[3].
func (r *Reader) holdsDeclarator(q headPart) bool {
	switch r.Text[ctext.AfterBlanks(r.Text, q.start+1)] {
	case '*', '&', '(':
		return true
	}
	return false
}

// pointerDeclarator sets the name of a function whose declarator is q, as in int (*f(void))[3] {.
// It returns the reason if this is no function: int (*f)(void) { is a variable.
func (r *Reader) pointerDeclarator(h *Function, q headPart, rest []headPart) string {
	i := q.start + 1
	for i < q.end && (ctext.IsBlank(r.Text[i]) || r.Text[i] == '*') {
		i++
	}
	j := i
	for j < q.end && ctext.IsWord[r.Text[j]] {
		j++
	}
	if j == i || r.Text[ctext.AfterBlanks(r.Text, j)] != '(' ||
		len(rest) != 1 || rest[0].kind != '(' && rest[0].kind != '[' {
		h.Name, h.NameStart = "", 0
		return notPlain
	}
	h.Name, h.NameStart, h.Typed, h.Unnamed = string(r.Text[i:j]), i, true, false
	return ""
}

// ScopeName returns the name of the namespace or class whose head goes from start to the brace at
// end. It is "" for extern "C".
func (r *Reader) ScopeName(start, end int) string {
	var h Function
	name, kindOf := "", ""
	for _, q := range r.headParts(start, end, &h) {
		switch {
		case q.kind == ctext.Namespace || q.kind == ctext.Tag:
			name, kindOf = "", q.text
		case kindOf == "":
		case q.kind == ':':
			kindOf = "" // the base classes follow
			if name == "" {
				name = "(anonymous)"
			}
		case q.kind == ctext.Scope:
			name += "::"
		case q.kind == ctext.Word && q.text != "final":
			if name != "" && !strings.HasSuffix(name, ":") {
				name = "" // the word before it was a macro
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
	// isSpecifier holds the words that may precede the name of a constructor.
	isSpecifier = setOf("inline __inline __inline__ __forceinline static virtual friend extern " +
		"constexpr consteval register _Noreturn export")
	// afterParameters holds the words that may follow the parameters of a C++ function.
	afterParameters = setOf("const volatile override final mutable __restrict __restrict__")
	// noName holds words that the lexer gives as Word but that name no function.
	noName = setOf("void int char short long float double signed unsigned bool _Bool auto const " +
		"volatile static inline extern register return if for while switch catch sizeof __inline " +
		"__inline__ __const __volatile__ typename typedef using virtual friend mutable")
)
