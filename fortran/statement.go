package fortran

import (
	"bytes"
	"strings"
)

// What a statement is, as far as extents depend on it. A statement that is none of these is plain: an action statement, a
// declaration, or the start or end of a construct that can neither be a loop nor hold the place of one statement.

// class is what a statement is.
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

// meaning is what classifying a statement tells.
type meaning struct {
	class
	name       string // of a unit
	label      string // of the statement that ends a labelled DO
	pure       bool   // a PURE procedure, or an ELEMENTAL one that is not IMPURE
	module     bool   // a module or a submodule
	separate   bool   // MODULE PROCEDURE name: a procedure in a submodule, in an interface block only the name of one
	concurrent bool   // DO CONCURRENT
	counted    bool   // DO I = ...
	external   bool   // IMPLICIT NONE (EXTERNAL), or a submodule: what is called must be declared
}

// classify tells what statement it is. header says that a program unit may start here.
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

// is reports whether the word w comes next. In free form a blank or no letter must follow it.
func (k *cursor) is(w string) bool {
	key := k.it.key[k.i:]
	if len(key) < len(w) || string(key[:len(w)]) != w {
		return false
	}
	n := k.i + len(w)
	return k.it.gap == nil || n >= len(k.it.key) || k.it.gap[n] || !isWord(k.it.key[n])
}

// take is is, and moves behind the word.
func (k *cursor) take(w string) bool {
	if !k.is(w) {
		return false
	}
	k.i += len(w)
	return true
}

// identifier reads the name that comes next; "" when none does.
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

// constructName moves behind the name of a construct, as in `outer: do`.
func (k *cursor) constructName() {
	save := k.i
	if name := k.identifier(); name != "" && k.i+1 < len(k.it.key) && k.it.key[k.i] == ':' && k.it.key[k.i+1] != ':' {
		k.i++
		return
	}
	k.i = save
}

// depth0 is the index from i on of the first byte of set outside parentheses, -1 for none.
func (k *cursor) depth0(i int, set string) int {
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

// isAssignment reports whether the statement assigns: an equals sign outside parentheses that compares nothing, behind
// something that a keyword with an attribute list is not.
func (k *cursor) isAssignment() bool {
	key := k.it.key
	i := k.depth0(k.i, "=")
	if i < 0 || i == k.i {
		return false
	}
	if c := key[i-1]; c == '=' || c == '/' || c == '<' || c == '>' {
		return false
	}
	if i+1 < len(key) && key[i+1] == '=' {
		return false
	}
	// What stands before it must be a designator: no ::, no comma, and no word behind a closing parenthesis, as in `if (a) b = c`.
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
		case depth == 0 && k.it.gap != nil && j > k.i && k.it.gap[j] && isWord(c) && isWord(key[j-1]):
			return false // two words
		}
	}
	return true
}

// do recognises the start of a loop: DO, DO 10, DO 10 I = ..., DO WHILE (...), DO CONCURRENT (...), Fortran 2018 [11.1.7.2].
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
	case bytes.HasPrefix(rest, []byte("while(")) && k.depth0(i, "=") < 0:
		return m, true
	case bytes.HasPrefix(rest, []byte("concurrent(")) && k.depth0(i, "=") < 0:
		m.concurrent = true
		return m, true
	case k.it.gap != nil && m.label == "" && isWord(rest[0]) && !k.it.gap[i]:
		return m, false // a longer word
	}
	eq := k.depth0(i, "=")
	m.counted = true
	return m, eq > i && k.depth0(eq, ",") > 0 && !bytes.ContainsAny(key[i:eq], "(:,")
}

// prefixes are the words that may stand before SUBROUTINE and FUNCTION, types apart.
var prefixes = []string{"pure", "elemental", "impure", "recursive", "non_recursive", "module"}

// types are the words of type specifications.
var types = []string{"doubleprecision", "doublecomplex", "integer", "real", "complex", "logical", "character", "type", "class", "byte"}

// unit recognises the statement that starts a program unit or a procedure.
func (k cursor) unit() (meaning, bool) {
	m := meaning{class: unitStart}
	switch {
	case k.take("program"):
		m.name = k.identifier()
		return m, m.name != "" && k.i == len(k.it.key)
	case k.take("submodule"): // what its ancestor says of implicit typing holds in it, and may stand in another file
		m.module, m.external = true, true
		return m, k.i < len(k.it.key) && k.it.key[k.i] == '('
	case k.take("blockdata") || string(k.it.key[k.i:min(len(k.it.key), k.i+9)]) == "blockdata":
		return m, true
	}
	if p := k; p.take("module") {
		if q := p; q.take("procedure") {
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
		case k.take("subroutine"):
			m.name = k.identifier()
			return m, m.name != "" && (k.i == len(k.it.key) || k.it.key[k.i] == '(' || bytes.HasPrefix(k.it.key[k.i:], []byte("bind(")))
		case k.take("function"):
			m.name = k.identifier()
			return m, m.name != "" && k.i < len(k.it.key) && k.it.key[k.i] == '('
		}
		word := ""
		for _, p := range prefixes {
			if k.take(p) {
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
		if found = k.take(t); found {
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

// isTypeDefinition recognises TYPE T, TYPE, EXTENDS(P) :: T and ENUM, BIND(C); TYPE(T) :: X and TYPE IS (T) are none.
func (k *cursor) isTypeDefinition() bool {
	rest := string(k.it.key[k.i:])
	if strings.HasPrefix(rest, "enum,bind(") {
		return true
	}
	if !k.is("type") || len(rest) == 4 {
		return false
	}
	after := rest[4:]
	return after[0] == ',' || after[0] == ':' || isWord(after[0]) && !strings.HasPrefix(after, "is(")
}

// ends says what the word behind END ends. What is not here ends nothing that matters.
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

// endMeaning tells what an END statement ends, by what stands behind END.
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
