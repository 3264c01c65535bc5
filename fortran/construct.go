package fortran

import (
	"bytes"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// directive reads one directive.
func (p *parser) directive(it *item) {
	n := len(p.ds)
	d := &directive.Directive{
		Extent: source.Extent{Start: it.start, End: it.end},
		Pos:    p.f.Position(it.start),
	}
	isEnd, good := p.parse(it, &it.text, d)
	// A branch continues with the rest of a directive whose begin was not instrumented.
	if p.strayDepth > 0 && len(d.Leaves) == 0 {
		p.ds = p.ds[:n]
		return
	}
	if len(p.ds) > n && p.scanner.fixed && it.lines > 1 {
		other, ds := *d, p.ds
		p.ds = p.ds[:n:n]
		if e, g := p.parse(it, &it.unspaced, &other); len(p.ds) == n {
			*d, isEnd, good = other, e, g
		} else {
			p.ds = ds
		}
	}
	if it.splitByIf { // only the compiler knows the text that an #if inside leaves
		p.ds = p.ds[:n]
	}
	t := p.top()
	inDefinition := t != nil && (t.kind == typeFrame || t.kind == interfaceFrame)
	if p.ds[n:].HasErrors() && !inDefinition {
		return
	}
	reason := p.macroReason(d, &it.text, inDefinition)
	if it.unevenBranches && reason == "" {
		reason = "an #if inside the directive has branches that do not end with it"
		p.mayHideEnds, p.strayDepth = true, 1+len(p.ifs)
	}
	if reason != "" {
		p.ds = p.ds[:n]
		if !isEnd {
			p.placeUninstrumented(it, d, reason)
		}
		return
	}
	if isEnd {
		p.end(it, d, good)
		return
	}
	p.endComplete()
	p.begin(it, d, good)
}

// parse parses the directive of it, whose text is l.
func (p *parser) parse(it *item, l *directive.Logical, d *directive.Directive) (isEnd, good bool) {
	text := *l
	if it.sentinel == directive.OMP {
		text, isEnd = endOf(text)
	}
	return isEnd, directive.Parse(p.f, &text, it.sentinel, omp.Fortran, d, &p.ds)
}

// endOf recognizes an end directive and returns the text after the word `end`. Directives that
// omp.Directives lists with the word `end` are directives of their own.
func endOf(l directive.Logical) (directive.Logical, bool) {
	i := 0
	for i < len(l.Text) && isBlank(l.Text[i]) {
		i++
	}
	rest := l.Text[i:]
	if !hasFold(rest, "end") {
		return l, false
	}
	if beginsSqueezed(rest, "enddeclarevariant") || beginsSqueezed(rest, "endmetadirective") {
		return l, false
	}
	i += 3
	for i < len(l.Text) && isBlank(l.Text[i]) {
		i++
	}
	return l.From(i), true
}

// beginsSqueezed reports whether text without its blanks begins with words, in any case.
func beginsSqueezed(text []byte, words string) bool {
	for i := 0; words != ""; i++ {
		if i < len(text) && isBlank(text[i]) {
			continue
		}
		if i == len(text) || text[i]|0x20 != words[0] {
			return false
		}
		words = words[1:]
	}
	return true
}

// end reads an end directive.
func (p *parser) end(it *item, d *directive.Directive, good bool) {
	if !good || p.endDirective(it, d) {
		return
	}
	for i := len(p.ignoredEnds) - 1; i >= 0; i-- {
		if p.ignoredEnds[i] == d.Name {
			p.ignoredEnds = append(p.ignoredEnds[:i], p.ignoredEnds[i+1:]...)
			return
		}
	}
	if it.splitByIf || len(p.ifs) > 0 || p.mayHideEnds {
		return // it ends a construct that begins in another branch, or with a macro
	}
	if p.hasInclude {
		p.ds.Warnf(p.f, it.start,
			"'end %s' ends nothing, unless an included file holds the '%s': it is left alone",
			d.Name, d.Name)
		return
	}
	p.ds.Errorf(p.f, it.start, "'end %s' ends nothing: no '%s' is open here", d.Name, d.Name)
}

// placeUninstrumented puts a directive into the tree that is not instrumented, with the reason.
func (p *parser) placeUninstrumented(it *item, d *directive.Directive, reason string) {
	p.endComplete()
	p.giveUpLoops(nothing)
	c := p.construct()
	c.Directive = *d
	p.describe(c)
	c.KeepOut = reason
	c.Extent = source.Extent{Start: it.start, End: it.after}
	p.place(c)
}

// begin reads a directive that is no end directive.
func (p *parser) begin(it *item, d *directive.Directive, good bool) {
	if p.userControl(d) {
		return
	}
	if len(p.stack) == 0 && it.sentinel == directive.OMP && len(d.Leaves) > 0 {
		p.openMain(it)
	}
	if executes(d) {
		p.noteEntry(it)
	}
	needs, remaining := associated(d)
	if !good && len(d.Leaves) == 0 {
		needs = nothing
	}
	p.giveUpLoops(needs)
	if needs == section {
		p.section(it, d)
		return
	}
	if t := p.top(); t != nil && t.kind == ompFrame && !t.started && needs != nothing {
		p.bodyStartsWith(t, it, needs)
	}
	c := p.construct()
	c.Directive = *d
	p.describe(c)
	if it.splitByIf {
		c.Fortran.NoSplit = "an #if stands inside the directive"
	}
	if _, clause := p.macros.find(it.text.Text); clause != "" {
		c.Fortran.NoSplit = "a clause comes from macro " + clause
	}
	if c.Fortran.NoSplit == "" {
		p.forkValues(c)
	}
	c.Extent = source.Extent{Start: it.start, End: it.after}
	p.place(c)
	p.noteCancel(c)
	if needs == nothing {
		return
	}
	c.Kind = construct.Sequence
	c.Body = source.Extent{Start: it.after, End: it.after}
	p.push(frame{kind: ompFrame, c: c, needs: needs, remaining: remaining, branch: p.branch()})
}

// bodyStartsWith notes that the body of construct t starts with a directive.
func (p *parser) bodyStartsWith(t *frame, it *item, needs association) {
	switch t.needs {
	case loop, statements:
	default:
		t.started = true
		if t.needs == block && isSections(t.c) {
			p.implicitSection(it)
		}
	}
}

// giveUpLoops gives up loop constructs that are not followed by a loop or a loop construct.
func (p *parser) giveUpLoops(needs association) {
	for t := p.top(); needs != loop && t != nil && t.kind == ompFrame && t.needs == loop &&
		!t.started; t = p.top() {
		p.giveUpLoop(t)
	}
}

// userControl reads `noinstrument` and `instrument`, which mark regions of text. The begin and the
// end of a user region may stand in different units, so they must be in one part.
func (p *parser) userControl(d *directive.Directive) bool {
	switch d.Own {
	case directive.InstBegin:
		p.toEnd = true
	case directive.NoInstrument:
		p.noInstr = true
	case directive.Instrument:
		p.noInstr = false
	}
	return false
}

// section begins a section at its directive, and ends the section before it.
func (p *parser) section(it *item, d *directive.Directive) {
	t := p.top()
	if t != nil && t.kind == ompFrame && t.needs == section {
		p.endSection(t)
		t = p.top()
	}
	for i := len(p.stack) - 1; t != nil && i >= 0 && t.kind == blockFrame; i-- {
		t = &p.stack[i]
	}
	if t == nil || t.kind != ompFrame || !isSections(t.c) {
		p.ds.Errorf(p.f, it.start, "a section outside of a sections construct")
		return
	}
	t.started = true
	c := p.construct()
	c.Directive = *d
	p.describe(c)
	c.Unsafe = t.c.Unsafe
	c.Kind = construct.Sequence
	c.Extent = source.Extent{Start: it.start, End: it.after}
	c.Body = source.Extent{Start: it.after, End: it.after}
	p.place(c)
	p.push(frame{kind: ompFrame, c: c, needs: section, branch: p.branch()})
}

// endSection ends the section on top of the stack.
func (p *parser) endSection(t *frame) {
	t.complete(p, p.last)
	excludeEmptySection(t)
	p.endTop()
}

// excludeEmptySection excludes a section without statements. The compiler does not count such a
// section, but would count it if it contained a call.
func excludeEmptySection(t *frame) {
	if !t.started && t.c.Unsafe == "" {
		t.c.Unsafe = reasonEmpty
	}
}

const reasonEmpty = "it is empty"

// associated returns what belongs to directive d.
func associated(d *directive.Directive) (association, int) {
	if len(d.Leaves) == 0 {
		return nothing, 0
	}
	leaf := d.Leaves[len(d.Leaves)-1]
	switch leaf.Assoc {
	case omp.Loop:
		return loop, 0
	case omp.Separating:
		if leaf.Kind == omp.KindSection {
			return section, 0
		}
	case omp.Block:
		switch {
		case d.StandsAlone():
			return nothing, 0
		case leaf.Kind == omp.KindAtomic && d.Has(omp.ClauseCapture):
			return statements, 2
		case leaf.End == omp.EndOptional && leaf.Category == omp.Executable:
			return statements, 1
		}
		return block, 0
	}
	return nothing, 0
}

// describe sets the facts about c that follow from its place.
func (p *parser) describe(c *construct.Construct) {
	c.NoInstr = p.noInstr
	c.FileScope = true
	for i := len(p.stack) - 1; i >= 0; i-- {
		f := &p.stack[i]
		if f.kind == doFrame && f.concurrent && c.KeepOut == "" {
			c.KeepOut = "in DO CONCURRENT, where no call may stand"
		}
		if f.kind != unitFrame {
			continue
		}
		c.Function, c.FileScope = f.name, f.module
		if f.pure {
			c.KeepOut = "in a PURE procedure, where no call may stand"
		}
		if f.external {
			c.Fortran.DeclareAt = f.declareAt
		}
		return
	}
}

// noteCancel notes a cancel directive at the construct that it cancels.
func (p *parser) noteCancel(c *construct.Construct) {
	cancelled := c.Directive.Cancelled()
	for k := len(p.stack) - 1; cancelled != nil && k >= 0 && p.stack[k].kind != unitFrame; k-- {
		if t := &p.stack[k]; t.kind == ompFrame && t.c.Directive.HasLeaf(cancelled) {
			t.c.Cancels = append(t.c.Cancels, cancelled)
			return
		}
	}
}

// MayHoldDirectives searches text for a sentinel, including !P$. It may return true for a text
// without one, but never false for a text with one.
func MayHoldDirectives(text []byte) bool {
	for rest := text; ; {
		i := bytes.IndexByte(rest, '$')
		if i < 0 {
			return false
		}
		if i > 4 && hasFold(rest[i-4:], "pomp$") {
			return true
		}
		if i > 1 && rest[i-1]|0x20 == 'p' && bytes.IndexByte([]byte("!cC*"), rest[i-2]) >= 0 {
			return true
		}
		rest = rest[i+1:]
		if hasFold(rest, "omp") || hasFold(rest, "pomp") {
			return true
		}
	}
}
