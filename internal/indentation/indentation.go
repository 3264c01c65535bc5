// Package indentation tells where a statement stands as if it were guarded by one that does not guard it.
package indentation

import (
	"bytes"

	"opari/internal/omp"
	"opari/parse/ctext"
)

// Misleads reports whether text, a source as the user wrote it, may have a statement whose indentation shows it
// under an if, else, for or while that does not guard it. Compilers warn of that (-Wmisleading-indentation) by the columns of the user's file
// and outside of macros, so not of preprocessed text. It may report true where a compiler sees nothing: macros are taken
// for words, and the branches of an #if for one text, but for those of which the compiler reads no line, by read; nil: it may read all.
func Misleads(text []byte, lang omp.Language, read func(line int) bool) bool {
	s := statements{text: text}
	s.read(lang, read)
	s.pair()
	s.ends = make([]int, len(s.tokens))
	for i := len(s.tokens) - 1; i >= 0; i-- {
		s.ends[i] = s.end(i)
		if s.misleads(i) {
			return true
		}
	}
	return false
}

// statements are the tokens of a text and the statements that begin with them.
type statements struct {
	text   []byte
	tokens []statementToken
	ends   []int // of the statement that begins with a token: the token behind it
}

type statementToken struct {
	kind  ctext.Kind
	start int
	match int // of a bracket that opens: the token behind the one that closes it
}

// read takes all tokens but those of directives, and of branches that are not read.
func (s *statements) read(lang omp.Language, read func(line int) bool) {
	l := ctext.Lexer{
		Text: s.text, Words: ctext.NewVocabulary(lang), CPlusPlus: lang == omp.CPlusPlus, AtLineStart: true,
		Fault: func(int, string) {}, Fatal: func(int, string, string) {},
	}
	branches := []choice{{}}
	line, counted := 1, 0
	for l.Next(false); l.Tok.Kind != ctext.EOF; l.Next(false) {
		if l.Tok.Kind == ctext.Hash {
			if read != nil {
				branches = s.turn(branches, string(directiveWord(l.Text[l.Tok.End:])))
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

// choice is a branch of an #if.
type choice struct {
	first int // of its tokens
	read  bool
}

// turn follows a directive's word into a branch and out of it. Those that are open are in branches, behind one for the text itself.
func (s *statements) turn(branches []choice, word string) []choice {
	now := len(branches) - 1
	switch b := ctext.BranchingOf(word); b {
	case ctext.OpensBranch:
		return append(branches, choice{first: len(s.tokens)})
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
		branches[now] = choice{first: len(s.tokens)}
	}
	return branches
}

// directiveWord is the first word of a directive, given what stands behind its sign.
func directiveWord(text []byte) []byte {
	text = bytes.TrimLeft(text, " \t")
	n := 0
	for n < len(text) && 'a' <= text[n] && text[n] <= 'z' {
		n++
	}
	return text[:n]
}

// pair finds the brackets that belong together. What is not closed ends with the text.
func (s *statements) pair() {
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

// behind is the token behind a token, or behind the brackets that it opens.
func (s *statements) behind(i int) int {
	if i < len(s.tokens) && s.tokens[i].match > 0 {
		return s.tokens[i].match
	}
	return i + 1
}

// body is the first token of what a guard at i guards: i where there is no guard.
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
		return s.behind(i)
	}
	return i
}

// at is what ends[i] says.
func (s *statements) at(i int) int {
	if i < len(s.ends) {
		return s.ends[i]
	}
	return len(s.tokens)
}

// End finds the token behind the statement that begins with token i. The ends of those behind i are known.
func (s *statements) end(i int) int {
	if b := s.body(i); b > i {
		end := s.at(b)
		if s.kind(i) == ctext.If && s.kind(end) == ctext.Else {
			end = s.at(end)
		}
		return end
	}
	switch s.kind(i) {
	case '{':
		return s.behind(i)
	case ctext.Do:
		return s.at(s.at(i + 1)) // while (...);
	case ';', '}':
		return i + 1
	}
	for i = s.behind(i); ; i = s.behind(i) {
		switch s.kind(i) {
		case ';':
			return i + 1
		case '}', ctext.EOF:
			return i
		case '(', '[', '{':
		default:
			return s.at(i)
		}
	}
}

// misleads reports whether the statement behind the one that token i guards stands as if it were guarded too: on one line with that one, or under
// it, or further in than the guard whose line it is on. An empty statement does not; one that is guarded may be there by mistake.
func (s *statements) misleads(i int) bool {
	body := s.body(i)
	switch s.kind(i) {
	case ctext.If, ctext.For, ctext.While:
	case ctext.Else:
		if s.kind(body) == ctext.If && s.lineStart(body) == s.lineStart(i) { // which is a guard of its own
			return false
		}
	default:
		return false
	}
	next := s.at(body)
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

// column is where a token is seen on its line, counted from 0.
func (s *statements) column(i int) int {
	return width(s.text[s.lineStart(i):s.tokens[i].start])
}

// indent is the column of the first thing on a token's line.
func (s *statements) indent(i int) int {
	line := s.text[s.lineStart(i):s.tokens[i].start]
	return width(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// width is how far a text goes, with tabs of eight columns as GCC has them.
func width(text []byte) int {
	column := 0
	for _, c := range text {
		if column++; c == '\t' {
			column = (column + 7) &^ 7
		}
	}
	return column
}
