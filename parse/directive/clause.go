package directive

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/ctext"
)

// clauseList reads the clauses from i to the end, with or without commas between them. It reports
// false if the text cannot be divided into clauses.
func (p *grammar) clauseList(i int) bool {
	for {
		for i < len(p.s) && (ctext.IsBlank(p.s[i]) || p.s[i] == ',') {
			i++
		}
		if i >= len(p.s) {
			return true
		}
		e := p.word(i)
		if e == i {
			var ok bool
			if e, ok = p.junk(i); !ok {
				p.errorf(i, "unexpected '%c' in directive '%s'", p.s[i], p.d.Name)
				return false
			}
			p.warnf(i, "expected a clause of directive '%s' and not '%s': it is copied through",
				p.d.Name, p.s[i:e])
			i = e
			continue
		}
		var ok bool
		if i, ok = p.clause(i, e); !ok {
			return false
		}
	}
}

// junk returns the end of text at i that starts no clause. That is a bracket group, or what goes
// up to the next blank, comma or bracket. It reports false for a bracket without a partner.
func (p *grammar) junk(i int) (int, bool) {
	switch p.s[i] {
	case '(', '[', '{':
		return p.group(i)
	case ')', ']', '}':
		return i, false
	}
	for k := i + 1; k < len(p.s); k++ {
		if c := p.s[k]; ctext.IsBlank(c) || strings.IndexByte(",()[]{}", c) >= 0 {
			return k, true
		}
	}
	return len(p.s), true
}

// clause reads the clause whose name is s[i:e].
func (p *grammar) clause(i, e int) (int, bool) {
	row := omp.ClauseNamed(p.lang, p.s[i:e])
	if row == nil && p.lang == omp.Fortran {
		row, e = p.compactClause(i, e)
	}
	name := p.s[i:e]
	switch {
	case row == nil:
		p.warnf(i, "unknown clause '%s' of directive '%s' is copied through", name, p.d.Name)
	case !p.takes(row):
		name = row.Name
		p.warnf(i, "directive '%s' has no clause '%s': it is copied through", p.d.Name, name)
	default:
		name = row.Name
	}
	c := p.newClause()
	c.Name, c.Row = name, row
	end := e
	if k := p.blanks(e); k < len(p.s) && p.s[k] == '(' {
		var ok bool
		if end, ok = p.group(k); !ok {
			p.unclosed(k, name)
			return end, false
		}
		c.HasArgs = true
		p.argument(c, k+1, end-1)
	}
	c.Text, c.Extent = p.s[i:end], p.l.Extent(i, end)
	return end, true
}

// compactClause returns the longest clause of the directive with which the word s[i:e] starts,
// and the clause's end. In Fortran `untiedprivate(x)` is two clauses. It returns nil and e if
// there is none.
func (p *grammar) compactClause(i, e int) (*omp.Clause, int) {
	for k := e - 1; k > i; k-- {
		if row := omp.ClauseNamed(p.lang, p.s[i:k]); p.takes(row) {
			return row, k
		}
	}
	return nil, e
}

// argument divides s[i:j], the text between a clause's parentheses, into modifiers, arguments and
// items. p.colon and p.commas must be those of this group: group has just read it.
//
// In linear(x: 2) and aligned(p: 64) the modifiers follow the list. There Modifiers is the text
// after the colon; Args and Items are the list before it. So Items always holds the list items of
// a clause that takes a list.
func (p *grammar) argument(c *Clause, i, j int) {
	args, argsEnd := i, j
	if k := p.colon; k >= 0 && c.Row != nil {
		switch before := p.s[i:k]; {
		case c.Row.Colon == omp.ColonAny,
			c.Row.Colon == omp.ColonWords && p.modifiers(before, c.Row),
			c.Row.Colon == omp.ColonAfter && c.Row.Arg != omp.List && p.isDirectiveName(before):
			c.Modifiers, args = strings.TrimSpace(before), k+1
		case c.Row.Colon == omp.ColonAfter:
			c.Modifiers, argsEnd = strings.TrimSpace(p.s[k+1:j]), k
		}
	}
	c.Args = strings.TrimSpace(p.s[args:argsEnd])
	if c.Args == "" {
		return
	}
	n := 1
	for _, comma := range p.commas {
		if args <= comma && comma < argsEnd {
			n++
		}
	}
	c.Items = p.newItems(n)[:0]
	for _, comma := range p.commas {
		if args <= comma && comma < argsEnd {
			c.Items = append(c.Items, strings.TrimSpace(p.s[args:comma]))
			args = comma + 1
		}
	}
	c.Items = append(c.Items, strings.TrimSpace(p.s[args:argsEnd]))
}

// modifiers reports whether text is a list of modifiers of the clause, with or without commas
// between them. A modifier is a word from the clause's row, with or without arguments, or a
// directive name.
func (p *grammar) modifiers(text string, row *omp.Clause) bool {
	q := grammar{lang: p.lang, s: text}
	for i := 0; ; {
		for i < len(text) && (ctext.IsBlank(text[i]) || text[i] == ',') {
			i++
		}
		if i == len(text) {
			return true
		}
		e := q.word(i)
		if e == i {
			return false
		}
		if !p.hasWord(row.Modifiers, text[i:e]) {
			if e = q.directiveName(i); e == i {
				return false
			}
		}
		if i = q.blanks(e); i < len(text) && text[i] == '(' {
			var ok bool
			if i, ok = q.group(i); !ok {
				return false
			}
		}
	}
}

func (p *grammar) hasWord(words omp.Words, word string) bool {
	for w := range words.All() {
		if w == word || p.lang == omp.Fortran && strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// directiveName returns the end of the longest directive name that starts at i, or i if none
// does.
func (p *grammar) directiveName(i int) int {
	best := i
	w := omp.NewWalk(p.lang)
	for {
		e := p.word(i)
		var ok bool
		if w, ok = w.Next(p.s[i:e]); !ok || e == i {
			return best
		}
		if w.Name() != nil {
			best = e
		}
		i = p.blanks(e)
	}
}

// isDirectiveName reports whether text is a directive name and nothing else.
func (p *grammar) isDirectiveName(text string) bool {
	q := grammar{lang: p.lang, s: strings.TrimSpace(text)}
	e := q.directiveName(0)
	return e > 0 && e == len(q.s)
}
