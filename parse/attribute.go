package parse

import (
	"bytes"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// C++ has directives in attributes too, OpenMP 5.2 [3.1]: [[omp::directive(...)]],
// [[omp::sequence(directive(...), ...)]], [[using omp: ...]]. Where a statement or declaration
// may start, they become constructs like those of #pragma.
//
// Several directives in one attribute divide its text: each ends where the next one starts. The
// last one takes the ';' of a stand-alone directive.

// attributeOpens reports whether a second bracket follows the current one.
func (p *parser) attributeOpens() bool {
	if p.Tok.Macro != 0 {
		return false
	}
	rest := p.Text[ctext.AfterBlanks(p.Text, p.Pos):]
	return bytes.HasPrefix(rest, []byte("[")) || bytes.HasPrefix(rest, []byte("<:")) ||
		bytes.HasPrefix(rest, []byte("??("))
}

// openAttribute handles [[ where an attribute may stand but attributes has made no constructs:
// inside a declaration, or for an attribute without directives.
func (p *parser) openAttribute(stmt bool) {
	if p.Tok.Macro == 0 {
		p.mentionAttribute("given by an attribute within a declaration: nothing is executed")
	}
	if stmt {
		p.push(inPrefix)
	}
	p.open(attrParen)
}

// mentionAttribute records the directives in the current attribute, each only once.
func (p *parser) mentionAttribute(reason string) {
	a := p.readAttribute(p.Text, p.Tok.Start)
	for _, d := range a.directives {
		start := d.start
		if p.attributesSeen[start] {
			continue
		}
		if p.attributesSeen == nil {
			p.attributesSeen = map[int]bool{}
		}
		p.attributesSeen[start] = true
		p.mentionText(start, directive.OMP, d.String(p.Text), reason)
	}
}

// mentionAttributes records the directives in the attributes of text, which may be other than the
// file's. at returns the position to report for an offset.
func (p *parser) mentionAttributes(text []byte,
	at func(offset int) source.Position, reason string,
) {
	if !p.CPlusPlus || !bytes.Contains(text, []byte("omp")) {
		return
	}
	l := p.sub(0)
	l.Text = text
	for l.Next(false); l.Tok.Kind != ctext.EOF; l.Next(false) {
		if l.Tok.Kind != '[' {
			continue
		}
		a := p.readAttribute(text, l.Tok.Start)
		for _, d := range a.directives {
			p.tree.Mentions = append(p.tree.Mentions,
				construct.Mention{Pos: at(d.start), Text: "omp " + d.String(text), Reason: reason})
		}
		if len(a.directives) > 0 {
			l.Pos = a.end
		}
	}
}

// String returns the directive on one line.
func (d attributeDirective) String(text []byte) string {
	l := directive.ReadTokens(text, d.text)
	return string(l.Text)
}

// attribute holds what the parser needs of one [[...]].
type attribute struct {
	directives []attributeDirective
	others     bool  // it also has attributes that are no directives
	several    bool  // it has several statements where the grammar allows one
	markers    []int // the offset after the '#' of each line marker in it
	end        int   // the offset after ]]
	statement  int   // the offset after the ';' that follows; 0 without one
}

// attributeDirective is one directive(...) in an attribute.
type attributeDirective struct {
	start int           // the offset of directive(, or of omp::directive(
	text  []ctext.Token // the tokens between the parentheses
}

// attributes reads the directives of the current attribute. It reports false if none may become a
// construct.
func (p *parser) attributes() bool {
	if !p.CPlusPlus || !p.attributeOpens() || !p.statementMayStart() {
		return false
	}
	a := p.readAttribute(p.Text, p.Tok.Start)
	if len(a.directives) == 0 {
		return false
	}
	if p.system.inside {
		p.mentionAttribute(InSystemHeader)
		return false
	}
	p.attributesRead++
	start := p.Tok.Start
	for _, i := range a.markers {
		p.marker(i, ctext.LineEnd(p.Text, i))
	}
	p.Tok.Kind = ctext.Hash // the automaton does not count directives as tokens
	unknown := false
	var all []int32
	for i, d := range a.directives {
		end := a.end
		if i+1 < len(a.directives) {
			end = p.withoutBlanks(d, a.directives[i+1].start)
		}
		p.Tok.Start = start
		c := p.attributeDirective(&a, d, start, end, i+1 == len(a.directives))
		all, unknown = append(all, c), unknown || len(p.constructs[c].Directive.Leaves) == 0
		if i+1 < len(a.directives) {
			start = a.directives[i+1].start
		}
	}
	for _, c := range all {
		if unknown {
			p.extras[c].note(reasonBesideUnknown)
		}
	}
	p.Pos, p.AtLineStart = p.Tok.End, false
	return true
}

// attributeDirective makes a construct of one directive of a, which the file has from start to
// end. It returns the index of the construct.
func (p *parser) attributeDirective(a *attribute,
	d attributeDirective, start, end int, last bool,
) int32 {
	c := p.construct(start, end, directive.OMP)
	p.constructs[c].Attribute = p.attributesRead
	p.line = directive.ReadTokens(p.Text, d.text)
	c = p.readDirective(c)
	if a.others {
		p.extras[c].note(reasonAttribute)
	}
	con := &p.constructs[c]
	r := roleOf(&con.Directive)
	a.several = a.several || r == alone && !last && p.mustBeOne(p.states[0].top)
	if a.several {
		p.extras[c].note(reasonSeveral)
	}
	switch {
	case !last && a.several:
		r = transparent
	case !last:
	case r == alone && a.statement > 0:
		con.Directive.Extent.End = a.statement
	case r == alone:
		r = transparent // for scan, which belongs to the statement that follows
	default:
		con.Directive.Extent.End = p.upToToken(end)
	}
	if r == transparent {
		p.Tok.End = con.Directive.Extent.End
		p.foreignPragma()
	}
	p.placeDirective(c, r)
	return c
}

// statementMayStart reports whether in each state a statement or declaration may start with the
// current token.
func (p *parser) statementMayStart() bool {
	for i := range p.states {
		f := &p.frames[p.states[i].top]
		switch {
		case f.kind == inPrefix && f.flags&wantsParen != 0:
			return false
		case f.kind <= lastOpen, f.kind == maybeElse, f.kind == maybeCatch:
		case f.kind == inItem && f.flags&itemAfterBrace != 0:
		default:
			return false
		}
	}
	return len(p.states) > 0
}

// withoutBlanks returns the end of a directive before another that starts at next. It is next, or
// before the blanks if next is on another line.
func (p *parser) withoutBlanks(d attributeDirective, next int) int {
	end := next
	for ctext.IsBlank(p.Text[end-1]) {
		end--
	}
	if bytes.IndexByte(p.Text[end:next], '\n') < 0 {
		return next
	}
	return end
}

// upToToken returns the start of the token that follows end on its line, or end.
func (p *parser) upToToken(end int) int {
	i := end
	for i < len(p.Text) && (p.Text[i] == ' ' || p.Text[i] == '\t') {
		i++
	}
	if i == len(p.Text) || p.Text[i] == '\n' || p.Text[i] == '\r' || p.Text[i] == '/' ||
		p.Text[i] == '\\' {
		return end
	}
	return i
}

// readAttribute reads the attribute that starts at start, if there is one.
func (p *parser) readAttribute(text []byte, start int) attribute {
	var a attribute
	l := p.sub(start)
	l.Text = text
	r := attributeReader{text: text, tokens: p.attributeTokens(l, &a)}
	if len(r.tokens) == 0 {
		return a
	}
	using := ""
	if r.word(2) == "using" && r.kind(4) == ':' {
		using, r.i = r.word(3), 5
	} else {
		r.i = 2
	}
	r.list(&a, using)
	return a
}

// attributeTokens returns the tokens of the attribute after l, up to its ]], if one of them is
// the word omp. It leaves out line markers.
func (p *parser) attributeTokens(l *ctext.Lexer, a *attribute) []ctext.Token {
	var tokens []ctext.Token
	depth, ours := 0, false
	for {
		l.Next(false)
		switch l.Tok.Kind {
		case '[':
			depth++
		case ']':
			depth--
		case ctext.Hash:
			if !p.options.Preprocessed {
				return nil
			}
			a.markers = append(a.markers, l.Tok.End)
			l.Pos, l.AtLineStart = ctext.LineEnd(l.Text, l.Tok.End), true
			continue
		case ctext.EOF:
			return nil
		case ctext.Word, ctext.Macro:
			ours = ours || string(l.Text[l.Tok.Start:l.Tok.End]) == "omp"
		}
		tokens = append(tokens, l.Tok)
		if depth == 0 {
			break
		}
	}
	if !ours || len(tokens) < 4 || tokens[1].Kind != '[' || tokens[len(tokens)-2].Kind != ']' {
		return nil
	}
	a.end = l.Tok.End
	if l.Next(false); l.Tok.Kind == ';' {
		a.statement = l.Tok.End
	}
	return tokens
}

// attributeReader finds the directives among the tokens of an attribute.
type attributeReader struct {
	text   []byte
	tokens []ctext.Token
	i      int
}

func (r *attributeReader) kind(i int) ctext.Kind {
	if i < len(r.tokens) {
		return r.tokens[i].Kind
	}
	return ctext.EOF
}

// word returns the text of token i if that is a word.
func (r *attributeReader) word(i int) string {
	if k := r.kind(i); k != ctext.Word && k != ctext.Macro && k < ctext.If {
		return ""
	}
	return string(r.text[r.tokens[i].Start:r.tokens[i].End])
}

// list reads a list of attributes, and the lists in its sequences.
func (r *attributeReader) list(a *attribute, using string) {
	for sequences := 0; r.i < len(r.tokens)-2; {
		switch k := r.kind(r.i); {
		case k == ',':
			r.i++
			continue
		case k == ')' && sequences > 0:
			sequences--
			r.i++
			continue
		}
		first := r.i
		space, name := using, r.word(r.i)
		if r.kind(r.i+1) == ctext.Scope {
			space, name = name, r.word(r.i+2)
			r.i += 2
		} else if sequences > 0 {
			space = "omp"
		}
		r.i++
		called := r.kind(r.i) == '('
		switch {
		case space == "omp" && name == "sequence" && called:
			sequences++
			r.i++
		case space == "omp" && name == "directive" && called:
			open := r.i
			r.skipGroup()
			a.directives = append(a.directives,
				attributeDirective{r.tokens[first].Start, r.tokens[open+1 : max(open+1, r.i-1)]})
		default:
			a.others = true
			if called {
				r.skipGroup()
			}
		}
	}
}

// skipGroup moves past the parenthesis that opens at the current token.
func (r *attributeReader) skipGroup() {
	depth := 0
	for ; r.i < len(r.tokens)-2; r.i++ {
		switch r.kind(r.i) {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				r.i++
				return
			}
		}
	}
}
