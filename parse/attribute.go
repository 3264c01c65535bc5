package parse

import "bytes"

// openAttribute meets [[ where an attribute may stand: a statement or declaration starts, or one goes on. Directives given
// by attributes are mentioned; of their effect on the structure what matters is followed.
func (p *parser) openAttribute(stmt bool) {
	var keep keepOut
	if stmt {
		keep = p.attributeDirectives()
		if f := p.push(inPrefix); keep != keepNone {
			f.keep = keep
		}
	}
	p.open(attrParen)
}

// attributeDirectives looks for omp::directive in the attribute that starts at the token at hand, where a statement may
// start, and gives why no call may stand in the statement.
func (p *parser) attributeDirectives() keepOut {
	if p.tok.macro != 0 {
		return keepNone
	}
	text := p.attributeText()
	if !bytes.Contains(text, []byte("omp")) {
		return keepNone
	}
	keep := keepNone
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte("directive"))
		if n < 0 {
			return keep
		}
		start := i + n
		i = start + len("directive")
		body := parenthesised(text[i:])
		if body == nil {
			continue
		}
		r, opaque := p.pragmaRole(append(append([]byte(`"omp `), body...), '"'))
		if opaque {
			keep = keepAttribute
		}
		if f := p.top(); r == separates && f.kind == inSection {
			p.endSection(f)
		}
		if !p.attributesSeen[p.tok.start+start] {
			if p.attributesSeen == nil {
				p.attributesSeen = map[int]bool{}
			}
			p.attributesSeen[p.tok.start+start] = true
			p.mentionText(p.tok.start+start, OMP, string(body), "given by an attribute; write it as #pragma omp")
		}
	}
}

// attributeText is the attribute that starts at the token at hand, up to its ]].
func (p *parser) attributeText() []byte {
	l := p.sub(p.tok.start)
	depth := 0
	for {
		switch l.next(false); l.tok.kind {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return p.text[p.tok.start:l.tok.end]
			}
		case kEOF, kHash, ';':
			return nil
		}
	}
}

// parenthesised is what stands in the parentheses at the start of text, or nil.
func parenthesised(text []byte) []byte {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 || text[0] != '(' {
		return nil
	}
	r := headerReader{text: text}
	if r.skipGroup(); r.i < 2 || text[r.i-1] != ')' {
		return nil
	}
	return text[1 : r.i-1]
}
