package fortran

import (
	"bytes"
	"strings"
)

// This file classifies statements as far as extents depend on them. All other statements are
// plain: action statements, declarations, and the starts and ends of constructs that can neither
// be a loop nor count as one statement.

// class is the kind of a statement.
type class uint8

const (
	plainStatement class = iota
	unitStart            // program, module, submodule, subroutine, function, procedure, block data
	interfaceStart
	typeStart // a derived type, or an enumeration
	doStart
	blockStart
	ifStart // with then
	elsePart
	containsStatement
	useStatement // use, import
	implicitStatement
	unitEnd // end, end program, end subroutine, ...
	interfaceEnd
	typeEnd
	doEnd
	blockEnd
	ifEnd
)

// meaning is the result of classifying a statement.
type meaning struct {
	class
	name   string // of a unit
	label  string // of the statement that ends a labelled DO
	pure   bool   // a PURE procedure, or an ELEMENTAL one that is not IMPURE
	module bool   // a module or a submodule
	// separate says MODULE PROCEDURE name: a procedure in a submodule, but in an interface block
	// only the name of one.
	separate   bool
	concurrent bool // DO CONCURRENT
	counted    bool // DO I = ...
	// IMPLICIT NONE (EXTERNAL), or a submodule: procedures that it calls must be declared.
	external bool
}

// classify returns what the statement means. header says that a program unit may start here.
func (it *item) classify(header bool) meaning {
	k := cursor{it: it}
	k.constructName()
	if m, ok := k.do(); ok {
		return m
	}
	if k.isAssignment() {
		return meaning{}
	}
	if header {
		if m, ok := k.unit(); ok {
			return m
		}
	}
	rest := it.key[k.i:]
	switch {
	case bytes.HasPrefix(rest, []byte("end")): // no other statement starts so
		return endMeaning(string(rest[3:]))
	case bytes.HasPrefix(rest, []byte("if(")) && bytes.HasSuffix(rest, []byte(")then")):
		return meaning{class: ifStart}
	case string(rest) == "else" || bytes.HasPrefix(rest, []byte("elseif(")) || k.is("else"):
		return meaning{class: elsePart}
	case string(rest) == "block":
		return meaning{class: blockStart}
	case string(rest) == "contains":
		return meaning{class: containsStatement}
	case k.is("use"), k.is("import"):
		return meaning{class: useStatement}
	case k.is("implicit"):
		_, list, _ := bytes.Cut(rest, []byte("none("))
		return meaning{class: implicitStatement, external: bytes.Contains(list, []byte("external"))}
	case k.is("interface"), k.is("abstract") && bytes.HasPrefix(rest, []byte("abstractinterface")):
		return meaning{class: interfaceStart}
	case k.isTypeDefinition():
		return meaning{class: typeStart}
	}
	return meaning{}
}

// cursor reads a statement's key word by word.
type cursor struct {
	it *item
	i  int
}

// is reports whether the word w comes next. In free form a blank or a character other than a
// letter must follow it.
func (k *cursor) is(w string) bool {
	key := k.it.key[k.i:]
	if len(key) < len(w) || string(key[:len(w)]) != w {
		return false
	}
	n := k.i + len(w)
	return k.it.gap == nil || n >= len(k.it.key) || k.it.gap[n] || !isWord(k.it.key[n])
}

// accept moves past the word w if it comes next, and reports whether it did.
func (k *cursor) accept(w string) bool {
	if !k.is(w) {
		return false
	}
	k.i += len(w)
	return true
}

// identifier reads the next name. It returns "" when none follows.
func (k *cursor) identifier() string {
	key, i := k.it.key, k.i
	if i >= len(key) || isDigit(key[i]) {
		return ""
	}
	for i < len(key) && isWord(key[i]) && (i == k.i || k.it.gap == nil || !k.it.gap[i]) {
		i++
	}
	s := string(key[k.i:i])
	k.i = i
	return s
}

