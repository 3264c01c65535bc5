package parse

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"opari/internal/source"
)

// preprocessing handles the directive whose '#' is the token at hand.
func (p *parser) preprocessing() {
	start := p.tok.start
	end := lineEnd(p.text, p.tok.end)
	word, i := ppWord(p.text, p.tok.end, end)
	p.pos, p.bol = end, true
	if e := end; e > i && p.text[e-1] == '\r' {
		end--
	}
	switch w := string(word); w {
	case "pragma":
		p.pragma(start, i, end)
	case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif":
		if !p.o.Preprocessed {
			p.conditional(w, start, i, end)
		}
	case "define":
		p.define(start, i, end)
	case "undef":
		name, _ := ppWord(p.text, i, end)
		p.undefine(string(name))
	case "include", "include_next", "import":
		p.include(i, end)
	case "line":
		p.marker(i, end)
	default:
		if len(word) > 0 && isDigit(word[0]) {
			p.marker(p.tok.end, end)
		}
	}
}

// ppWord is the next word of a preprocessing directive, from i on, and where it ends.
func ppWord(text []byte, i, end int) ([]byte, int) {
	i = skipInLine(text, i, end)
	j := i
	for j < end && isWord[text[j]] {
		j++
	}
	if j >= end || text[j] != '\\' {
		return text[i:j], j
	}
	word := append([]byte(nil), text[i:j]...)
	for j < end {
		if isWord[text[j]] {
			word = append(word, text[j])
			j++
			continue
		}
		n := 0
		if text[j] == '\\' {
			n = spliceLen(text[j:])
		}
		if n == 0 {
			break
		}
		j += n
	}
	return word, min(j, end)
}

// skipInLine is the first index from i on that holds no blank, comment or backslash-newline.
func skipInLine(text []byte, i, end int) int {
	for i < end {
		switch c := text[i]; {
		case isBlank(c):
			i++
		case c == '\\':
			n := spliceLen(text[i:])
			if n == 0 {
				return i
			}
			i += n
		case c == '/':
			j := afterBlanks(text[:end], i)
			if j == i {
				return i
			}
			i = j
		default:
			return i
		}
	}
	return end
}

// marker reads `# 12 "f.c" 1 3` or `#line 12 "f.c"` from the number on.
func (p *parser) marker(i, end int) {
	word, i := ppWord(p.text, i, end)
	line, err := strconv.Atoi(string(word))
	if err != nil || line < 0 {
		return
	}
	name := p.f.Position(p.tok.start).File
	rest := bytes.TrimSpace(p.text[i:end])
	if len(rest) > 0 && rest[0] == '"' {
		n, _ := literalEnd(rest, 0)
		if s, ok := source.Unquote(string(rest[:n])); ok {
			name = s
		} else {
			name = strings.Trim(string(rest[:n]), `"`)
		}
		rest = rest[n:]
	}
	// A macro of a system header, used in the user's file, is given as from the user's file with the flag 3. So what a file
	// is was said when it was seen first.
	system, known := p.systemFiles[name]
	if !known {
		system = slices.ContainsFunc(bytes.Fields(rest), func(flag []byte) bool { return string(flag) == "3" })
		if p.systemFiles == nil {
			p.systemFiles = map[string]bool{}
		}
		p.systemFiles[name] = system
	}
	p.system = system && p.o.Preprocessed
	p.f.Marker(p.f.NextLine(end), name, line, system)
	if p.system {
		p.skipSystem(end)
	}
}

// include meets an #include. A directive that waits for its statement gets it from there: out of reach. So does a block of
// sections get directives, maybe.
func (p *parser) include(i, end int) {
	p.tok.ctx = p.ctx
	p.atSections = false
	for k := range p.states {
		p.cur = &p.states[k]
		switch f := p.top(); {
		case f.kind == inSection && p.cs[f.c].Implicit:
			p.aux[f.c].note(reasonInclude)
		case f.kind == inDirective:
			p.aux[f.c].note(reasonInclude)
			p.tok.end = end
			p.startBody(f.c, p.behind())
			p.done(p.behind())
		}
	}
	if len(p.states) > 1 {
		p.settle()
	}
	p.readHeader(i, end)
}
