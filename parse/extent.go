package parse

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"opari/internal/source"
	"opari/parse/branch"
	"opari/parse/construct"
	"opari/parse/ctext"
)

// extra holds facts about a construct that only the parser needs.
type extra struct {
	ctx                      int32 // the #if branch of the directive
	start, end               place // of the body; the offset is -1 if unknown
	startLineage, endLineage int32 // the lineages of the states that reported start and end
	// The construct whose directive stands right before this one and is associated with a loop;
	// or -1.
	outerLoop int32
	macro     int32 // the macro invocation that reason is about
	reason    reason
	text      string // the text that reason is about
}

// reason says why nothing may be inserted around a body.
type reason uint8

const (
	safe reason = iota
	reasonStartInMacro
	reasonEndInMacro
	reasonUnknownMacro
	reasonStrayElse
	reasonMacroArg
	reasonMacroName
	reasonInclude
	reasonNoBody
	reasonTooMany
	reasonPaths
	reasonNesting
	reasonRawString
	reasonAttribute
	reasonSeveral
	reasonBesideUnknown
)

func (x *extra) note(r reason) {
	if x.reason == safe {
		x.reason = r
	}
}

// alternative is a start or end of a body that differs from the first one reported.
type alternative struct {
	c       int32
	at      place
	lineage int32
	end     bool
}

// extents holds the constructs read so far, and what is known of their extents.
type extents struct {
	constructs   []construct.Construct
	extras       []extra // the facts about each construct
	alternatives []alternative
	lastEnd      place
	ended        []int32 // the constructs that end at lastEnd
	unsures      []int32 // the constructs whose extents are not certain
}

// resolver gives the constructs their bodies and their places in the tree, once all paths are
// known.
type resolver struct {
	*extents
	text        []byte
	ifs         *branch.Tree
	lineages    []lineage
	invocations []invocation
	capped      bool // states were dropped because there were more than maxStates
}

func (p *parser) resolver() *resolver {
	return &resolver{
		extents: &p.extents, text: p.Text, ifs: &p.ifs, lineages: p.lineages,
		invocations: p.invocations, capped: p.capped,
	}
}

func (p *parser) startBody(c int32, at place) {
	x := &p.extras[c]
	switch {
	case x.start.offset < 0:
		x.start, x.startLineage = at, p.current.lineage
	case x.start != at:
		p.alternatives = append(p.alternatives, alternative{c, at, p.current.lineage, false})
	}
}

func (p *parser) endBody(c int32, at place) {
	x := &p.extras[c]
	if at.macro == unsureMacro {
		at.macro = 0
		if !p.constructs[c].Implicit { // the directive or brace that follows is its end
			p.unsure(c)
		}
	}
	switch {
	case x.end.offset < 0:
		x.end, x.endLineage = at, p.current.lineage
	case x.end != at:
		p.alternatives = append(p.alternatives, alternative{c, at, p.current.lineage, true})
	}
	if p.lastEnd != at {
		p.lastEnd, p.ended = at, p.ended[:0]
	}
	p.ended = append(p.ended, c)
}

// endedAt returns the construct whose body has just ended at a place, or -1.
func (x *extents) endedAt(at place) int32 {
	if x.lastEnd != at || len(x.ended) == 0 {
		return -1
	}
	return x.ended[0]
}

// bodies gives every construct its body.
func (r *resolver) bodies() {
	slices.SortStableFunc(r.alternatives, func(a, b alternative) int {
		return cmp.Compare(a.c, b.c)
	})
	rest := r.alternatives
	for i := range r.constructs {
		c, x := &r.constructs[i], &r.extras[i]
		n := sort.Search(len(rest), func(k int) bool { return rest[k].c > int32(i) })
		if c.Kind == construct.FunctionBody {
			continue
		}
		if c.Kind != construct.NoBlock {
			r.body(c, x, rest[:n])
			if c.Implicit && c.Conditional {
				// No directive shows whether the section was compiled.
				x.note(reasonPaths)
			}
			if b, d := c.Body, c.Directive.Extent.End; b.Start < d || b.End <= b.Start {
				// Only after an error.
				c.Body = source.Extent{Start: d, End: d}
				x.note(reasonNoBody)
			}
		}
		rest = rest[n:]
		c.Extent = c.Directive.Extent
		if c.Kind != construct.NoBlock {
			c.Extent.End = max(c.Extent.End, c.Body.End)
		}
		if x.reason != safe {
			c.Unsafe = r.reasonText(x)
		}
	}
}

// body gives one construct its body. others holds the starts and ends from all states but the
// first.
func (r *resolver) body(c *construct.Construct, x *extra, others []alternative) {
	if len(others) == 0 && x.start.ctx == x.ctx && x.end.ctx == x.ctx &&
		x.start.macro|x.end.macro == 0 && x.end.offset >= 0 &&
		!r.lineages[x.endLineage].dead {
		c.Body = source.Extent{Start: int(x.start.offset), End: int(x.end.offset)}
		return
	}
	var room [2][4]place
	starts := r.livePlaces(room[0][:0], x.start, x.startLineage, others, false)
	ends := r.livePlaces(room[1][:0], x.end, x.endLineage, others, true)
	d := c.Directive.Extent.End
	c.Body = source.Extent{Start: d, End: d}
	if len(starts) == 0 || len(ends) == 0 {
		if r.capped {
			x.note(reasonTooMany)
		} else {
			x.note(reasonNoBody)
		}
		return
	}
	for _, s := range starts {
		if s.macro != 0 {
			x.note(reasonStartInMacro)
			x.macro = s.macro
		}
	}
	for _, e := range ends {
		switch {
		case e.macro == unknownMacro:
			x.note(reasonUnknownMacro)
		case e.macro != 0:
			x.note(reasonEndInMacro)
			x.macro = e.macro
		}
	}
	s, sctx := r.coverStart(x.ctx, starts)
	e, ectx, ok := r.coverEnd(x.ctx, ends)
	if !ok {
		x.note(reasonPaths)
	}
	c.Conditional = sctx != x.ctx || ectx != x.ctx
	c.Body = source.Extent{Start: s, End: max(s, e)}
}

