package rewrite

import (
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse/construct"
)

// A construct in Fortran has these pieces: before the directive, after it, before the end
// directive, and after that. Where the end directive is rewritten, or there is none, the whole
// end follows the body.

// fortranEvent is the event that a call reports. The numbers are part of ABI 1, and
// pomp/src/units/fortran.c has the same ones.
type fortranEvent int

const (
	fortranEnter        fortranEvent = 1 // also fork, create_begin; a function that may be off
	fortranBegin        fortranEvent = 2
	fortranEnd          fortranEvent = 3
	fortranExit         fortranEvent = 4 // also join, create_end; a function that may be off
	fortranBarrierEnter fortranEvent = 5 // of an explicit barrier that replaces an implied one
	fortranBarrierExit  fortranEvent = 6
	fortranCounted      fortranEvent = 7 // enter of a loop whose bounds the call has passed
	fortranBeginWith    fortranEvent = 8 // of a user region whose address the call has passed
	fortranEndWith      fortranEvent = 9
	fortranInit         fortranEvent = 11 // controls have no region
	fortranFinalize     fortranEvent = 12
	fortranOn           fortranEvent = 13
	fortranOff          fortranEvent = 14
)

// eventNumber returns the number that gives a procedure of the file both the event and the
// region. One number is enough, because each literal argument by reference costs the compiler
// half as much as the call.
func eventNumber(e fortranEvent, region int) int { return fortranEvents*region + int(e) }

// argument returns a number as an argument of a call. By value it has 8 bytes, so that nothing
// has to widen it on the way.
func (u *fortranUnit) argument(number int) string {
	return string(u.appendArgument(nil, number))
}

func (u *fortranUnit) appendArgument(b []byte, number int) []byte {
	if u.options.ByValue {
		b = append(b, "%val("...)
	}
	b = strconv.AppendInt(append(b, u.signed("")...), int64(number), 10)
	if u.options.ByValue {
		b = append(b, "_8)"...)
	}
	return b
}

// signed returns an inserted number as an argument. gfortran first parses an argument that begins
// with a digit as a name, and formats an error message that it then drops. This takes three times
// as long as the rest of the argument. For an argument with a sign, it does not try this.
func (u *fortranUnit) signed(number string) string {
	if u.options.Gfortran {
		return "+" + number
	}
	return number
}

const fortranEvents = 16

// call adds a call of the dispatcher.
func (u *fortranUnit) call(e fortranEvent, region int) {
	u.called = true
	number := u.mergeCall(e, region)
	b := append(u.layout.AppendStatement(u.lines, "call pompx"), u.hash...)
	b = u.appendArgument(append(b, '('), number)
	u.lines = append(b, ")\n"...)
	u.last.end = len(u.lines)
}

// control adds a call that switches measuring. It has no region.
func (u *fortranUnit) control(e fortranEvent) {
	u.controlled = true
	u.line("call " + u.controls() + "(" + u.argument(eventNumber(e, 0)) + ")")
}

// hasCall reports whether the rule of r has a call at a place.
func hasCall(r *descriptors.Region, at callPlace) bool { return callNames[r.Leaf.ID][at] != "" }

func (u *fortranUnit) enter(r *descriptors.Region) {
	if hasCall(r, enterCall) && !u.countedEnter(r) {
		u.call(fortranEnter, r.ID)
	}
}

// beginBody adds the call at the start of r's body.
func (u *fortranUnit) beginBody(r *descriptors.Region) {
	if hasBrackets(r) {
		u.call(fortranBegin, r.ID)
	}
}

// before renders the text before the directive.
func (u *fortranUnit) before(p *descriptors.Placed) { u.enter(p.Regions[0]) }

// afterDirective renders the text after the directive: the rewritten directive, in which the
// regions of a combined directive are nested.
func (u *fortranUnit) afterDirective(p *descriptors.Placed) {
	if isUser(p) {
		u.user(p)
		return
	}
	if rewritten(p) {
		for i, r := range p.Regions {
			if i > 0 {
				u.beginBody(p.Regions[i-1])
				u.enter(r)
			}
			u.marker(p.Construct.Directive.Extent.Start)
			u.directive(r)
		}
	}
	if hasBody(p.Construct) {
		u.beginBody(p.Regions[len(p.Regions)-1])
		return
	}
	for i := len(p.Regions) - 1; i >= 0; i-- {
		u.leave(p.Regions[i])
	}
}

