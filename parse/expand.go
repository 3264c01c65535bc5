package parse

import (
	"slices"

	"opari/parse/branch"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
	"opari/parse/macro"
)

// expand handles the name of a macro, the current token. It reports false if the name is to be
// read as a word.
func (p *parser) expand() bool {
	slot := p.Words.Find(p.Text[p.Tok.Start:p.Tok.End])
	if p.expandAs(slot) {
		return true
	}
	p.Tok.Kind = slot.Kind
	return false
}

// expandAs is expand for the word of slot.
func (p *parser) expandAs(slot *ctext.Slot) bool {
	if p.Tok.Start < p.plainUntil {
		return false
	}
	if m := p.macros.Newest(slot); m.Older == nil && !m.FuncLike &&
		p.macros.ShapeOf(m, 0) == macro.Plain {
		return false
	}
	defs := p.inForce(slot)
	if len(defs) == 0 {
		return false
	}
	inv := invocation{name: slot.Word, start: p.Tok.Start, end: p.Tok.End}
	var args [][]macro.Token
	isCall, structuralArgs := p.nextByte() == '(', false
	if isCall && slices.ContainsFunc(defs, func(m *macro.Definition) bool { return m.FuncLike }) {
		var ok bool
		if args, structuralArgs, inv.end, ok = p.arguments(); !ok {
			return p.stopped
		}
	}
	choices := make([]expansion, 0, len(defs))
	structural := false
	for _, m := range defs {
		if m.FuncLike && args == nil {
			continue
		}
		e := expansion{def: m, args: args, end: inv.end}
		if !m.FuncLike {
			e.args, e.end = nil, p.Tok.End
		}
		s := p.macros.ShapeOf(m, 0)
		e.empty = s == macro.Empty
		structural = structural || s == macro.Structural ||
			s == macro.Pasted && p.makesStructure(e) || structuralArgs && m.FuncLike ||
			e.empty && p.byteAt(e.end) != ';'
		choices = append(choices, e)
	}
	if !structural {
		if args != nil {
			p.plainUntil = inv.end
		}
		return false
	}
	p.mentionLocks(args, inv)
	p.choose(inv, choices)
	return true
}

// mentionLocks records the lock calls in the arguments of a macro that is expanded. They may
// occur in the expansion any number of times.
func (p *parser) mentionLocks(args [][]macro.Token, inv invocation) {
	for _, arg := range args {
		for i, t := range arg {
			if t.Kind == ctext.Lock && i+1 < len(arg) && arg[i+1].Kind == '(' {
				p.tree.Mentions = append(p.tree.Mentions, construct.Mention{
					Pos: p.file.Position(inv.start), Text: string(t.Text),
					Reason: "in the arguments of macro " + inv.name,
				})
			}
		}
	}
}

// makesStructure reports whether the expansion of e changes where statements start and end.
func (p *parser) makesStructure(e expansion) bool {
	for _, t := range p.expansionOf(e) {
		if macro.IsStructural(t.Kind) || t.Kind == '{' || t.Kind == '}' || t.Kind == ';' {
			return true
		}
	}
	return false
}

// byteAt returns the first byte from i on that is no blank; 0 at the end.
func (p *parser) byteAt(i int) byte {
	if i = ctext.AfterBlanks(p.Text, i); i < len(p.Text) {
		return p.Text[i]
	}
	return 0
}

// invocation is one use of a macro in the text.
type invocation struct {
	name       string
	start, end int
}

// expansion is one way to read an invocation.
type expansion struct {
	def   *macro.Definition
	args  [][]macro.Token
	end   int // of the invocation
	empty bool
}

// choose feeds an invocation to the states. If several definitions may be in force, it follows
// each in states of its own.
func (p *parser) choose(inv invocation, choices []expansion) {
	if len(choices) == 1 {
		p.replay(inv, choices[0])
		return
	}
	all := p.states
	o := openIf{group: -1, ctx: p.Branch, deathNote: p.deathNote, floor: int32(len(p.frames))}
	ways := make([][]state, len(choices)+1) // in the last one no definition is in force
	total := len(all) + p.kept
	for _, s := range all {
		total += p.distribute(s, choices, ways, total) - 1
	}
	end, start := 0, p.Tok
	p.openIfs = append(p.openIfs, o)
	for k, w := range ways {
		if len(w) == 0 {
			continue
		}
		o := &p.openIfs[len(p.openIfs)-1]
		o.pending = nil
		for _, rest := range ways[k+1:] {
			o.pending = append(o.pending, rest...)
		}
		o.floor = int32(len(p.frames))
		p.states = w
		p.kept = p.outer() + len(o.done) + len(o.pending)
		p.trim()
		p.Tok = start
		if k < len(choices) {
			p.replay(inv, choices[k])
		} else {
			p.Tok.Kind = ctext.Word
			p.feed()
		}
		end = max(end, p.Pos)
		o = &p.openIfs[len(p.openIfs)-1]
		o.done = append(o.done, p.states...)
	}
	o = p.openIfs[len(p.openIfs)-1]
	p.openIfs = p.openIfs[:len(p.openIfs)-1]
	p.states, p.Pos = o.done, end
	p.kept = 0
	if len(p.openIfs) > 0 {
		p.kept = p.outer() + len(p.openIfs[len(p.openIfs)-1].done) +
			len(p.openIfs[len(p.openIfs)-1].pending)
	}
	p.settle()
}

