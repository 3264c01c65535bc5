package indentation

import (
	"bytes"

	"opari/internal/omp"
	"opari/parse/ctext"
)

// Misleads reports whether text may have a statement that is indented as if an if, else, for or
// while guarded it, but none does. text is a source as the user wrote it. Compilers warn about
// this (-Wmisleading-indentation) by the columns of the user's file and outside of macros, so not
// in preprocessed text.
//
// Misleads may return true where a compiler would not warn. It takes macros for words, and all
// branches of an #if for one text. It omits a branch if the compiler reads no line of it,
// according to read. If read is nil, the compiler may read all lines.
func Misleads(text []byte, lang omp.Language, read func(line int) bool) bool {
	s := statements{text: text}
	s.tokenize(lang, read)
	s.matchBrackets()
	s.ends = make([]int, len(s.tokens))
	for i := len(s.tokens) - 1; i >= 0; i-- {
		s.ends[i] = s.end(i)
		if s.misleads(i) {
			return true
		}
	}
	return false
}

// statements holds the tokens of a text and the statements that begin with them.
type statements struct {
	text   []byte
	tokens []statementToken
	ends   []int // index of the token after the statement that begins with a token
}

type statementToken struct {
	kind  ctext.Kind
	start int
	match int // of an opening bracket: index of the token after its closing bracket
}

// tokenize reads all tokens except those of directives and of branches that the compiler does not
// read.
func (s *statements) tokenize(lang omp.Language, read func(line int) bool) {
	l := ctext.Lexer{
		Text: s.text, Words: ctext.NewVocabulary(lang), CPlusPlus: lang == omp.CPlusPlus,
		AtLineStart: true,
		Fault:       func(int, string) {}, Fatal: func(int, string, string) {},
	}
	branches := []branch{{}}
	line, counted := 1, 0
	for l.Next(false); l.Tok.Kind != ctext.EOF; l.Next(false) {
		if l.Tok.Kind == ctext.Hash {
			if read != nil {
				branches = s.updateBranches(branches, string(directiveWord(l.Text[l.Tok.End:])))
			}
			l.Pos, l.AtLineStart = ctext.LineEnd(l.Text, l.Tok.End), true
			continue
		}
		s.tokens = append(s.tokens, statementToken{l.Tok.Kind, l.Tok.Start, 0})
		if b := &branches[len(branches)-1]; read != nil && !b.read {
			line, counted = line+bytes.Count(l.Text[counted:l.Tok.Start], []byte("\n")), l.Tok.Start
			b.read = read(line)
		}
	}
}

// branch is a branch of an #if.
type branch struct {
	first int // index of its first token
	read  bool
}

// updateBranches applies a directive's word, which may begin or end a branch. branches holds the
// open branches, after an entry for the text outside of them.
func (s *statements) updateBranches(branches []branch, word string) []branch {
	now := len(branches) - 1
	switch b := ctext.BranchingOf(word); b {
	case ctext.OpensBranch:
		return append(branches, branch{first: len(s.tokens)})
	case ctext.PartsBranch, ctext.ClosesBranch:
		if now == 0 {
			return branches
		}
		if !branches[now].read {
			s.tokens = s.tokens[:branches[now].first]
		}
		branches[now-1].read = branches[now-1].read || branches[now].read
		if b == ctext.ClosesBranch {
			return branches[:now]
		}
		branches[now] = branch{first: len(s.tokens)}
	}
	return branches
}

// directiveWord returns the first word of a directive, given the text after its #.
func directiveWord(text []byte) []byte {
	text = bytes.TrimLeft(text, " \t")
	n := 0
	for n < len(text) && 'a' <= text[n] && text[n] <= 'z' {
		n++
	}
	return text[:n]
}

// matchBrackets pairs the brackets. An unclosed bracket ends with the text.
func (s *statements) matchBrackets() {
	var open []int
	for at := range s.tokens {
		switch s.tokens[at].kind {
		case '(', '[', '{':
			open = append(open, at)
		case ')', ']', '}':
			if n := len(open) - 1; n >= 0 {
				s.tokens[open[n]].match = at + 1
				open = open[:n]
			}
		}
	}
	for _, i := range open {
		s.tokens[i].match = len(s.tokens)
	}
}