// directive adds the rewritten directive of r.
func (u *fortranUnit) directive(r *descriptors.Region) {
	u.lines = u.layout.AppendDirective(u.lines,
		strings.Join(append(leafNames(r), r.Clauses...), " "))
}

func leafNames(r *descriptors.Region) []string {
	names := make([]string, len(r.Leaves), len(r.Leaves)+len(r.Clauses)+2)
	for i, leaf := range r.Leaves {
		names[i] = leaf.NameIn(omp.Fortran)
	}
	return names
}

// endWritten reports whether the text gets an end directive for p: the user's, rewritten, or a
// new one. A body that is one BLOCK construct needs no end directive, but does once a call stands
// before the BLOCK, OpenMP 5.2 [2.2].
func endWritten(p *descriptors.Placed) bool {
	r := p.Regions[0]
	c := p.Construct
	return rewritten(p) || r.EndNowait ||
		c.Fortran.End == nil && hasBrackets(r) && r.Kind != omp.KindSection
}

// end renders the text before the user's end directive.
func (u *fortranUnit) end(p *descriptors.Placed) {
	if !endWritten(p) {
		u.endBody(p.Regions[len(p.Regions)-1])
	}
}

// after renders the text after the construct.
func (u *fortranUnit) after(p *descriptors.Placed) {
	written := endWritten(p)
	for i := len(p.Regions) - 1; i >= 0; i-- {
		r := p.Regions[i]
		if written || p.Construct.Fortran.End == nil {
			u.endBody(r)
		}
		if written {
			u.endDirective(r, p.Construct)
		}
		u.leave(r)
	}
}

// endBody adds the calls at the end of r's body.
func (u *fortranUnit) endBody(r *descriptors.Region) {
	if r.Leaf.Rule == omp.Fork { // the barrier of a fork stands inside
		u.barrier(r)
	}
	if hasBrackets(r) {
		u.call(fortranEnd, r.ID)
	}
}

// endDirective adds the end directive of r, with the clauses that the user's end directive has.
func (u *fortranUnit) endDirective(r *descriptors.Region, c *construct.Construct) {
	words := append([]string{"end"}, leafNames(r)...)
	if !r.Rewritten {
		for i := range c.Directive.Clauses {
			if cl := &c.Directive.Clauses[i]; cl.AtEnd {
				words = append(words, cl.Text)
			}
		}
	}
	if r.EndNowait {
		words = append(words, omp.ClauseNowait.Name)
	}
	u.lines = u.layout.AppendDirective(u.lines, strings.Join(words, " "))
}

// leave adds the text after the construct of r.
func (u *fortranUnit) leave(r *descriptors.Region) {
	if r.Leaf.Rule != omp.Fork {
		u.barrier(r)
	}
	if hasCall(r, exitCall) {
		u.call(fortranExit, r.ID)
	}
}

// barrier adds an explicit form of the barrier that r implies.
func (u *fortranUnit) barrier(r *descriptors.Region) {
	if r.Barrier != descriptors.MakeExplicit {
		return
	}
	u.call(fortranBarrierEnter, r.ID)
	u.lines = u.layout.AppendDirective(u.lines, omp.DirectiveBarrier.Name)
	u.call(fortranBarrierExit, r.ID)
}

// user renders one of POMP's own directives.
func (u *fortranUnit) user(p *descriptors.Placed) {
	region := 0
	if len(p.Regions) > 0 {
		region = p.Regions[0].ID
	}
	switch p.Construct.Directive.Own.Control() {
	case omp.ControlInit:
		u.control(fortranInit)
	case omp.ControlFinalize:
		u.control(fortranFinalize)
	case omp.ControlOn:
		u.control(fortranOn)
	case omp.ControlOff:
		u.control(fortranOff)
	case omp.ControlBegin:
		u.userCall(fortranBegin, fortranBeginWith, region, &p.Construct.Directive)
	case omp.ControlEnd:
		u.userCall(fortranEnd, fortranEndWith, region, &p.Construct.Directive)
	}
}
