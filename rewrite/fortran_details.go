package rewrite

import (
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/parse"
)

// What a call tells besides event and region. It needs declarations, for which the user's unit may have no safe place: so they stand in
// a BLOCK construct, of which the compiler leaves nothing.

// openBlock begins a BLOCK construct.
func (u *fortranUnit) openBlock() {
	if len(u.lines) == 0 { // one that comes first would be the whole body of the construct around it, OpenMP 5.2 [2.2]
		u.line("continue")
	}
	u.line("block")
}

// How many iterations a loop has is told where the library asks for it; see detail.go. Off, the function that asks is the one call
// that entering costs without.

// asks is the name of the function that enters a loop, unless the library asks for the iterations, which it returns.
func (u *fortranUnit) asks() string { return "pompn" + u.hash }

// tells is the name of the subroutine that enters a loop with its bounds.
func (u *fortranUnit) tells() string { return "pompi" + u.hash }

// countedEnter enters r with the bounds of its loops. False where they cannot be told; then nothing is written.
func (u *fortranUnit) countedEnter(r *descriptors.Region) bool {
	if len(r.Trips) == 0 || u.options.NoBlock {
		return false
	}
	id := strconv.Itoa(r.ID)
	parts := []string{"if (" + u.asks() + "(" + id + ") /= 0) ", "call " + u.tells() + "(" + id + "," + strconv.Itoa(len(r.Trips)) + ",", "[integer(8)::"}
	for i := range r.Trips {
		t := &r.Trips[i]
		parts = append(parts, t.From+",", t.To+",", t.Step+",")
	}
	last := &parts[len(parts)-1]
	*last = strings.TrimSuffix(*last, ",") + "])"
	statement, ok := u.layout.AppendParts(nil, parts)
	if !ok {
		return false
	}
	u.called, u.counted = true, true
	u.openBlock()
	u.line("integer(4),external :: " + u.asks())
	if r.Construct.Fortran.DeclareAt > 0 {
		u.line("external " + u.tells())
	}
	u.lines = append(u.lines, statement...)
	u.line("end block")
	return true
}

// counting renders the two procedures of loops with bounds, each of which enters by the dispatcher. h(3) takes the bounds.
func (u *fortranUnit) counting() {
	u.procedure("function", u.asks(), "(ir)")
	u.text(asksText + hookText)
	u.line("integer(c_int) " + u.own(u.asks()))
	u.line(u.own(u.asks()) + " = 0")
	u.line("if (h(1) /= 0) then")
	u.line(u.own(u.asks()) + " = int(iand(h(1),2_c_intptr_t),c_int)")
	u.line("if (" + u.own(u.asks()) + " == 0) call " + u.dispatcher() + "(1,ir)")
	u.line("end if")
	u.line("end function")
	u.procedure("subroutine", u.tells(), "(ir,n,b)")
	u.text(tellsText + hookText)
	u.line("if (h(3) /= 0) then")
	u.line("x = transfer(h(3),x)")
	u.line("call x%p(n,b)")
	u.line("end if")
	u.line("call " + u.dispatcher() + "(" + strconv.Itoa(int(fortranCounted)) + ",ir)")
	u.line("end subroutine")
}

// userCall marks the begin or end of a user region: as plain, or as with where the directive names a variable.
func (u *fortranUnit) userCall(plain, with fortranEvent, region int, d *parse.Directive) {
	_, variable := d.UserRegion()
	call, ok := u.layout.AppendParts(nil, []string{"call " + u.addresses() + "(" + strconv.Itoa(int(with)) + "," + strconv.Itoa(region) + ",", variable + ")"})
	if variable == "" || !ok || u.options.NoBlock {
		u.call(plain, region)
		return
	}
	u.called, u.addressed = true, true
	u.openBlock()
	u.line("interface")
	u.line("subroutine " + u.addresses() + "(ie,ir,v)")
	u.lines = append(u.lines, "!GCC$ ATTRIBUTES NO_ARG_CHECK :: v\n!DIR$ IGNORE_TKR v\n"...)
	u.line("integer(4) ie,ir,v(*)")
	u.line("end subroutine")
	u.line("end interface")
	u.lines = append(u.lines, call...)
	u.line("end block")
}

// addresses is the name of the subroutine that marks a user region with the address of a variable of any type.
func (u *fortranUnit) addresses() string { return "pompv" + u.hash }

// addressing renders the procedure for user regions with a variable. h(4) takes the address.
func (u *fortranUnit) addressing() {
	u.procedure("subroutine", u.addresses(), "(ie,ir,v)")
	u.text(addressesText + hookText)
	u.line("if (h(4) /= 0) then")
	u.line("x = transfer(h(4),x)")
	u.line("call x%p(v(1))")
	u.line("end if")
	u.line("call " + u.dispatcher() + "(ie,ir)")
	u.line("end subroutine")
}

const (
	asksText = `use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
implicit none
integer(c_int) ir
`
	tellsText = `use,intrinsic :: iso_c_binding,only: c_int,c_int64_t
use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer(c_int) ir,n
integer(c_int64_t) b(3*n)
abstract interface
subroutine pomp_bounds(n,b)
use,intrinsic :: iso_c_binding,only: c_int,c_int64_t
integer(c_int) n
integer(c_int64_t) b(*)
end subroutine
end interface
type pomp_hook
procedure(pomp_bounds),pointer,nopass :: p
end type
type(pomp_hook) x
`
	addressesText = `use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
implicit none
integer(c_int) ie,ir,v(*)
abstract interface
subroutine pomp_user(v)
use,intrinsic :: iso_c_binding,only: c_int
integer(c_int) v(*)
end subroutine
end interface
type pomp_hook
procedure(pomp_user),pointer,nopass :: p
end type
type(pomp_hook) x
`
)
