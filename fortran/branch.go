package fortran

import "slices"

// Conditional compilation: the parser reads each branch of an #if from the nesting before the
// #if. After the #endif it continues with the nesting of the first branch that changed it. A
// construct is not instrumented if its directive and its end are not in the same branch.

// openIf is an #if whose #endif is still to come.
type openIf struct {
	start   int // offset of the #if
	saved   []frame
	merged  []frame // nesting at the end of the first branch that changed it
	changed bool
}

func (p *parser) branch() int { return p.branches[len(p.branches)-1] }

// newBranch returns the number of the branch that begins.
func (p *parser) newBranch() int {
	p.branchID++
	return p.branchID
}

// preprocessor reads a line of the preprocessor.
func (p *parser) preprocessor(it *item) {
	word, rest := hashWord(p.f.Text[it.start:it.end])
	p.macros.define(word, rest)
	switch branchingOf(word) {
	case opensBranch:
		p.ifs = append(p.ifs, openIf{start: it.start, saved: slices.Clone(p.stack)})
		p.branches = append(p.branches, p.newBranch())
	case partsBranch:
		if n := len(p.ifs); n > 0 {
			p.endBranch(&p.ifs[n-1])
			p.stack = slices.Clone(p.ifs[n-1].saved)
			p.branches[len(p.branches)-1] = p.newBranch()
		}
	case closesBranch:
		n := len(p.ifs)
		if n == 0 {
			return
		}
		o := &p.ifs[n-1]
		p.endBranch(o)
		p.ifs = p.ifs[:n-1]
		p.branches = p.branches[:len(p.branches)-1]
		p.stack = o.merged
		if !o.changed {
			p.stack = o.saved
		}
		if u := p.unit(); u != nil && u.declareAt > o.start {
			u.declareAt = it.after
		}
	}
}

// endBranch notes the nesting at the end of the current branch.
func (p *parser) endBranch(o *openIf) {
	if o.changed {
		abandon(p.stack, o.saved)
		return
	}
	o.merged = p.stack
	o.changed = !slices.EqualFunc(p.stack, o.saved, func(a, b frame) bool {
		return a == b
	})
}

// abandon excludes the constructs that only an abandoned branch has opened. stack is the nesting
// at its end, saved the nesting before it.
func abandon(stack, saved []frame) {
	for i := range stack {
		if c := stack[i].c; c != nil && !slices.ContainsFunc(saved, func(f frame) bool {
			return f.c == c
		}) {
			c.Unsafe = reasonBranch
		}
	}
}
