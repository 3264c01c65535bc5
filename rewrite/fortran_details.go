package rewrite

import (
	"fmt"
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/parse/directive"
)

// This file renders calls that pass more than the event and the region.

// openBlock begins a BLOCK construct for declarations, because the user's unit may have no safe
// place for them. The BLOCK leaves nothing in the compiled program.
func (u *fortranUnit) openBlock() {
	// A BLOCK that comes first would be the entire body of the enclosing construct, OpenMP 5.2
	// [2.2].
	if len(u.lines) == 0 {
		u.line("continue")
	}
	u.line("block")
}

// A library gets the number of a loop's iterations if it asks for it; see detail.go. The bounds
// are plain expressions, which the loop evaluates anyway. To pass them at once costs less than to
// ask first, most of all in compile time.

// boundsName returns the name of the subroutine that enters a construct of so many loops with
// their bounds.
func (u *fortranUnit) boundsName(loops int) string {
	if loops == 1 {
		return "pompi" + u.hash
	}
	return "pompi" + strconv.Itoa(loops) + "_" + u.hash
}

// countedCall returns the call that enters r with the bounds of its loops and the given number.
// It returns false where the bounds cannot be passed.
func (u *fortranUnit) countedCall(r *descriptors.Region, number int) ([]byte, bool) {
	if len(r.Trips) == 0 || !hasCall(r, enterCall) || u.options.NoBlock && !u.options.Module {
		return nil, false
	}
	parts := []string{"call " + u.boundsName(len(r.Trips)) + "(" + u.argument(number)}
	for i := range r.Trips {
		t := &r.Trips[i]
		for _, e := range []string{t.From, t.To, t.Step} {
			parts = append(parts, ","+u.bound(e))
		}
	}
	parts[len(parts)-1] += ")"
	return u.layout.AppendParts(nil, parts)
}

// bound returns the expression e as an argument of 8 bytes.
func (u *fortranUnit) bound(e string) string {
	if _, err := strconv.ParseUint(e, 10, 31); err == nil {
		e = u.signed(e + "_8")
	} else {
		e = "int(" + e + "," + u.signed("8") + ")"
	}
	if u.options.ByValue {
		return "%val(" + e + ")"
	}
	return e
}

// countedEnter enters r with the bounds of its loops. It returns false, and writes nothing, where
// the bounds cannot be passed.
func (u *fortranUnit) countedEnter(r *descriptors.Region) bool {
	usual := u.asPlainEnter(eventNumber(fortranCounted, r.ID))
	statement, ok := u.countedCall(r, usual)
	if !ok {
		return false
	}
	if number := u.asPlainEnter(u.mergeCall(fortranCounted, r.ID)); number != usual {
		statement, _ = u.countedCall(r, number)
	}
	u.called, u.counted[len(r.Trips)] = true, true
	u.lines = append(u.lines, statement...)
	return true
}

// asPlainEnter returns the number in a call that enters a loop with bounds. By value it is the
// number of a plain enter. That costs the library less, and is right where no bounds are wanted.
// By reference, the sum that makes the other number would no longer exist after a jump.
func (u *fortranUnit) asPlainEnter(number int) int {
	if u.options.ByValue {
		return number - int(fortranCounted-fortranEnter)
	}
	return number
}

