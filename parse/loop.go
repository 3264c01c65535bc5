package parse

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// loopsOf is how many nested loops d is associated with; 0 when it takes none. Where the number is no literal it is
// taken for a large one.
func loopsOf(d *Directive) uint8 {
	if len(d.Leaves) == 0 || d.Leaves[len(d.Leaves)-1].Assoc != omp.Loop {
		return 0
	}
	n := 1
	for i := range d.Clauses {
		switch c := &d.Clauses[i]; c.Name {
		case "collapse", "ordered":
			if c.HasArgs {
				k, err := strconv.Atoi(strings.TrimRight(c.Args, "uUlL"))
				if err != nil {
					k = 8
				}
				n = max(n, k)
			}
		case "sizes", "permutation", "counts":
			n = max(n, len(c.Items))
		}
	}
	return uint8(min(n, 64))
}

// enterLoop hands the loop nest of the frame below to the head h of a for statement.
func (p *parser) enterLoop(h *frame) {
	t := &p.frames[h.parent]
	for t.kind == inPrefix || t.kind == inLabel {
		t = &p.frames[t.parent]
	}
	switch t.kind {
	case inDirective, inLoop, inBlock:
		h.nest, h.left = t.nest, t.left
	}
}

// carryNest hands the loop nest of the frame below, of kind k, to the block b.
func (p *parser) carryNest(k frameKind, b *frame) {
	if k == inLoop || k == inDirective {
		t := &p.frames[b.parent]
		if t.kind == inItem {
			t = &p.frames[t.parent]
		}
		b.nest, b.left = t.nest, t.left
	}
}

// loopHeader reads the header of an associated loop, whose parenthesis stands at open and ends at end, and leaves in g
// what the loops inside it inherit.
func (p *parser) loopHeader(g *frame, open, end int) {
	c := g.nest - 1
	if p.tok.macro == 0 && open < end {
		if names := declares(p.text[open+1 : end]); len(names) > 0 {
			for i := c; i >= 0; i = p.aux[i].outerLoop {
				h := &p.cs[i].Header
				for _, n := range names {
					if !slices.Contains(h.Declares, n) {
						h.Declares = append(h.Declares, n)
					}
				}
			}
		}
	}
	if g.left--; g.left == 0 {
		g.nest = 0
	}
}

// declares lists the names that the header of a for statement declares.
func declares(header []byte) []string {
	r := headerReader{text: header}
	return r.names()
}

// headerReader reads the first part of a loop header.
type headerReader struct {
	text []byte
	i    int
}

// next gives the next token: a word, a bracket group as "(" "[" or "{", or one other byte; "" at the end.
func (r *headerReader) next() string {
	t := r.text
	r.i = skipInLine(t, r.i, len(t))
	if r.i >= len(t) {
		return ""
	}
	start := r.i
	switch c := t[start]; {
	case isWord[c]:
		for r.i < len(t) && isWord[t[r.i]] {
			r.i++
		}
		return string(t[start:r.i])
	case c == '(' || c == '[' || c == '{':
		r.skipGroup()
		return string(t[start : start+1])
	case c == '"' || c == '\'':
		r.i, _ = literalEnd(t, start)
		return "'"
	case c == ':' && start+1 < len(t) && t[start+1] == ':':
		r.i += 2
		return "::"
	default:
		r.i++
		return string(t[start:r.i])
	}
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
			r.i, _ = literalEnd(r.text, r.i)
			continue
		}
		r.i++
		if depth == 0 {
			return
		}
	}
}

// names reads declarators up to the first ';' or ':'.
func (r *headerReader) names() []string {
	var out []string
	name, words, angle := "", 0, 0
	structured := -1
	value := false // behind = or in an initialiser
	finish := func() {
		if name != "" && (words > 1 || len(out) > 0) {
			out = append(out, name)
		}
		name, value = "", false
	}
	for {
		start := r.i
		tok := r.next()
		switch {
		case tok == "" || tok == ";" || tok == ":" && !value:
			if structured >= 0 {
				return r.bindings(structured)
			}
			finish()
			return out
		case angle > 0:
			switch tok {
			case "<":
				angle++
			case ">":
				angle--
			}
		case tok == ",":
			finish()
			if len(out) == 0 {
				return nil // an expression
			}
		case value:
		case tok == "=":
			value = true
		case tok == "<" && name != "":
			angle, name = 1, ""
		case tok == "[" && name == "auto":
			structured = start
		case tok == "(" || tok == "{":
			value = name != "" && words > 1
		case tok == "::":
			name = ""
			words--
		case isWord[tok[0]] && !isDigit(tok[0]):
			words++
			name = tok
		case tok == "*" || tok == "&" || tok == "[" || tok == ">":
		default:
			return nil // an expression
		}
	}
}

// bindings lists the names of auto [a, b], whose bracket is at i.
func (r *headerReader) bindings(i int) []string {
	i = skipInLine(r.text, i, len(r.text))
	q := headerReader{text: r.text, i: i}
	q.skipGroup()
	var out []string
	for part := range strings.SplitSeq(string(r.text[i+1:q.i-1]), ",") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}
