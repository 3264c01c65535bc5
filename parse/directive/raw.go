package directive

import (
	"bytes"
	"strings"

	"opari/parse/ctext"
)

var rawQuote = []byte(`R"`)

// onOneLine returns l with each raw string over several lines replaced by the ordinary string of
// the same characters, so that the rewriter can write a clause on one line. Raw strings on one
// line stay: in C before raw strings, R can be a macro.
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
				out.stretch(string(text[start:i-1])+ordinary(text[i:end]),
					l.Offset(start), l.Offset(end-1))
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

// stretch adds text in place of what the file has from first to last. The part of text that is
// longer than that gets the offset last.
func (l *Logical) stretch(text string, first, last int) {
	n := min(len(text), last-first)
	l.Append([]byte(text[:n]), first)
	for _, c := range []byte(text[n:]) {
		l.Append([]byte{c}, last)
	}
}

// ordinary returns the ordinary string literal for a raw one. raw starts at the quote:
// `"d(...)d"`.
func ordinary(raw []byte) string {
	open := bytes.IndexByte(raw, '(')
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range raw[open+1 : len(raw)-open-1] {
		switch c {
		case '\n':
			b.WriteString(`\n`)
		case '"', '\\', '?': // a question mark could begin a trigraph
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r': // the line ending \r\n counts as \n
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
