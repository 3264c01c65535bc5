package parse

import (
	"opari/parse/ctext"
	"opari/parse/macro"
)

// arguments reads the parenthesis after the current macro's name. end is the offset after it.
// structural says that it has brackets, semicolons or keywords that belong to statements. ok is
// false if the parenthesis cannot be read.
func (p *parser) arguments() (args [][]macro.Token, structural bool, end int, ok bool) {
	l := p.sub(p.Pos)
	l.Next(false) // the parenthesis
	depth := 0
	args = [][]macro.Token{nil}
	for {
		l.Next(false)
		k := l.Tok.Kind
		last := &args[len(args)-1]
		switch {
		case k == ctext.EOF:
			return nil, false, 0, false
		case k == ctext.Hash:
			line := ctext.LineEnd(p.Text, l.Tok.End)
			switch word, i := ctext.NextWord(p.Text, l.Tok.End, line); string(word) {
			case "pragma":
				if s, _ := ctext.NextWord(p.Text, i, line); string(s) == "omp" ||
					string(s) == "pomp" {
					p.fail(l.Tok.Start,
						"a directive stands in the arguments of macro "+string(p.tokenText()),
						"move it out of the arguments, or write the macro's text in its place")
				}
			case "define", "undef", "line", "error", "warning":
			default: // an #if: the arguments would differ between the branches
				return nil, false, 0, false
			}
			l.Pos, l.AtLineStart = line, true
			continue
		case k == ')' && depth == 0:
			return args, structural, l.Tok.End, true
		case k == ',' && depth == 0:
			args = append(args, nil)
			continue
		case k == '(':
			depth++
		case k == ')':
			depth--
		case k == '{', k == '}', k == ';', k >= ctext.If && macro.IsStructural(k):
			structural = true
		}
		text := l.Tok.Text
		if text == nil {
			text = p.Text[l.Tok.Start:l.Tok.End]
		}
		*last = append(*last, macro.Token{Kind: k, Param: -1, Text: text})
	}
}
