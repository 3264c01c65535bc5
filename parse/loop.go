package parse

import (
	"strconv"
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
	"opari/parse/loop"
)

// loopsOf returns how many nested loops d is associated with, or 0 if it takes no loop. A number
// that is no literal counts as a large one.
func loopsOf(d *directive.Directive) uint8 {
	if leaf := d.Innermost(); leaf == nil || leaf.Assoc != omp.Loop {
		return 0
	}
	n := 1
	for i := range d.Clauses {
		switch c := &d.Clauses[i]; c.Row {
		case omp.ClauseCollapse, omp.ClauseOrdered:
			if c.HasArgs {
				k, err := strconv.Atoi(strings.TrimRight(c.Args, "uUlL"))
				if err != nil {
					k = 8
				}
				n = max(n, k)
			}
		case omp.ClauseSizes, omp.ClausePermutation, omp.ClauseCounts:
			n = max(n, len(c.Items))
		}
	}
	return uint8(min(n, 64))
}

// enterLoop hands the loop nest of the frame below to h, the head of a for statement.
func (p *parser) enterLoop(h *frame) {
	t := &p.frames[h.parent]
	for t.kind == inPrefix || t.kind == inLabel {
		t = &p.frames[t.parent]
	}
	switch t.kind {
	case inDirective, inLoop, inBlock:
		h.nest, h.left = t.nest, t.left
	}
}

// carryNest hands the loop nest of the frame below, which has kind k, to the block b.
func (p *parser) carryNest(k frameKind, b *frame) {
	if k == inLoop || k == inDirective {
		t := &p.frames[b.parent]
		if t.kind == inItem {
			t = &p.frames[t.parent]
		}
		b.nest, b.left = t.nest, t.left
	}
}

// loopHeader reads the header of an associated loop, whose parenthesis goes from open to end. It
// updates in g what the loops inside inherit.
func (p *parser) loopHeader(g *frame, open, end int) {
	c := g.nest - 1
	var h loop.Head
	if p.Tok.Macro == 0 && open < end {
		h = loop.Read(p.Text[open+1:end], p.macros)
		for i := c; i >= 0 && (h.Declares != nil || h.Assigns != ""); i = p.extras[i].outerLoop {
			p.constructs[i].Header.AddVariables(h.Declares, h.Assigns)
		}
	}
	p.constructs[c].Header.AddTrip(h.Trip, h.Names)
	if g.left--; g.left == 0 {
		g.nest = 0
	}
}
