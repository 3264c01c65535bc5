package parse

import (
	"bytes"

	"opari/parse/ctext"
)

// Macro is one definition of a macro. Only structural ones are ever expanded: those that hold brackets, semicolons or
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

// macroToken is a token of a macro's body or argument.
type macroToken struct {
	kind  ctext.Kind
	param int16 // index of the parameter that it names, or -1
	text  []byte
}

const (
	shapePlain      shape = iota // as good as a word or a call
	shapeEmpty                   // nothing
	shapePasted                  // tokens are made with ##: only its expansion tells
	shapeStructural              //
)

// shape is what a macro's body means for structure.
type shape uint8

// readDefinition reads NAME, NAME(params) and body; nil when there is no name.
func readDefinition(text []byte, i, end int) *macro {
	name, i := ctext.NextWord(text, i, end)
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

// argument is the i-th argument; the last one of a variadic macro has all the rest.
func (m *macro) argument(args [][]macroToken, i int) []macroToken {
	if i >= len(args) {
		return nil
	}
	if i != len(m.params)-1 || !m.variadic() {
		return args[i]
	}
	var all []macroToken
	for k := i; k < len(args); k++ {
		if k > i {
			all = append(all, macroToken{kind: ',', param: -1, text: []byte{','}})
		}
		all = append(all, args[k]...)
	}
	return all
}

func isPaste(t macroToken) bool { return t.kind == ctext.Op && string(t.text) == "##" }

// structural reports whether a word of this kind changes where statements start and end.
func structural(k ctext.Kind) bool {
	switch k {
	case ctext.Jump, ctext.Throw, ctext.Constexpr, ctext.Expr:
		return false
	case ctext.PragmaOperator:
		return true
	}
	return k >= ctext.If
}
