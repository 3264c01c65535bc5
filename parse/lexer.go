package parse

// lexer cuts the text into tokens. Comments, blanks and backslash-newlines are passed over; preprocessing directives
// are left to the caller, who gets a kHash.
type lexer struct {
	text  []byte
	pos   int
	words *vocabulary
	cpp   bool // C++
	bol   bool // no token has been seen on this logical line

	ctx int32 // the #if branch at hand

	tok token
	// The token before tok, directives aside.
	prevStart, prevEnd int
	prevKind           kind
	prevCtx, prevMacro int32

	fault func(offset int, message string) // told of literals that are never closed
	fatal func(offset int, message, hint string)
}

// The classes of bytes.
const (
	classPlain   = iota // punctuation that is a token by itself and tells nothing inside an expression
	classBlank          // blanks but the newline
	classNewline        //
	classWord           // letters, '_', '$' and bytes of other than ASCII characters
	classDigit          //
	classQuote          //
	classBracket        // brackets and ';'
	classMulti          // may start a longer operator, a digraph, a comment, a splice or a directive
)

var classOf = func() (t [256]uint8) {
	for c := range t {
		switch b := byte(c); {
		case b == '\n':
			t[c] = classNewline
		case isBlank(b):
			t[c] = classBlank
		case isDigit(b):
			t[c] = classDigit
		case isWord[b]:
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

// next reads the next token into l.tok. With rough set, only what matters inside brackets and expressions is given:
// brackets, ';', directives, and words that are macros or lock routines.
func (l *lexer) next(rough bool) {
	if l.tok.kind != kHash {
		l.remember()
	}
	text, i := l.text, l.pos
	mask := &l.words.mask
	if rough {
		mask = &l.words.rough
	}
	for i < len(text) {
		c := text[i]
		switch classOf[c] {
		case classBlank:
			i++
		case classNewline:
			i++
			l.bol = true
		case classWord:
			j := i + 1
			for j < len(text) && isWord[text[j]] {
				j++
			}
			if j < len(text) && (text[j] == '\\' || text[j] == '"') && l.oddWord(i, j) {
				if i = l.tok.end; rough && l.tok.kind != kLock {
					l.past(l.tok.start, i, l.tok.kind)
					continue
				}
				l.pos, l.bol = i, false
				return
			}
			k := kWord
			if mask[c]&lengthBit(j-i) != 0 {
				k = l.classify(text[i:j], rough)
			}
			if rough && k == kWord {
				l.past(i, j, k)
				i = j
				continue
			}
			l.emit(k, i, j)
			return
		case classDigit:
			j := l.afterNumber(i)
			if rough {
				l.past(i, j, kNumber)
				i = j
				continue
			}
			l.emit(kNumber, i, j)
			return
		case classQuote:
			j := l.literal(i)
			if rough {
				l.past(i, j, kString)
				i = j
				continue
			}
			l.emit(kString, i, j)
			return
		case classBracket:
			l.emit(kind(c), i, i+1)
			return
		case classPlain:
			if rough {
				l.past(i, i+1, kind(c))
				i++
				continue
			}
			l.emit(kind(c), i, i+1)
			return
		default:
			k, j := l.multi(i)
			switch {
			case k == kEOF: // no token
			case rough && k != kHash && classOf[k] != classBracket:
				l.past(i, j, k)
			default:
				l.emit(k, i, j)
				return
			}
			i = j
		}
	}
	l.pos = len(text)
	l.emit(kEOF, len(text), len(text))
}

// remember makes the token at hand the previous one.
func (l *lexer) remember() {
	l.prevStart, l.prevEnd, l.prevKind, l.prevCtx, l.prevMacro = l.tok.start, l.tok.end, l.tok.kind, l.tok.ctx, 0
	if l.tok.macro != 0 {
		if !l.tok.last {
			l.prevMacro = l.tok.macro
		}
		l.tok.macro = 0
	}
	l.tok.text = nil
}

func (l *lexer) emit(k kind, i, j int) {
	l.tok.kind, l.tok.start, l.tok.end, l.tok.ctx = k, i, j, l.ctx
	l.pos = j
	if k != kHash {
		l.bol = false
	}
}

// past notes a token that is not given to the caller.
func (l *lexer) past(i, j int, k kind) {
	l.prevStart, l.prevEnd, l.prevKind, l.prevCtx, l.prevMacro = i, j, k, l.ctx, 0
	l.bol = false
}

// classify is the kind of a word that may be a known one.
func (l *lexer) classify(word []byte, rough bool) kind {
	s := l.words.find(word)
	switch {
	case s == nil:
		return kWord
	case s.def != 0:
		return kMacro
	case rough && s.kind != kLock && s.kind != kPragmaOp:
		return kWord
	}
	return s.kind
}

// oddWord reads the word text[i:j] that goes on behind a backslash-newline, or that is the prefix of a raw string. It
// reports false when it is neither.
func (l *lexer) oddWord(i, j int) bool {
	text := l.text
	if text[j] == '"' {
		if !isRawPrefix(string(text[i:j])) {
			return false
		}
		end := rawEnd(text, j)
		if end < 0 {
			return false
		}
		if end > len(text) {
			end = len(text)
			l.fatal(i, "this raw string is never closed", "close it, or look for a quote that was meant otherwise")
		}
		l.tok.kind, l.tok.start, l.tok.end, l.tok.ctx = kString, i, end, l.ctx
		return true
	}
	n := spliceLen(text[j:])
	if n == 0 || j+n >= len(text) || !isWord[text[j+n]] {
		return false
	}
	word := append([]byte(nil), text[i:j]...)
	for j < len(text) {
		if isWord[text[j]] {
			word = append(word, text[j])
			j++
			continue
		}
		if n = 0; text[j] == '\\' {
			n = spliceLen(text[j:])
		}
		if n == 0 || j+n >= len(text) || !isWord[text[j+n]] {
			break
		}
		j += n
	}
	l.tok.kind, l.tok.start, l.tok.end, l.tok.ctx, l.tok.text = l.classify(word, false), i, j, l.ctx, word
	if l.tok.kind == kMacro {
		l.tok.kind = kWord // too odd to follow
	}
	return true
}

// afterNumber is the index after the preprocessing number at i, with its digit separators.
func (l *lexer) afterNumber(i int) int {
	text := l.text
	for i++; i < len(text); i++ {
		c := text[i]
		switch {
		case isWord[c], c == '.':
		case c == '\'' && i+1 < len(text) && isWord[text[i+1]]:
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

// literal is the index after the string or character literal at i. One that is not closed on its line ends with it.
func (l *lexer) literal(i int) int {
	end, closed := literalEnd(l.text, i)
	if !closed {
		what := "string"
		if l.text[i] == '\'' {
			what = "character literal"
		}
		l.fault(i, "this "+what+" is not closed on its line")
	}
	return end
}

// multi reads what stands at i, the first byte of which is of classMulti. The kind is kEOF for a comment or splice.
func (l *lexer) multi(i int) (kind, int) {
	text := l.text
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
			return kEOF, j
		}
	case '\\':
		if n := spliceLen(text[i:]); n > 0 {
			return kEOF, i + n
		}
		return kind(c), i + 1
	case '#':
		if l.bol {
			return kHash, i + 1
		}
		return kind(c), i + 1
	case '%', '<', ':':
		if k, n := l.digraph(c, d, i); n > 0 {
			return k, i + n
		}
	case '?':
		if d == '?' {
			if k, ok := trigraph(e); ok {
				if k == kHash && !l.bol {
					k = '#'
				}
				return k, i + 3
			}
		}
		return '?', i + 1
	case '.':
		if isDigit(d) {
			return kNumber, l.afterNumber(i)
		}
		if d == '.' && e == '.' {
			return kOp, i + 3
		}
		return '.', i + 1
	case '-':
		if d == '>' {
			return kArrow, i + 2
		}
	case '>':
		if d == '>' && e == '=' {
			return kOp, i + 3
		}
	}
	if d == '=' {
		return kOp, i + 2
	}
	if d == c && (c == '+' || c == '-' || c == '|') {
		return kOp, i + 2
	}
	return kind(c), i + 1
}