// distribute adds s to the paths that it takes, and returns their number.
func (p *parser) distribute(s state, choices []expansion, ways [][]state, total int) int {
	n := 1
	for k := range choices {
		m := choices[k].def
		cond := p.inForceWhen(m)
		t := cond.Eval(s.assume)
		last := k == len(choices)-1 && t == branch.Unknown
		switch {
		case t == branch.IsFalse:
			continue
		case t == branch.IsTrue, last, total+n >= maxStates:
			p.capped = p.capped || t == branch.Unknown && !last
			s.assume = cond.Suppose(true, s.assume)
			ways[k] = append(ways[k], s)
			return n
		}
		var a state
		a, s = p.fork(s)
		a.assume = cond.Suppose(true, a.assume)
		s.assume = cond.Suppose(false, s.assume)
		ways[k] = append(ways[k], a)
		n++
	}
	ways[len(choices)] = append(ways[len(choices)], s)
	return n
}

// inForceWhen returns the condition under which the definition is in force.
func (p *parser) inForceWhen(m *macro.Definition) *branch.Condition {
	if m.Branch == macro.FromHeader {
		return &branch.Condition{Atom: p.conditions.Atom("\x00" + m.Name + "\x00" + string(m.Body))}
	}
	if c := p.ifs.Branches[m.Branch].Cond; c != nil {
		return c
	}
	return p.conditions.Constant(true)
}

// replay feeds the tokens of an expansion to the states.
func (p *parser) replay(inv invocation, e expansion) {
	inv.end = e.end
	toks := p.expansionOf(e)
	if p.stopped {
		return
	}
	if len(toks) == 0 {
		p.foreignPragma() // the statement starts here even without tokens
		p.Pos = e.end
		return
	}
	p.invocations = append(p.invocations, inv)
	id := int32(len(p.invocations) - 1)
	for i, t := range toks {
		if p.Tok.Kind != ctext.Hash && i > 0 {
			p.Remember()
		}
		k := t.Kind
		if k == ctext.Macro || k == ctext.Lock {
			k = ctext.Word
		}
		p.Tok = ctext.Token{
			Kind: k, Start: inv.start, End: inv.end, Text: t.Text, Macro: id,
			Branch: p.Branch, First: i == 0, Last: i == len(toks)-1,
		}
		if len(p.states) == 0 {
			break
		}
		p.feed()
	}
	p.Pos = e.end
}

// expandName expands the first word of a directive if it is a macro, as in `#pragma omp P`. It
// returns the macro's name, or "".
func (p *parser) expandName(l *directive.Logical) string {
	if p.options.Preprocessed {
		return ""
	}
	i := 0
	for i < len(l.Text) && ctext.IsBlank(l.Text[i]) {
		i++
	}
	j := i
	for j < len(l.Text) && ctext.IsWord[l.Text[j]] {
		j++
	}
	if i == j || p.Words.Mask[l.Text[i]]&ctext.LengthBit(j-i) == 0 {
		return ""
	}
	s := p.Words.Find(l.Text[i:j])
	if p.macros.Newest(s) == nil {
		return ""
	}
	var out []macro.Token
	word := macro.Token{Kind: ctext.Macro, Param: -1, Text: l.Text[i:j]}
	out = p.macros.Expand(append([]macro.Token{word},
		p.macros.LexBody(&macro.Definition{Body: l.Text[j:]})...), nil, 0)
	p.afterExpansion()
	if len(out) > 0 && string(out[0].Text) == s.Word {
		return "" // a function-like macro without its parenthesis
	}
	var text []byte
	for _, t := range out {
		text = append(append(text, ' '), t.Text...)
	}
	at := l.Offset(i)
	*l = directive.Logical{}
	l.Append(text, at)
	return s.Word
}

// expansionOf returns the full expansion of e.
func (p *parser) expansionOf(e expansion) []macro.Token {
	if e.empty || p.stopped {
		return nil
	}
	out := p.macros.Expansion(e.def, e.args, nil, 0)
	p.afterExpansion()
	return out
}

// afterExpansion stops the parser if the macros expand to too many tokens.
func (p *parser) afterExpansion() {
	if p.macros.Exhausted() && !p.stopped {
		p.fatal(p.Tok.Start, "the macros used here expand to too much text",
			"preprocess the file first: use the compiler wrapper")
	}
}
