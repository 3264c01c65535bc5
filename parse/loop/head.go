// Package loop reads the headers of for statements: which names they declare, which variable they
// count, and how many iterations they have.
//
// For the header `int i = 0; i <= n; i += 2`, Read gives
//
//	Head{Declares: ["i"], Trip: {From: "0", To: "n", Step: "2", Inclusive: true}}
//
// Trip is nil if the loop is not in canonical form, or if its bounds may call or assign
// something.
package loop

import (
	"strings"

	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/macro"
)

// Head is what the header of a for statement says.
type Head struct {
	Declares []string // the names that it declares
	// The variable that it initialises without declaring it, in canonical form; or "".
	Assigns string
	Trip    *construct.Trip // nil if the iterations cannot be counted
	Names   string          // the words in Trip's expressions
}

// Read reads the text between the parentheses of a for statement.
func Read(header []byte, ms *macro.Table) Head {
	h := Head{Declares: declares(header), Assigns: assigns(header)}
	h.Trip, h.Names = readTrip(header, ms)
	return h
}

// assigns returns the variable that the header initialises without declaring it, if the header is
// in canonical form. It returns "" otherwise.
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

// declares returns the names that the header of a for statement declares.
func declares(header []byte) []string {
	r := headerReader{text: header}
	return r.names()
}

// headerReader reads the first part of a loop header.
type headerReader struct {
	text     []byte
	i        int
	declared []string
	name     []byte // the last word that may be a declared name
	// words counts the words of the declaration so far. A word is a declared name only after a
	// type.
	words int
	angle int  // the number of open '<'
	value bool // after '=', or inside an initialiser
}

// next returns the next token: a word, the opening bracket of a bracket group, `::`, or one other
// byte. It returns nothing at the end.
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

// skipGroup moves past the bracket group at r.i.
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
	if r.name != nil && (r.words > 1 || len(r.declared) > 0) {
		r.declared = append(r.declared, string(r.name))
	}
	r.name, r.value = nil, false
}

// names reads declarators up to the first ';' or ':'. It returns none if the header starts with
// an expression.
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
			return r.declared
		case r.angle > 0:
			switch c {
			case '<':
				r.angle++
			case '>':
				r.angle--
			}
		case c == ',':
			if r.finish(); len(r.declared) == 0 {
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

// bindings returns the names of auto [a, b], whose bracket is at i or after blanks there.
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
