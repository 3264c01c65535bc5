package rewrite

import (
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse/construct"
)

// The pieces of a construct in Fortran: before the directive, behind it, before the end directive and behind that. Where the
// end directive is written anew, or there is none, all of the end stands behind the body.

// fortranEvent is what a call tells the library. The numbers are part of ABI 1; pomp/src/units/fortran.c has the same.
type fortranEvent int

const (
	fortranEnter        fortranEvent = 1 // or fork, create_begin
	fortranBegin        fortranEvent = 2
	fortranEnd          fortranEvent = 3
	fortranExit         fortranEvent = 4 // or join, create_end
	fortranBarrierEnter fortranEvent = 5 // of a barrier that was made explicit
	fortranBarrierExit  fortranEvent = 6
	fortranCounted      fortranEvent = 7 // enter, of a loop whose bounds have been told before
	fortranBeginWith    fortranEvent = 8 // of a user region, with the address told before
	fortranEndWith      fortranEvent = 9
	fortranInit         fortranEvent = 11 // controls have no region
	fortranFinalize     fortranEvent = 12
	fortranOn           fortranEvent = 13
	fortranOff          fortranEvent = 14
)

// what is the number that tells a procedure of the file both event and region: each literal argument of a call costs the compiler as much as
// half of the call, if it goes by reference.
func what(e fortranEvent, region int) string { return strconv.Itoa(number(e, region)) }

func number(e fortranEvent, region int) int { return fortranEvents*region + int(e) }

// argument is a number that a call hands over: of 8 bytes where it goes by value, so that nothing needs to be widened on the way.
func (u *fortranUnit) argument(number string) string {
	number = u.signed(number)
	if u.options.ByValue {
		return "%val(" + number + "_8)"
	}
	return number
}

// signed is a number of our own as an argument. gfortran tries an argument that begins with a digit for a name, and formats a message, to drop
// it, which takes it as long as the rest of the argument three times; one that begins with a sign it does not try.
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
	number := u.join(e, region)
	u.line("call " + u.dispatcher() + "(" + u.argument(number) + ")")
	u.last.end = len(u.lines)
}

// control adds a call that switches measuring; it has no region.
func (u *fortranUnit) control(e fortranEvent) {
	u.controlled = true
	u.line("call " + u.controls() + "(" + u.argument(what(e, 0)) + ")")
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

// before renders what stands before the directive.
func (u *fortranUnit) before(p *descriptors.Placed) { u.enter(p.Regions[0]) }

// behind renders what follows the directive: its new text, with the regions of a combined directive nested.
func (u *fortranUnit) behind(p *descriptors.Placed) {
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

// directive adds the directive of r, written anew.
func (u *fortranUnit) directive(r *descriptors.Region) {
	u.lines = u.layout.AppendDirective(u.lines, strings.Join(append(leafNames(r), r.Clauses...), " "))
}

func leafNames(r *descriptors.Region) []string {
	names := make([]string, len(r.Leaves), len(r.Leaves)+len(r.Clauses)+2)
	for i, leaf := range r.Leaves {
		names[i] = leaf.NameIn(omp.Fortran)
	}
	return names
}

// endWritten reports whether the end directive of p is written: the user's anew, or one where there was none. One BLOCK construct
// needs none as a body, but does once a call stands before it, OpenMP 5.2 [2.2].
func endWritten(p *descriptors.Placed) bool {
	r := p.Regions[0]
	c := p.Construct
	return rewritten(p) || r.EndNowait || c.Fortran.End == nil && hasBrackets(r) && r.Kind != omp.KindSection
}

// end renders what stands before the user's end directive.
func (u *fortranUnit) end(p *descriptors.Placed) {
	if !endWritten(p) {
		u.endBody(p.Regions[len(p.Regions)-1])
	}
}

// after renders what stands behind the construct.
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
	if r.Leaf.Rule == omp.Fork { // its barrier stands inside
		u.barrier(r)
	}
	if hasBrackets(r) {
		u.call(fortranEnd, r.ID)
	}
}

// endDirective adds the end directive of r, with the clauses that the user's has.
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

// leave adds what stands behind the construct of r.
func (u *fortranUnit) leave(r *descriptors.Region) {
	if r.Leaf.Rule != omp.Fork {
		u.barrier(r)
	}
	if hasCall(r, exitCall) {
		u.call(fortranExit, r.ID)
	}
}

// barrier adds the explicit form of the barrier that r implies.
func (u *fortranUnit) barrier(r *descriptors.Region) {
	if r.Barrier != descriptors.MakeItPlain {
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
	switch p.Construct.Directive.Name {
	case "inst init":
		u.control(fortranInit)
	case "inst finalize":
		u.control(fortranFinalize)
	case "inst on":
		u.control(fortranOn)
	case "inst off":
		u.control(fortranOff)
	case "inst begin":
		u.userCall(fortranBegin, fortranBeginWith, region, &p.Construct.Directive)
	case "inst end", "inst altend":
		u.userCall(fortranEnd, fortranEndWith, region, &p.Construct.Directive)
	}
}
