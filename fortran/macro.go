package fortran

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

// The preprocessor replaces words in directives too. In text that it has not processed yet, a
// macro may stand for a clause, or for words of the name. In the latter case the construct's
// extent is unknown, so the directive and its end directive are not instrumented.

// macros holds the macros that the file has defined so far, by name, with the words that they
// stand for.
type macros struct {
	words       map[string]string
	mayHaveMore bool // included files may define more
}

// define reads a line of the preprocessor.
func (m *macros) define(word string, rest []byte) {
	switch word {
	case "include":
		m.mayHaveMore = true
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

// first returns the first word that s stands for after macro replacement. A macro that stands for
// itself stays.
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

// find searches for macros among the words of a directive outside parentheses. name is a macro
// that yields words of the directive's name, clause one that yields clauses. Each is "" where
// there is none.
func (m *macros) find(text []byte) (name, clause string) {
	if len(m.words) == 0 {
		return "", ""
	}
	directive := string(text)
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
			next, continuesName := walk.Next(m.first(word))
			walk, inName = next, inName && continuesName
			if is && inName {
				name = word
			} else if is {
				clause = word
			}
		}
	}
	return name, clause
}

// macroReason returns the reason why macros in directive d, or its place, forbid its
// instrumentation. l is the directive's text. The reason is "" if nothing does.
func (p *parser) macroReason(d *directive.Directive, l *directive.Logical,
	inDefinition bool,
) string {
	if inDefinition {
		return "in the definition of a type or in an interface block: nothing is executed"
	}
	if len(p.macros.words) == 0 && !p.macros.mayHaveMore {
		return ""
	}
	text, _ := endOf(*l)
	name, clause := p.macros.find(text.Text)
	switch {
	case name != "":
		p.mayHideEnds = true
		return "the directive's name comes from macro " + name
	case p.macros.mayHaveMore && clause == "" && len(d.Clauses) > 0 && d.Clauses[0].Row == nil &&
		!d.Clauses[0].HasArgs:
		p.mayHideEnds = true
		return "'" + d.Clauses[0].Name +
			"' may be a macro, and stand for a part of the directive's name"
	}
	return ""
}