// boundsProcedure renders the procedure that enters a construct of so many loops with bounds. It
// ends with the call of the dispatcher and has no variables of its own. So the compiler jumps
// there, and the library sees the user's code as its caller. pomph(3) takes the bounds where
// pomph(5) is negative. It returns the number of the event, so nothing has to survive its call.
func (u *fortranUnit) boundsProcedure(loops int) {
	names := make([]string, 3*loops)
	for i := range names {
		names[i] = "b" + strconv.Itoa(i+1)
	}
	u.procedure(u.boundsName(loops), append([]string{"i"}, names...)...)
	u.text(u.withHook(countsText))
	declaration := listed(names)
	declaration[0] = "integer(c_int64_t) " + declaration[0]
	if u.options.ByValue {
		declaration[0] = byValue.Replace(declaration[0])
	}
	statement, _ := u.layout.AppendParts(nil, declaration)
	u.lines = append(u.lines, statement...)
	u.declareDispatcher()
	boundsCall, number := "n = x%p(", "0_c_int64_t"
	if u.options.ByValue {
		boundsCall, number = "i = x%p(", "i"
	} else {
		u.line("integer(c_int64_t) n")
	}
	u.line("if (pomph(5) == 0) return")
	u.line("if (pomph(5) < 0) then")
	u.line("x = transfer(pomph(3),x)")
	for i := range loops {
		if u.options.ByValue && i == loops-1 { // see asPlainEnter
			number = fmt.Sprintf("i+%d", fortranCounted-fortranEnter)
		}
		u.text(boundsCall + strconv.Itoa(i+1) + "_c_int," + strings.Join(names[3*i:3*i+3], ",") +
			"," + number + ")")
	}
	u.line("end if")
	u.line("call " + u.own(u.dispatcher()) + "(i)")
	u.line("end subroutine")
}

// userCall marks the begin or the end of a user region. The event is plain, or with where the
// directive names a variable, which may have any type.
func (u *fortranUnit) userCall(plain, with fortranEvent, region int, d *directive.Directive) {
	_, variable := d.UserRegion()
	number := strconv.Itoa(eventNumber(with, region))
	call, ok := u.layout.AppendParts(nil,
		[]string{"call pompv" + u.hash + "(" + number + "_4,", variable + ")"})
	if variable == "" || !ok || u.options.NoBlock {
		u.call(plain, region)
		return
	}
	u.called, u.addressed = true, true
	u.openBlock()
	u.line("interface")
	u.line("subroutine pompv" + u.hash + "(i,v) bind(c,name='pompv" + u.hash + "')")
	u.line("use,intrinsic :: iso_c_binding,only: c_int")
	u.lines = append(u.lines, "!GCC$ ATTRIBUTES NO_ARG_CHECK :: v\n!DIR$ IGNORE_TKR v\n"...)
	u.line("integer(c_int) i,v(*)")
	u.line("end subroutine")
	u.line("end interface")
	u.lines = append(u.lines, call...)
	u.line("end block")
}

// addressProcedure renders the procedure for user regions with a variable. pomph(4) takes the
// address.
func (u *fortranUnit) addressProcedure() {
	u.line("subroutine pompdv" + u.hash + "(i,v) bind(c,name='pompv" + u.hash + "')")
	for line := range strings.SplitSeq(u.withHook(addressesText), "\n") {
		u.line(line)
	}
	u.declareDispatcher()
	u.line("if (pomph(4) /= 0) then")
	u.line("x = transfer(pomph(4),x)")
	u.line("call x%p(v(1))")
	u.line("end if")
	switch {
	case u.options.ByValue:
		u.line("call " + u.own(u.dispatcher()) + "(int(i,8))")
	case u.options.Gfortran:
		u.line("call " + u.own(u.dispatcher()) + "(i)")
	default:
		u.line("call " + u.dispatcher() + "(int(i))")
	}
	u.line("end subroutine")
}

// declareDispatcher declares the dispatcher within another procedure of the file. The user's
// units call it with integers of the default kind, which may be another kind there.
func (u *fortranUnit) declareDispatcher() {
	u.line("interface")
	u.procedure(u.dispatcher(), "i")
	u.text("use,intrinsic :: iso_c_binding,only: c_int\n" +
		"use,intrinsic :: iso_c_binding,only: c_int64_t\n" +
		"integer(c_int) i\nend subroutine\nend interface")
}

const (
	countsText = `use,intrinsic :: iso_c_binding,only: c_int,c_int64_t
use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer(c_int) i
abstract interface
function pomp_bounds(n,f,t,s,w)
use,intrinsic :: iso_c_binding,only: c_int,c_int64_t
integer(c_int64_t) pomp_bounds
integer(c_int),value :: n
integer(c_int64_t),value :: f,t,s,w
end function
end interface
type pomp_hook
procedure(pomp_bounds),pointer,nopass :: p
end type
type(pomp_hook) x
`
	addressesText = `use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
implicit none
integer(c_int) i,v(*)
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
