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

// counting renders the two procedures of loops with bounds, each of which enters by the dispatcher. h(4) takes the bounds.
func (u *fortranUnit) counting() {
	u.line("integer(4) function " + u.asks() + "(ir)")
	u.text(u.hooked(asksText))
	u.line(u.asks() + " = 0")
	u.line("if (h(1) /= 0) then")
	u.line(u.asks() + " = int(iand(h(1),2_c_intptr_t),4)")
	u.text("if (" + u.asks() + " == 0) call " + u.dispatcher() + "(1,ir)")
	u.line("end if")
	u.line("end function")
	u.line("subroutine " + u.tells() + "(ir,n,b)")
	u.text(u.hooked(tellsText))
	u.line("if (h(4) /= 0) then")
	u.line("x = transfer(h(4),x)")
	u.line("call x%p(n,b)")
	u.line("end if")
	u.text("call " + u.dispatcher() + "(" + strconv.Itoa(int(fortranCounted)) + ",ir)")
	u.line("end subroutine")
}

// userCall marks the begin or end of a user region: as plain, or as with where the directive names a variable, which may be of any type.
func (u *fortranUnit) userCall(plain, with fortranEvent, region int, d *parse.Directive) {
	_, variable := d.UserRegion()
	numbers := "(" + strconv.Itoa(int(with)) + "_4," + strconv.Itoa(region) + "_4,"
	call, ok := u.layout.AppendParts(nil, []string{"call pompv" + u.hash + numbers, variable + ")"})
	if variable == "" || !ok || u.options.NoBlock {
		u.call(plain, region)
		return
	}
	u.called, u.addressed = true, true
	u.openBlock()
	u.line("interface")
	u.line("subroutine pompv" + u.hash + "(ie,ir,v) bind(c,name='pompv" + u.hash + "')")
	u.line("use,intrinsic :: iso_c_binding,only: c_int")
	u.lines = append(u.lines, "!GCC$ ATTRIBUTES NO_ARG_CHECK :: v\n!DIR$ IGNORE_TKR v\n"...)
	u.line("integer(c_int) ie,ir,v(*)")
	u.line("end subroutine")
	u.line("end interface")
	u.lines = append(u.lines, call...)
	u.line("end block")
}

// addressing renders the procedure for user regions with a variable. h(5) takes the address.
func (u *fortranUnit) addressing() {
	u.line("subroutine pompdv" + u.hash + "(ie,ir,v) bind(c,name='pompv" + u.hash + "')")
	for line := range strings.SplitSeq(u.hooked(addressesText), "\n") {
		u.line(line)
	}
	u.line("if (h(5) /= 0) then")
	u.line("x = transfer(h(5),x)")
	u.line("call x%p(v(1))")
	u.line("end if")
	u.line("call " + u.dispatcher() + "(int(ie),int(ir))")
	u.line("end subroutine")
}

// controlling renders the procedure of the controls, which are obeyed whether the library measures or not. h(6) takes them.
func (u *fortranUnit) controlling() {
	u.line("subroutine pompc" + u.hash + "(ie)")
	u.text(u.hooked(controlsText))
	u.line("if (h(6) == 0) return")
	u.line("x = transfer(h(6),x)")
	u.line("call x%p(ie)")
	u.line("end subroutine")
}

const (
	asksText = `use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer ir
`
	tellsText = `use,intrinsic :: iso_c_binding,only: c_int64_t,c_intptr_t
implicit none
integer ir,n
integer(c_int64_t) b(3*n)
abstract interface
subroutine pomp_bounds(n,b)
use,intrinsic :: iso_c_binding,only: c_int64_t
integer n
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
	controlsText = `use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer ie
abstract interface
subroutine pomp_control(e)
integer e
end subroutine
end interface
type pomp_hook
procedure(pomp_control),pointer,nopass :: p
end type
type(pomp_hook) x
`
)
