package verify

import (
	"bytes"
	"strconv"

	"opari/internal/source"
	"opari/parse/ctext"
)

// A normaliser rewrites C text for the front end, which knows fewer of C's lexical details than
// compilers do. The text keeps its length, its newlines and the extent of every statement, so
// offsets stay valid.
//
// It makes these changes:
//
//   - Line markers, [[attributes]], the bodies of #if 0, the prefixes u and U, and the suffixes q
//     and w become blanks. So do quotes that are never closed, which are valid only in text that
//     is skipped.
//   - Digraphs and raw strings become what they mean.
//   - A backslash moves next to its newline.
//   - A marked directive becomes a comment.
type normaliser struct {
	text        []byte // rewritten in place
	i           int
	atLineStart bool // the line has only blanks and comments before i
	nesting
}

// normalise returns a copy of text for the front end, in which the k-th of marks is the comment
// /*@k@*/. The marks must be in ascending order and not overlap. deep says that the text is
// nested too deeply for the front end.
func normalise(text []byte, marks []source.Extent) (out []byte, deep bool) {
	n := normaliser{text: bytes.Clone(text), atLineStart: true}
	for k, m := range marks {
		n.advanceTo(m.Start)
		if n.i == m.Start { // else it is in a comment or in text that is skipped
			writeMark(n.text[m.Start:m.End], k)
			n.i = m.End
		}
	}
	n.advanceTo(len(n.text))
	return n.text, n.deep
}

// writeMark overwrites a directive with a comment that carries k. Newlines stay, and may separate
// the digits. A directive too short for the comment becomes blanks.
func writeMark(s []byte, k int) {
	body := strconv.AppendInt([]byte("@"), int64(k), 10)
	body = append(body, '@')
	out := bytes.Clone(s)
	blankOut(out)
	i := 2
	for ; len(body) > 0 && i < len(s); i++ {
		if out[i] == ' ' {
			out[i], body = body[0], body[1:]
		}
	}
	for i+1 < len(s) && (out[i] != ' ' || out[i+1] != ' ') {
		i++
	}
	blankOut(s)
	if len(body) > 0 || i+1 >= len(s) || out[0] != ' ' || out[1] != ' ' {
		return
	}
	copy(s, out)
	copy(s, "/*")
	copy(s[i:], "*/")
}

// markID reads the number back from the text of a comment. It returns -1 if that is no mark.
func markID(comment []byte) int {
	s := bytes.TrimPrefix(bytes.TrimSuffix(comment, []byte("*/")), []byte("/*"))
	digits := make([]byte, 0, 8)
	for _, c := range s {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			digits = append(digits, c)
		}
	}
	if len(digits) < 3 || digits[0] != '@' || digits[len(digits)-1] != '@' {
		return -1
	}
	id, err := strconv.Atoi(string(digits[1 : len(digits)-1]))
	if err != nil {
		return -1
	}
	return id
}

// marksIn returns the numbers of the marks in the blanks and comments before a token.
func marksIn(sep []byte) (ids []int) {
	for {
		i := bytes.Index(sep, []byte("/*"))
		if i < 0 {
			return ids
		}
		n := ctext.CommentLen(sep[i:])
		if id := markID(sep[i : i+n]); id >= 0 {
			ids = append(ids, id)
		}
		sep = sep[i+n:]
	}
}

// blankOut overwrites all bytes but newlines with blanks.
func blankOut(s []byte) {
	for i, c := range s {
		if c != '\n' && c != '\r' {
			s[i] = ' '
		}
	}
}

// advanceTo advances to offset end. It may stop later, after a comment or a body that is skipped.
func (n *normaliser) advanceTo(end int) {
	for n.i < end {
		n.token()
	}
}

// token passes over one token, comment, directive head or byte of white space.
func (n *normaliser) token() {
	t, i := n.text, n.i
	switch c := t[i]; {
	case c == '\n':
		n.i, n.atLineStart = i+1, true
		return
	case ctext.IsBlank(c):
		n.i++
		return
	case c == '\\' && ctext.SpliceLen(t[i:]) > 0:
		n.splice()
		return
	case c == '/' && i+1 < len(t) && (t[i+1] == '*' || t[i+1] == '/'):
		n.comment()
		return
	case n.atLineStart && (c == '#' || c == '%' && i+1 < len(t) && t[i+1] == ':'):
		n.atLineStart = false
		n.directive()
		return
	default:
		n.atLineStart = false
		n.countToken()
		switch {
		case c == '"' || c == '\'':
			n.quote()
		case ctext.IsDigit(c) || c == '.' && i+1 < len(t) && ctext.IsDigit(t[i+1]):
			n.number()
		case ctext.IsWord[c]:
			n.word()
		default:
			n.punctuation(c)
		}
	}
}

// splice moves the backslash of a continued line next to its newline.
func (n *normaliser) splice() {
	e := n.i + ctext.SpliceLen(n.text[n.i:])
	nl := e - 1
	if nl > n.i+1 && n.text[nl-1] == '\r' {
		nl--
	}
	n.text[n.i] = ' '
	n.text[nl-1] = '\\'
	n.i = e
}

