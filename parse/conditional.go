package parse

import (
	"bytes"
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
)

// openIf is an #if that is not closed yet.
type openIf struct {
	group   int32
	pending []state      // ways on which no branch was taken so far
	done    []state      // ways through the branches before this one
	orElse  bool         // #else was seen
	floor   int32        // frames below it are shared
	ctx     int32        // the branch around
	not     []*condition // of the branches before this one
	// deathNote of the branches around, while this group is open.
	deathNote string
	start     int // offset of the '#'
}

// group is an #if with its #endif; branch is one part of it.
type (
	group struct {
		start, end int32 // from the first byte of the #if's line to the end of the #endif's line; end 0: not closed
		parent     int32 // the branch around
	}
	branch struct {
		group      int32
		start, end int32 // from behind the #if, #elif or #else line to the '#' of the next
		depth      int32
		cond       *condition // what must hold for the branch to be compiled, inside the one around
	}
)

// conditional handles #if, #ifdef, #ifndef, #elif, #elifdef, #elifndef, #else and #endif. i is the offset behind the
// word, end that of the newline.
func (p *parser) conditional(word string, start, i, end int) {
	switch word {
	case "if", "ifdef", "ifndef":
		p.openIf(p.condition(word[2:], i, end), start, end)
		return
	}
	n := len(p.ifs)
	if n == 0 {
		p.fail(start, "#"+word+" without #if", "remove it, or look for the #if that is missing")
		return
	}
	o := &p.ifs[n-1]
	if o.orElse && word != "endif" {
		p.fail(start, "#"+word+" after #else", "")
		return
	}
	p.leaveBranch(start)
	if word == "endif" {
		p.closeIf(o, end)
		return
	}
	p.retire(o)
	o.floor = max(o.floor, int32(len(p.frames)))
	var cond *condition
	switch word {
	case "else":
		o.orElse = true
		p.states, o.pending = o.pending, nil
	default:
		cond = p.condition(word[4:], i, end)
		p.states, o.pending = p.split(o.pending, cond)
	}
	p.kept = p.outer() + len(o.done) + len(o.pending)
	p.enterBranch(cond, end)
}

// outer counts the states that are kept for the groups around the innermost one.
func (p *parser) outer() int {
	n := 0
	for i := range p.ifs[:len(p.ifs)-1] {
		n += len(p.ifs[i].done) + len(p.ifs[i].pending)
	}
	return n
}

func (p *parser) openIf(cond *condition, start, end int) {
	if len(p.ifs) >= maxIfs {
		p.fatal(start, "more than 1000 #if stand inside one another", "")
		return
	}
	p.groups = append(p.groups, group{start: int32(p.f.LineStart(start)), parent: p.ctx})
	o := openIf{group: int32(len(p.groups) - 1), ctx: p.ctx, deathNote: p.deathNote, start: start}
	if len(p.states) > 0 {
		p.deathNote = ""
	}
	all := p.states
	p.states, o.pending = p.split(all, cond)
	p.kept += len(o.pending)
	o.floor = p.groundFloor()
	if len(o.pending) > 0 {
		o.floor = int32(len(p.frames))
	}
	p.ifs = append(p.ifs, o)
	p.enterBranch(cond, end)
}

// groundFloor is the floor of the groups around.
func (p *parser) groundFloor() int32 {
	if n := len(p.ifs); n > 0 {
		return p.ifs[n-1].floor
	}
	return 0
}

// split parts the states by a condition: those in which it is true, and those in which it is false. Where it is not
// known a state goes both ways.
func (p *parser) split(states []state, cond *condition) (yes, no []state) {
	yes = make([]state, 0, len(states))
	for _, s := range states {
		switch p.eval(cond, s.assume) {
		case isTrue:
			yes = append(yes, s)
		case isFalse:
			no = append(no, s)
		default:
			a, b := p.fork(s)
			a.assume = p.suppose(cond, true, a.assume)
			b.assume = p.suppose(cond, false, b.assume)
			yes, no = append(yes, a), append(no, b)
		}
	}
	if len(yes)+len(no)+p.kept > maxStates && len(no) > 0 && len(yes) > 0 {
		p.capped = true
		yes = yes[:min(len(yes), maxStates/2)]
		no = no[:min(len(no), max(1, maxStates/4-p.kept))]
	}
	return yes, no
}

// maxNot bounds the branches before one that are part of its condition.
const maxNot = 16

