package ctext

// Lexer cuts the text into tokens. It passes over comments, blanks and backslash-newlines, and
// leaves preprocessing directives to the caller, who gets a Hash.
type Lexer struct {
	Text        []byte
	Pos         int
	Words       *Vocabulary
	CPlusPlus   bool // the text is C++
	AtLineStart bool // this logical line has had no token so far

	Branch int32 // the current #if branch

	Tok Token
	// The token before Tok. Directives do not count.
	PrevStart, PrevEnd    int
	PrevKind              Kind
	PrevBranch, PrevMacro int32

	Fault func(offset int, message string) // reports literals that are never closed
	Fatal func(offset int, message, hint string)
}

// The classes of bytes.
const (
	classPlain = iota // a token of one byte that does not matter inside an expression
	classBlank        // all blanks but the newline
	classNewline
	classWord // letters, '_', '$' and all non-ASCII bytes
	classDigit
	classQuote
	classBracket // brackets and ';'
	classMulti   // may start a longer operator, a digraph, a comment, a splice or a directive
)

var classOf = func() (t [256]uint8) {
	for c := range t {
		switch b := byte(c); {
		case b == '\n':
			t[c] = classNewline
		case IsBlank(b):
			t[c] = classBlank
		case IsDigit(b):
			t[c] = classDigit
		case IsWord[b]:
			t[c] = classWord
		case b == '"', b == '\'':
			t[c] = classQuote
		}
	}
	for _, c := range []byte("()[]{};") {
		t[c] = classBracket
	}
	for _, c := range []byte("/\\#<>%:.-=!+*&|^?") {
		t[c] = classMulti
	}
	return t
}()

// Next reads the next token into l.Tok. With rough it gives only what matters inside brackets and
// expressions: brackets, ';', directives, macro names, lock routines and _Pragma.
func (l *Lexer) Next(rough bool) {
	if l.Tok.Kind != Hash {
		l.Remember()
	}
	text, i := l.Text, l.Pos
	mask := &l.Words.Mask
	if rough {
		mask = &l.Words.rough
	}
	for i < len(text) {
		c := text[i]
		switch classOf[c] {
		case classBlank:
			i++
		case classNewline:
			i++
			l.AtLineStart = true
		case classWord:
			j := i + 1
			for j < len(text) && IsWord[text[j]] {
				j++
			}
			if j < len(text) && (text[j] == '\\' || text[j] == '"') && l.splicedWord(i, j) {
				if i = l.Tok.End; rough && l.Tok.Kind != Lock {
					l.skipped(l.Tok.Start, i, l.Tok.Kind)
					continue
				}
				l.Pos, l.AtLineStart = i, false
				return
			}
			k := Word
			if mask[c]&LengthBit(j-i) != 0 {
				k = l.classify(text[i:j], rough)
			}
			if rough && k == Word {
				l.skipped(i, j, k)
				i = j
				continue
			}
			l.emit(k, i, j)
			return
		case classDigit:
			j := l.afterNumber(i)
			if rough {
				l.skipped(i, j, Number)
				i = j
				continue
			}
			l.emit(Number, i, j)
			return
		case classQuote:
			j := l.literal(i)
			if rough {
				l.skipped(i, j, String)
				i = j
				continue
			}
			l.emit(String, i, j)
			return
		case classBracket:
			l.emit(Kind(c), i, i+1)
			return
		case classPlain:
			if rough {
				l.skipped(i, i+1, Kind(c))
				i++
				continue
			}
			l.emit(Kind(c), i, i+1)
			return
		default:
			k, j := l.multi(i)
			switch {
			case k == EOF: // a comment or a splice
			case rough && k != Hash && classOf[k] != classBracket:
				l.skipped(i, j, k)
			default:
				l.emit(k, i, j)
				return
			}
			i = j
		}
	}
	l.Pos = len(text)
	l.emit(EOF, len(text), len(text))
}

// Remember makes the current token the previous one.
func (l *Lexer) Remember() {
	l.PrevStart, l.PrevEnd, l.PrevKind, l.PrevBranch, l.PrevMacro =
		l.Tok.Start, l.Tok.End, l.Tok.Kind, l.Tok.Branch, 0
	if l.Tok.Macro != 0 {
		if !l.Tok.Last {
			l.PrevMacro = l.Tok.Macro
		}
		l.Tok.Macro = 0
	}
	l.Tok.Text = nil
}

func (l *Lexer) emit(k Kind, i, j int) {
	l.Tok.Kind, l.Tok.Start, l.Tok.End, l.Tok.Branch = k, i, j, l.Branch
	l.Pos = j
	if k != Hash {
		l.AtLineStart = false
	}
}

