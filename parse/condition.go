package parse

import (
	"strings"

	"opari/parse/ctext"
)

// A condition is the condition of an #if as far as it is understood.
type condition struct {
	op    byte // '!', '&', '|', or 0 for an atom or constant
	args  []*condition
	atom  int32 // -1 for a constant
	value truth
}

type truth uint8

const (
	unknown truth = iota
	isTrue
	isFalse
)

func (t truth) not() truth { return [...]truth{unknown, isFalse, isTrue}[t] }

// An assumption says what a state takes an atom for.
type assumption struct {
	atom  int32
	value truth
	size  uint8 // of the list
	next  *assumption
}

// maxAssumptions bounds what a state remembers. What it forgets it does not know, so that it only goes more ways.
const maxAssumptions = 48

// assume adds an assumption to list s.
func assume(atom int32, value truth, s *assumption) *assumption {
	if s == nil {
		return &assumption{atom, value, 1, nil}
	}
	if s.size >= maxAssumptions {
		s = s.newest(maxAssumptions / 2)
	}
	return &assumption{atom, value, s.size + 1, s}
}

// newest is a list of the n newest assumptions of s.
func (s *assumption) newest(n int) *assumption {
	if s == nil || n == 0 {
		return nil
	}
	return assume(s.atom, s.value, s.next.newest(n-1))
}

// conditions knows the atoms of a file's conditions by their texts.
type conditions struct {
	cpp   bool // C++
	atoms map[string]int32
	texts []string // of the atoms
}

// clear forgets all atoms.
func (cs *conditions) clear() {
	clear(cs.atoms)
	cs.texts = cs.texts[:0]
}

// atom is the number of a condition's text. Numbers go up in steps of two: atom n+1 is `defined X` where n is `X`.
func (cs *conditions) atom(text string) int32 {
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

// namelessAtom is an atom for a condition that is written nowhere.
func (cs *conditions) namelessAtom() int32 {
	cs.texts = append(cs.texts, "")
	return int32(2*len(cs.texts) - 2)
}

// read reads the text of a condition; kind is "" for #if, "def" or "ndef".
func (cs *conditions) read(kind, text string) *condition {
	text = strings.Join(strings.Fields(text), " ")
	switch kind {
	case "def", "ndef":
		name, _, _ := strings.Cut(text, " ")
		c := cs.defined(name)
		if kind == "ndef" {
			c = &condition{op: '!', args: []*condition{c}}
		}
		return c
	}
	if len(text) > 4000 {
		text = text[:4000] // generated: as good as any other name
	}
	return cs.expression(text, 0)
}

// defined is the condition `defined name`.
func (cs *conditions) defined(name string) *condition {
	switch name {
	case "_OPENMP":
		return &condition{atom: -1, value: isTrue}
	case "__cplusplus":
		return cs.constant(cs.cpp)
	}
	return &condition{atom: cs.atom(name) + 1}
}

func (cs *conditions) constant(b bool) *condition {
	if b {
		return &condition{atom: -1, value: isTrue}
	}
	return &condition{atom: -1, value: isFalse}
}

// expression reads a condition. What it does not understand is an atom.
func (cs *conditions) expression(text string, depth int) *condition {
	text = strings.TrimSpace(text)
	if depth > 20 || strings.ContainsAny(text, "?'\"") {
		return &condition{atom: cs.atom(text)}
	}
	for _, op := range []string{"||", "&&"} {
		if parts := splitTop(text, op); len(parts) > 1 {
			c := &condition{op: op[0], atom: cs.atom(text)}
			for _, part := range parts {
				c.args = append(c.args, cs.expression(part, depth+1))
			}
			return c
		}
	}
	switch {
	case text == "":
		return cs.constant(false)
	case text[0] == '!' && !strings.ContainsAny(unwrapped(text[1:]), "=<>+-*/%&|^"):
		return &condition{op: '!', args: []*condition{cs.expression(text[1:], depth+1)}}
	case text[0] == '(' && closing(text) == len(text)-1:
		return cs.expression(text[1:len(text)-1], depth+1)
	case strings.HasPrefix(text, "defined") && (len(text) == 7 || !ctext.IsWord[text[7]]):
		name := strings.Trim(text[7:], " ()")
		if name != "" && isName(name) {
			return cs.defined(name)
		}
	case ctext.IsDigit(text[0]) && isName("_"+strings.TrimSuffix(text, "'")):
		return cs.constant(strings.Trim(strings.TrimRight(strings.ToLower(text), "ul"), "0x") != "")
	case text == "_OPENMP" || text == "true":
		return cs.constant(true)
	case text == "__cplusplus":
		return cs.constant(cs.cpp)
	case text == "false":
		return cs.constant(false)
	}
	return &condition{atom: cs.atom(text)}
}

// unwrapped is text without a parenthesised operand at its start: what follows an operand of '!'.
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

// closing is the index of the parenthesis that closes text[0], or -1.
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

// eval gives what follows for c from the assumptions s.
func (c *condition) eval(s *assumption) truth {
	switch c.op {
	case '!':
		return c.args[0].eval(s).not()
	case '&', '|':
		if t := lookup(c.atom, s); t != unknown {
			return t
		}
		stop := isFalse
		if c.op == '|' {
			stop = isTrue
		}
		result := stop.not()
		for _, a := range c.args {
			switch t := a.eval(s); t {
			case stop:
				return stop
			case unknown:
				result = unknown
			}
		}
		return result
	}
	if c.atom < 0 {
		return c.value
	}
	t := lookup(c.atom, s)
	if t != unknown {
		return t
	}
	if c.atom&1 == 0 && lookup(c.atom+1, s) == isFalse {
		return isFalse
	}
	if c.atom&1 != 0 && lookup(c.atom-1, s) == isTrue {
		return isTrue
	}
	return unknown
}

func lookup(atom int32, s *assumption) truth {
	for ; s != nil; s = s.next {
		if s.atom == atom {
			return s.value
		}
	}
	return unknown
}

// suppose adds to s what follows from c having a value.
func (c *condition) suppose(value bool, s *assumption) *assumption {
	t := isFalse
	if value {
		t = isTrue
	}
	switch c.op {
	case '!':
		return c.args[0].suppose(!value, s)
	case '&', '|':
		s = assume(c.atom, t, s)
		if value == (c.op == '&') {
			for _, a := range c.args {
				s = a.suppose(value, s)
			}
		}
		return s
	}
	if c.atom < 0 {
		return s
	}
	return assume(c.atom, t, s)
}

// common keeps what both states assume.
func common(a, b *assumption) *assumption {
	if a == b {
		return a
	}
	var out *assumption
	for ; a != nil; a = a.next {
		if lookup(a.atom, b) == a.value {
			out = assume(a.atom, a.value, out)
		}
	}
	return out
}

// without is s without what it says of conditions that name a word.
func (cs *conditions) without(s *assumption, name string) *assumption {
	named := func(a *assumption) bool { return ctext.HasWord([]byte(cs.texts[a.atom/2]), name) }
	for a := s; ; a = a.next {
		if a == nil {
			return s
		}
		if named(a) {
			break
		}
	}
	var out *assumption
	for ; s != nil; s = s.next {
		if !named(s) {
			out = assume(s.atom, s.value, out)
		}
	}
	return out
}
