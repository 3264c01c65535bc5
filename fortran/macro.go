package fortran

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

// The preprocessor replaces words of directives too. In text that it has not read yet, a macro may stand for a clause, or for words of
// the name: then what belongs to the directive is not known, and it is left alone with its end directive.

// macros are the macros that the file defines up to the place at hand, by name, with the words that they stand for.
type macros struct {
	words   map[string]string
	headers bool // more may be defined in included files
}

// define follows a line of the preprocessor.
func (m *macros) define(word string, rest []byte) {
	switch word {
	case "include":
		m.headers = true
	case "define":
		n := wordLength(string(rest))
		text := string(rest[n:])
		if strings.HasPrefix(text, "(") {
			_, text, _ = strings.Cut(text, ")")
		}
		if m.words == nil {
			m.words = map[string]string{}
		}
		m.words[string(rest[:n])] = text
	case "undef":
		delete(m.words, string(rest[:wordLength(string(rest))]))
	}
}

func wordLength(s string) int {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	return n
}

// first is the first word that s stands for, once macros are replaced. A macro that stands for itself stays.
func (m *macros) first(s string) string {
	for range len(m.words) + 1 {
		s = strings.TrimLeft(s, " \t")
		s = s[:wordLength(s)]
		text, is := m.words[s]
		if !is {
			break
		}
		s = text
	}
	return s
}

// in looks for macros among the words of a directive that stand outside parentheses. name is one that words of the directive's
// name come from, clause one that clauses do; "" where there is none.
func (m *macros) in(directive string) (name, clause string) {
	if len(m.words) == 0 {
		return "", ""
	}
	walk, inName := omp.NewWalk(omp.Fortran), true
	depth := 0
	for i := 0; i < len(directive); i++ {
		switch c := directive[i]; {
		case c == '(':
			depth++
			inName = false
		case c == ')':
			depth--
		case isWord(c):
			word := directive[i : i+wordLength(directive[i:])]
			i += len(word) - 1
			if depth > 0 {
				continue
			}
			_, is := m.words[word]
			next, goesOn := walk.Next(m.first(word))
			walk, inName = next, inName && goesOn
			if is && inName {
				name = word
			} else if is {
				clause = word
			}
		}
	}
	return name, clause
}

// replaced heeds the macros in directive d, whose text is l, and where it stands. It says why d is left alone; "" where it is not.
func (p *parser) replaced(d *directive.Directive, l *directive.Logical, inDefinition bool) string {
	if inDefinition {
		return "in the definition of a type or in an interface block: nothing is executed"
	}
	text, _ := endOf(*l)
	name, clause := p.macros.in(string(text.Text))
	switch {
	case name != "":
		p.hidden = true
		return "the directive's name comes from macro " + name
	case p.macros.headers && clause == "" && len(d.Clauses) > 0 && d.Clauses[0].Row == nil && !d.Clauses[0].HasArgs:
		p.hidden = true
		return "'" + d.Clauses[0].Name + "' may be a macro, and stand for a part of the directive's name"
	}
	return ""
}