// skipped records a token that the caller does not get.
func (l *Lexer) skipped(i, j int, k Kind) {
	l.PrevStart, l.PrevEnd, l.PrevKind, l.PrevBranch, l.PrevMacro = i, j, k, l.Branch, 0
	l.AtLineStart = false
}

// classify returns the kind of a word that Mask does not rule out.
func (l *Lexer) classify(word []byte, rough bool) Kind {
	s := l.Words.Find(word)
	switch {
	case s == nil:
		return Word
	case s.Def != 0:
		return Macro
	case rough && s.Kind != Lock && s.Kind != PragmaOperator:
		return Word
	}
	return s.Kind
}

// splicedWord reads the word text[i:j] if it continues after a backslash-newline, or is the
// prefix of a raw string, which it reads too. It reports false if it is neither.
func (l *Lexer) splicedWord(i, j int) bool {
	text := l.Text
	if text[j] == '"' {
		if !IsRawPrefix(string(text[i:j])) {
			return false
		}
		end := rawEnd(text, j)
		if end < 0 {
			return false
		}
		if end > len(text) {
			end = len(text)
			l.Fatal(i, "this raw string is never closed",
				"close it, or look for a quote that was meant otherwise")
		}
		l.Tok.Kind, l.Tok.Start, l.Tok.End, l.Tok.Branch = String, i, end, l.Branch
		return true
	}
	n := SpliceLen(text[j:])
	if n == 0 || j+n >= len(text) || !IsWord[text[j+n]] {
		return false
	}
	word := append([]byte(nil), text[i:j]...)
	for j < len(text) {
		if IsWord[text[j]] {
			word = append(word, text[j])
			j++
			continue
		}
		if n = 0; text[j] == '\\' {
			n = SpliceLen(text[j:])
		}
		if n == 0 || j+n >= len(text) || !IsWord[text[j+n]] {
			break
		}
		j += n
	}
	l.Tok.Kind, l.Tok.Start, l.Tok.End, l.Tok.Branch, l.Tok.Text =
		l.classify(word, false), i, j, l.Branch, word
	if l.Tok.Kind == Macro {
		l.Tok.Kind = Word // too rare to expand
	}
	return true
}

// afterNumber returns the index after the preprocessing number at i, digit separators included.
func (l *Lexer) afterNumber(i int) int {
	text := l.Text
	for i++; i < len(text); i++ {
		c := text[i]
		switch {
		case IsWord[c], c == '.':
		case c == '\'' && i+1 < len(text) && IsWord[text[i+1]]:
		case c == '+' || c == '-':
			if e := text[i-1] | 0x20; e != 'e' && e != 'p' {
				return i
			}
		default:
			return i
		}
	}
	return i
}

// literal returns the index after the string or character literal at i. A literal that is not
// closed on its line ends with the line.
func (l *Lexer) literal(i int) int {
	end, closed := LiteralEnd(l.Text, i)
	if !closed {
		what := "string"
		if l.Text[i] == '\'' {
			what = "character literal"
		}
		l.Fault(i, "this "+what+" is not closed on its line")
	}
	return end
}

// multi reads the token at i, whose first byte is of classMulti. It returns the kind and the
// index after it. The kind is EOF for a comment or splice.
func (l *Lexer) multi(i int) (Kind, int) {
	text := l.Text
	c := text[i]
	var d, e byte
	if i+1 < len(text) {
		d = text[i+1]
	}
	if i+2 < len(text) {
		e = text[i+2]
	}
	switch c {
	case '/':
		if j := l.comment(i); j > i {
			return EOF, j
		}
	case '\\':
		if n := SpliceLen(text[i:]); n > 0 {
			return EOF, i + n
		}
		return Kind(c), i + 1
	case '#':
		if l.AtLineStart {
			return Hash, i + 1
		}
		return Kind(c), i + 1
	case '%', '<', ':':
		if k, n := l.digraph(c, d, i); n > 0 {
			return k, i + n
		}
	case '?':
		if d == '?' {
			if k, ok := trigraph(e); ok {
				if k == Hash && !l.AtLineStart {
					k = '#'
				}
				return k, i + 3
			}
		}
		return '?', i + 1
	case '.':
		if IsDigit(d) {
			return Number, l.afterNumber(i)
		}
		if d == '.' && e == '.' {
			return Op, i + 3
		}
		return '.', i + 1
	case '-':
		if d == '>' {
			return Arrow, i + 2
		}
	case '>':
		if d == '>' && e == '=' {
			return Op, i + 3
		}
	}
	if d == '=' {
		return Op, i + 2
	}
	if d == c && (c == '+' || c == '-' || c == '|') {
		return Op, i + 2
	}
	return Kind(c), i + 1
}
