package loop

import (
	"slices"
	"strings"

	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/macro"
)

// maxTripTokens bounds the length of the headers that split reads.
const maxTripTokens = 60

// integerWords are the words that make up the names of integer types.
var integerWords = strings.Fields("int long short char unsigned signed size_t ssize_t " +
	"ptrdiff_t intptr_t uintptr_t " +
	"int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t")

// tripReader reads the header of an associated loop in canonical form, OpenMP 5.2 [4.4.1].
type tripReader struct {
	macros *macro.Table
	text   []byte
	tokens []ctext.Token
}

// readTrip reads a header, which is the text between the parentheses. It returns the trip and the
// words of its expressions. The trip is nil if the loop cannot be counted.
func readTrip(header []byte, ms *macro.Table) (trip *construct.Trip, names string) {
	t := &construct.Trip{}
	r := tripReader{macros: ms, text: header, tokens: make([]ctext.Token, 0, 16)}
	parts := r.split()
	if parts == nil {
		return nil, ""
	}
	v, first, ok := r.start(parts[0], t)
	if !ok {
		return nil, ""
	}
	relation, bound := r.test(parts[1], v)
	step, down := r.step(parts[2], v)
	if relation == "" || step == nil || relation == "!=" && r.textOf(step) != "1" {
		return nil, ""
	}
	for _, e := range [][]ctext.Token{first, bound, step} {
		if !r.isPlain(e, &names) {
			return nil, ""
		}
	}
	t.From, t.To, t.Step = r.textOf(first), r.textOf(bound), r.textOf(step)
	t.Inclusive = relation == "<=" || relation == ">="
	falls := relation[0] == '>' || relation == "!=" && down
	if falls {
		// A loop from first down to bound has as many iterations as one from bound up to first.
		t.From, t.To = t.To, t.From
	}
	if falls != down {
		t.Step = "-(" + t.Step + ")"
	}
	return t, names
}

// split divides the header into its three parts. It returns nil if the header has fewer or more,
// or is longer than maxTripTokens.
func (r *tripReader) split() [][]ctext.Token {
	l := r.lexer()
	var ends []int
	for {
		l.Next(false)
		switch {
		case l.Tok.Kind == ctext.EOF:
			if len(ends) != 2 {
				return nil
			}
			return [][]ctext.Token{
				r.tokens[:ends[0]], r.tokens[ends[0]+1 : ends[1]], r.tokens[ends[1]+1:],
			}
		case l.Tok.Kind == ctext.Hash, l.Tok.Text != nil, len(r.tokens) == maxTripTokens:
			return nil
		case l.Tok.Kind == ';':
			ends = append(ends, len(r.tokens))
		}
		r.tokens = append(r.tokens, l.Tok)
	}
}

func (r *tripReader) spelling(t ctext.Token) string { return string(r.text[t.Start:t.End]) }

// textOf returns the text of an expression, with comments and newlines replaced by blanks.
func (r *tripReader) textOf(e []ctext.Token) string {
	var b strings.Builder
	for i, t := range e {
		if i > 0 && e[i-1].End < t.Start {
			b.WriteByte(' ')
		}
		b.Write(r.text[t.Start:t.End])
	}
	return b.String()
}

// start reads `int i = first` or `i = first`. It reports false if the words before i are no
// integer type.
func (r *tripReader) start(
	part []ctext.Token, t *construct.Trip,
) (v string, first []ctext.Token, ok bool) {
	n := 0
	for n < len(part) && part[n].Kind == ctext.Word {
		n++
	}
	if n == 0 || n == len(part) || part[n].Kind != '=' {
		return "", nil, false
	}
	for _, w := range part[:n-1] {
		if !slices.Contains(integerWords, r.spelling(w)) {
			return "", nil, false
		}
	}
	t.Untyped = n == 1
	return r.spelling(part[n-1]), part[n+1:], true
}

// test reads `v < bound` or `bound > v`. It returns the relation as if v came first, or "" if
// there is none.
func (r *tripReader) test(part []ctext.Token, v string) (relation string, bound []ctext.Token) {
	at, depth := -1, 0
	for i, t := range part {
		depth += bracketDepth(t.Kind)
		if depth > 0 {
			continue
		}
		switch s := r.spelling(t); s {
		case "<", ">", "<=", ">=", "!=":
			if r.shifts(part, i) {
				continue
			}
			if at >= 0 {
				return "", nil
			}
			at, relation = i, s
		case "&", "|", "^", "&&", "||", "==":
			// These bind less tightly than the relation, or as tightly.
			return "", nil
		}
	}
	switch {
	case at < 0:
		return "", nil
	case r.isWord(part[:at], v):
		return relation, part[at+1:]
	case r.isWord(part[at+1:], v):
		mirrored := map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}
		return mirrored[relation], part[:at]
	}
	return "", nil
}