// enterBranch starts the branch with condition cond, nil for #else.
func (p *parser) enterBranch(cond *condition, end int) {
	o := &p.ifs[len(p.ifs)-1]
	whole := &condition{op: '&', args: slices.Clip(o.not)}
	if cond != nil {
		whole.args = append(whole.args, cond)
		if len(o.not) < maxNot {
			o.not = append(o.not, &condition{op: '!', args: []*condition{cond}})
		}
	}
	if len(whole.args) == 1 {
		whole = whole.args[0]
	} else {
		whole.atom = p.namelessAtom()
	}
	p.branches = append(p.branches, branch{group: o.group, start: int32(end), depth: p.branches[o.ctx].depth + 1, cond: whole})
	p.ctx = int32(len(p.branches) - 1)
	if len(p.states) > 0 {
		p.trim()
		return
	}
	p.floor = int32(1<<31 - 1)
	p.pos = p.skipBranch(end, false)
}

func (p *parser) leaveBranch(start int) {
	p.branches[p.ctx].end = int32(start)
}

func (p *parser) closeIf(o *openIf, end int) {
	g := &p.groups[o.group]
	g.end = int32(end)
	p.ctx = o.ctx
	p.retire(o)
	states := append(o.done, o.pending...)
	live := len(p.states) > 0 || len(states) > 0
	p.kept = p.outer()
	if live {
		p.deathNote = o.deathNote
	}
	p.ifs = p.ifs[:len(p.ifs)-1]
	p.states = states
	p.settle()
	if len(p.states) > maxStates {
		p.capped = true
		p.states = p.states[:maxStates]
		p.trim()
	}
	if len(p.states) == 0 {
		p.floor = int32(1<<31 - 1)
		p.pos = p.skipBranch(end, true)
	}
}

// retire keeps the states at hand for the #endif of o.
func (p *parser) retire(o *openIf) {
	for _, s := range p.states {
		n := slices.IndexFunc(o.done, func(d state) bool { return p.equal(d.top, s.top) })
		switch {
		case n >= 0:
			o.done[n].assume = common(o.done[n].assume, s.assume)
		case len(o.done) >= maxStates:
			p.capped = true
		default:
			o.done = append(o.done, s)
		}
	}
}

// abandon goes on behind what cannot be followed: no way through the #if branches is left here.
func (p *parser) abandon() {
	p.pos, p.bol = p.skipBranch(p.pos, true), true
}

// skipBranch is the offset of the '#' of the #elif, #else or #endif that ends the branch which goes on at i, or the end
// of the text. With mention set the directives in the branch are mentioned: it was given up, and is not one that is never
// compiled.
func (p *parser) skipBranch(i int, mention bool) int {
	depth := 0
	text := p.text
	for i < len(text) {
		j := i
		j = afterBlanks(text, j)
		hash := hashAt(text, j)
		if hash == 0 {
			i = lineEnd(text, j) + 1
			continue
		}
		end := lineEnd(text, j+hash)
		word, k := ppWord(text, j+hash, end)
		switch string(word) {
		case "if", "ifdef", "ifndef":
			depth++
		case "elif", "elifdef", "elifndef", "else":
			if depth == 0 {
				return j
			}
		case "endif":
			if depth == 0 {
				return j
			}
			depth--
		case "pragma":
			if mention {
				p.skippedPragma(j, k, end)
			}
		}
		i = end + 1
	}
	return len(text)
}

// afterBlanks is the first index from i on that holds neither blank nor newline nor comment.
func afterBlanks(text []byte, i int) int {
	for i < len(text) {
		switch {
		case isBlank(text[i]):
			i++
		case text[i] == '/':
			l := lexer{text: text, fatal: func(int, string, string) {}}
			j := l.comment(i)
			if j == i {
				return i
			}
			i = j
		default:
			return i
		}
	}
	return i
}

func (p *parser) skippedPragma(start, i, end int) {
	if word, k := ppWord(p.text, i, end); string(word) == "omp" {
		if p.warnedAt != p.deathAt {
			p.warnedAt = p.deathAt
			p.ds = append(p.ds, source.Diagnostic{
				Pos: p.f.Position(p.deathAt), Severity: source.Warning,
				Message: p.deathNote + ": the rest of this #if branch cannot be followed, and directives in it are left as they are",
			})
		}
		p.mention(start, source.Extent{Start: k, End: end}, OMP, "in an #if branch that cannot be followed: "+p.deathNote)
	}
}