// comment passes over a comment. It blanks each @ in a comment of the user, which must not look
// like a mark.
func (n *normaliser) comment() {
	s := n.text[n.i:]
	var e int
	if s[1] == '*' {
		e = ctext.CommentLen(s)
	} else {
		e = n.lineEnd(n.i) - n.i
	}
	for k, c := range s[:e] {
		if c == '@' {
			s[k] = ' '
		}
	}
	n.i += e
}

// lineEnd returns the offset of the newline that ends the logical line of i, or the end of the
// text. On the way it moves backslashes next to their newlines.
func (n *normaliser) lineEnd(i int) int {
	t := n.text
	for i < len(t) && t[i] != '\n' {
		if t[i] == '\\' {
			if l := ctext.SpliceLen(t[i:]); l > 0 {
				save := n.i
				n.i = i
				n.splice()
				i, n.i = n.i, save
				continue
			}
		}
		i++
	}
	return i
}

// quote passes over a string or character literal. If the quote is never closed, it blanks the
// line from there on.
func (n *normaliser) quote() {
	t, i, q := n.text, n.i, n.text[n.i]
	for n.i++; n.i < len(t) && t[n.i] != '\n'; {
		switch {
		case t[n.i] == q:
			n.i++
			return
		case t[n.i] != '\\':
			n.i++
		case ctext.SpliceLen(t[n.i:]) > 0:
			n.splice()
		default:
			n.i += 2
		}
	}
	n.i = min(n.i, len(t))
	blankOut(t[i:n.i])
}

// number passes over a preprocessing number, and blanks the suffix of a GNU type.
func (n *normaliser) number() {
	t, i := n.text, n.i
	for i < len(t) && (ctext.IsWord[t[i]] || t[i] == '.' ||
		t[i] == '\'' && i+1 < len(t) && ctext.IsWord[t[i+1]] ||
		(t[i] == '+' || t[i] == '-') && bytes.IndexByte([]byte("eEpP"), t[i-1]) >= 0 && i > n.i) {
		i++
	}
	if c := t[i-1] | 0x20; i-1 > n.i && (c == 'q' || c == 'w') {
		t[i-1] = ' '
	}
	n.i = i
}

// word passes over an identifier, a keyword or the prefix of a literal.
func (n *normaliser) word() {
	t, i := n.text, n.i
	e := i
	for e < len(t) && ctext.IsWord[t[e]] {
		e++
	}
	n.i = e
	if ctext.IsControl(t[i:e]) {
		n.keyword()
		return
	}
	switch string(t[i:e]) {
	case "u", "U":
		if e < len(t) && (t[e] == '"' || t[e] == '\'') {
			t[i] = ' '
		}
	case "R", "LR", "uR", "UR", "u8R":
		n.rawString(i, e)
	}
}

// rawString replaces the raw string whose prefix is [i, e) by "", if it is one.
func (n *normaliser) rawString(i, e int) {
	t := n.text
	if e >= len(t) || t[e] != '"' {
		return
	}
	open := bytes.IndexByte(t[e:min(len(t), e+18)], '(')
	if open < 0 || bytes.ContainsAny(t[e+1:e+open], " \\)\t\n\"") {
		return
	}
	closing := append(append([]byte(")"), t[e+1:e+open]...), '"')
	l := bytes.Index(t[e+open:], closing)
	if l < 0 {
		return
	}
	n.i = e + open + l + len(closing)
	// Inside a macro definition, a newline in the string would end the line. Compilers see it so
	// too.
	blankOut(t[i:n.i])
	copy(t[i:], `""`)
}

// punctuation passes over one punctuator and counts the nesting.
func (n *normaliser) punctuation(c byte) {
	t, i := n.text, n.i
	n.i++
	if i+1 < len(t) {
		if to := digraphAt(c, t[i+1]); to != 0 {
			t[i], t[i+1], c = to, ' ', to
			n.i++
		} else if c == '[' && t[i+1] == '[' {
			n.attribute()
		}
	}
	n.punctuator(c)
}

// digraphAt returns what the two characters mean as a digraph; 0 if they are none.
func digraphAt(a, b byte) byte {
	switch string([]byte{a, b}) {
	case "<:":
		return '['
	case ":>":
		return ']'
	case "<%":
		return '{'
	case "%>":
		return '}'
	case "%:":
		return '#'
	}
	return 0
}

// attribute blanks the [[attribute]] that starts one byte before n.i.
func (n *normaliser) attribute() {
	t, i := n.text, n.i-1
	for k, depth := i, 0; k < len(t); k++ {
		switch t[k] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				blankOut(t[i : k+1])
				n.i = k + 1
				n.brackets-- // the caller counts one
				return
			}
		case '"', '\'':
			k = ctext.AfterLiteral(t, k) - 1
		case '{', '}', ';':
			return
		}
	}
}
