package branch

import (
	"strings"

	"opari/parse/ctext"
)

// Condition is the condition of an #if, as far as this package understands it.
type Condition struct {
	Op    byte // '!', '&' or '|'; 0 for an atom or a constant
	Args  []*Condition
	Atom  int32 // the number of its text; -1 for a constant
	value truth
}

type truth uint8

// The knowledge about a condition.
const (
	Unknown truth = iota
	IsTrue
	IsFalse
)

func (t truth) not() truth { return [...]truth{Unknown, IsFalse, IsTrue}[t] }

// Assumption is an element in a list of assumptions: the value that a state of the parser takes
// an atom to have.
type Assumption struct {
	atom  int32
	value truth
	size  uint8 // the length of the list
	next  *Assumption
}

// maxAssumptions bounds what a state remembers. If a state forgets an assumption, it follows more
// branches than necessary, never fewer.
const maxAssumptions = 48

// assume adds an assumption to list s.
func assume(atom int32, value truth, s *Assumption) *Assumption {
	if s == nil {
		return &Assumption{atom, value, 1, nil}
	}
	if s.size >= maxAssumptions {
		s = s.newest(maxAssumptions / 2)
	}
	return &Assumption{atom, value, s.size + 1, s}
}

// newest returns a list of the n newest assumptions of s.
func (s *Assumption) newest(n int) *Assumption {
	if s == nil || n == 0 {
		return nil
	}
	return assume(s.atom, s.value, s.next.newest(n-1))
}

// Conditions numbers the atoms of a file's conditions by their texts.
type Conditions struct {
	CPlusPlus bool // the text is C++
	atoms     map[string]int32
	texts     []string // the texts of the atoms
}

// Clear forgets all atoms.
func (cs *Conditions) Clear() {
	clear(cs.atoms)
	cs.texts = cs.texts[:0]
}

// Atom returns the number of a condition's text. Numbers go up in steps of two, because atom n+1
// is `defined X` if n is `X`.
func (cs *Conditions) Atom(text string) int32 {
	if n, ok := cs.atoms[text]; ok {
		return n
	}
	if cs.atoms == nil {
		cs.atoms = map[string]int32{}
	}
	n := int32(2 * len(cs.texts))
	cs.atoms[text] = n
	cs.texts = append(cs.texts, text)
	return n
}

// NamelessAtom returns a new atom for a condition that has no text.
func (cs *Conditions) NamelessAtom() int32 {
	cs.texts = append(cs.texts, "")
	return int32(2*len(cs.texts) - 2)
}

// Read reads the text of a condition. kind is "" for #if, or "def" or "ndef".
func (cs *Conditions) Read(kind, text string) *Condition {
	text = strings.Join(strings.Fields(text), " ")
	switch kind {
	case "def", "ndef":
		name, _, _ := strings.Cut(text, " ")
		c := cs.defined(name)
		if kind == "ndef" {
			c = &Condition{Op: '!', Args: []*Condition{c}}
		}
		return c
	}
	if len(text) > 4000 {
		text = text[:4000] // a generated condition; its start is enough to name it
	}
	return cs.expression(text, 0)
}

// defined returns the condition `defined name`.
func (cs *Conditions) defined(name string) *Condition {
	switch name {
	case "_OPENMP":
		return &Condition{Atom: -1, value: IsTrue}
	case "__cplusplus":
		return cs.Constant(cs.CPlusPlus)
	}
	return &Condition{Atom: cs.Atom(name) + 1}
}

// Constant returns a condition with a known value.
func (cs *Conditions) Constant(b bool) *Condition {
	if b {
		return &Condition{Atom: -1, value: IsTrue}
	}
	return &Condition{Atom: -1, value: IsFalse}
}