// hashAt is the length of the '#', `%:` or `??=` at text[i], or 0.
func hashAt(text []byte, i int) int {
	switch rest := text[i:]; {
	case len(rest) > 0 && rest[0] == '#':
		return 1
	case bytes.HasPrefix(rest, []byte("%:")):
		return 2
	case bytes.HasPrefix(rest, []byte("??=")):
		return 3
	}
	return 0
}

// A condition is the condition of an #if as far as it is understood.
type condition struct {
	op    byte // '!', '&', '|', or 0 for an atom or constant
	args  []*condition
	atom  int32 // -1 for a constant
	value truth
}

type truth uint8

const (
	unknown truth = iota
	isTrue
	isFalse
)

func (t truth) not() truth { return [...]truth{unknown, isFalse, isTrue}[t] }

// An assumption says what a state takes an atom for.
type assumption struct {
	atom  int32
	value truth
	size  uint8 // of the list
	next  *assumption
}

// maxAssumptions bounds what a state remembers. What it forgets it does not know, so that it only goes more ways.
const maxAssumptions = 48

// assume adds an assumption to list s.
func assume(atom int32, value truth, s *assumption) *assumption {
	if s == nil {
		return &assumption{atom, value, 1, nil}
	}
	if s.size >= maxAssumptions {
		s = s.newest(maxAssumptions / 2)
	}
	return &assumption{atom, value, s.size + 1, s}
}

// newest is a list of the n newest assumptions of s.
func (s *assumption) newest(n int) *assumption {
	if s == nil || n == 0 {
		return nil
	}
	return assume(s.atom, s.value, s.next.newest(n-1))
}

// atom is the number of a condition's text. Numbers go up in steps of two: atom n+1 is `defined X` where n is `X`.
func (p *parser) atom(text string) int32 {
	if n, ok := p.atoms[text]; ok {
		return n
	}
	if p.atoms == nil {
		p.atoms = map[string]int32{}
	}
	n := int32(2 * len(p.atomTexts))
	p.atoms[text] = n
	p.atomTexts = append(p.atomTexts, text)
	return n
}

// namelessAtom is an atom for a condition that is written nowhere.
func (p *parser) namelessAtom() int32 {
	p.atomTexts = append(p.atomTexts, "")
	return int32(2*len(p.atomTexts) - 2)
}

// condition reads the condition that stands from i to end; kind is "" for #if, "def" or "ndef".
func (p *parser) condition(kind string, i, end int) *condition {
	l := newLogical(p.f, source.Extent{Start: i, End: end})
	text := strings.Join(strings.Fields(string(l.Text)), " ")
	switch kind {
	case "def", "ndef":
		name, _, _ := strings.Cut(text, " ")
		c := p.defined(name)
		if kind == "ndef" {
			c = &condition{op: '!', args: []*condition{c}}
		}
		return c
	}
	if len(text) > 4000 {
		text = text[:4000] // generated: as good as any other name
	}
	return p.expression(text, 0)
}

// defined is the condition `defined name`.
func (p *parser) defined(name string) *condition {
	switch name {
	case "_OPENMP":
		return &condition{atom: -1, value: isTrue}
	case "__cplusplus":
		return p.constant(p.o.Lang == omp.CPlusPlus)
	}
	return &condition{atom: p.atom(name) + 1}
}

func (p *parser) constant(b bool) *condition {
	if b {
		return &condition{atom: -1, value: isTrue}
	}
	return &condition{atom: -1, value: isFalse}
}

// expression reads a condition. What it does not understand is an atom.
func (p *parser) expression(text string, depth int) *condition {
	text = strings.TrimSpace(text)
	if depth > 20 || strings.ContainsAny(text, "?'\"") {
		return &condition{atom: p.atom(text)}
	}
	for _, op := range []string{"||", "&&"} {
		if parts := splitTop(text, op); len(parts) > 1 {
			c := &condition{op: op[0], atom: p.atom(text)}
			for _, part := range parts {
				c.args = append(c.args, p.expression(part, depth+1))
			}
			return c
		}
	}
	switch {
	case text == "":
		return p.constant(false)
	case text[0] == '!' && !strings.ContainsAny(unwrapped(text[1:]), "=<>+-*/%&|^"):
		return &condition{op: '!', args: []*condition{p.expression(text[1:], depth+1)}}
	case text[0] == '(' && closing(text) == len(text)-1:
		return p.expression(text[1:len(text)-1], depth+1)
	case strings.HasPrefix(text, "defined") && (len(text) == 7 || !isWord[text[7]]):
		name := strings.Trim(text[7:], " ()")
		if name != "" && isName(name) {
			return p.defined(name)
		}
	case isDigit(text[0]) && isName("_"+strings.TrimSuffix(text, "'")):
		return p.constant(strings.Trim(strings.TrimRight(strings.ToLower(text), "ul"), "0x") != "")
	case text == "_OPENMP" || text == "true":
		return p.constant(true)
	case text == "__cplusplus":
		return p.constant(p.o.Lang == omp.CPlusPlus)
	case text == "false":
		return p.constant(false)
	}
	return &condition{atom: p.atom(text)}
}

