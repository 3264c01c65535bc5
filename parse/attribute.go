package parse

import (
	"bytes"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// C++ gives directives by attributes too, OpenMP 5.2 [3.1]: [[omp::directive(...)]], [[omp::sequence(directive(...), ...)]],
// [[using omp: ...]]. Where a statement or declaration may start they become constructs like those of #pragma. Several in
// one attribute part its text among them: each ends where the next one starts, and the last one takes the ';' of a
// stand-alone directive.

// attributeOpens reports whether a second bracket follows the one at hand.
func (p *parser) attributeOpens() bool {
	if p.Tok.Macro != 0 {
		return false
	}
	rest := p.Text[ctext.AfterBlanks(p.Text, p.Pos):]
	return bytes.HasPrefix(rest, []byte("[")) || bytes.HasPrefix(rest, []byte("<:")) || bytes.HasPrefix(rest, []byte("??("))
}

// openAttribute meets [[ where an attribute may stand and no directive was read: a declaration goes on, or what stands in
// it are no directives.
func (p *parser) openAttribute(stmt bool) {
	if p.Tok.Macro == 0 {
		p.mentionAttribute("given by an attribute within a declaration: nothing is executed")
	}
	if stmt {
		p.push(inPrefix)
	}
	p.open(attrParen)
}

// mentionAttribute mentions the directives in the attribute at hand, once each.
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

// mentionAttributes mentions the directives in the attributes of text, which is not the file's: at is where each of them is said to be.
func (p *parser) mentionAttributes(text []byte, at func(offset int) source.Position, reason string) {
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
			p.tree.Mentions = append(p.tree.Mentions, construct.Mention{Pos: at(d.start), Text: "omp " + d.String(text), Reason: reason})
		}
		if len(a.directives) > 0 {
			l.Pos = a.end
		}
	}
}

// String is the directive in one line.
func (d attributeDirective) String(text []byte) string {
	l := directive.ReadTokens(text, d.text)
	return string(l.Text)
}

// attribute is what is to be known of one [[...]].
type attribute struct {
	directives []attributeDirective
	others     bool  // it holds attributes that are no directives
	several    bool  // several statements take the place of one
	markers    []int // behind the '#' of each line marker in it
	end        int   // behind ]]
	statement  int   // behind the ';' that follows; 0 where none does
}

// attributeDirective is one directive(...) in an attribute.
type attributeDirective struct {
	start int           // of directive(, or of omp::directive(
	text  []ctext.Token // between the parentheses
}

// attributes reads the directives of the attribute at hand, and reports false where there is none that may become a construct.
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
	p.Tok.Kind = ctext.Hash // directives count for no token
	unknown := false
	var all []int32
	for i, d := range a.directives {
		end := a.end
		if i+1 < len(a.directives) {
			end = p.withoutBlanks(d, a.directives[i+1].start)
		}
		p.Tok.Start = start
		c := p.attributeDirective(&a, d, start, end, i+1 == len(a.directives))
		all, unknown = append(all, c), unknown || len(p.cs[c].Directive.Leaves) == 0
		if i+1 < len(a.directives) {
			start = a.directives[i+1].start
		}
	}
	for _, c := range all {
		if unknown {
			p.aux[c].note(reasonBesideUnknown)
		}
	}
	p.Pos, p.AtLineStart = p.Tok.End, false
	return true
}

// attributeDirective makes a construct of one directive of a, which stands in the file from start to end, and gives its index.
func (p *parser) attributeDirective(a *attribute, d attributeDirective, start, end int, last bool) int32 {
	c := p.construct(start, end, directive.OMP)
	p.cs[c].Attribute = p.attributesRead
	p.line = directive.ReadTokens(p.Text, d.text)
	c = p.readDirective(c)
	if a.others {
		p.aux[c].note(reasonAttribute)
	}
	con := &p.cs[c]
	r := roleOf(&con.Directive)
	a.several = a.several || r == alone && !last && p.mustBeOne(p.states[0].top)
	if a.several {
		p.aux[c].note(reasonSeveral)
	}
	switch {
	case !last && a.several:
		r = transparent
	case !last:
	case r == alone && a.statement > 0:
		con.Directive.Extent.End = a.statement
	case r == alone:
		r = transparent // of scan, which belongs to the statement that follows
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

// statementMayStart reports whether a statement or declaration may start with the token at hand, in each state.
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

// withoutBlanks is where d ends for which the next directive starts at next: there, unless that is on another line.
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

// upToToken is end, or where the token starts that follows on the line.
func (p *parser) upToToken(end int) int {
	i := end
	for i < len(p.Text) && (p.Text[i] == ' ' || p.Text[i] == '\t') {
		i++
	}
	if i == len(p.Text) || p.Text[i] == '\n' || p.Text[i] == '\r' || p.Text[i] == '/' || p.Text[i] == '\\' {
		return end
	}
	return i
}

// readAttribute reads the attribute of text that starts at start, if one does.
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

// attributeTokens are the tokens of the attribute that l stands before, up to its ]], if it holds the word omp. Line markers do not
// count.
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
			if !p.o.Preprocessed {
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

// Word is the text of token i if that is a word.
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
			a.directives = append(a.directives, attributeDirective{r.tokens[first].Start, r.tokens[open+1 : max(open+1, r.i-1)]})
		default:
			a.others = true
			if called {
				r.skipGroup()
			}
		}
	}
}

// skipGroup goes behind the parenthesis that opens at the token at hand.
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