// shifts reports whether token i is one half of << or >>.
func (r *tripReader) shifts(part []ctext.Token, i int) bool {
	same := func(j int) bool {
		return j >= 0 && j < len(part) && part[j].Kind == part[i].Kind &&
			(part[j].End == part[i].Start || part[i].End == part[j].Start)
	}
	return same(i-1) || same(i+1)
}

func (r *tripReader) isWord(e []ctext.Token, v string) bool {
	return len(e) == 1 && e[0].Kind == ctext.Word && r.spelling(e[0]) == v
}

// step reads ++v, v--, v += e, v = v - e and v = e + v. It returns the amount, and whether it is
// subtracted. For ++ and -- the amount is a token "1" that it appends to the text of the header.
func (r *tripReader) step(part []ctext.Token, v string) (amount []ctext.Token, down bool) {
	if len(part) == 2 && part[0].Kind == ctext.Op {
		part = []ctext.Token{part[1], part[0]}
	}
	if len(part) < 2 || !r.isWord(part[:1], v) {
		return nil, false
	}
	rest := part[2:]
	switch op := r.spelling(part[1]); op {
	case "++", "--":
		if len(rest) > 0 {
			return nil, false
		}
		n := len(r.text)
		r.text = append(slices.Clip(r.text), '1')
		return []ctext.Token{{Kind: ctext.Number, Start: n, End: n + 1}}, op == "--"
	case "+=", "-=":
		return rest, op == "-="
	case "=":
		n := len(rest)
		switch {
		case n < 3:
		case r.isWord(rest[:1], v) && (rest[1].Kind == '+' || rest[1].Kind == '-') &&
			r.isProduct(rest[2:]):
			return rest[2:], rest[1].Kind == '-'
		case r.isWord(rest[n-1:], v) && rest[n-2].Kind == '+' && r.isProduct(rest[:n-2]):
			return rest[:n-2], false
		}
	}
	return nil, false
}

// isProduct reports whether e is a term of a sum: it has no operator outside brackets that binds
// as loosely as + or more loosely.
func (r *tripReader) isProduct(e []ctext.Token) bool {
	depth := 0
	for _, t := range e {
		depth += bracketDepth(t.Kind)
		if depth == 0 && strings.ContainsAny(r.spelling(t), "+-<>&|^=!") && t.Kind != ctext.Arrow {
			return false
		}
	}
	return true
}

func bracketDepth(k ctext.Kind) int {
	switch k {
	case '(', '[':
		return 1
	case ')', ']':
		return -1
	}
	return 0
}

// isPlain reports whether e may be evaluated once more. It has no call and no assignment, and no
// word that may turn into one. isPlain adds the words of e to names.
func (r *tripReader) isPlain(e []ctext.Token, names *string) bool {
	var last ctext.Token
	for _, t := range e {
		name := last.Kind == ctext.Word || last.Kind == ctext.Macro
		switch s := r.spelling(t); t.Kind {
		case ctext.Word, ctext.Macro:
			if name &&
				!(slices.Contains(integerWords, s) &&
					slices.Contains(integerWords, r.spelling(last))) {
				return false
			}
			if t.Kind == ctext.Macro && !r.isPlainMacro(s, names) {
				return false
			}
			if last.Kind != '.' && last.Kind != ctext.Arrow {
				*names += " " + s
			}
		case '(':
			if name || last.Kind == ')' || last.Kind == ']' {
				return false
			}
		case ctext.Op:
			if s != "==" && s != "!=" && s != "<=" && s != ">=" && s != "||" {
				return false
			}
		case ctext.Number, ctext.Arrow, ')', '[', ']',
			'+', '-', '*', '/', '%', '.', '&', '|', '^', '~', '<', '>', '!':
		default:
			return false
		}
		last = t
	}
	return len(e) > 0
}

// isPlainMacro reports whether every definition of a macro is a plain expression.
func (r *tripReader) isPlainMacro(name string, names *string) bool {
	for m := r.macros.Newest(r.macros.Words.Find([]byte(name))); m != nil; m = m.Older {
		body := tripReader{macros: r.macros, text: m.Body}
		l := body.lexer()
		for l.Next(false); l.Tok.Kind != ctext.EOF; l.Next(false) {
			if l.Tok.Kind == ctext.Macro || l.Tok.Text != nil || len(body.tokens) == maxTripTokens {
				return false
			}
			body.tokens = append(body.tokens, l.Tok)
		}
		if m.FuncLike || !body.isPlain(body.tokens, names) {
			return false
		}
	}
	return true
}

// lexer returns a lexer for r's text. It reports no errors, since the lexer of the file has done
// so.
func (r *tripReader) lexer() *ctext.Lexer { return r.macros.Lexer(r.text) }