func (s *statements) kind(i int) ctext.Kind {
	if i < len(s.tokens) {
		return s.tokens[i].kind
	}
	return ctext.EOF
}

// after returns the token after token i, or after the brackets that it opens.
func (s *statements) after(i int) int {
	if i < len(s.tokens) && s.tokens[i].match > 0 {
		return s.tokens[i].match
	}
	return i + 1
}

// body returns the first token of the statement that a guard at i guards, or i where there is no
// guard.
func (s *statements) body(i int) int {
	switch s.kind(i) {
	case ctext.Else:
		return i + 1
	case ctext.If, ctext.For, ctext.While, ctext.Switch:
		for i++; i < len(s.tokens) && s.kind(i) != '('; i++ { // if constexpr
			if s.kind(i) == '{' || s.kind(i) == ';' {
				return i
			}
		}
		return s.after(i)
	}
	return i
}

// endAt returns ends[i], or the end of the text after the last token.
func (s *statements) endAt(i int) int {
	if i < len(s.ends) {
		return s.ends[i]
	}
	return len(s.tokens)
}

// end returns the token after the statement that begins with token i. The ends of all later
// statements are known.
func (s *statements) end(i int) int {
	if b := s.body(i); b > i {
		end := s.endAt(b)
		if s.kind(i) == ctext.If && s.kind(end) == ctext.Else {
			end = s.endAt(end)
		}
		return end
	}
	switch s.kind(i) {
	case '{':
		return s.after(i)
	case ctext.Do:
		return s.endAt(s.endAt(i + 1)) // while (...);
	case ';', '}':
		return i + 1
	}
	for i = s.after(i); ; i = s.after(i) {
		switch s.kind(i) {
		case ';':
			return i + 1
		case '}', ctext.EOF:
			return i
		case '(', '[', '{':
		default:
			return s.endAt(i)
		}
	}
}

// misleads reports whether the statement after the one that token i guards is indented as if it
// were guarded too. It is if it stands on the same line as the guarded statement, or in the same
// column. It also is if the guarded statement is on the guard's line and the next one is indented
// further than that line. An empty statement is not misleading, but a guarded empty statement may
// be a mistake.
func (s *statements) misleads(i int) bool {
	body := s.body(i)
	switch s.kind(i) {
	case ctext.If, ctext.For, ctext.While:
	case ctext.Else:
		// This if is a guard of its own.
		if s.kind(body) == ctext.If && s.lineStart(body) == s.lineStart(i) {
			return false
		}
	default:
		return false
	}
	next := s.endAt(body)
	switch k := s.kind(next); {
	case k == ctext.EOF || k == '}' || k == ';' || k == ctext.Else || s.kind(body) == '{':
		return false
	case s.lineStart(body) == s.lineStart(next):
		return true
	case s.kind(body) == ';' && k == '{':
		return true
	case s.kind(body) == ';' || s.lineStart(body) == s.lineStart(i):
		return s.column(next) > s.indent(i)
	}
	return s.column(next) == s.column(body) && s.column(next) > s.indent(i)
}

func (s *statements) lineStart(i int) int {
	return bytes.LastIndexByte(s.text[:s.tokens[i].start], '\n') + 1
}

// column returns the column of a token on its line, counted from 0.
func (s *statements) column(i int) int {
	return width(s.text[s.lineStart(i):s.tokens[i].start])
}

// indent returns the column of the first token on a token's line.
func (s *statements) indent(i int) int {
	line := s.text[s.lineStart(i):s.tokens[i].start]
	return width(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// width returns the number of columns of a text, with tab stops every eight columns as in GCC.
func width(text []byte) int {
	column := 0
	for _, c := range text {
		if column++; c == '\t' {
			column = (column + 7) &^ 7
		}
	}
	return column
}