// unwrapped is text without a parenthesised operand at its start: what follows an operand of '!'.
func unwrapped(text string) string {
	text = strings.TrimSpace(text)
	if text != "" && text[0] == '(' {
		if n := closing(text); n > 0 {
			return text[n+1:]
		}
	}
	return text
}

func isName(s string) bool {
	for i := range len(s) {
		if !isWord[s[i]] {
			return false
		}
	}
	return s != ""
}

// closing is the index of the parenthesis that closes text[0], or -1.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// splitTop splits text at op outside parentheses.
func splitTop(text, op string) []string {
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], op):
			parts = append(parts, text[start:i])
			i += len(op) - 1
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// eval gives what a state knows of a condition.
func (p *parser) eval(c *condition, s *assumption) truth {
	switch c.op {
	case '!':
		return p.eval(c.args[0], s).not()
	case '&', '|':
		if t := lookup(c.atom, s); t != unknown {
			return t
		}
		stop := isFalse
		if c.op == '|' {
			stop = isTrue
		}
		result := stop.not()
		for _, a := range c.args {
			switch t := p.eval(a, s); t {
			case stop:
				return stop
			case unknown:
				result = unknown
			}
		}
		return result
	}
	if c.atom < 0 {
		return c.value
	}
	t := lookup(c.atom, s)
	if t != unknown {
		return t
	}
	if c.atom&1 == 0 && lookup(c.atom+1, s) == isFalse {
		return isFalse
	}
	if c.atom&1 != 0 && lookup(c.atom-1, s) == isTrue {
		return isTrue
	}
	return unknown
}

func lookup(atom int32, s *assumption) truth {
	for ; s != nil; s = s.next {
		if s.atom == atom {
			return s.value
		}
	}
	return unknown
}

// suppose adds to s what follows from c having a value.
func (p *parser) suppose(c *condition, value bool, s *assumption) *assumption {
	t := isFalse
	if value {
		t = isTrue
	}
	switch c.op {
	case '!':
		return p.suppose(c.args[0], !value, s)
	case '&', '|':
		s = assume(c.atom, t, s)
		if value == (c.op == '&') {
			for _, a := range c.args {
				s = p.suppose(a, value, s)
			}
		}
		return s
	}
	if c.atom < 0 {
		return s
	}
	return assume(c.atom, t, s)
}

// common keeps what both states assume.
func common(a, b *assumption) *assumption {
	if a == b {
		return a
	}
	var out *assumption
	for ; a != nil; a = a.next {
		if lookup(a.atom, b) == a.value {
			out = assume(a.atom, a.value, out)
		}
	}
	return out
}

// forget drops what the states at hand assume about a name that is defined or undefined now.
func (p *parser) forget(name string) {
	for i := range p.states {
		s := &p.states[i]
		for a := s.assume; a != nil; a = a.next {
			if mentions(p.atomTexts[a.atom/2], name) {
				s.assume = p.without(s.assume, name)
				break
			}
		}
	}
}

func (p *parser) without(s *assumption, name string) *assumption {
	var out *assumption
	for ; s != nil; s = s.next {
		if !mentions(p.atomTexts[s.atom/2], name) {
			out = assume(s.atom, s.value, out)
		}
	}
	return out
}

// mentions reports whether text holds name as a word.
func mentions(text, name string) bool {
	for i := 0; ; {
		n := strings.Index(text[i:], name)
		if n < 0 {
			return false
		}
		i += n
		end := i + len(name)
		if (i == 0 || !isWord[text[i-1]]) && (end == len(text) || !isWord[text[end]]) {
			return true
		}
		i = end
	}
}