// constructName moves past the name of a construct, as in `outer: do`.
func (k *cursor) constructName() {
	save := k.i
	if name := k.identifier(); name != "" && k.i+1 < len(k.it.key) && k.it.key[k.i] == ':' &&
		k.it.key[k.i+1] != ':' {
		k.i++
		return
	}
	k.i = save
}

// indexOutsideParens returns the index, from i on, of the first byte of set outside parentheses,
// or -1 without one.
func (k *cursor) indexOutsideParens(i int, set string) int {
	depth := 0
	for ; i < len(k.it.key); i++ {
		switch c := k.it.key[i]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth == 0 && strings.IndexByte(set, c) >= 0:
			return i
		}
	}
	return -1
}

// isAssignment reports whether the statement is an assignment. It then has an equals sign outside
// parentheses that is no comparison, after something that is no keyword with an attribute list.
func (k *cursor) isAssignment() bool {
	key := k.it.key
	i := k.indexOutsideParens(k.i, "=")
	if i < 0 || i == k.i {
		return false
	}
	if c := key[i-1]; c == '=' || c == '/' || c == '<' || c == '>' {
		return false
	}
	if i+1 < len(key) && key[i+1] == '=' {
		return false
	}
	// The text before it must be a designator: no ::, no comma, and no word after a closing
	// parenthesis, as in `if (a) b = c`.
	depth := 0
	for j := k.i; j < i; j++ {
		switch c := key[j]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
			if depth == 0 && j+1 < i && isWord(key[j+1]) {
				return false
			}
		case depth == 0 && !isWord(c) && c != '%':
			return false
		case depth == 0 && k.it.gap != nil && j > k.i && k.it.gap[j] && isWord(c) &&
			isWord(key[j-1]):
			return false // two words
		}
	}
	return true
}

// do recognizes the start of a loop: DO, DO 10, DO 10 I = ..., DO WHILE (...), DO CONCURRENT
// (...), Fortran 2018 [11.1.7.2].
func (k *cursor) do() (meaning, bool) {
	key, i := k.it.key, k.i
	if !bytes.HasPrefix(key[i:], []byte("do")) {
		return meaning{}, false
	}
	i += 2
	m := meaning{class: doStart}
	start := i
	for i < len(key) && isDigit(key[i]) {
		i++
	}
	if i > start {
		m.label = label(key[start:i])
		if i < len(key) && key[i] == ',' {
			i++
		}
	} else if i < len(key) && key[i] == ',' {
		i++
	}
	rest := key[i:]
	switch {
	case len(rest) == 0:
		return m, true
	case bytes.HasPrefix(rest, []byte("while(")) && k.indexOutsideParens(i, "=") < 0:
		return m, true
	case bytes.HasPrefix(rest, []byte("concurrent(")) && k.indexOutsideParens(i, "=") < 0:
		m.concurrent = true
		return m, true
	case k.it.gap != nil && m.label == "" && isWord(rest[0]) && !k.it.gap[i]:
		return m, false // a longer word
	}
	eq := k.indexOutsideParens(i, "=")
	m.counted = true
	return m, eq > i && k.indexOutsideParens(eq, ",") > 0 && !bytes.ContainsAny(key[i:eq], "(:,")
}

// prefixes are the words, besides types, that may precede SUBROUTINE and FUNCTION.
var prefixes = []string{"pure", "elemental", "impure", "recursive", "non_recursive", "module"}

// types are the words of type specifications.
var types = []string{
	"doubleprecision", "doublecomplex", "integer", "real", "complex", "logical",
	"character", "type", "class", "byte",
}

