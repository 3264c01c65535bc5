package macro

import (
	"bytes"

	"opari/parse/ctext"
)

// Definition is one definition of a macro. Only structural ones are ever expanded: those that hold brackets, semicolons or
// keywords, in their body or in the arguments of a use, and so change where statements start and end.
type Definition struct {
	Name     string
	FuncLike bool
	params   []string // the last is "..." or "args..." in a variadic one
	Body     []byte
	tokens   []Token
	lexed    bool
	Branch   int32       // the #if branch of the definition; FromHeader for one from a header
	Older    *Definition // another definition that may be in force, made before this one
	version  int         // structural was found out for this version of the table
	shape    shape
	busy     bool
}

// Token is a token of a macro's body or argument.
type Token struct {
	Kind  ctext.Kind
	Param int16 // index of the parameter that it names, or -1
	Text  []byte
}

// shape is what a macro's body means for structure.
type shape uint8

// The shapes.
const (
	Plain      shape = iota // as good as a word or a call
	Empty                   // nothing
	Pasted                  // tokens are made with ##: only its expansion tells
	Structural              //
)

// Read reads NAME, NAME(params) and body; nil when there is no name.
func Read(text []byte, i, end int) *Definition {
	name, i := ctext.NextWord(text, i, end)
	if len(name) == 0 {
		return nil
	}
	m := &Definition{Name: string(name)}
	if i < end && text[i] == '(' {
		m.FuncLike = true
		n := bytes.IndexByte(text[i:end], ')')
		if n < 0 {
			return nil
		}
		for q := range bytes.SplitSeq(text[i+1:i+n], []byte{','}) {
			q = bytes.TrimSpace(bytes.ReplaceAll(bytes.ReplaceAll(q, []byte("\\\r\n"), nil), []byte("\\\n"), nil))
			if len(q) > 0 {
				m.params = append(m.params, string(q))
			}
		}
		i += n + 1
	}
	m.Body = text[i:end]
	return m
}

// Param is the index of the parameter called word, or -1.
func (m *Definition) param(word []byte) int16 {
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

func (m *Definition) variadic() bool {
	n := len(m.params)
	return n > 0 && bytes.HasSuffix([]byte(m.params[n-1]), []byte("..."))
}

// argument is the i-th argument; the last one of a variadic macro has all the rest.
func (m *Definition) argument(args [][]Token, i int) []Token {
	if i >= len(args) {
		return nil
	}
	if i != len(m.params)-1 || !m.variadic() {
		return args[i]
	}
	var all []Token
	for k := i; k < len(args); k++ {
		if k > i {
			all = append(all, Token{Kind: ',', Param: -1, Text: []byte{','}})
		}
		all = append(all, args[k]...)
	}
	return all
}

func isPaste(t Token) bool { return t.Kind == ctext.Op && string(t.Text) == "##" }

// IsStructural reports whether a word of this kind changes where statements start and end.
func IsStructural(k ctext.Kind) bool {
	switch k {
	case ctext.Jump, ctext.Throw, ctext.Constexpr, ctext.Expr:
		return false
	case ctext.PragmaOperator:
		return true
	}
	return k >= ctext.If
}

// FromHeader marks definitions from headers, whose conditions are not looked at.
const FromHeader = -1
