// Package loop reads the heads of for statements.
package loop

import (
	"strings"

	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/macro"
)

// Head is what the header of a for statement says.
type Head struct {
	Declares []string        // the names that it declares
	Assigns  string          // the variable that it gives its first value without declaring it, in canonical form; or ""
	Trip     *construct.Trip // nil where the iterations cannot be counted
	Names    string          // the words in trip's expressions
}

// Read reads the text between the parentheses of a for statement.
func Read(header []byte, ms *macro.Table) Head {
	h := Head{Declares: declares(header), Assigns: assigns(header)}
	h.Trip, h.Names = readTrip(header, ms)
	return h
}

// Assigns is the variable that the header of a for statement in canonical form gives its first value without declaring
// it; "" where there is none.
func assigns(header []byte) string {
	r := headerReader{text: header}
	name := r.next()
	if len(name) == 0 || !ctext.IsWord[name[0]] || ctext.IsDigit(name[0]) {
		return ""
	}
	if then := r.next(); len(then) != 1 || then[0] != '=' {
		return ""
	}
	return string(name)
}

// Declares lists the names that the header of a for statement declares.
func declares(header []byte) []string {
	r := headerReader{text: header}
	return r.names()
}

// headerReader reads the first part of a loop header.
type headerReader struct {
	text []byte
	i    int
	out  []string
	name []byte // the last word that may be a declared name
	// Words counts the words of the declaration so far: a name is declared when a type stands before it.
	words int
	angle int  // how many < are open
	value bool // behind =, or in an initialiser
}

// Next gives the next token: a word, a bracket group as its opening bracket, or one other byte; nothing at the end.
func (r *headerReader) next() []byte {
	t := r.text
	r.i = ctext.SkipInLine(t, r.i, len(t))
	if r.i >= len(t) {
		return nil
	}
	start := r.i
	switch c := t[start]; {
	case ctext.IsWord[c]:
		for r.i < len(t) && ctext.IsWord[t[r.i]] {
			r.i++
		}
		return t[start:r.i]
	case c == '(' || c == '[' || c == '{':
		r.skipGroup()
	case c == '"' || c == '\'':
		r.i, _ = ctext.LiteralEnd(t, start)
	case c == ':' && start+1 < len(t) && t[start+1] == ':':
		r.i += 2
		return t[start:r.i]
	default:
		r.i++
	}
	return t[start : start+1]
}

// skipGroup goes behind the bracket group at r.i.
func (r *headerReader) skipGroup() {
	depth := 0
	for r.i < len(r.text) {
		switch c := r.text[r.i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '\'':
			r.i, _ = ctext.LiteralEnd(r.text, r.i)
			continue
		}
		r.i++
		if depth == 0 {
			return
		}
	}
}

// finish ends a declarator.
func (r *headerReader) finish() {
	if r.name != nil && (r.words > 1 || len(r.out) > 0) {
		r.out = append(r.out, string(r.name))
	}
	r.name, r.value = nil, false
}

// Names reads declarators up to the first ';' or ':'. It gives none where the header starts with an expression.
func (r *headerReader) names() []string {
	for {
		start := r.i
		tok := r.next()
		c := byte(';')
		if len(tok) > 0 {
			c = tok[0]
		}
		switch {
		case c == ';', c == ':' && len(tok) == 1 && !r.value:
			r.finish()
			return r.out
		case r.angle > 0:
			switch c {
			case '<':
				r.angle++
			case '>':
				r.angle--
			}
		case c == ',':
			if r.finish(); len(r.out) == 0 {
				return nil
			}
		case r.value:
		case c == '[' && string(r.name) == "auto":
			return r.bindings(start)
		case c == '<' && r.name != nil:
			r.angle, r.name = 1, nil
		case c == '=', c == '(', c == '{':
			r.value = c == '=' || r.name != nil && r.words > 1
		case c == ':':
			r.name = nil
			r.words--
		case ctext.IsWord[c] && !ctext.IsDigit(c):
			r.words++
			r.name = tok
		case c != '*' && c != '&' && c != '[' && c != '>':
			return nil
		}
	}
}

// bindings lists the names of auto [a, b], whose bracket stands at i or behind blanks there.
func (r *headerReader) bindings(i int) []string {
	i = ctext.SkipInLine(r.text, i, len(r.text))
	q := headerReader{text: r.text, i: i}
	q.skipGroup()
	var out []string
	for part := range strings.SplitSeq(string(r.text[i+1:max(i+1, q.i-1)]), ",") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}
