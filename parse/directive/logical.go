package directive

import (
	"bytes"
	"sort"

	"opari/internal/source"
	"opari/parse/ctext"
)

// Logical is the text of one directive after its sentinel, as the grammar reads it: with its
// lines joined and each comment replaced by one blank. It knows the file offset of each of its
// bytes. The zero value is an empty line to Append to.
//
// A directive on one physical line without comments shares its bytes with the file.
type Logical struct {
	Text []byte

	base int   // the file offset of Text[0]
	cuts []cut // where the offset jumps, in ascending order; usually there are none
	own  bool  // Text does not share its bytes with the file
	Raw  bool  // an ordinary string replaces a raw string over several lines
}

// A cut says that the file has Text[at:] at offset, up to the next cut.
type cut struct{ at, offset int }

// Read reads the bytes e of f. They follow a sentinel in C or C++ and end before the newline that
// ends the directive. Newlines inside e must be escaped or inside comments.
func Read(f *source.File, e source.Extent) Logical {
	text := f.Text[e.Start:e.End]
	l := Logical{Text: text[:len(text):len(text)], base: e.Start}
	if bytes.Contains(text, rawQuote) && bytes.IndexByte(text, '\n') >= 0 {
		l = l.onOneLine()
	}
	if bytes.IndexByte(text, '\\') >= 0 {
		l = l.spliced()
	}
	if bytes.IndexByte(l.Text, '/') >= 0 {
		l = l.uncommented()
	}
	return l
}

// Append adds bytes that the file has at offset.
func (l *Logical) Append(text []byte, offset int) {
	if len(text) == 0 {
		if len(l.Text) == 0 {
			l.base = offset
		}
		return
	}
	switch n := len(l.Text); {
	case n == 0 && !l.own:
		l.Text, l.base = text[:len(text):len(text)], offset
		return
	case n == 0:
		l.base = offset
	case l.Offset(n) != offset:
		l.cuts = append(l.cuts, cut{n, offset})
	}
	if !l.own {
		l.grow(2 * (len(l.Text) + len(text)))
	}
	l.Text = append(l.Text, text...)
}

// grow copies Text into an array of l's own with capacity n.
func (l *Logical) grow(n int) {
	l.Text = append(make([]byte, 0, n), l.Text...)
	l.own = true
}

var blank = []byte{' '}

// AppendBlank adds one blank for a comment, which the file has at offset.
func (l *Logical) AppendBlank(offset int) { l.Append(blank, offset) }

// Offset returns the file offset of Text[i]. For i == len(Text) it is the offset after the last
// byte.
func (l *Logical) Offset(i int) int {
	if len(l.cuts) == 0 || i < l.cuts[0].at {
		return l.base + i
	}
	n := sort.Search(len(l.cuts), func(k int) bool { return l.cuts[k].at > i }) - 1
	return l.cuts[n].offset + i - l.cuts[n].at
}

// Extent returns the extent of Text[i:j] in the file, from its first byte to after its last. The
// extent includes what was spliced out between the two, but not what was spliced out after the
// last.
func (l *Logical) Extent(i, j int) source.Extent {
	if len(l.cuts) == 0 || j <= i {
		o := l.Offset(i)
		return source.Extent{Start: o, End: o + max(0, j-i)}
	}
	return source.Extent{Start: l.Offset(i), End: l.Offset(j-1) + 1}
}

// From returns the part of l from Text[i] on. Fortran uses it to leave out the `end` of an end
// directive.
func (l *Logical) From(i int) Logical {
	n := Logical{Text: l.Text[i:], base: l.Offset(i), own: l.own}
	for _, c := range l.cuts {
		if c.at > i {
			n.cuts = append(n.cuts, cut{c.at - i, c.offset})
		}
	}
	return n
}

// spliced returns l without its backslash-newlines. As gcc does, it allows blanks between
// backslash and newline.
func (l *Logical) spliced() Logical {
	out := Logical{Raw: l.Raw}
	text, from := l.Text, 0
	for i := 0; i < len(text); {
		n := 0
		if text[i] == '\\' {
			n = ctext.SpliceLen(text[i:])
		}
		if n == 0 {
			i++
			continue
		}
		if from == 0 {
			out.grow(len(text))
		}
		out.Append(text[from:i], l.Offset(from))
		i += n
		from = i
	}
	if from == 0 {
		return *l
	}
	out.Append(text[from:], l.Offset(from))
	return out
}

// uncommented returns l with each comment replaced by one blank. l must be spliced already.
func (l *Logical) uncommented() Logical {
	out := Logical{Raw: l.Raw}
	text, from := l.Text, 0
	for i := 0; i < len(text); {
		n := 0
		switch text[i] {
		case '/':
			n = ctext.CommentLen(text[i:])
		case '"', '\'':
			i = afterString(text, i)
			continue
		}
		if n == 0 {
			i++
			continue
		}
		if from == 0 {
			out.grow(len(text) + 1)
			out.cuts = make([]cut, 0, len(l.cuts)+4)
		}
		l.appendPart(&out, from, i)
		out.AppendBlank(l.Offset(i))
		i += n
		from = i
	}
	if from == 0 {
		return *l
	}
	l.appendPart(&out, from, len(text))
	return out
}

// appendPart appends Text[i:j] to out, one piece for each cut.
func (l *Logical) appendPart(out *Logical, i, j int) {
	for _, c := range l.cuts {
		if i < c.at && c.at < j {
			out.Append(l.Text[i:c.at], l.Offset(i))
			i = c.at
		}
	}
	out.Append(l.Text[i:j], l.Offset(i))
}

// afterString returns the index after the literal that starts at text[i], which may be a raw
// string.
func afterString(text []byte, i int) int {
	if text[i] == '"' && i > 0 && text[i-1] == 'R' {
		k := i
		for k > 0 && ctext.IsWord[text[k-1]] {
			k--
		}
		if ctext.IsRawPrefix(string(text[k:i])) {
			return ctext.AfterRaw(string(text), i)
		}
	}
	return ctext.AfterLiteral(text, i)
}

// ReadTokens returns the logical line of tokens that may be on several physical lines.
func ReadTokens(text []byte, tokens []ctext.Token) Logical {
	var l Logical
	for i, t := range tokens {
		if i > 0 && tokens[i-1].End < t.Start {
			l.Append([]byte{' '}, tokens[i-1].End)
		}
		l.Append(text[t.Start:t.End], t.Start)
	}
	if bytes.Contains(l.Text, rawQuote) && bytes.IndexByte(l.Text, '\n') >= 0 {
		l = l.onOneLine()
	}
	if bytes.IndexByte(l.Text, '\\') >= 0 {
		l = l.spliced()
	}
	return l
}
