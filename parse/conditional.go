package parse

import (
	"slices"

	"opari/internal/source"
	"opari/parse/branch"
	"opari/parse/ctext"
	"opari/parse/directive"
)

// openIf is an #if that is not closed yet.
type openIf struct {
	group        int32
	pending      []state             // paths that have taken no branch so far
	done         []state             // paths through the earlier branches
	seenElse     bool                // #else was seen
	floor        int32               // the states share the frames below it
	ctx          int32               // the branch around
	earlierFalse []*branch.Condition // the negated conditions of the earlier branches
	// deathNote belongs to the branches around, while this group is open.
	deathNote string
	start     int // the offset of the '#'
}

// conditional handles #if, #ifdef, #ifndef, #elif, #elifdef, #elifndef, #else and #endif. i is
// the offset after the word, end that of the newline.
func (p *parser) conditional(word string, start, i, end int) {
	if ctext.BranchingOf(word) == ctext.OpensBranch {
		p.openIf(p.condition(word[2:], i, end), start, end)
		return
	}
	n := len(p.openIfs)
	if n == 0 {
		p.fail(start, "#"+word+" without #if", "remove it, or look for the #if that is missing")
		return
	}
	o := &p.openIfs[n-1]
	if o.seenElse && word != "endif" {
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
	var cond *branch.Condition
	switch word {
	case "else":
		o.seenElse = true
		p.states, o.pending = o.pending, nil
	default:
		cond = p.condition(word[4:], i, end)
		p.states, o.pending = p.split(o.pending, cond)
	}
	p.kept = p.outer() + len(o.done) + len(o.pending)
	p.enterBranch(cond, end)
}

// condition reads the condition of an #if, from i to end. kind is "" for #if, or "def" or "ndef".
func (p *parser) condition(kind string, i, end int) *branch.Condition {
	l := directive.Read(p.file, source.Extent{Start: i, End: end})
	return p.conditions.Read(kind, string(l.Text))
}

// outer counts the states that are kept for the groups around the innermost one.
func (st *stack) outer() int {
	n := 0
	for i := range st.openIfs[:len(st.openIfs)-1] {
		n += len(st.openIfs[i].done) + len(st.openIfs[i].pending)
	}
	return n
}

func (p *parser) openIf(cond *branch.Condition, start, end int) {
	if len(p.openIfs) >= maxIfs {
		p.fatal(start, "more than 1000 #if stand inside one another", "")
		return
	}
	o := openIf{
		group: p.ifs.Open(int32(p.file.LineStart(start)), p.Branch),
		ctx:   p.Branch, deathNote: p.deathNote, start: start,
	}
	if len(p.states) > 0 {
		p.deathNote = ""
	}
	all := p.states
	p.states, o.pending = p.split(all, cond)
	p.kept += len(o.pending)
	o.floor = p.outerFloor()
	if len(o.pending) > 0 {
		o.floor = int32(len(p.frames))
	}
	p.openIfs = append(p.openIfs, o)
	p.enterBranch(cond, end)
}

// outerFloor returns the floor of the groups around.
func (st *stack) outerFloor() int32 {
	if n := len(st.openIfs); n > 0 {
		return st.openIfs[n-1].floor
	}
	return 0
}

// split divides the states by a condition: into those in which it is true and those in which it
// is false. A state goes both ways if the condition is unknown.
func (st *stack) split(states []state, cond *branch.Condition) (yes, no []state) {
	yes = make([]state, 0, len(states))
	for _, s := range states {
		switch cond.Eval(s.assume) {
		case branch.IsTrue:
			yes = append(yes, s)
		case branch.IsFalse:
			no = append(no, s)
		default:
			a, b := st.fork(s)
			a.assume = cond.Suppose(true, a.assume)
			b.assume = cond.Suppose(false, b.assume)
			yes, no = append(yes, a), append(no, b)
		}
	}
	if len(yes)+len(no)+st.kept > maxStates && len(no) > 0 && len(yes) > 0 {
		st.capped = true
		yes = yes[:min(len(yes), maxStates/2)]
		no = no[:min(len(no), max(1, maxStates/4-st.kept))]
	}
	return yes, no
}

// maxEarlier bounds the earlier branches that are part of a branch's condition.
const maxEarlier = 16

// enterBranch starts the branch with condition cond, which is nil for #else.
func (p *parser) enterBranch(cond *branch.Condition, end int) {
	o := &p.openIfs[len(p.openIfs)-1]
	full := &branch.Condition{Op: '&', Args: slices.Clip(o.earlierFalse)}
	if cond != nil {
		full.Args = append(full.Args, cond)
		if len(o.earlierFalse) < maxEarlier {
			o.earlierFalse = append(o.earlierFalse,
				&branch.Condition{Op: '!', Args: []*branch.Condition{cond}})
		}
	}
	if len(full.Args) == 1 {
		full = full.Args[0]
	} else {
		full.Atom = p.conditions.NamelessAtom()
	}
	p.Branch = p.ifs.Add(o.group, o.ctx, int32(end), full)
	if len(p.states) > 0 {
		p.trim()
		return
	}
	p.floor = int32(1<<31 - 1)
	p.Pos = p.skipBranch(end, false)
}

func (p *parser) leaveBranch(start int) {
	p.ifs.Branches[p.Branch].End = int32(start)
}

func (p *parser) closeIf(o *openIf, end int) {
	p.ifs.Groups[o.group].End = int32(end)
	p.Branch = o.ctx
	p.retire(o)
	states := append(o.done, o.pending...)
	live := len(p.states) > 0 || len(states) > 0
	p.kept = p.outer()
	if live {
		p.deathNote = o.deathNote
	}
	p.openIfs = p.openIfs[:len(p.openIfs)-1]
	p.states = states
	p.settle()
	if len(p.states) > maxStates {
		p.capped = true
		p.states = p.states[:maxStates]
		p.trim()
	}
	if len(p.states) == 0 {
		p.floor = int32(1<<31 - 1)
		p.Pos = p.skipBranch(end, true)
	}
}

// retire keeps the current states for the #endif of o.
func (st *stack) retire(o *openIf) {
	for _, s := range st.states {
		n := slices.IndexFunc(o.done, func(d state) bool { return st.equal(d.top, s.top) })
		switch {
		case n >= 0:
			o.done[n].assume = branch.Common(o.done[n].assume, s.assume)
		case len(o.done) >= maxStates:
			st.capped = true
		default:
			o.done = append(o.done, s)
		}
	}
}

// abandon skips what cannot be followed, when no path through the #if branches leads here.
func (p *parser) abandon() {
	p.Pos, p.AtLineStart = p.skipBranch(p.Pos, true), true
}

// skipBranch returns the offset of the '#' of the #elif, #else or #endif that ends the branch
// around i, or the end of the text. With mention it records the directives in the branch: then
// the parser gave the branch up, while other skipped branches are never compiled.
func (p *parser) skipBranch(i int, mention bool) int {
	depth := 0
	text := p.Text
	for i < len(text) {
		j := i
		j = ctext.AfterBlanks(text, j)
		hash := ctext.HashAt(text, j)
		if hash == 0 {
			i = ctext.LineEnd(text, j) + 1
			continue
		}
		end := ctext.LineEnd(text, j+hash)
		word, k := ctext.NextWord(text, j+hash, end)
		switch ctext.BranchingOf(word) {
		case ctext.OpensBranch:
			depth++
		case ctext.PartsBranch:
			if depth == 0 {
				return j
			}
		case ctext.ClosesBranch:
			if depth == 0 {
				return j
			}
			depth--
		default:
			if mention && string(word) == "pragma" {
				p.skippedPragma(j, k, end)
			}
		}
		i = end + 1
	}
	return len(text)
}

func (p *parser) skippedPragma(start, i, end int) {
	if word, k := ctext.NextWord(p.Text, i, end); string(word) == "omp" {
		if p.warnedAt != p.deathAt {
			p.warnedAt = p.deathAt
			p.ds = append(p.ds, source.Diagnostic{
				Pos: p.file.Position(p.deathAt), Severity: source.Warning,
				Message: p.deathNote +
					": the rest of this #if branch cannot be followed, " +
					"and directives in it are left as they are",
			})
		}
		p.mention(start, source.Extent{Start: k, End: end}, directive.OMP,
			"in an #if branch that cannot be followed: "+p.deathNote)
	}
}
