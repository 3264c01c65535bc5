package parse

import (
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
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

// atom is the number of a condition's text. Numbers go up in steps of two: atom n+1 is `defined X` where n is `X`.
func (p *parser) atom(text string) int32 {
	if n, ok := p.atoms[text]; ok {
		return n
	}
	if p.atoms == nil {
		p.atoms = map[string]int32{}
	}
	n := int32(2 * len(p.atomTexts))
	p.atoms[text] = n
	p.atomTexts = append(p.atomTexts, text)
	return n
}

// namelessAtom is an atom for a condition that is written nowhere.
func (p *parser) namelessAtom() int32 {
	p.atomTexts = append(p.atomTexts, "")
	return int32(2*len(p.atomTexts) - 2)
}

// condition reads the condition that stands from i to end; kind is "" for #if, "def" or "ndef".
func (p *parser) condition(kind string, i, end int) *condition {
	l := newLogical(p.f, source.Extent{Start: i, End: end})
	text := strings.Join(strings.Fields(string(l.Text)), " ")
	switch kind {
	case "def", "ndef":
		name, _, _ := strings.Cut(text, " ")
		c := p.defined(name)
		if kind == "ndef" {
			c = &condition{op: '!', args: []*condition{c}}
		}
		return c
	}
	if len(text) > 4000 {
		text = text[:4000] // generated: as good as any other name
	}
	return p.expression(text, 0)
}

// defined is the condition `defined name`.
func (p *parser) defined(name string) *condition {
	switch name {
	case "_OPENMP":
		return &condition{atom: -1, value: isTrue}
	case "__cplusplus":
		return p.constant(p.o.Lang == omp.CPlusPlus)
	}
	return &condition{atom: p.atom(name) + 1}
}

func (p *parser) constant(b bool) *condition {
	if b {
		return &condition{atom: -1, value: isTrue}
	}
	return &condition{atom: -1, value: isFalse}
}

// expression reads a condition. What it does not understand is an atom.
func (p *parser) expression(text string, depth int) *condition {
	text = strings.TrimSpace(text)
	if depth > 20 || strings.ContainsAny(text, "?'\"") {
		return &condition{atom: p.atom(text)}
	}
	for _, op := range []string{"||", "&&"} {
		if parts := splitTop(text, op); len(parts) > 1 {
			c := &condition{op: op[0], atom: p.atom(text)}
			for _, part := range parts {
				c.args = append(c.args, p.expression(part, depth+1))
			}
			return c
		}
	}
	switch {
	case text == "":
		return p.constant(false)
	case text[0] == '!' && !strings.ContainsAny(unwrapped(text[1:]), "=<>+-*/%&|^"):
		return &condition{op: '!', args: []*condition{p.expression(text[1:], depth+1)}}
	case text[0] == '(' && closing(text) == len(text)-1:
		return p.expression(text[1:len(text)-1], depth+1)
	case strings.HasPrefix(text, "defined") && (len(text) == 7 || !isWord[text[7]]):
		name := strings.Trim(text[7:], " ()")
		if name != "" && isName(name) {
			return p.defined(name)
		}
	case isDigit(text[0]) && isName("_"+strings.TrimSuffix(text, "'")):
		return p.constant(strings.Trim(strings.TrimRight(strings.ToLower(text), "ul"), "0x") != "")
	case text == "_OPENMP" || text == "true":
		return p.constant(true)
	case text == "__cplusplus":
		return p.constant(p.o.Lang == omp.CPlusPlus)
	case text == "false":
		return p.constant(false)
	}
	return &condition{atom: p.atom(text)}
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
		if !isWord[s[i]] {
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

// eval gives what a state knows of a condition.
func (p *parser) eval(c *condition, s *assumption) truth {
	switch c.op {
	case '!':
		return p.eval(c.args[0], s).not()
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
			switch t := p.eval(a, s); t {
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
func (p *parser) suppose(c *condition, value bool, s *assumption) *assumption {
	t := isFalse
	if value {
		t = isTrue
	}
	switch c.op {
	case '!':
		return p.suppose(c.args[0], !value, s)
	case '&', '|':
		s = assume(c.atom, t, s)
		if value == (c.op == '&') {
			for _, a := range c.args {
				s = p.suppose(a, value, s)
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

// forget drops what the states at hand assume about a name that is defined or undefined now.
func (p *parser) forget(name string) {
	for i := range p.states {
		s := &p.states[i]
		for a := s.assume; a != nil; a = a.next {
			if mentions(p.atomTexts[a.atom/2], name) {
				s.assume = p.without(s.assume, name)
				break
			}
		}
	}
}

func (p *parser) without(s *assumption, name string) *assumption {
	var out *assumption
	for ; s != nil; s = s.next {
		if !mentions(p.atomTexts[s.atom/2], name) {
			out = assume(s.atom, s.value, out)
		}
	}
	return out
}

// mentions reports whether text holds name as a word.
func mentions(text, name string) bool {
	for i := 0; ; {
		n := strings.Index(text[i:], name)
		if n < 0 {
			return false
		}
		i += n
		end := i + len(name)
		if (i == 0 || !isWord[text[i-1]]) && (end == len(text) || !isWord[text[end]]) {
			return true
		}
		i = end
	}
}
