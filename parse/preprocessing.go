package parse

import (
	"bytes"
	"strconv"
	"strings"

	"opari/internal/source"
	"opari/parse/ctext"
)

// preprocessing handles the directive whose '#' is the current token.
func (p *parser) preprocessing() {
	start := p.Tok.Start
	end := ctext.LineEnd(p.Text, p.Tok.End)
	word, i := ctext.NextWord(p.Text, p.Tok.End, end)
	p.Pos, p.AtLineStart = end, true
	if e := end; e > i && p.Text[e-1] == '\r' {
		end--
	}
	switch w := string(word); w {
	case "pragma":
		p.pragma(start, i, end)
	case "define":
		p.define(start, i, end)
	case "undef":
		name, _ := ctext.NextWord(p.Text, i, end)
		p.undefine(string(name))
	case "include", "include_next", "import":
		p.include(i, end)
	case "line":
		p.marker(i, end)
	default:
		if ctext.BranchingOf(w) != ctext.NoBranching && !p.options.Preprocessed {
			p.conditional(w, start, i, end)
		} else if len(word) > 0 && ctext.IsDigit(word[0]) {
			p.marker(p.Tok.End, end)
		}
	}
}

// marker reads `# 12 "f.c" 1 3` or `#line 12 "f.c"`, from the number on.
func (p *parser) marker(i, end int) {
	word, i := ctext.NextWord(p.Text, i, end)
	line, err := strconv.Atoi(string(word))
	if err != nil || line < 0 {
		return
	}
	name := p.file.Position(p.Tok.Start).File
	rest := bytes.TrimSpace(p.Text[i:end])
	if len(rest) > 0 && rest[0] == '"' {
		n, _ := ctext.LiteralEnd(rest, 0)
		if s, ok := source.Unquote(string(rest[:n])); ok {
			name = s
		} else {
			name = strings.Trim(string(rest[:n]), `"`)
		}
		rest = rest[n:]
	}
	system := p.system.note(name, rest)
	p.system.inside = system && p.options.Preprocessed
	p.file.Marker(p.file.NextLine(end), name, line, system)
	if p.system.inside {
		p.skipSystem(end)
	}
}

// include handles an #include. A directive that needs a statement gets it from the header, which
// cannot be instrumented. An open block of sections may get section directives from there.
func (p *parser) include(i, end int) {
	p.Tok.Branch = p.Branch
	p.atSections = false
	for k := range p.states {
		p.current = &p.states[k]
		switch f := p.top(); {
		case f.kind == inSection && p.constructs[f.construct].Implicit:
			p.extras[f.construct].note(reasonInclude)
		case f.kind == inDirective:
			p.extras[f.construct].note(reasonInclude)
			p.Tok.End = end
			p.startBody(f.construct, p.after())
			p.done(p.after())
		}
	}
	if len(p.states) > 1 {
		p.settle()
	}
	p.readHeader(i, end)
}
