package directive

import (
	"bytes"
	"strings"

	"opari/parse/ctext"
)

var rawQuote = []byte(`R"`)

// onOneLine is l with each raw string that runs over several lines written as the ordinary string of the same characters: a clause
// may be written again on one line. Raw strings on one line stay, for in C before raw strings R can be a macro.
func (l *Logical) onOneLine() Logical {
	out := Logical{Raw: true}
	text, from := l.Text, 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '/':
			i += max(1, ctext.CommentLen(text[i:]))
		case c == '\'' || c == '"':
			i = ctext.AfterLiteral(text, i)
		case ctext.IsWord[c]:
			start := i
			for i < len(text) && ctext.IsWord[text[i]] {
				i++
			}
			if i == len(text) || text[i] != '"' || !ctext.IsRawPrefix(string(text[start:i])) {
				continue
			}
			end := ctext.AfterRaw(string(text), i)
			if bytes.IndexByte(text[i:end], '\n') >= 0 {
				out.Append(text[from:start], l.Offset(from))
				out.stretch(string(text[start:i-1])+ordinary(text[i:end]), l.Offset(start), l.Offset(end-1))
				from = end
			}
			i = end
		default:
			i++
		}
	}
	if from == 0 {
		return *l
	}
	out.Append(text[from:], l.Offset(from))
	return out
}

// stretch adds text for what stands in the file from first to last: what is longer than that stands at last.
func (l *Logical) stretch(text string, first, last int) {
	n := min(len(text), last-first)
	l.Append([]byte(text[:n]), first)
	for _, c := range []byte(text[n:]) {
		l.Append([]byte{c}, last)
	}
}

// ordinary is the ordinary string literal for a raw one, which starts at its quote: `"d(...)d"`.
func ordinary(raw []byte) string {
	open := bytes.IndexByte(raw, '(')
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range raw[open+1 : len(raw)-open-1] {
		switch c {
		case '\n':
			b.WriteString(`\n`)
		case '"', '\\', '?': // a question mark may begin a trigraph
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r': // a line ends in it and \n, and counts as \n
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
