package directive

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/ctext"
)

// group reads the bracket group that starts at i and returns the index after its closing bracket.
// It reports false if a bracket is missing or of the wrong kind.
//
// It records the commas at depth 0, and the first colon at depth 0 that may end modifiers. Such a
// colon is no part of `::` and belongs to no `?`.
func (p *grammar) group(i int) (int, bool) {
	var room [16]byte
	closers := append(room[:0], closerOf(p.s[i]))
	p.commas, p.colon = p.commas[:0], -1
	questions := 0
	for i++; i < len(p.s); {
		c := p.s[i]
		if ctext.IsWord[c] {
			i = p.afterWord(i)
			continue
		}
		size := 1
		switch c {
		case '"', '\'':
			i = p.afterQuoted(i)
			continue
		case '(', '[', '{':
			closers = append(closers, closerOf(c))
		case ')', ']', '}':
			if closers[len(closers)-1] != c {
				return i, false
			}
			closers = closers[:len(closers)-1]
			if len(closers) == 0 {
				return i + 1, true
			}
		case ',':
			if len(closers) == 1 {
				p.commas = append(p.commas, i)
			}
		case '?':
			if len(closers) == 1 {
				questions++
			}
		case '<', '%', ':':
			var closer byte
			switch size, closer = p.digraph(i); {
			case closer == 0 && c == ':' && size == 1 && len(closers) == 1:
				if questions > 0 {
					questions--
				} else if p.colon < 0 {
					p.colon = i
				}
			case closer != 0 && (c == '<'):
				closers = append(closers, closer)
			case closer != 0:
				if len(closers) == 1 || closers[len(closers)-1] != closer {
					return i, false
				}
				closers = closers[:len(closers)-1]
			}
		}
		i += size
	}
	return i, false
}

func closerOf(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// digraph reads the token at i, which starts with '<', '%' or ':'. closer is the bracket that
// ends the group which the token opens (`<:`, `<%`) or closes (`:>`, `%>`). It is 0 for every
// other token, `::` among them.
func (p *grammar) digraph(i int) (size int, closer byte) {
	next := byte(0)
	if i+1 < len(p.s) {
		next = p.s[i+1]
	}
	c := p.s[i]
	if c == ':' && next == ':' {
		return 2, 0
	}
	if p.lang == omp.Fortran {
		return 1, 0
	}
	switch {
	case c == '<' && next == ':':
		// C++ reads `<::` as `<` and `::`, unless a third colon or a '>' follows.
		if p.lang == omp.CPlusPlus && strings.HasPrefix(p.s[i+2:], ":") &&
			!strings.HasPrefix(p.s[i+2:], "::") && !strings.HasPrefix(p.s[i+2:], ":>") {
			return 1, 0
		}
		return 2, ']'
	case c == '<' && next == '%':
		return 2, '}'
	case c == ':' && next == '>':
		return 2, ']'
	case c == '%' && next == '>':
		return 2, '}'
	}
	return 1, 0
}

// afterWord returns the index after the identifier or number at i. If the word is the prefix of a
// raw string, it returns the index after that string.
func (p *grammar) afterWord(i int) int {
	start := i
	number := ctext.IsDigit(p.s[i])
	for i < len(p.s) && ctext.IsWord[p.s[i]] {
		i++
		if number && i+1 < len(p.s) && p.s[i] == '\'' &&
			ctext.IsWord[p.s[i+1]] && p.lang != omp.Fortran {
			i++ // 1'000
		}
	}
	if i < len(p.s) && p.s[i] == '"' && p.lang != omp.Fortran && ctext.IsRawPrefix(p.s[start:i]) {
		return ctext.AfterRaw(p.s, i)
	}
	return i
}

// afterQuoted returns the index after the string or character literal at i. In Fortran a
// backslash is an ordinary character.
func (p *grammar) afterQuoted(i int) int {
	if p.lang != omp.Fortran {
		return ctext.AfterLiteral(p.s, i)
	}
	if n := strings.IndexByte(p.s[i+1:], p.s[i]); n >= 0 {
		return i + n + 2
	}
	return i + 1
}