// unit recognizes the statement that starts a program unit or a procedure.
func (k cursor) unit() (meaning, bool) {
	m := meaning{class: unitStart}
	switch {
	case k.accept("program"):
		m.name = k.identifier()
		return m, m.name != "" && k.i == len(k.it.key)
	case k.accept("submodule"):
		// Its ancestor's rules of implicit typing hold in it, and may stand in another file.
		m.module, m.external = true, true
		return m, k.i < len(k.it.key) && k.it.key[k.i] == '('
	case k.accept("blockdata") || string(k.it.key[k.i:min(len(k.it.key), k.i+9)]) == "blockdata":
		return m, true
	}
	if p := k; p.accept("module") {
		if q := p; q.accept("procedure") {
			if m.name = q.identifier(); m.name != "" && q.i == len(k.it.key) {
				m.separate = true
				return m, true
			}
		}
		m.module = true
		if m.name = p.identifier(); m.name != "" && p.i == len(k.it.key) {
			return m, true
		}
		m.module = false
	}
	return k.procedure(m)
}

// procedure reads the prefix and the name of a subroutine or a function.
func (k *cursor) procedure(m meaning) (meaning, bool) {
	impure, typed := false, false
	for k.i < len(k.it.key) {
		switch {
		case k.accept("subroutine"):
			m.name = k.identifier()
			return m, m.name != "" && (k.i == len(k.it.key) || k.it.key[k.i] == '(' ||
				bytes.HasPrefix(k.it.key[k.i:], []byte("bind(")))
		case k.accept("function"):
			m.name = k.identifier()
			return m, m.name != "" && k.i < len(k.it.key) && k.it.key[k.i] == '('
		}
		word := ""
		for _, p := range prefixes {
			if k.accept(p) {
				word = p
				break
			}
		}
		switch word {
		case "impure":
			impure, m.pure = true, false
		case "pure":
			m.pure = true
		case "elemental":
			m.pure = !impure
		case "":
			if typed || !k.typeSpec() {
				return m, false
			}
			typed = true
		}
	}
	return m, false
}

// typeSpec reads INTEGER, REAL(8), CHARACTER*(*), TYPE(T) and the like.
func (k *cursor) typeSpec() bool {
	found := false
	for _, t := range types {
		if found = k.accept(t); found {
			break
		}
	}
	if !found {
		return false
	}
	key := k.it.key
	if k.i < len(key) && key[k.i] == '*' {
		k.i++
		for k.i < len(key) && isDigit(key[k.i]) {
			k.i++
		}
	}
	if k.i < len(key) && key[k.i] == '(' {
		depth := 0
		for k.i < len(key) {
			if key[k.i] == '(' {
				depth++
			} else if key[k.i] == ')' {
				depth--
			}
			k.i++
			if depth == 0 {
				break
			}
		}
	}
	return true
}

// isTypeDefinition recognizes TYPE T, TYPE, EXTENDS(P) :: T and ENUM, BIND(C). TYPE(T) :: X and
// TYPE IS (T) are no definitions.
func (k *cursor) isTypeDefinition() bool {
	rest := string(k.it.key[k.i:])
	if strings.HasPrefix(rest, "enum,bind(") {
		return true
	}
	if !k.is("type") || len(rest) == 4 {
		return false
	}
	after := rest[4:]
	return after[0] == ',' || after[0] == ':' ||
		isWord(after[0]) && !strings.HasPrefix(after, "is(")
}

// ends says what END followed by the word ends. All other END statements are irrelevant.
var ends = []struct {
	word string
	class
}{
	{"do", doEnd},
	{"if", ifEnd},
	{"blockdata", unitEnd},
	{"block", blockEnd},
	{"program", unitEnd},
	{"module", unitEnd},
	{"submodule", unitEnd},
	{"subroutine", unitEnd},
	{"function", unitEnd},
	{"procedure", unitEnd},
	{"interface", interfaceEnd},
	{"type", typeEnd},
	{"enum", typeEnd},
}

// endMeaning returns what an END statement ends, by the text after END.
func endMeaning(rest string) meaning {
	if rest == "" {
		return meaning{class: unitEnd}
	}
	for _, e := range ends {
		if strings.HasPrefix(rest, e.word) {
			return meaning{class: e.class}
		}
	}
	return meaning{}
}
