package fortran

import (
	"bytes"
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// directive follows one directive.
func (p *parser) directive(it *item) {
	n := len(p.ds)
	d := &directive.Directive{Extent: source.Extent{Start: it.start, End: it.end}, Pos: p.f.Position(it.start)}
	isEnd, good := p.parse(it, &it.text, d)
	if p.strays > 0 && len(d.Leaves) == 0 { // a branch goes on with a directive whose begin was left alone
		p.ds = p.ds[:n]
		return
	}
	if len(p.ds) > n && p.scanner.fixed && it.lines > 1 {
		other, ds := *d, p.ds
		p.ds = p.ds[:n:n]
		if e, g := p.parse(it, &it.tight, &other); len(p.ds) == n {
			*d, isEnd, good = other, e, g
		} else {
			p.ds = ds
		}
	}
	if it.parted { // what an #if inside makes of the text only the compiler knows
		p.ds = p.ds[:n]
	}
	t := p.top()
	inDefinition := t != nil && (t.kind == typeFrame || t.kind == interfaceFrame)
	if p.ds[n:].HasErrors() && !inDefinition {
		return
	}
	reason := p.replaced(d, &it.text, inDefinition)
	if it.ragged && reason == "" {
		reason, p.hidden, p.strays = "an #if inside the directive has branches that do not end with it", true, 1+len(p.ifs)
	}
	if reason != "" {
		p.ds = p.ds[:n]
		if !isEnd {
			p.leave(it, d, reason)
		}
		return
	}
	if isEnd {
		p.end(it, d, good)
		return
	}
	p.settle()
	p.begin(it, d, good)
}

// parse reads the directive of it, whose text is l.
func (p *parser) parse(it *item, l *directive.Logical, d *directive.Directive) (isEnd, good bool) {
	text := *l
	if it.sentinel == directive.OMP {
		text, isEnd = endOf(text)
	}
	return isEnd, directive.Parse(p.f, &text, it.sentinel, omp.Fortran, d, &p.ds)
}

// endOf recognises an end directive and gives what follows the word `end`. Those that the dictionary lists with it are directives of
// their own.
func endOf(l directive.Logical) (directive.Logical, bool) {
	i := 0
	for i < len(l.Text) && isBlank(l.Text[i]) {
		i++
	}
	rest := l.Text[i:]
	if !hasFold(rest, "end") {
		return l, false
	}
	squeezed := strings.ToLower(strings.Join(strings.Fields(string(rest[:min(len(rest), 40)])), ""))
	for _, own := range []string{"enddeclarevariant", "endmetadirective"} {
		if strings.HasPrefix(squeezed, own) {
			return l, false
		}
	}
	i += 3
	for i < len(l.Text) && isBlank(l.Text[i]) {
		i++
	}
	return l.From(i), true
}

// end follows an end directive.
func (p *parser) end(it *item, d *directive.Directive, good bool) {
	if !good || p.endDirective(it, d) {
		return
	}
	for i := len(p.lost) - 1; i >= 0; i-- {
		if p.lost[i] == d.Name {
			p.lost = append(p.lost[:i], p.lost[i+1:]...)
			return
		}
	}
	if it.parted || len(p.ifs) > 0 || p.hidden {
		return // of a construct that begins in another branch, or with a macro
	}
	if p.reads {
		p.ds.Warnf(p.f, it.start, "'end %s' ends nothing, unless an included file holds the '%s': it is left alone", d.Name, d.Name)
		return
	}
	p.ds.Errorf(p.f, it.start, "'end %s' ends nothing: no '%s' is open here", d.Name, d.Name)
}

// leave puts a directive into the tree that is left alone, with whatever belongs to it.
func (p *parser) leave(it *item, d *directive.Directive, reason string) {
	p.settle()
	p.waitForLoop(nothing)
	c := p.construct()
	c.Directive = *d
	p.describe(c)
	c.KeepOut = reason
	c.Extent = source.Extent{Start: it.start, End: it.after}
	p.place(c)
}

// begin follows a directive that is no end directive.
func (p *parser) begin(it *item, d *directive.Directive, good bool) {
	if p.userControl(d) {
		return
	}
	if len(p.stack) == 0 && it.sentinel == directive.OMP && len(d.Leaves) > 0 {
		p.openMain(it)
	}
	if executes(d) {
		p.enters(it)
	}
	needs, left := associated(d)
	if !good && len(d.Leaves) == 0 {
		needs = nothing
	}
	p.waitForLoop(needs)
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
	if it.parted {
		c.Fortran.Whole = "an #if stands inside the directive"
	}
	if _, clause := p.macros.in(string(it.text.Text)); clause != "" {
		c.Fortran.Whole = "a clause comes from macro " + clause
	}
	c.Extent = source.Extent{Start: it.start, End: it.after}
	p.place(c)
	p.cancel(c)
	if needs == nothing {
		return
	}
	c.Kind = construct.Sequence
	c.Body = source.Extent{Start: it.after, End: it.after}
	p.push(frame{kind: ompFrame, c: c, needs: needs, left: left, branch: p.branch()})
}

// bodyStartsWith tells construct t that its body starts with a directive.
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

// waitForLoop gives up loop constructs behind which no loop and no loop construct stands.
func (p *parser) waitForLoop(needs association) {
	for t := p.top(); needs != loop && t != nil && t.kind == ompFrame && t.needs == loop && !t.started; t = p.top() {
		p.noLoop(t)
	}
}

// userControl follows `noinstrument` and `instrument`, which mark regions of text.
func (p *parser) userControl(d *directive.Directive) bool {
	switch d.Own {
	case directive.NoInstrument:
		p.noInstr = true
	case directive.Instrument:
		p.noInstr = false
	}
	return false
}

// section begins a section where its directive says so, and ends the one before it.
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
	emptySection(t)
	p.settleOne()
}

// emptySection leaves a section without statements alone: with a call in it the compiler counts it as one more, without it does
// not.
func emptySection(t *frame) {
	if !t.started && t.c.Unsafe == "" {
		t.c.Unsafe = reasonEmpty
	}
}

const reasonEmpty = "it is empty"

// associated says what belongs to directive d.
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

// describe fills in what the place of c says about it.
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

// cancel notes a cancel directive at the construct that it cancels.
func (p *parser) cancel(c *construct.Construct) {
	cancelled := c.Directive.Cancelled()
	for k := len(p.stack) - 1; cancelled != nil && k >= 0 && p.stack[k].kind != unitFrame; k-- {
		if t := &p.stack[k]; t.kind == ompFrame && t.c.Directive.HasLeaf(cancelled) {
			t.c.Cancels = append(t.c.Cancels, cancelled)
			return
		}
	}
}

// MayHoldDirectives looks for a sentinel in text, be it !P$. It may say yes where there is none, but never no where there is one.
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
