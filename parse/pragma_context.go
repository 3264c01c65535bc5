package parse

import (
	"bytes"
	"strings"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// keepOut returns why no call may be inserted while f is on top, or "".
func (p *parser) keepOut(f *frame) string {
	if p.regions.keepOut != "" {
		return p.regions.keepOut
	}
	return keepText[f.keepOut]
}

// followRegions follows the directives that open and close regions of text.
func (p *parser) followRegions(d *directive.Directive) {
	if d.Own.Named() {
		p.toEnd = true // they pair up within the file, with those after this one too
		return
	}
	if p.regions.follow(d) && p.taken > 0 {
		p.needEntireFile() // the function that it names may be in a part that was taken already
	}
}

// foreignPragma handles a pragma that is neither omp nor pomp. If it precedes a body it belongs
// to the body, because nothing may come between it and the statement.
func (p *parser) foreignPragma() {
	p.Tok.Branch = p.Branch
	if p.atSections {
		p.implicitSection(len(p.constructs))
	}
	for i := range p.states {
		p.current = &p.states[i]
		if f := p.top(); f.kind <= lastOpen {
			p.markStart(f)
		}
	}
}

// mention records a directive as seen and not instrumented. e is the extent of its text after the
// sentinel.
func (p *parser) mention(start int, e source.Extent, s directive.Sentinel, reason string) {
	l := directive.Read(p.file, e)
	p.mentionText(start, s, string(l.Text), reason)
}

func (p *parser) mentionText(start int, s directive.Sentinel, text, reason string) {
	name := "omp "
	if s == directive.POMP {
		name = "pomp "
	}
	text = name + strings.TrimSpace(text)
	p.tree.Mentions = append(p.tree.Mentions,
		construct.Mention{Pos: p.file.Position(start), Text: text, Reason: reason})
}

// pragmaText returns the text after the sentinel in the literal of _Pragma("omp ..."). It reports
// false if the sentinel is neither omp nor pomp.
func pragmaText(literal []byte) (string, directive.Sentinel, bool) {
	b := literal
	if n := bytes.IndexByte(b, '"'); n >= 0 {
		b = b[n:]
	}
	if len(b) < 2 {
		return "", directive.OMP, false
	}
	b = b[1 : len(b)-1]
	if bytes.IndexByte(literal, 'R') >= 0 && len(b) > 1 && literal[0] != '"' {
		if i, j := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')'); i >= 0 && j > i {
			b = b[i+1 : j]
		}
	} else {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`\"`), []byte(`"`)),
			[]byte(`\\`), []byte(`\`))
	}
	text := strings.TrimSpace(string(b))
	for s, name := range []string{"omp", "pomp"} {
		if rest, ok := strings.CutPrefix(text, name); ok && (rest == "" || !ctext.IsWord[rest[0]]) {
			return rest, directive.Sentinel(s), true
		}
	}
	return "", directive.OMP, false
}

// isEncoding reports whether a word may precede a string literal. In _Pragma it has no meaning,
// C23 [6.10.9], C++17 [cpp.pragma.op].
func isEncoding(word []byte) bool {
	switch string(word) {
	case "L", "u8", "u", "U":
		return true
	}
	return false
}

// pragmaOperator handles _Pragma where a statement may start.
func (p *parser) pragmaOperator() {
	p.push(inPragmaOp)
}

// pragmaOperatorPart handles a token inside _Pragma ( "..." ).
func (p *parser) pragmaOperatorPart(f *frame) bool {
	switch p.Tok.Kind {
	case '(':
		return false
	case ctext.Word:
		return !isEncoding(p.tokenText()) && p.giveUp()
	case ctext.String:
		r, opaque := p.pragmaRole(p.tokenText())
		g := p.own()
		g.a = int32(r)
		if opaque {
			g.keepOut = keepPragmaOp
		}
		return false
	case ')':
		switch r := role(f.a); r {
		case takesBody, separates:
			if r == separates && p.frames[f.parent].kind == inSection {
				p.pop()
				p.endSection(p.top())
				p.push(inPrefix)
				break
			}
			p.own().kind = inPrefix
		case alone:
			end := p.after()
			p.pop()
			p.done(end)
		default:
			p.pop()
		}
		return false
	}
	return p.giveUp()
}

// pragmaRole returns the role of the directive in a _Pragma, and whether its body allows no call.
func (p *parser) pragmaRole(literal []byte) (r role, opaque bool) {
	text, s, ok := pragmaText(literal)
	if !ok {
		return transparent, false
	}
	var l directive.Logical
	l.Append([]byte(text), 0)
	var d directive.Directive
	var unseen source.Diagnostics
	directive.Parse(p.file, &l, s, p.options.Lang, &d, &unseen)
	for _, leaf := range d.Leaves {
		opaque = opaque || leaf.Opaque
	}
	return roleOf(&d), opaque
}