// livePlaces appends to out the different places that living states reported.
func (r *resolver) livePlaces(out []place, first place,
	lineage int32, others []alternative, end bool,
) []place {
	if first.offset >= 0 && !r.lineages[lineage].dead {
		out = append(out, first)
	}
	for _, o := range others {
		if o.end == end && !r.lineages[o.lineage].dead && !slices.Contains(out, o.at) {
			out = append(out, o.at)
		}
	}
	return out
}

// base returns the innermost branch that encloses ctx and all places.
func (r *resolver) base(ctx int32, places []place) int32 {
	for _, pl := range places {
		ctx = r.ifs.Enclosing(ctx, pl.ctx)
	}
	return ctx
}

// coverStart returns where the body starts on all paths, and in which branch that is. It is the
// start of the statement, or of the line of the deciding #if.
func (r *resolver) coverStart(ctx int32, starts []place) (int, int32) {
	base := r.base(ctx, starts)
	best := -1
	for _, s := range starts {
		offset := int(s.offset)
		if b := r.ifs.ChildAround(base, s.ctx); b != base && (len(starts) > 1 || ctx == base) {
			offset = int(r.ifs.GroupOf(b).Start)
		} else if b != base {
			return offset, s.ctx
		}
		if best < 0 || offset < best {
			best = offset
		}
	}
	return best, base
}

// coverEnd returns where the body ends on all paths, and in which branch that is. It is the end
// of the statement, or of the line of the deciding #if's #endif. It reports false if there is no
// such place.
func (r *resolver) coverEnd(ctx int32, ends []place) (int, int32, bool) {
	if len(ends) == 1 && ends[0].ctx == ctx {
		return int(ends[0].offset), ctx, true
	}
	base := r.base(ctx, ends)
	last := -1 // the group that covers
	for _, e := range ends {
		if b := r.ifs.ChildAround(base, e.ctx); b != base {
			last = max(last, int(r.ifs.Branches[b].Group))
		}
	}
	if last < 0 {
		return int(ends[0].offset), base, len(ends) == 1
	}
	g := r.ifs.Groups[last]
	for _, e := range ends {
		if g.End == 0 || !r.emptyUpTo(e, base, g) {
			if len(ends) == 1 {
				// Under the directive's condition, or on the only path that is followed.
				return int(e.offset), e.ctx, true
			}
			return int(ends[0].offset), ends[0].ctx, false
		}
	}
	return int(g.End), base, true
}

// emptyUpTo reports whether the path through the place e has nothing between e and the end of
// group g.
func (r *resolver) emptyUpTo(e place, base int32, g branch.Group) bool {
	from := int(e.offset)
	for ctx := e.ctx; ctx != base; ctx = r.ifs.Parent(ctx) {
		b := &r.ifs.Branches[ctx]
		if !r.onlyBlanks(from, int(b.End)) {
			return false
		}
		from = int(r.ifs.Groups[b.Group].End)
	}
	switch {
	case from == int(g.End):
		return true
	case from <= int(g.Start):
		return r.onlyBlanks(from, int(g.Start))
	}
	return false
}

// onlyBlanks reports whether a part of the text has nothing but blanks and comments.
func (r *resolver) onlyBlanks(from, to int) bool {
	return from <= to && ctext.AfterBlanks(r.text[:to], from) == to
}

func (r *resolver) reasonText(x *extra) string {
	name := x.text
	if x.macro > 0 {
		name = r.invocations[x.macro].name
	}
	switch x.reason {
	case reasonStartInMacro:
		return fmt.Sprintf("the body starts inside the expansion of macro %s", name)
	case reasonEndInMacro:
		return fmt.Sprintf("the body ends inside the expansion of macro %s", name)
	case reasonUnknownMacro:
		return "the body ends with a macro that is not known; " +
			"preprocess the file, or give the -I of its header"
	case reasonStrayElse:
		return "an 'else' follows the body: a macro that is not known seems to stand for an if"
	case reasonMacroArg:
		return "in the arguments of a macro"
	case reasonMacroName:
		return fmt.Sprintf("the directive's name comes from macro %s", name)
	case reasonInclude:
		return "its body is in an included file"
	case reasonTooMany:
		return "too many combinations of #if branches"
	case reasonPaths:
		return "the body ends in different places, depending on #if"
	case reasonNesting:
		return "its body does not lie within the body around it, depending on #if"
	case reasonRawString:
		return "a raw string over several lines in the directive, which cannot be kept in an " +
			"#if 0; the wrapper instruments it"
	case reasonAttribute:
		return "beside other attributes in the same brackets: give it brackets of its own"
	case reasonSeveral:
		return "several stand-alone directives stand where one statement must: put braces around"
	case reasonBesideUnknown:
		return "in one attribute with a directive that is not known"
	}
	return "its body cannot be followed through the #if branches"
}