// expression reads a condition. Whatever it does not understand becomes an atom.
func (cs *Conditions) expression(text string, depth int) *Condition {
	text = strings.TrimSpace(text)
	if depth > 20 || strings.ContainsAny(text, "?'\"") {
		return &Condition{Atom: cs.Atom(text)}
	}
	for _, op := range []string{"||", "&&"} {
		if parts := splitTop(text, op); len(parts) > 1 {
			c := &Condition{Op: op[0], Atom: cs.Atom(text)}
			for _, part := range parts {
				c.Args = append(c.Args, cs.expression(part, depth+1))
			}
			return c
		}
	}
	switch {
	case text == "":
		return cs.Constant(false)
	case text[0] == '!' && !strings.ContainsAny(unwrapped(text[1:]), "=<>+-*/%&|^"):
		return &Condition{Op: '!', Args: []*Condition{cs.expression(text[1:], depth+1)}}
	case text[0] == '(' && closing(text) == len(text)-1:
		return cs.expression(text[1:len(text)-1], depth+1)
	case strings.HasPrefix(text, "defined") && (len(text) == 7 || !ctext.IsWord[text[7]]):
		name := strings.Trim(text[7:], " ()")
		if name != "" && isName(name) {
			return cs.defined(name)
		}
	case ctext.IsDigit(text[0]) && isName("_"+strings.TrimSuffix(text, "'")):
		return cs.Constant(strings.Trim(strings.TrimRight(strings.ToLower(text), "ul"), "0x") != "")
	case text == "_OPENMP" || text == "true":
		return cs.Constant(true)
	case text == "__cplusplus":
		return cs.Constant(cs.CPlusPlus)
	case text == "false":
		return cs.Constant(false)
	}
	return &Condition{Atom: cs.Atom(text)}
}

// unwrapped returns what follows the operand of '!' if that operand is in parentheses; else text.
func unwrapped(text string) string {
	text = strings.TrimSpace(text)
	if text != "" && text[0] == '(' {
		if n := closing(text); n > 0 {
			return text[n+1:]
		}
	}
	return text
}

func isName(s string) bool {
	for i := range len(s) {
		if !ctext.IsWord[s[i]] {
			return false
		}
	}
	return s != ""
}

// closing returns the index of the parenthesis that closes text[0], or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits text at op outside parentheses.
func splitTop(text, op string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], op):
			parts = append(parts, text[start:i])
			i += len(op) - 1
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// Eval returns what the assumptions s say about c.
func (c *Condition) Eval(s *Assumption) truth {
	switch c.Op {
	case '!':
		return c.Args[0].Eval(s).not()
	case '&', '|':
		if t := lookup(c.Atom, s); t != Unknown {
			return t
		}
		stop := IsFalse
		if c.Op == '|' {
			stop = IsTrue
		}
		result := stop.not()
		for _, a := range c.Args {
			switch t := a.Eval(s); t {
			case stop:
				return stop
			case Unknown:
				result = Unknown
			}
		}
		return result
	}
	if c.Atom < 0 {
		return c.value
	}
	t := lookup(c.Atom, s)
	if t != Unknown {
		return t
	}
	if c.Atom&1 == 0 && lookup(c.Atom+1, s) == IsFalse {
		return IsFalse
	}
	if c.Atom&1 != 0 && lookup(c.Atom-1, s) == IsTrue {
		return IsTrue
	}
	return Unknown
}

func lookup(atom int32, s *Assumption) truth {
	for ; s != nil; s = s.next {
		if s.atom == atom {
			return s.value
		}
	}
	return Unknown
}

// Suppose returns s with what follows if c has the given value.
func (c *Condition) Suppose(value bool, s *Assumption) *Assumption {
	t := IsFalse
	if value {
		t = IsTrue
	}
	switch c.Op {
	case '!':
		return c.Args[0].Suppose(!value, s)
	case '&', '|':
		s = assume(c.Atom, t, s)
		if value == (c.Op == '&') {
			for _, a := range c.Args {
				s = a.Suppose(value, s)
			}
		}
		return s
	}
	if c.Atom < 0 {
		return s
	}
	return assume(c.Atom, t, s)
}

// Common returns the assumptions that a and b share.
func Common(a, b *Assumption) *Assumption {
	if a == b {
		return a
	}
	var out *Assumption
	for ; a != nil; a = a.next {
		if lookup(a.atom, b) == a.value {
			out = assume(a.atom, a.value, out)
		}
	}
	return out
}

// Without returns s without the assumptions about conditions that contain the word name.
func (cs *Conditions) Without(s *Assumption, name string) *Assumption {
	named := func(a *Assumption) bool { return ctext.HasWord([]byte(cs.texts[a.atom/2]), name) }
	for a := s; ; a = a.next {
		if a == nil {
			return s
		}
		if named(a) {
			break
		}
	}
	var out *Assumption
	for ; s != nil; s = s.next {
		if !named(s) {
			out = assume(s.atom, s.value, out)
		}
	}
	return out
}
